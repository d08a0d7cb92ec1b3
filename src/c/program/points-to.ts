// Points-to analysis, flow-insensitive, by inclusion (Andersen): which objects, at which offsets, an address can denote. A pointer is a
// set of targets "object at offset" or "object anywhere"; offsets are kept as long as arithmetic adds constants.
// Over-approximates: every address a defined run computes is among the targets.

import type { CallBack } from './call-backs.ts';
import type { Expr } from './expr.ts';
import { symbolNumber } from './expr.ts';
import type { Cell, MemoryObject, Operation, Program, Site } from './program.ts';
import { cellKey, objectAt } from './program.ts';

/** Offsets r, r + m, r + 2m, …; just r when m is 0. An index of unknown value multiplies the size of an element. */
interface Pattern {
  readonly r: number;
  readonly m: number;
}

const ANYWHERE: Pattern = { r: 0, m: 1 };
const matches = ({ r, m }: Pattern, offset: number): boolean =>
  m === 0 ? offset === r : (offset - r) % m === 0;

class Targets {
  readonly offsets = new Map<number, Map<string, Pattern>>();
  /** Pointers that came from outside: any object whose address is known there. */
  unknown = false;

  add(object: number, pattern: Pattern): boolean {
    let known = this.offsets.get(object);
    if (known === undefined) this.offsets.set(object, (known = new Map()));
    const r = pattern.m === 0 ? pattern.r : ((pattern.r % pattern.m) + pattern.m) % pattern.m;
    const key = `${r}%${pattern.m}`;
    if (known.has(key) || known.has('0%1')) return false;
    if (known.size >= 64) known.clear();
    else if (pattern.m !== 1) {
      known.set(key, { r, m: pattern.m });
      return true;
    }
    known.set('0%1', ANYWHERE);
    return true;
  }

  addAll(other: Targets): boolean {
    let changed = other.unknown && !this.unknown;
    this.unknown ||= other.unknown;
    for (const [object, patterns] of other.offsets)
      for (const pattern of patterns.values()) changed = this.add(object, pattern) || changed;
    return changed;
  }
}

/** A branch that is taken when a pointer means a function that is in none of the files. */
export interface OtherCallee {
  readonly operation: Extract<Operation, { kind: 'assume' }>;
  readonly pointer: Expr;
  /** Addresses of the functions that have branches of their own. */
  readonly covered: ReadonlySet<bigint>;
  /** The test before all branches, and what it is where there are no functions from outside: one of the branches can be taken. */
  readonly isFunction: Extract<Operation, { kind: 'defined' }>;
  readonly called: Expr;
}

/** What the lowering left open. */
export interface FromElsewhere {
  /** Operations that stand for effects from outside. */
  readonly clobbers: readonly Operation[];
  readonly otherCallees: readonly OtherCallee[];
  readonly callBacks: readonly CallBack[];
  /** Addresses that became numbers: nobody knows where these go. */
  readonly asNumbers: readonly Expr[];
  /** Variables that can be used elsewhere by their names. */
  readonly exported: ReadonlySet<MemoryObject>;
}

/** Fills in the cells of all sites, and of the operations that stand for effects from outside; closes branches that only pointers from outside, or to the outside, take. */
export function resolvePointers(program: Program, elsewhere: FromElsewhere): void {
  const { clobbers, otherCallees, callBacks, asNumbers, exported } = elsewhere;
  const analysis = new Analysis(program, clobbers);
  analysis.run();
  const { pool } = program;
  for (const { operation, pointer, covered, isFunction, called } of otherCallees) {
    if (analysis.mayMeanOthers(pointer, covered)) continue;
    (operation as { test: Expr }).test = pool.false;
    (isFunction as { test: Expr }).test = called;
  }
  if (callBacks.length === 0) return;
  const given = callBacks.flatMap((callBack) => callBack.given);
  const isKnown = analysis.functionsKnownOutside([...given, ...asNumbers], exported);
  for (const { toError, toUndefined, ours, stating } of callBacks) {
    if (![...stating].some(isKnown)) (toError as { test: Expr }).test = pool.false;
    if (![...ours].some(isKnown)) (toUndefined as { test: Expr }).test = pool.false;
  }
}

