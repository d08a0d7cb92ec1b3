// Which cells can hold bytes of addresses as numbers, and which pointers may have been put together from parts, anywhere in a program: what address-numbers.ts asks.

import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { expressionsOf, partsOf } from '../program/expressions.ts';
import type { AddressFacts } from '../program/points-to.ts';
import type { Cell, MemoryObject, Operation, Program, Site } from '../program/program.ts';
import { ownerAt } from '../program/program.ts';
import { matches, type Pattern } from '../program/targets.ts';
import { hasPointers } from '../program/type-parts.ts';
import { bytesIn, type WordSizes } from '../program/types.ts';
import { canLieAt } from './pointer-numbers.ts';

/** Is it read as a number only? Where members of a union share a cell, `read` makes a copy for those who read a number. */
export const isNumber = ({ type, mayBePointer }: Cell): boolean => type.kind !== 'pointer' && !mayBePointer;

/** Cells by their numbers, as the lowering knows them (context.ts). */
export interface Known {
  readonly plainNumbers: ReadonlySet<number>;
  readonly noAddresses: ReadonlySet<number>;
  readonly lookedAt: ReadonlySet<number>;
  readonly sizes: WordSizes;
}

/** Cells, and objects that are not taken apart into cells, that can hold bytes of addresses as numbers. */
export class AddressBytes {
  private readonly program: Program;
  private readonly facts: AddressFacts;
  private readonly known: Known;
  private readonly cells = new Set<number>();
  private hasNumbers = false;
  private readonly objects = new Set<MemoryObject>();
  readonly holders: ReadonlySet<MemoryObject> = this.objects;
  /** Pointers that may be put together from parts, or be numbers. */
  private readonly mixed = new Set<number>();
  private readonly overlapped = new Map<Site, readonly Cell[]>();
  /** By object: where pointers are written over cells of other widths, as wrappers of `malloc` make them. */
  private readonly starts = new Map<number, Set<number>>();
  /** Large objects into which numbers are written that may be addresses, or parts of addresses. */
  private readonly filled = new Set<MemoryObject>();
  /** What is written in another way. */
  private readonly scattered = new Set<number>();
  /** What was found about expressions in this round: they share parts. */
  private readonly found = new Map<Expr, boolean>();
  /** Sums with pointers in them. */
  private readonly sums = new Map<Expr, boolean>();

  constructor(program: Program, facts: AddressFacts, known: Known) {
    this.program = program;
    this.facts = facts;
    this.known = known;
    for (const [id, value] of program.initial) {
      // Zeros are null pointers, wherever one is read.
      if (value.op !== 'const' || value.value !== 0n) this.scatter(program.cells[id]!);
      if (!this.isAddress(value)) {
        if (this.isMixing(value)) this.mix(program.cells[id]!);
        continue;
      }
      const cell = program.cells[id]!;
      this.addCell(cell, true);
      // Members of a union, which hold parts of it from the start.
      for (const part of cell.overlaps) {
        this.addCell(part, false);
        this.mix(part);
      }
    }
    for (const object of facts.wideWithAddresses) this.objects.add(object);
    for (const object of program.objects)
      if (program.initialBytes.get(object.id)?.some((byte) => byte !== 0)) this.filled.add(object);
    for (let before = -1; before !== this.count; ) {
      before = this.count;
      this.found.clear();
      for (const { operation } of program.edges) {
        program.pool.watch();
        this.transfer(operation);
      }
    }
  }

  private get count(): number {
    const { cells, objects, mixed, scattered, filled } = this;
    let count = cells.size + objects.size + mixed.size + scattered.size + filled.size;
    for (const { size } of this.starts.values()) count += size;
    return count;
  }

  /** Nobody can read one as a number. */
  get isNowhere(): boolean {
    const { sites } = this.program;
    const isPlain = !this.hasNumbers && this.objects.size + this.mixed.size === 0;
    return isPlain && !sites.some((site) => site.isNumber && this.isIn(site));
  }

  /** `whole`: what an address is made of goes there as it is, so that the points-to analysis follows it to cells that pointers share. */
  private addCell(cell: Cell, whole: boolean): void {
    if (!isNumber(cell) && whole) return;
    this.cells.add(cell.id);
    if (isNumber(cell)) this.hasNumbers = true;
  }

