// `<` and its like between pointers, and `-`. Within an object the answer is known; which of two objects lies first, and how far they are apart, is nobody's business. C leaves it undefined, but programs sort locks
// by it, or ask which way to copy: any answer is taken there. A program that cannot compare pointers to different objects is read without any of this (lower.ts).

import type { Span } from '../../source/source.ts';
import type { CompareOp } from '../program/compute.ts';
import type { Expr } from '../program/expr.ts';
import type { AddressFacts } from '../program/points-to.ts';
import { type Cell, type MemoryObject, type Operation, ownerAt, type Program } from '../program/program.ts';
import { INT, type IntType, pointerTo, type ScalarType, VOID } from '../program/types.ts';
import { refuse } from '../text/codes.ts';
import type { Context } from './context.ts';
import { mayBeAddress } from './pointer-numbers.ts';

const ORDER = 'which of two objects lies first is taken as open';
const DISTANCE = 'how far two objects are apart is taken as open';

/** Pointers to different objects are compared: the program is read again. */
export class SeesOrders extends Error {}

type Assume = Extract<Operation, { kind: 'assume' }>;

type Pair = readonly [Expr, Expr];

/** What is asked of two pointers whose answer may be open: the ways to the known one, and to any. */
export interface Order {
  readonly pointers: Pair;
  /** How far they are apart: that of an object and a number is open, too. */
  readonly isDistance: boolean;
  readonly open: {
    readonly tests: readonly [isKnown: Assume, isOpen: Assume];
    readonly why: string;
    readonly span: Span;
  } | null;
}

export function ordered(context: Context, op: CompareOp, a: Expr, b: Expr, span: Span): Expr {
  const { pool } = context;
  const cell = asked(context, { pointers: [a, b], type: INT, isDistance: false, why: ORDER, span }, (x, y) =>
    pool.number(pool.compare(op, x, y), INT.width),
  );
  return cell === null ? pool.compare(op, a, b) : isTrue(context, cell);
}

/** `distanceOf`: as numbers. */
export function distanceBetween(
  context: Context,
  type: IntType,
  pointers: Pair,
  span: Span,
  distanceOf: (a: Expr, b: Expr) => Expr,
): Expr {
  const cell = asked(context, { pointers, type, isDistance: true, why: DISTANCE, span }, distanceOf);
  return cell === null ? distanceOf(...pointers) : context.pool.symbol(cell.id, cell.width);
}

interface Question {
  readonly pointers: Pair;
  readonly type: IntType;
  readonly isDistance: boolean;
  readonly why: string;
  readonly span: Span;
}

/** Where the answer will be; null where it is the one that numbers give. */
function asked(context: Context, question: Question, answer: (a: Expr, b: Expr) => Expr): Cell | null {
  const { pool } = context;
  const { pointers: asWritten, type, isDistance, why, span } = question;
  if (context.constantMode) {
    const [first, second] = asWritten.map((one) => objectOf(context, one));
    if (first !== second) refuse('SPW5015', 'where objects lie is no constant', span);
    return null;
  }
  // Among threads the order is the one in which they lie here: every step must be known.
  if (context.threads !== null) return null;
  if (!context.ordersMatter) {
    context.orders.push({ pointers: asWritten, isDistance, open: null });
    return null;
  }
  const pointers = [kept(context, asWritten[0], span), kept(context, asWritten[1], span)] as const;
  const cell = context.temporary({}, type, 'answer');
  const [start, join] = [context.here, context.location(span)];
  const tests: Assume[] = [];
  // Runs on which it is known do not meet what is open.
  for (const isOpen of [false, true]) {
    const test: Assume = { kind: 'assume', test: pool.true, branch: null };
    const to = context.location(span);
    if (start !== null) context.edge(start, to, test, span);
    context.here = start === null ? null : to;
    if (isOpen) context.emit({ kind: 'havoc', cells: [cell], why, exact: false }, span);
    else context.emit({ kind: 'assign', cell, value: answer(...pointers) }, span);
    context.jump(join, span);
    tests.push(test);
  }
  context.here = start === null ? null : join;
  context.orders.push({ pointers, isDistance, open: { tests: tests as [Assume, Assume], why, span } });
  return cell;
}

/** Of a constant; undefined where it is none, or no address. */
const objectOf = ({ memory }: Context, { op, value }: Expr): MemoryObject | undefined =>
  op === 'const' ? (ownerAt(memory.objects, value) ?? undefined) : undefined;

function kept(context: Context, pointer: Expr, span: Span): Expr {
  const cell = context.temporary({}, pointerTo(VOID) as ScalarType, 'compared');
  context.emit({ kind: 'assign', cell, value: pointer }, span);
  return context.pool.symbol(cell.id, cell.width);
}

const isTrue = ({ pool }: Context, { id, width }: Cell): Expr =>
  pool.not(pool.eq(pool.symbol(id, width), pool.const(0n, width)));

/** Of what nobody knows where it points, nothing is said: its value is open, too. */
export const mayDiffer = (orders: readonly Order[], facts: AddressFacts): boolean =>
  orders.some((order) => objectsOf(order, facts) !== null);

/** The objects that both can mean, where they may mean different ones. */
function objectsOf({ pointers: [a, b], isDistance }: Order, facts: AddressFacts): ReadonlySet<number> | null {
  const [first, second] = [facts.pointed(a), facts.pointed(b)];
  if (first === null || second === null) return null;
  if (first.size === 0 || second.size === 0)
    return isDistance && first.size !== second.size ? new Set() : null;
  const both = new Set([...first.keys()].filter((id) => second.has(id)));
  return both.size === 1 && first.size === 1 && second.size === 1 ? null : both;
}

/** Once it is known what pointers mean. */
export function settleOrders(context: Context, { objects }: Program, facts: AddressFacts): void {
  const { pool } = context;
  for (const order of context.orders) {
    if (order.open === null) continue;
    const both = objectsOf(order, facts);
    if (both === null) {
      settle(order.open.tests, pool.true);
      continue;
    }
    const liesIn = (expr: Expr, { address, size }: MemoryObject): Expr => {
      const from = pool.binary('sub', expr, pool.const(address, expr.width));
      return pool.compare('ule', from, pool.const(size, expr.width));
    };
    const [a, b] = order.pointers;
    const [isOpenA, isOpenB] = [mayBeAddress(context, a), mayBeAddress(context, b)];
    const noAddress = pool.not(order.isDistance ? pool.or(isOpenA, isOpenB) : pool.and(isOpenA, isOpenB));
    const isKnown = [...both].reduce(
      (known, id) => pool.or(known, pool.and(liesIn(a, objects[id]!), liesIn(b, objects[id]!))),
      noAddress,
    );
    settle(order.open.tests, isKnown);
    context.note(order.open.why, order.open.span);
  }

  function settle([known, open]: readonly [Assume, Assume], isKnown: Expr): void {
    (known as { test: Expr }).test = isKnown;
    (open as { test: Expr }).test = pool.not(isKnown);
  }
}
