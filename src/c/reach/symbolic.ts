// Symbolic execution of a stretch of operations: every cell's value as a formula over the cells before the stretch and over fresh
// symbols for inputs; the conditions under which the stretch is taken. Used for abstract posts (a block), for the feasibility
// of paths (from the initial values), and by the harness (the values of inputs).

import { isInside as isInsideArray, readArray, writeArray } from '../program/arrays.ts';
import { bytesAt, spliced, touchedCells } from '../program/bytes.ts';
import type { Expr, Pool } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Cell, Operation, Program, Site } from '../program/program.ts';
import { cellAt, objectAt } from '../program/program.ts';
import { isLongDouble } from '../program/types.ts';

/** Symbols from this number on are fresh: inputs and unknown values. */
export const FRESH = 1 << 28;

export interface Fresh {
  readonly symbol: Expr;
  readonly cell: Cell | null;
  readonly operation: Operation | null;
  /** Which step of the stretch introduced it; -1 for values at the start. */
  readonly step: number;
  /** Really any value: an input, an uninitialised variable. Otherwise the analysis does not know it. */
  readonly exact: boolean;
}

export interface Constraint {
  readonly test: Expr;
  readonly step: number;
}

export class Symbolic {
  readonly program: Program;
  readonly pool: Pool;
  /** What is known of cells; others are as they were before. */
  readonly env: Map<number, Expr>;
  readonly constraints: Constraint[] = [];
  readonly fresh: Fresh[] = [];
  /** The first constraint that is false whatever the symbols are: the stretch cannot be taken. */
  dead: number | null = null;
  /** With `pastDeath`: all such steps, as if each of them alone had not been there. */
  readonly deaths: number[] = [];
  pastDeath = false;
  /** Cells that loads and stores meant at each step, where the address was constant: for slicing. */
  readonly resolved = new Map<string, Cell>();
  /** What is read of an array gets a name, so that values and conditions are about numbers only; the equations for the names. */
  readonly reads: Expr[] | null;
  private readonly firstFresh: number;
  private readonly startsFresh: boolean;
  private step = 0;

  /** `startsFresh`: cells without a value in env are unknown at the start (a whole path), not parameters of the stretch (a block). */
  constructor(
    program: Program,
    firstFresh: number,
    startsFresh: boolean,
    env = new Map<number, Expr>(),
    namesReads = false,
  ) {
    this.reads = namesReads ? [] : null;
    this.program = program;
    this.env = env;
    this.pool = program.pool;
    this.firstFresh = firstFresh;
    this.startsFresh = startsFresh;
  }

  /** A copy that goes its own way from here. */
  clone(): Symbolic {
    const copy = new Symbolic(this.program, this.firstFresh, this.startsFresh);
    for (const [cell, value] of this.env) copy.env.set(cell, value);
    copy.constraints.push(...this.constraints);
    copy.fresh.push(...this.fresh);
    copy.dead = this.dead;
    copy.step = this.step;
    return copy;
  }

  run(operations: readonly Operation[]): void {
    for (const operation of operations) {
      this.apply(operation);
      if (this.dead !== null && !this.pastDeath) return;
      this.step++;
    }
  }

  valueOf(cell: Cell): Expr {
    const known = this.env.get(cell.id);
    if (known !== undefined) return known;
    if (!this.startsFresh) return this.pool.symbol(cell.id, cell.width);
    const start = this.newFresh(cell, null, true, -1);
    this.env.set(cell.id, start);
    return start;
  }

  private apply(operation: Operation): void {
    switch (operation.kind) {
      case 'assign':
        this.env.set(operation.cell.id, this.substitute(operation.value));
        return;
      case 'store':
        this.store(operation);
        return;
      case 'assume':
      case 'defined':
        this.require(this.substitute(operation.test));
        return;
      case 'input':
        this.env.set(operation.cell.id, this.newFresh(operation.cell, operation, true, this.step));
        return;
      case 'havoc':
        for (const cell of operation.cells)
          this.env.set(cell.id, this.newFresh(cell, operation, operation.exact, this.step));
        for (const cell of operation.arrays ?? [])
          this.env.set(cell.id, this.newFresh(cell, operation, operation.exact, this.step));
        return;
    }
  }

  private require(test: Expr): void {
    if (test === this.pool.true) return;
    if (test === this.pool.false) {
      this.dead ??= this.step;
      this.deaths.push(this.step);
    } else this.constraints.push({ test, step: this.step });
  }

  private newFresh(
    cell: Cell | null,
    operation: Operation | null,
    exact: boolean,
    step: number,
    width = cell?.width ?? 0,
  ): Expr {
    const symbol = this.pool.symbol(this.firstFresh + this.fresh.length, width);
    this.fresh.push({ symbol, cell, operation, step, exact });
    return symbol;
  }

  /** The expression over the state before the stretch. */
  substitute(expr: Expr): Expr {
    if (expr.symbols.length === 0 && !expr.hasLoad) return expr;
    return this.rewrite(expr, new Map());
  }