class Analysis {
  private readonly program: Program;
  private readonly clobbers: ReadonlySet<Operation>;
  private readonly contents = new Map<number, Targets>();
  private readonly escaped = new Set<number>();
  private changed = false;
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
      if (this.holdsPointers(value.width)) this.flow(this.of(cell), this.targets(value));
    const operations = program.edges.map((edge) => edge.operation);
    do {
      this.changed = false;
      for (const operation of operations) {
        program.pool.watch();
        this.transfer(operation);
      }
    } while (this.changed);
    for (const site of program.sites) this.resolve(site);
    const reachable = this.reachableFromOutside();
    for (const operation of this.clobbers)
      if (operation.kind === 'havoc') (operation as { cells: readonly Cell[] }).cells = reachable;
  }

  mayMeanOthers(pointer: Expr, covered: ReadonlySet<bigint>): boolean {
    const { unknown, offsets } = this.targets(pointer);
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
    const { objects, edges } = this.program;
    const known = new Set<MemoryObject>();
    const show = (targets: Targets) => {
      for (const id of targets.offsets.keys()) known.add(objects[id]!);
    };
    for (const object of exported) known.add(object);
    for (const expr of given) show(this.targets(expr));
    for (const { operation } of edges) {
      if (operation.kind !== 'store') continue;
      const { address, value } = operation;
      if (this.reachesOther(this.targets(address), value.width)) show(this.targets(value));
    }
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

  private flow(into: Targets, from: Targets): void {
    if (into.addAll(from)) this.changed = true;
  }

  private transfer(operation: Operation): void {
    switch (operation.kind) {
      case 'assign':
        if (this.holdsPointers(operation.cell.width))
          this.flow(this.of(operation.cell.id), this.targets(operation.value));
        return;
      case 'store': {
        const { width } = operation.value;
        if (!this.holdsPointers(width)) return;
        const value = this.targets(operation.value);
        for (const cell of this.cellsAt(this.targets(operation.address), width))
          this.flow(this.of(cell.id), value);
        return;
      }
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

  private markUnknown(cell: Cell): void {
    if (cell.type.kind !== 'pointer') return;
    const targets = this.of(cell.id);
    if (!targets.unknown) this.changed = true;
    targets.unknown = true;
  }

  private targets(expr: Expr): Targets {
    const result = new Targets();
    this.collect(expr, result);
    return result;
  }

  private collect(expr: Expr, into: Targets): void {
    switch (expr.op) {
      case 'const': {
        const object = objectAt(this.program.objects, expr.value);
        if (object !== null) into.add(object.id, { r: Number(expr.value - object.address), m: 0 });
        return;
      }
      case 'symbol':
        if (this.holdsPointers(expr.width)) into.addAll(this.of(symbolNumber(expr)));
        return;
      case 'load':
        if (!this.holdsPointers(expr.width)) return;
        for (const cell of this.cellsAt(this.targets(expr.args[0]!), expr.width))
          into.addAll(this.of(cell.id));
        if (this.reachesOther(this.targets(expr.args[0]!), expr.width)) into.unknown = true;
        return;
      // Pointers lie in memory in 32 bits and are computed with in 64.
      case 'zext':
      case 'trunc':
        if (this.holdsPointers(expr.width) && this.holdsPointers(expr.args[0]!.width))
          this.collect(expr.args[0]!, into);
        return;
      case 'ite':
        this.collect(expr.args[1]!, into);
        this.collect(expr.args[2]!, into);
        return;
      case 'add': {
        const [left, right] = expr.args as [Expr, Expr];
        if (right.op === 'const' && objectAt(this.program.objects, right.value) === null) {
          const by = Number(BigInt.asIntN(64, right.value));
          this.map(left, into, ({ r, m }) => ({ r: r + by, m }));
          return;
        }
        this.strided(left, right, into);
        this.strided(right, left, into);
        return;
      }
      case 'sub':
        this.strided(expr.args[0]!, expr.args[1]!, into);
        return;
    }
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

  private cellsAt(targets: Targets, width: number): Cell[] {
    const cells: Cell[] = [];
    for (const [id, patterns] of targets.offsets) {
      const list = [...patterns.values()];
      for (const cell of this.program.objects[id]!.cells.values())
        if (cell.width === width && list.some((pattern) => matches(pattern, cell.offset))) cells.push(cell);
    }
    return cells;
  }

  /** Can an access of this width touch bytes that are not a cell of that width? */
  private reachesOther(targets: Targets, width: number): boolean {
    if (targets.unknown) return true;
    for (const [id, patterns] of targets.offsets) {
      const object = this.program.objects[id]!;
      if (object.kind === 'function') continue;
      if (object.wide) return true;
      for (const pattern of patterns.values()) if (misses(object, pattern, width)) return true;
    }
    return false;
  }

  private resolve(site: Site): void {
    const targets = this.targets(site.address);
    site.cells = this.cellsAt(targets, site.width);
    site.vague = this.reachesOther(targets, site.width);
    site.objects = [...targets.offsets.keys()].map((id) => this.program.objects[id]!);
    site.foreign = targets.unknown;
    const blurred = new Set<Cell>(targets.unknown ? this.reachableFromOutside() : []);
    for (const [id, patterns] of targets.offsets)
      for (const cell of this.program.objects[id]!.cells.values())
        if ([...patterns.values()].some((pattern) => overlaps(cell, pattern, site.width))) blurred.add(cell);
    site.blurred = [...blurred];
  }

  /** Cells of globals and of everything whose address is stored somewhere. */
  private reachableFromOutside(): Cell[] {
    for (const targets of this.contents.values())
      for (const object of targets.offsets.keys()) this.escaped.add(object);
    return this.program.cells.filter(
      ({ object }) =>
        !object.constant &&
        (object.kind === 'global' || object.kind === 'heap' || this.escaped.has(object.id)),
    );
  }
}

const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b));

/** Is there an offset of the pattern inside the object where no cell of this width lies? */
function misses(object: MemoryObject, pattern: Pattern, width: number): boolean {
  for (let offset = pattern.r; offset < object.size; offset += pattern.m) {
    if (offset >= 0 && !object.cells.has(cellKey(offset, width))) return true;
    if (pattern.m === 0) return false;
  }
  return false;
}

/** Could an access at the pattern touch the cell without being exactly that cell? */
function overlaps(cell: Cell, pattern: Pattern, width: number): boolean {
  for (let offset = cell.offset - width / 8 + 1; offset < cell.offset + cell.width / 8; offset++)
    if (matches(pattern, offset) && !(offset === cell.offset && cell.width === width)) return true;
  return false;
}