  private transfer(operation: Operation): void {
    if (operation.kind === 'assign' || operation.kind === 'input') this.scatter(operation.cell);
    if (operation.kind === 'assign' && !this.isLookedAt(operation.cell)) {
      const isMixing = this.isMixing(operation.value);
      if (this.isMadeOf(operation.value)) this.addCell(operation.cell, !isMixing);
      if (isMixing) this.mix(operation.cell);
    }
    if (operation.kind !== 'store') return;
    const { site, value } = operation;
    const isMadeOf = this.isMadeOf(value);
    const isMixing = this.isMixing(value);
    for (const cell of [...site.cells, ...site.many]) {
      this.scatter(cell);
      if (isMixing) this.mix(cell);
      if (isMadeOf) this.addCell(cell, !isMixing);
    }
    const isPointer = !isMixing && this.addStarts(site);
    for (const cell of this.overlappedBy(site)) {
      if (!isPointer) this.scatter(cell);
      this.mix(cell);
      if (isMadeOf) this.addCell(cell, false);
    }
    const isWhole = value.width === this.known.sizes.ulong.width;
    for (const object of site.objects) {
      if (!object.wide) continue;
      if (isMadeOf) this.objects.add(object);
      if (isWhole ? isMixing : isMadeOf) this.filled.add(object);
    }
  }

  private mix(cell: Cell): void {
    this.mixed.add(cell.id);
  }

  private scatter(cell: Cell): void {
    this.scattered.add(cell.id);
  }

  /** False where it is no pointer that is written, or nobody knows where. */
  private addStarts(site: Site): boolean {
    const places = site.width === this.known.sizes.ulong.width ? this.placesOf(site) : null;
    for (const { id, offset } of places ?? []) {
      const starts = this.starts.get(id) ?? new Set();
      this.starts.set(id, starts.add(offset));
    }
    return places !== null;
  }

  /** Where in objects that are taken apart; null: anywhere. */
  private placesOf(site: Site): { readonly id: number; readonly offset: number }[] | null {
    const meant = this.facts.meant(site);
    if (meant === null) return null;
    return [...meant].flatMap(([id, patterns]) => {
      const { size, wide } = this.program.objects[id]!;
      return wide ? [] : offsetsIn(patterns, size - bytesIn(site.width)).map((offset) => ({ id, offset }));
    });
  }

  /** Is a pointer read there from cells of other widths into which it was not written as a whole? */
  private isScattered(site: Site): boolean {
    const cells = site.vague && this.isAlone ? this.overlappedBy(site) : [];
    if (cells.length === 0) return false;
    const places = this.placesOf(site);
    return (
      places === null ||
      cells.some(({ id }) => this.scattered.has(id)) ||
      places.some(({ id, offset }) => {
        const starts = [...(this.starts.get(id) ?? [])];
        return starts.some((start) => start !== offset && Math.abs(start - offset) < bytesIn(site.width));
      })
    );
  }

  /** Is a pointer with this value one that was put together, or a number? Arithmetic on pointers makes pointers. */
  private isMixing(expr: Expr): boolean {
    const { isAlone } = this;
    switch (expr.op) {
      case 'const':
        return isAlone && !this.isAddress(expr) && canLieAt(this.known.sizes, expr.value);
      case 'symbol':
        return this.isMixedCell(this.program.cells[symbolNumber(expr)]!);
      case 'load': {
        const site = this.siteOf(expr);
        if (!site.isNumber) return this.isMixedAt(site) || (isAlone && this.readsTable(site));
        return (
          isAlone &&
          (site.objects.some(({ wide }) => wide) ||
            this.touchedBy(site).some((cell) => this.isMixedCell(cell)))
        );
      }
      case 'ite':
        return this.isMixing(expr.args[1]!) || this.isMixing(expr.args[2]!);
      case 'zext':
      case 'trunc': {
        const isPart = Math.min(expr.width, expr.args[0]!.width) < this.known.sizes.ulong.width;
        return (isAlone && isPart) || this.isMixing(expr.args[0]!);
      }
      // With a number added, an address that is a number is any number.
      case 'add':
      case 'sub':
        return isAlone && !this.hasPointer(expr);
      default:
        return isAlone || this.isMadeOf(expr);
    }
  }

  private hasPointer(expr: Expr): boolean {
    if (expr.op === 'const') return this.isAddress(expr);
    if (expr.op === 'symbol') return !isNumber(this.program.cells[symbolNumber(expr)]!);
    if (expr.op === 'load') return !this.siteOf(expr).isNumber;
    if (expr.op !== 'add' && expr.op !== 'sub') return false;
    let found = this.sums.get(expr);
    if (found === undefined) this.sums.set(expr, (found = expr.args.some((arg) => this.hasPointer(arg))));
    return found;
  }

  /** Threads are given numbers as pointers. */
  private get isAlone(): boolean {
    return this.program.threads === undefined;
  }

  /** A number is not an address where none is ever put there, or something else is, too. */
  private isMixedCell(cell: Cell): boolean {
    if (!isNumber(cell)) return this.isMixed(cell);
    if (!this.isAlone || this.known.noAddresses.has(cell.id)) return false;
    return !this.cells.has(cell.id) || this.mixed.has(cell.id);
  }

  /** What is written there is not copied but looked at. */
  isLookedAt(cell: Cell): boolean {
    return this.known.lookedAt.has(cell.id);
  }

  /** Numbers may be read there as pointers. */
  readsTable({ objects }: Site): boolean {
    return objects.some(isTableOfNumbers);
  }

