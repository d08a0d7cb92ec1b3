// Points-to analysis, flow-insensitive, by inclusion (Andersen): which objects, at which offsets, an address can denote. A pointer is a
// set of targets "object at offset" or "object anywhere"; offsets are kept as long as arithmetic adds constants.
// Over-approximates: every address a defined run computes is among the targets.
//
// Addresses also go where nothing is followed: into large arrays, through pointers from elsewhere, in pieces (bytes, halves, other numbers made of
// them). What they mean is *lost*: any pointer that comes from such places, or is put together from pieces, may mean it.
//
// This file runs it to its fixed point and tells what was found. What cells hold is kept in cell-contents.ts; what expressions mean by it is read off in
// expression-targets.ts.

import { Contents } from './cell-contents.ts';
import { cellsAt, overlapped, reachesOther, targetsInBytes } from './cells-at.ts';
import type { Expr } from './expr.ts';
import { ExpressionTargets } from './expression-targets.ts';
import type { Cell, MemoryObject, Operation, Program, Site } from './program.ts';
import { LARGE } from './program.ts';
import { isNothing, type Pattern, Targets } from './targets.ts';

/** What is known of addresses when all is resolved. */
export interface AddressFacts {
  /** Can it hold an address? */
  mayHold(cell: Cell): boolean;
  /** The cells whose bytes the site can touch, of objects that we see. */
  touched(site: Site): readonly Cell[];
  /** Those among them that it can touch without meaning them: a part of one, or more than one. */
  overlapped(site: Site): readonly Cell[];
  /** What the site can mean, by object; null where that may be anything. */
  meant(site: Site): ReadonlyMap<number, Iterable<Pattern>> | null;
  /** What an address can mean, likewise. */
  pointed(address: Expr): ReadonlyMap<number, Iterable<Pattern>> | null;
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
  private readonly narrowed = new Map<Site, ReadonlySet<Expr>>();
  readonly wideWithAddresses = new Set<MemoryObject>();
  private readonly contents: Contents;
  private readonly expressions: ExpressionTargets;

  constructor(program: Program, clobbers: readonly Operation[]) {
    this.program = program;
    this.clobbers = new Set(clobbers);
    this.contents = new Contents(program);
    this.expressions = new ExpressionTargets(program, this.contents);
  }

  run(): void {
    const { program } = this;
    for (const [cell, value] of program.initial)
      if (this.contents.holdsPointers(value.width))
        this.contents.flow(program.cells[cell]!, this.expressions.targets(value));
    for (const [id, bytes] of program.initialBytes)
      if (program.objects[id]!.wide) {
        const found = targetsInBytes(program.objects, bytes, this.contents.narrow, program.pool.watch);
        this.contents.lose(found);
        if (!isNothing(found)) this.wideWithAddresses.add(program.objects[id]!);
      }
    const operations = program.edges.map((edge) => edge.operation);
    do {
      this.contents.changed = false;
      for (const operation of operations) {
        program.pool.watch();
        this.expressions.forget();
        this.transfer(operation);
      }
    } while (this.contents.changed);
    this.expressions.forget();
    for (const site of program.sites) this.resolve(site);
    const reachable = this.contents.reachableFromOutside();
    for (const operation of this.clobbers)
      if (operation.kind === 'havoc') (operation as { cells: readonly Cell[] }).cells = reachable;
  }

