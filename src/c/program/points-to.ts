// Points-to analysis, flow-insensitive, by inclusion (Andersen): which objects, at which offsets, an address can denote. A pointer is a
// set of targets "object at offset" or "object anywhere"; offsets are kept as long as arithmetic adds constants.
// Over-approximates: every address a defined run computes is among the targets.
//
// Addresses also go where nothing is followed: into large arrays, through pointers from elsewhere, in pieces (bytes, halves, other numbers made of
// them). What they mean is *lost*: any pointer that comes from such places, or is put together from pieces, may mean it.

import { cellsAt, overlapped, reachesOther, targetsInBytes } from './cells-at.ts';
import type { Expr } from './expr.ts';
import { symbolNumber } from './expr.ts';
import type { Cell, MemoryObject, Operation, Program, Site } from './program.ts';
import { LARGE, ownerAt } from './program.ts';
import { gcd, isNothing, NOTHING, type Pattern, Targets } from './targets.ts';

/** What is known of addresses when all is resolved. */
export interface AddressFacts {
  /** Can it hold an address? */
  mayHold(cell: Cell): boolean;
  /** The cells whose bytes the site can touch, of objects that we see. */
  touched(site: Site): readonly Cell[];
  /** What the site can mean, by object; null where that may be anything. */
  meant(site: Site): ReadonlyMap<number, Iterable<Pattern>> | null;
  /** Sites are used with these addresses only; no run allocates these objects. */
  keepOnly(addresses: ReadonlyMap<Site, ReadonlySet<Expr>>, unallocated: ReadonlySet<MemoryObject>): void;
  /** Can the site mean bytes that are no cell, beside those of these objects? */
  meansOthers(site: Site, than: ReadonlySet<MemoryObject>): boolean;
  /** Can functions from elsewhere, or pointers from there, reach it? */
  isKnownOutside(object: MemoryObject): boolean;
  /** Large objects that hold addresses at the start. */
  readonly wideWithAddresses: ReadonlySet<MemoryObject>;
}

const isCopied = ({ op }: Expr): boolean => op === 'symbol' || op === 'load' || op === 'const';

export class Analysis implements AddressFacts {
  private readonly program: Program;
  private readonly clobbers: ReadonlySet<Operation>;
  private readonly contents = new Map<number, Targets>();
  private readonly escaped = new Set<number>();
  /** Their addresses went where nothing is followed. */
  private readonly lost = new Set<number>();
  private readonly leftOut = new Set<number>();
  private readonly narrowed = new Map<Site, ReadonlySet<Expr>>();
  private changed = false;
  readonly wideWithAddresses = new Set<MemoryObject>();
  /** What was found about expressions since the last change of contents: they share parts. */
  private readonly found = new Map<Expr, Targets>();
  private readonly pieces = new Map<Expr, boolean>();
  /** Pointers in memory have 32 bits (i386). */
  private readonly narrow: boolean;

  constructor(program: Program, clobbers: readonly Operation[]) {
    this.program = program;
    this.clobbers = new Set(clobbers);
    this.narrow = program.cells.some(({ type, width }) => type.kind === 'pointer' && width === 32);
  }

  private holdsPointers(width: number): boolean {
    return width === 64 || (this.narrow && width === 32);
  }

  run(): void {
    const { program } = this;
    for (const [cell, value] of program.initial)
      if (this.holdsPointers(value.width)) this.flow(program.cells[cell]!, this.targets(value));
    for (const [id, bytes] of program.initialBytes)
      if (program.objects[id]!.wide) {
        const found = targetsInBytes(program.objects, bytes, this.narrow, program.pool.watch);
        this.lose(found);
        if (!isNothing(found)) this.wideWithAddresses.add(program.objects[id]!);
      }
    const operations = program.edges.map((edge) => edge.operation);
    do {
      this.changed = false;
      for (const operation of operations) {
        program.pool.watch();
        this.forget();
        this.transfer(operation);
      }
    } while (this.changed);
    this.forget();
    for (const site of program.sites) this.resolve(site);
    const reachable = this.reachableFromOutside();
    for (const operation of this.clobbers)
      if (operation.kind === 'havoc') (operation as { cells: readonly Cell[] }).cells = reachable;
  }