  private rewrite(expr: Expr, memo: Map<Expr, Expr>): Expr {
    if (expr.op === 'const') return expr;
    if (expr.op === 'symbol') {
      const number = symbolNumber(expr);
      return number >= FRESH ? expr : this.valueOf(this.program.cells[number]!);
    }
    if (expr.symbols.length === 0 && !expr.hasLoad) return expr;
    const known = memo.get(expr);
    if (known !== undefined) return known;
    const args = expr.args.map((arg) => this.rewrite(arg, memo));
    const result =
      expr.op === 'load'
        ? this.load(args[0]!, this.program.sites[Number(expr.value) - 1]!)
        : this.pool.rebuild(expr, args);
    memo.set(expr, result);
    return result;
  }

  private load(address: Expr, site: Site): Expr {
    const { pool } = this;
    if (address.op === 'const') {
      const cell = cellAt(this.program.objects, address.value, site.width);
      if (cell !== null) {
        this.resolved.set(`${this.step}:${site.id}`, cell);
        return this.valueOf(cell);
      }
      if (site.arrays === undefined) {
        if (!site.vague || !this.isInside(address.value, site.width)) this.require(pool.false);
        const contents = (cell: Cell) => this.valueOf(cell);
        const { objects } = this.program;
        const bytes = site.vague ? bytesAt(pool, objects, address.value, site.width, contents) : null;
        if (bytes !== null) return bytes;
        return this.newFresh(null, null, false, this.step, site.width);
      }
    }
    const vague = site.arrays?.vague ?? site.vague;
    let somewhere = pool.false;
    let result: Expr | null = null;
    const among = (here: Expr, value: () => Expr) => {
      if (here === pool.false) return;
      somewhere = pool.or(somewhere, here);
      result = result === null ? value() : pool.ite(here, value(), result);
    };
    if (vague || (site.cells.length === 0 && site.arrays === undefined))
      result = this.newFresh(null, null, false, this.step, site.width);
    for (const part of site.arrays?.parts ?? [])
      among(isInsideArray(this.program, part, address, site.width), () =>
        this.named(readArray(this.program, this.valueOf(part), address, site.width)),
      );
    for (const cell of site.cells)
      among(pool.eq(address, pool.const(cell.address, 64)), () => this.valueOf(cell));
    if (!vague) this.require(somewhere);
    return result ?? this.newFresh(null, null, false, this.step, site.width);
  }

  private named(value: Expr): Expr {
    if (this.reads === null || !value.hasArray) return value;
    const name = this.newFresh(null, null, true, this.step, value.width);
    this.reads.push(this.pool.eq(name, value));
    return name;
  }

  /** Do the bytes lie in one object? */
  private isInside(address: bigint, width: number): boolean {
    const object = objectAt(this.program.objects, address);
    return (
      object !== null &&
      object.kind !== 'function' &&
      Number(address - object.address) + width / 8 <= object.size
    );
  }

  /** Cells of which a part is written, or that are part of what is. */
  private splice(
    cells: readonly Cell[],
    address: bigint,
    value: Expr,
    operation: Extract<Operation, { kind: 'store' }>,
  ): void {
    for (const cell of cells)
      this.env.set(
        cell.id,
        isLongDouble(cell.type)
          ? this.newFresh(cell, operation, false, this.step)
          : spliced(this.pool, cell, this.valueOf(cell), address, value),
      );
  }

  private store(operation: Extract<Operation, { kind: 'store' }>): void {
    const { pool } = this;
    const { site } = operation;
    const address = this.substitute(operation.address);
    const value = this.substitute(operation.value);
    const exact = address.op === 'const' ? cellAt(this.program.objects, address.value, site.width) : null;
    if (exact !== null) {
      this.resolved.set(`${this.step}:store`, exact);
      if (exact.object.constant) {
        this.require(pool.false);
        return;
      }
      this.splice(exact.overlaps, exact.address, value, operation);
      this.env.set(exact.id, value);
      return;
    }
    if (address.op === 'const' && !this.isInside(address.value, site.width)) {
      this.require(pool.false);
      return;
    }
    if (address.op === 'const' && site.vague && site.arrays === undefined) {
      const touched = touchedCells(this.program.objects, address.value, site.width);
      if (touched !== null) {
        if (touched.some(({ object }) => object.constant)) this.require(pool.false);
        this.splice(touched, address.value, value, operation);
        return;
      }
    }
    let somewhere = pool.false;
    // Where it is no other place, it is this one, or the run is none.
    const isAlone = site.cells.length === 0 && site.arrays?.vague === false && site.arrays.parts.length === 1;
    for (const cell of site.cells) {
      const here = pool.eq(address, pool.const(cell.address, 64));
      if (here === pool.false) continue;
      somewhere = pool.or(somewhere, here);
      this.env.set(cell.id, pool.ite(here, value, this.valueOf(cell)));
    }
    for (const part of site.arrays?.parts ?? []) {
      const here = part.object.constant ? pool.false : isInsideArray(this.program, part, address, site.width);
      if (here === pool.false) continue;
      somewhere = pool.or(somewhere, here);
      const before = this.valueOf(part);
      const after = writeArray(this.program, before, address, value);
      this.env.set(part.id, isAlone ? after : pool.ite(here, after, before));
    }
    const blurred = [...site.blurred, ...(site.arrays?.blurred ?? [])];
    for (const cell of blurred) this.env.set(cell.id, this.newFresh(cell, operation, false, this.step));
    if (!(site.arrays?.vague ?? site.vague)) this.require(somewhere);
  }
}
