// Which cells can hold bytes of addresses as numbers, and which pointers may have been put together from parts, anywhere in a program: what address-numbers.ts asks.

import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { AddressFacts } from '../program/points-to.ts';
import type { Cell, MemoryObject, Operation, Program, Site } from '../program/program.ts';
import { ownerAt } from '../program/program.ts';

/** Is it read as a number only? Where members of a union share a cell, `read` makes a copy for those who read a number. */
export const isNumber = ({ type, mayBePointer }: Cell): boolean => type.kind !== 'pointer' && !mayBePointer;

/** Cells by their numbers, as the lowering knows them (context.ts). */
export interface Known {
  readonly plainNumbers: ReadonlySet<number>;
  readonly noAddresses: ReadonlySet<number>;
  readonly lookedAt: ReadonlySet<number>;
}

/** Cells, and objects that are not taken apart into cells, that can hold bytes of addresses as numbers. */
export class AddressBytes {
  private readonly program: Program;
  private readonly facts: AddressFacts;
  private readonly known: Known;
  private readonly cells = new Set<number>();
  private readonly objects = new Set<MemoryObject>();
  readonly holders: ReadonlySet<MemoryObject> = this.objects;
  /** Pointers that may be put together from parts, or be numbers. */
  private readonly mixed = new Set<number>();
  private readonly touched = new Map<Site, readonly Cell[]>();
  /** What was found about expressions in this round: they share parts. */
  private readonly found = new Map<Expr, boolean>();

  constructor(program: Program, facts: AddressFacts, known: Known) {
    this.program = program;
    this.facts = facts;
    this.known = known;
    for (const [id, value] of program.initial) if (this.isAddress(value)) this.addCell(program.cells[id]!);
    for (const object of facts.wideWithAddresses) this.objects.add(object);
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
    return this.cells.size + this.objects.size + this.mixed.size;
  }

  /** Nobody can read one as a number. */
  get isNowhere(): boolean {
    const { sites } = this.program;
    return this.count === 0 && !sites.some((site) => site.isNumber && this.isIn(site));
  }

  private addCell(cell: Cell): void {
    if (isNumber(cell)) this.cells.add(cell.id);
  }

  private transfer(operation: Operation): void {
    if (operation.kind === 'assign' && !this.isLookedAt(operation.cell)) {
      if (this.isMadeOf(operation.value)) this.addCell(operation.cell);
      if (this.isMixing(operation.value)) this.mix(operation.cell);
    }
    if (operation.kind !== 'store') return;
    const { site, value } = operation;
    for (const cell of this.touchedBy(site))
      if (cell.width !== value.width || this.isMixing(value)) this.mix(cell);
    if (!this.isMadeOf(value)) return;
    for (const cell of this.touchedBy(site)) this.addCell(cell);
    for (const object of operation.site.objects) if (object.wide) this.objects.add(object);
  }

  private mix(cell: Cell): void {
    if (!isNumber(cell)) this.mixed.add(cell.id);
  }

  /** Is a pointer with this value one that was put together, or a number? Arithmetic on pointers makes pointers. */
  private isMixing(expr: Expr): boolean {
    switch (expr.op) {
      case 'const':
        return false;
      case 'symbol': {
        const cell = this.program.cells[symbolNumber(expr)]!;
        // Threads are given numbers as pointers.
        const isPlain = isNumber(cell) && !this.cells.has(cell.id) && this.program.threads === undefined;
        return this.isMixed(cell) || (isPlain && !this.known.noAddresses.has(cell.id));
      }
      case 'load':
        return this.isMixedAt(this.siteOf(expr));
      case 'ite':
        return this.isMixing(expr.args[1]!) || this.isMixing(expr.args[2]!);
      case 'zext':
      case 'trunc':
        return this.isMixing(expr.args[0]!);
      case 'add':
      case 'sub':
        return false;
      default:
        return this.program.threads === undefined || this.isMadeOf(expr);
    }
  }

  /** What is written there is not copied but looked at. */
  isLookedAt(cell: Cell): boolean {
    return this.known.lookedAt.has(cell.id);
  }

  isMixed(cell: Cell): boolean {
    return this.mixed.has(cell.id);
  }

  isMixedAt(site: Site): boolean {
    return !site.isNumber && this.touchedBy(site).some((cell) => this.isMixed(cell));
  }

  private isAddress(expr: Expr): boolean {
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
    let cells = this.touched.get(site);
    if (cells === undefined) this.touched.set(site, (cells = this.facts.touched(site)));
    return cells;
  }

  siteOf({ value }: Expr): Site {
    return this.program.sites[Number(value) - 1]!;
  }

  isInCell(cell: Cell): boolean {
    if (this.known.plainNumbers.has(cell.id)) return false;
    return isNumber(cell) ? this.cells.has(cell.id) : this.facts.mayHold(cell);
  }

  isIn(site: Site): boolean {
    return (
      this.touchedBy(site).some((cell) => this.isInCell(cell)) ||
      site.objects.some((object) => this.objects.has(object))
    );
  }
}

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