  mayMeanOthers(pointer: Expr, covered: ReadonlySet<bigint>): boolean {
    const { unknown, offsets } = this.addressed(pointer);
    const objects = [...offsets.keys()].map((id) => this.program.objects[id]!);
    return unknown || objects.some(({ kind, address }) => kind === 'function' && !covered.has(address));
  }

  /**
   * The addresses of functions that can be found outside: from what is given, from variables that are known by name, and from what is written to places that
   * are not followed; and from there along pointers.
   */
  functionsKnownOutside(
    given: readonly Expr[],
    exported: ReadonlySet<MemoryObject>,
  ): (address: bigint) => boolean {
    const { objects } = this.program;
    const known = new Set<MemoryObject>();
    const show = (targets: Targets) => {
      for (const id of targets.offsets.keys()) known.add(objects[id]!);
    };
    for (const object of exported) known.add(object);
    for (const expr of given) {
      if (this.holdsPointers(expr.width)) show(this.targets(expr));
      this.hasPieces(expr);
    }
    for (const id of this.lost) known.add(objects[id]!);
    for (const object of known)
      for (const { id } of object.cells.values()) {
        const contents = this.contents.get(id);
        if (contents !== undefined) show(contents);
      }
    // What lies in large arrays is not followed.
    if ([...known].some(({ wide }) => wide)) return () => true;
    const addresses = new Set([...known].map(({ address }) => address));
    return (address) => addresses.has(address);
  }

  private of(cell: number): Targets {
    let targets = this.contents.get(cell);
    if (targets === undefined) {
      targets = new Targets();
      this.contents.set(cell, targets);
    }
    return targets;
  }

  private flow(cell: Cell, from: Targets): void {
    const into = this.of(cell.id);
    if (into.addAll(from)) this.changed = true;
    if (into.number && cell.type.kind === 'pointer') this.markUnknown(cell);
  }

  private transfer(operation: Operation): void {
    switch (operation.kind) {
      case 'assign':
        this.flow(operation.cell, this.valueOf(operation.value));
        if (!isCopied(operation.value)) this.markNumber(operation.cell);
        return;
      case 'store':
        this.store(this.addressed(operation.address), operation.value);
        return;
      case 'input':
        this.markUnknown(operation.cell);
        return;
      case 'havoc':
        if (operation.exact) return;
        for (const cell of operation.cells) this.markUnknown(cell);
        if (this.clobbers.has(operation))
          for (const cell of this.reachableFromOutside()) this.markUnknown(cell);
        return;
    }
  }

  private store(to: Targets, stored: Expr): void {
    const { width } = stored;
    const value = this.valueOf(stored);
    for (const cell of cellsAt(this.program.objects, to, width)) {
      this.flow(cell, value);
      if (!isCopied(stored)) this.markNumber(cell);
    }
    // Members of a union, too: the same bytes in another width.
    const beside = overlapped(this.program.objects, to, width);
    for (const cell of beside) this.markUnknown(cell);
    if (beside.length > 0) this.lose(value);
    if (!reachesOther(this.program.objects, to, width)) return;
    this.lose(value);
    if (to.unknown) for (const cell of this.reachableFromOutside()) this.markUnknown(cell);
  }

  /** What is written somewhere. A pointer put together from pieces can be any that was ever taken apart. */
  private valueOf(expr: Expr): Targets {
    if (!this.holdsPointers(expr.width)) {
      this.hasPieces(expr);
      return NOTHING;
    }
    const targets = this.targets(expr);
    if (expr.op !== 'or') return targets;
    const any = new Targets();
    any.addAll(targets);
    any.unknown = true;
    return any;
  }

  private lose({ offsets }: Targets): void {
    for (const id of offsets.keys()) {
      if (this.lost.has(id)) continue;
      this.lost.add(id);
      this.escaped.add(id);
      this.changed = true;
    }
  }

  /** Can a number, of whatever width, be made of addresses? What they mean is lost then. Comparisons tell nothing of them. */
  private hasPieces(expr: Expr): boolean {
    if (expr.width === 0 || expr.op === 'const') return false;
    let found = this.pieces.get(expr);
    if (found === undefined) this.pieces.set(expr, (found = this.findPieces(expr)));
    return found;
  }

