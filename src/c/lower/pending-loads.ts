// Reads of memory that are part of no operation yet. Each is made once, before anything changes what it reads, though nobody may want its value: that it is made at
// all may be undefined.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import { contains, expressionsOf } from '../program/expressions.ts';
import type { Operation } from '../program/program.ts';
import { bitsType } from '../program/types.ts';
import type { Context } from './context.ts';

const changesVariables = (operation: Operation): boolean =>
  operation.kind === 'assign' || operation.kind === 'input'
    ? operation.cell.object.kind !== 'temporary'
    : operation.kind === 'store' ||
      (operation.kind === 'havoc' && operation.cells.some(({ object }) => object.kind !== 'temporary'));

export class PendingLoads {
  private readonly context: Context;
  private pending = new Map<Expr, number>();
  /** How many there were. */
  made = 0;

  constructor(context: Context) {
    this.context = context;
  }

  add(load: Expr): void {
    if (!this.context.isTrial) this.pending.set(load, this.made++);
  }

  /** An operation makes them. */
  madeBy(operation: Operation): void {
    if (this.pending.size === 0) return;
    for (const expr of expressionsOf(operation))
      for (const load of this.pending.keys()) if (contains(expr, load)) this.pending.delete(load);
  }

  /**
   * Rules of arithmetic can do away with a read (`*p * 0`), which may be undefined all the same. Of the loads from that number on, those that are in no operation
   * and not in the result get operations of their own.
   */
  keep(from: number, result: Expr, span: Span): void {
    for (const [load, number] of this.pending)
      if (number >= from && !contains(result, load)) this.make(load, span);
  }

  /** Nobody has to make the loads from that number on. */
  forget(from: number): void {
    for (const [load, number] of this.pending) if (number >= from) this.pending.delete(load);
  }

  /** Loads are made before anything changes what they read. */
  makeBefore(operation: Operation, span: Span): void {
    if (this.pending.size === 0 || this.context.threads !== null || !changesVariables(operation)) return;
    const parts = expressionsOf(operation);
    for (const load of [...this.pending.keys()])
      if (!parts.some((part) => contains(part, load))) this.make(load, span);
  }

  /** What is in no operation by the end of a statement is the value of an assignment, read back, that nobody wants. */
  without(work: () => void): void {
    const outer = this.pending;
    this.pending = new Map();
    work();
    this.pending = outer;
  }

  private make(load: Expr, span: Span): void {
    this.pending.delete(load);
    const cell = this.context.temporary({}, bitsType(load.width), 'dropped');
    this.context.emit({ kind: 'assign', cell, value: load }, span);
  }
}
