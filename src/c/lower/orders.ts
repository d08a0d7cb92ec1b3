// `<` and its like between pointers. Within an object the answer is known; which of two objects lies first is nobody's business. C leaves it undefined, but programs sort locks
// by it, or ask which way to copy: any answer is taken there. A program that cannot compare pointers to different objects is read without any of this (lower.ts).

import type { Span } from '../../source/source.ts';
import type { CompareOp } from '../program/compute.ts';
import type { Expr } from '../program/expr.ts';
import type { AddressFacts } from '../program/points-to.ts';
import type { Cell, MemoryObject, Operation, Program } from '../program/program.ts';
import { INT, pointerTo, type ScalarType, VOID } from '../program/types.ts';
import type { Context } from './context.ts';
import { mayBeAddress } from './pointer-numbers.ts';

const WHY = 'which of two objects lies first is taken as open';

/** Pointers to different objects are compared: the program is read again. */
export class SeesOrders extends Error {}

type Pair = readonly [Expr, Expr];

/** A comparison whose answer may be open: what gives it, and any one. */
export interface Order {
  readonly pointers: Pair;
  readonly open: {
    readonly result: Extract<Operation, { kind: 'assign' }>;
    readonly any: Cell;
    readonly anything: Operation;
    readonly span: Span;
  } | null;
}

export function ordered(context: Context, op: CompareOp, a: Expr, b: Expr, span: Span): Expr {
  const { pool } = context;
  // Among threads the order is the one in which they lie here: every step must be known.
  if (context.constantMode || context.threads !== null) return pool.compare(op, a, b);
  if (!context.ordersMatter) {
    context.orders.push({ pointers: [a, b], open: null });
    return pool.compare(op, a, b);
  }
  const pointers = [kept(context, a, span), kept(context, b, span)] as const;
  const any = context.temporary({}, INT, 'order');
  const anything = { kind: 'havoc', cells: [any], why: WHY, exact: false } as const;
  context.emit(anything, span);
  const cell = context.temporary({}, INT, 'before');
  const value = pool.number(pool.compare(op, ...pointers), INT.width);
  const result = { kind: 'assign', cell, value } as const;
  context.emit(result, span);
  context.orders.push({ pointers, open: { result, any, anything, span } });
  return isTrue(context, cell);
}

function kept(context: Context, pointer: Expr, span: Span): Expr {
  const cell = context.temporary({}, pointerTo(VOID) as ScalarType, 'compared');
  context.emit({ kind: 'assign', cell, value: pointer }, span);
  return context.pool.symbol(cell.id, cell.width);
}

const isTrue = ({ pool }: Context, { id, width }: Cell): Expr =>
  pool.not(pool.eq(pool.symbol(id, width), pool.const(0n, width)));

/** Of what nobody knows where it points, nothing is said: its value is open, too. */
export const mayDiffer = (orders: readonly Order[], facts: AddressFacts): boolean =>
  orders.some(({ pointers }) => objectsOf(pointers, facts) !== null);

/** The objects that both can mean, where they may mean different ones. */
function objectsOf([a, b]: Pair, facts: AddressFacts): ReadonlySet<number> | null {
  const [first, second] = [facts.pointed(a), facts.pointed(b)];
  if (first === null || second === null || first.size === 0 || second.size === 0) return null;
  const both = new Set([...first.keys()].filter((id) => second.has(id)));
  return both.size === 1 && first.size === 1 && second.size === 1 ? null : both;
}

/** Once it is known what pointers mean. */
export function settleOrders(context: Context, { objects }: Program, facts: AddressFacts): void {
  const { pool } = context;
  for (const { pointers, open } of context.orders) {
    if (open === null) continue;
    const { result, any, anything, span } = open;
    const both = objectsOf(pointers, facts);
    if (both === null) {
      (anything as { cells: readonly Cell[] }).cells = [];
      continue;
    }
    const liesIn = (expr: Expr, { address, size }: MemoryObject): Expr => {
      const from = pool.binary('sub', expr, pool.const(address, expr.width));
      return pool.compare('ule', from, pool.const(size, expr.width));
    };
    const [a, b] = pointers;
    const noAddress = pool.not(pool.and(mayBeAddress(context, a), mayBeAddress(context, b)));
    const isKnown = [...both].reduce(
      (known, id) => pool.or(known, pool.and(liesIn(a, objects[id]!), liesIn(b, objects[id]!))),
      noAddress,
    );
    const other = pool.number(isTrue(context, any), INT.width);
    (result as { value: Expr }).value = pool.ite(isKnown, result.value, other);
    context.note(WHY, span);
  }
}