  private findPieces(expr: Expr): boolean {
    if (expr.op === 'symbol' || expr.op === 'load') {
      const targets = new Targets();
      targets.addAll(this.targets(expr));
      if (expr.op === 'load')
        for (const cell of overlapped(this.program.objects, this.targets(expr.args[0]!), expr.width))
          targets.addAll(this.of(cell.id));
      this.lose(targets);
      return !isNothing(targets);
    }
    if (expr.op === 'sub' && this.isDistance(expr)) return false;
    let found = false;
    for (const arg of expr.args) found = this.hasPieces(arg) || found;
    return found;
  }

  private isNumber(expr: Expr): boolean {
    const { number, offsets } = this.targets(expr);
    return number || (expr.op === 'const' && offsets.size === 0);
  }

  private isAddress(expr: Expr): boolean {
    return this.targets(expr).offsets.size > 0;
  }

  /** Of two places in one object. Whoever makes an address of it again adds it to one that has the same targets. */
  private isDistance({ args }: Expr): boolean {
    const [left, right] = [this.targets(args[0]!), this.targets(args[1]!)];
    if (isNothing(left) || left.unknown || isNothing(right) || right.unknown) return false;
    if (left.number || right.number) return false;
    return [...left.offsets.keys()].every((id) => right.offsets.has(id));
  }

  mayHold(cell: Cell): boolean {
    const contents = this.contents.get(cell.id);
    return contents !== undefined && !isNothing(contents);
  }

  touched({ address, width, cells, many }: Site): readonly Cell[] {
    return [...cells, ...many, ...overlapped(this.program.objects, this.addressed(address), width)];
  }

  /** These can be reached by functions from elsewhere. */
  show(objects: Iterable<MemoryObject>): void {
    for (const { id } of objects) this.escaped.add(id);
  }

  /** It can hold any address that is known outside, or, where it is a number, any number. */
  private markUnknown(cell: Cell): void {
    if (cell.type.kind !== 'pointer') {
      this.markNumber(cell);
      return;
    }
    const targets = this.of(cell.id);
    if (!targets.unknown) this.changed = true;
    targets.unknown = true;
  }

  /** Numbers of pointers are what is added to them. */
  private markNumber(cell: Cell): void {
    if (cell.type.kind === 'pointer' || !this.holdsPointers(cell.width)) return;
    const targets = this.of(cell.id);
    if (!targets.number) this.changed = true;
    targets.number = true;
  }

  /** What an address means. */
  private addressed(expr: Expr): Targets {
    const targets = this.targets(expr);
    if (!targets.number || targets.unknown) return targets;
    const any = new Targets();
    any.addAll(targets);
    any.unknown = true;
    return any;
  }

  /** Not to be changed. */
  private targets(expr: Expr): Targets {
    let result = this.found.get(expr);
    if (result === undefined) {
      result = new Targets();
      this.collect(expr, result);
      this.found.set(expr, result);
    }
    return result;
  }

  private forget(): void {
    this.found.clear();
    this.pieces.clear();
  }

  private collect(expr: Expr, into: Targets): void {
    switch (expr.op) {
      case 'const': {
        const object = ownerAt(this.program.objects, expr.value);
        if (object !== null) into.add(object.id, { r: Number(expr.value - object.address), m: 0 });
        return;
      }
      case 'symbol':
        if (this.holdsPointers(expr.width)) this.read(this.program.cells[symbolNumber(expr)]!, into);
        return;
      case 'load':
        if (!this.holdsPointers(expr.width)) return;
        for (const cell of cellsAt(this.program.objects, this.addressed(expr.args[0]!), expr.width))
          this.read(cell, into);
        if (reachesOther(this.program.objects, this.addressed(expr.args[0]!), expr.width))
          into.unknown = true;
        return;
      // Pointers lie in memory in 32 bits and are computed with in 64.
      case 'zext':
      case 'trunc':
        if (this.holdsPointers(expr.width) && this.holdsPointers(expr.args[0]!.width))
          into.addAll(this.targets(expr.args[0]!));
        else into.number = true;
        return;
      case 'ite':
        into.addAll(this.targets(expr.args[1]!));
        into.addAll(this.targets(expr.args[2]!));
        return;
      case 'add': {
        const [left, right] = expr.args as [Expr, Expr];
        if (right.op === 'const' && ownerAt(this.program.objects, right.value) === null) {
          const by = Number(BigInt.asIntN(expr.width, right.value));
          this.map(left, into, ({ r, m }) => ({ r: r + by, m }));
          into.number = this.isNumber(left);
          return;
        }
        this.strided(left, right, into);
        this.strided(right, left, into);
        into.number = this.isNumber(left) && this.isNumber(right);
        // Of two addresses: a number from which either can be made again.
        if (this.isAddress(left) && this.isAddress(right)) {
          this.lose(into);
          into.unknown = true;
        }
        return;
      }
      case 'sub':
        into.number = this.isNumber(expr.args[0]!) || this.isDistance(expr);
        if (this.isDistance(expr)) return;
        this.strided(expr.args[0]!, expr.args[1]!, into);
        if (this.hasPieces(expr.args[1]!)) into.unknown = true;
        return;
      default:
        into.number = true;
        if (this.hasPieces(expr)) into.unknown = true;
    }
  }