  isMixed(cell: Cell): boolean {
    return this.mixed.has(cell.id);
  }

  /** Cells that pointers share with numbers, where a number is read. */
  readAsNumbers(): ReadonlySet<Cell> {
    const { edges, cells, pool } = this.program;
    pool.watch();
    const operations = edges.map(({ operation }) => operation);
    const copies = operations.filter((one) => one.kind === 'assign' && isNumber(one.cell));
    const symbols = partsOf(copies.flatMap(expressionsOf)).filter(({ op }) => op === 'symbol');
    const loads = partsOf(operations.flatMap(expressionsOf)).filter(({ op }) => op === 'load');
    const sites = loads.map((load) => this.siteOf(load)).filter(({ isNumber: asNumber }) => asNumber);
    const read = [
      ...symbols.map((symbol) => cells[symbolNumber(symbol)]!),
      ...sites.flatMap((site) => site.cells),
    ];
    return new Set(read.filter((cell) => !isNumber(cell)));
  }

  /** Is a pointer read there that may be put together from parts, or be a number? */
  isMixedAt(site: Site): boolean {
    if (site.isNumber) return false;
    const isPut = [...site.cells, ...site.many].some((cell) => this.isMixedCell(cell));
    const isFilled = (object: MemoryObject) => this.filled.has(object) && isBufferOfNumbers(object);
    return isPut || (this.isAlone && site.objects.some(isFilled)) || this.isScattered(site);
  }

  isAddress(expr: Expr): boolean {
    return expr.op === 'const' && ownerAt(this.program.objects, expr.value) !== null;
  }

  /** Can the value be made of bytes of addresses? What comparisons say is looked at where they are made. */
  private isMadeOf(expr: Expr): boolean {
    if (expr.width === 0) return false;
    switch (expr.op) {
      case 'const':
        return this.isAddress(expr);
      case 'symbol':
        return this.isInCell(this.program.cells[symbolNumber(expr)]!);
      case 'load':
        return this.isIn(this.siteOf(expr));
      default: {
        let found = this.found.get(expr);
        if (found === undefined)
          this.found.set(
            expr,
            (found = !this.isDistance(expr) && expr.args.some((arg) => this.isMadeOf(arg))),
          );
        return found;
      }
    }
  }

  /** How far two addresses in one object are apart does not tell where it lies. */
  private isDistance({ op, width, args: [a, b] }: Expr): boolean {
    if (op === 'sub') return this.isMadeOf(a!) && this.isMadeOf(b!);
    const { pool } = this.program;
    const isTaken = (by: Expr) => by.op === 'const' && this.isAddress(pool.const(-by.value, width));
    return op === 'add' && ((isTaken(a!) && this.isMadeOf(b!)) || (isTaken(b!) && this.isMadeOf(a!)));
  }

  private touchedBy(site: Site): readonly Cell[] {
    return [...site.cells, ...site.many, ...this.overlappedBy(site)];
  }

  private overlappedBy(site: Site): readonly Cell[] {
    let cells = this.overlapped.get(site);
    if (cells === undefined) this.overlapped.set(site, (cells = this.facts.overlapped(site)));
    return cells;
  }

  siteOf({ value }: Expr): Site {
    return this.program.sites[Number(value) - 1]!;
  }

  isInCell(cell: Cell): boolean {
    if (this.known.plainNumbers.has(cell.id)) return false;
    return this.cells.has(cell.id) || (!isNumber(cell) && this.facts.mayHold(cell));
  }

  isIn(site: Site): boolean {
    return (
      this.touchedBy(site).some((cell) => this.isInCell(cell)) ||
      site.objects.some((object) => this.objects.has(object))
    );
  }
}

/** Up to the last one. */
function offsetsIn(patterns: Iterable<Pattern>, last: number): number[] {
  const all = Array.from({ length: Math.max(0, last + 1) }, (_, offset) => offset);
  const list = [...patterns];
  return all.filter((offset) => list.some((pattern) => matches(pattern, offset)));
}

/** Large and constant, so that what lies there is what its type says. */
const isTableOfNumbers = (object: MemoryObject): boolean => object.constant && isLargeWithNumbers(object);

/** Large, and whatever is written there: it is not followed part by part. */
const isBufferOfNumbers = (object: MemoryObject): boolean => !object.constant && isLargeWithNumbers(object);

const isLargeWithNumbers = ({ wide, kind, type }: MemoryObject): boolean =>
  wide && kind !== 'function' && !hasPointers(type);

/** Takes values to other places, whole or byte by byte. */
export function isShuffle({ op, args }: Expr): boolean {
  const by = args[1];
  switch (op) {
    case 'zext':
    case 'sext':
    case 'trunc':
    case 'ite':
    case 'or':
      return true;
    case 'shl':
    case 'lshr':
      return by!.op === 'const' && by!.value % 8n === 0n;
    case 'and':
      return by!.op === 'const';
    default:
      return false;
  }
}