  mayMeanOthers(pointer: Expr, covered: ReadonlySet<bigint>): boolean {
    const { unknown, offsets } = this.expressions.addressed(pointer);
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
      if (this.contents.holdsPointers(expr.width)) show(this.expressions.targets(expr));
      this.expressions.hasPieces(expr);
    }
    for (const id of this.contents.lost) known.add(objects[id]!);
    for (const object of known)
      for (const { id } of object.cells.values()) {
        const contents = this.contents.known(id);
        if (contents !== undefined) show(contents);
      }
    // What lies in large arrays is not followed.
    if ([...known].some(({ wide }) => wide)) return () => true;
    const addresses = new Set([...known].map(({ address }) => address));
    return (address) => addresses.has(address);
  }

  private transfer(operation: Operation): void {
    switch (operation.kind) {
      case 'assign':
        this.contents.flow(operation.cell, this.expressions.valueOf(operation.value));
        if (!isCopied(operation.value)) this.contents.markNumber(operation.cell);
        return;
      case 'store':
        this.store(this.expressions.reached(operation.site, operation.address), operation.value);
        return;
      case 'input':
        this.contents.markUnknown(operation.cell);
        return;
      case 'havoc':
        if (operation.exact) return;
        for (const cell of operation.cells) this.contents.markUnknown(cell);
        if (this.clobbers.has(operation))
          for (const cell of this.contents.reachableFromOutside()) this.contents.markUnknown(cell);
        return;
    }
  }

  private store(to: Targets, stored: Expr): void {
    const { width } = stored;
    const value = this.expressions.valueOf(stored);
    for (const cell of cellsAt(this.program.objects, to, width)) {
      this.contents.flow(cell, value);
      if (!isCopied(stored)) this.contents.markNumber(cell);
    }
    // Members of a union, too: the same bytes in another width.
    const beside = overlapped(this.program.objects, to, width);
    for (const cell of beside) this.contents.markUnknown(cell);
    if (beside.length > 0) this.contents.lose(value);
    if (!reachesOther(this.program.objects, to, width)) return;
    this.contents.lose(value);
    if (to.unknown) for (const cell of this.contents.reachableFromOutside()) this.contents.markUnknown(cell);
  }

  mayHold(cell: Cell): boolean {
    const contents = this.contents.known(cell.id);
    return contents !== undefined && !isNothing(contents);
  }

  touched(site: Site): readonly Cell[] {
    return [...site.cells, ...site.many, ...this.overlapped(site)];
  }

  overlapped(site: Site): readonly Cell[] {
    const targets = this.expressions.reached(site, site.address);
    return overlapped(this.program.objects, targets, site.width);
  }

  /** These can be reached by functions from elsewhere. */
  show(objects: Iterable<MemoryObject>): void {
    this.contents.show(objects);
  }

  meant(site: Site): ReadonlyMap<number, Iterable<Pattern>> | null {
    return patternsOf(this.at(site));
  }

  pointed(address: Expr): ReadonlyMap<number, Iterable<Pattern>> | null {
    return patternsOf(this.expressions.addressed(address));
  }

  meansOthers(site: Site, than: ReadonlySet<MemoryObject>): boolean {
    const targets = this.at(site);
    for (const { id } of than) targets.offsets.delete(id);
    return site.many.length > 0 || reachesOther(this.program.objects, targets, site.width);
  }

  isKnownOutside(object: MemoryObject): boolean {
    return this.contents.isKnownOutside(object);
  }

  keepOnly(addresses: ReadonlyMap<Site, ReadonlySet<Expr>>, unallocated: ReadonlySet<MemoryObject>): void {
    for (const { id } of unallocated) this.contents.leftOut.add(id);
    for (const [site, exprs] of addresses) this.narrowed.set(site, exprs);
    for (const site of addresses.keys()) this.resolve(site);
  }

  /** What the site means. */
  private at(site: Site): Targets {
    const ever = this.expressions.reached(site, site.address);
    const used = new Targets();
    for (const address of this.narrowed.get(site) ?? [site.address])
      used.addAll(this.expressions.reached(site, address));
    // A null pointer with something added to it is a number, of which less is known; and what may come from elsewhere stays what it is.
    const all = new Targets();
    all.addAll(ever.unknown || used.unknown ? ever : used);
    for (const id of this.contents.leftOut) all.offsets.delete(id);
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
    const outside = targets.unknown ? this.contents.reachableFromOutside() : [];
    site.blurred = [
      ...new Set([...outside, ...overlapped(this.program.objects, targets, site.width), ...site.many]),
    ];
  }
}

const patternsOf = ({ unknown, offsets }: Targets): ReadonlyMap<number, Iterable<Pattern>> | null =>
  unknown ? null : new Map([...offsets].map(([id, patterns]) => [id, patterns.values()]));