  private read(cell: Cell, into: Targets): void {
    const contents = this.of(cell.id);
    into.addAll(contents);
    if (!cell.mayBePointer && contents.offsets.size === 0) into.number = true;
  }

  /** A base with a multiple of something added. */
  private strided(base: Expr, index: Expr, into: Targets): void {
    const by =
      index.op === 'mul' && index.args[1]!.op === 'const' ? BigInt.asIntN(64, index.args[1]!.value) : 1n;
    // Factors that no number holds exactly are no help: any offset.
    const factor = by >= -(2n ** 31n) && by < 2n ** 31n ? Math.abs(Number(by)) : 1;
    this.map(base, into, ({ r, m }) => ({ r, m: gcd(m, factor) }));
  }

  private map(base: Expr, into: Targets, change: (pattern: Pattern) => Pattern): void {
    const targets = this.targets(base);
    into.unknown ||= targets.unknown;
    for (const [object, patterns] of targets.offsets)
      for (const pattern of patterns.values()) into.add(object, change(pattern));
  }

  meant(site: Site): ReadonlyMap<number, Iterable<Pattern>> | null {
    const { unknown, offsets } = this.at(site);
    return unknown ? null : new Map([...offsets].map(([id, patterns]) => [id, patterns.values()]));
  }

  meansOthers(site: Site, than: ReadonlySet<MemoryObject>): boolean {
    const targets = this.at(site);
    for (const { id } of than) targets.offsets.delete(id);
    return site.many.length > 0 || reachesOther(this.program.objects, targets, site.width);
  }

  isKnownOutside(object: MemoryObject): boolean {
    if (object.constant || this.leftOut.has(object.id)) return false;
    return object.kind === 'global' || object.kind === 'heap' || this.escaped.has(object.id);
  }

  keepOnly(addresses: ReadonlyMap<Site, ReadonlySet<Expr>>, unallocated: ReadonlySet<MemoryObject>): void {
    for (const { id } of unallocated) this.leftOut.add(id);
    for (const [site, exprs] of addresses) this.narrowed.set(site, exprs);
    for (const site of addresses.keys()) this.resolve(site);
  }

  /** What the site means. */
  private at(site: Site): Targets {
    const ever = this.addressed(site.address);
    const used = new Targets();
    for (const address of this.narrowed.get(site) ?? [site.address]) used.addAll(this.addressed(address));
    // A null pointer with something added to it is a number, of which less is known; and what may come from elsewhere stays what it is.
    const all = new Targets();
    all.addAll(ever.unknown || used.unknown ? ever : used);
    for (const id of this.leftOut) all.offsets.delete(id);
    return all;
  }

  private resolve(site: Site): void {
    const targets = this.at(site);
    const cells = cellsAt(this.program.objects, targets, site.width);
    site.many = cells.filter(({ object }) => object.cells.size > LARGE);
    site.cells = site.many.length === 0 ? cells : cells.filter(({ object }) => object.cells.size <= LARGE);
    site.vague = site.many.length > 0 || reachesOther(this.program.objects, targets, site.width);
    site.objects = [...targets.offsets.keys()].map((id) => this.program.objects[id]!);
    site.foreign = targets.unknown;
    const outside = targets.unknown ? this.reachableFromOutside() : [];
    site.blurred = [
      ...new Set([...outside, ...overlapped(this.program.objects, targets, site.width), ...site.many]),
    ];
  }

  /** Cells of globals and of everything whose address is stored somewhere. */
  private reachableFromOutside(): Cell[] {
    for (const targets of this.contents.values())
      for (const object of targets.offsets.keys()) this.escaped.add(object);
    return this.program.cells.filter(({ object }) => this.isKnownOutside(object));
  }
}
