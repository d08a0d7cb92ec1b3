// What calls of the thread library are made of: words of its objects, waits, steps in one piece.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import type { Cell } from '../program/program.ts';
import { CHAR, INT } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { oneLine } from '../syntax/one-line.ts';
import { read } from './access.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import { dropped } from './dropped.ts';
import type { ThreadPlan } from './thread-plan.ts';
import { touch } from './touches.ts';

export type CallNode = Extract<Expression, { kind: 'call' }>;

export interface Call {
  readonly context: Context;
  readonly plan: ThreadPlan;
  readonly node: CallNode;
  readonly span: Span;
  readonly name: string;
  /** Addresses and numbers, each computed once. */
  readonly given: readonly Expr[];
}

/** Null where the call returns nothing. */
export type Meaning = (call: Call) => Expr | null;

export const number = ({ context: { pool } }: Call, value: bigint, width = 32): Expr =>
  pool.const(value, width);
export const contents = ({ context: { pool } }: Call, cell: Cell): Expr => pool.symbol(cell.id, cell.width);
export const zero = (call: Call): Expr => number(call, 0n);

/** A word of an object of the library's. */
export function word(call: Call, address: Expr, offset = 0): Expr {
  const { pool, memory } = call.context;
  const at = pool.binary('add', address, pool.const(offset, 64));
  return pool.load(at, 32, memory.site(at, 32, call.span).id);
}

export function setWord(call: Call, address: Expr, value: Expr, offset = 0): void {
  const { pool, memory } = call.context;
  const at = pool.binary('add', address, pool.const(offset, 64));
  call.context.emit(
    { kind: 'store', site: memory.site(at, value.width, call.span), address: at, value },
    call.span,
  );
}

export function set(call: Call, cell: Cell, value: Expr): void {
  call.context.emit({ kind: 'assign', cell, value }, call.span);
}

/** Stands until the test holds, then goes on, with what follows in one piece. `beside`: other ways on. */
export function waitUntil(
  call: Call,
  what: string,
  test: () => Expr,
  effect: () => void,
  beside = () => {},
): void {
  const { context, span } = call;
  context.emit({ kind: 'skip' }, span);
  if (context.here !== null) context.locations[context.here]!.waits = what;
  beside();
  context.atomically(span, () => {
    context.emit({ kind: 'assume', test: test(), branch: null }, span);
    effect();
  });
}

/** In one piece; ways on which none of the tests holds end. */
export function choose(
  call: Call,
  ways: readonly { readonly test: Expr; readonly effect: () => void }[],
): void {
  const { context, span } = call;
  context.atomically(span, () => {
    const start = context.here;
    const join = context.location(span);
    for (const { test, effect } of ways) {
      context.here = start;
      context.emit({ kind: 'assume', test, branch: null }, span);
      effect();
      context.jump(join, span);
    }
    context.here = join;
  });
}

/** One of two values by a test that is made now. */
export function outcome(
  call: Call,
  test: Expr,
  effect: () => void,
  yes: bigint,
  no: bigint,
  otherwise: () => void = () => {},
): Expr {
  const { context, node } = call;
  const result = context.temporary(node, INT, 'outcome');
  choose(call, [
    {
      test,
      effect: () => {
        effect();
        set(call, result, number(call, yes));
      },
    },
    {
      test: context.pool.not(test),
      effect: () => {
        otherwise();
        set(call, result, number(call, no));
      },
    },
  ]);
  return contents(call, result);
}

export const me = (call: Call): Expr => number(call, BigInt(call.plan.current.number));
export const isFree = (call: Call, address: Expr): Expr =>
  call.context.pool.eq(word(call, address), zero(call));

/** Only where the address is not null, which a program may also say by a variable. */
export function unlessNull({ context, span }: Call, address: Expr, effect: () => void): void {
  const { pool } = context;
  const isNull = pool.eq(address, pool.const(0n, address.width));
  if (isNull === pool.true) return;
  if (isNull === pool.false) {
    effect();
    return;
  }
  const [there, after] = [context.location(span), context.location(span)];
  fork(context, isNull, after, there, span, false);
  context.here = there;
  effect();
  context.jump(after, span);
  context.here = after;
}

/** What the function does where its arguments are good, which is what 0 says; else nothing but to return the error. */
export function ifGood(
  call: Call,
  isGood: Expr,
  error: bigint,
  effect: () => void,
  otherwise = () => {},
): Expr {
  const { context, node, span } = call;
  if (isGood === context.pool.true) {
    effect();
    return zero(call);
  }
  const result = context.temporary(node, INT, 'outcome');
  const [good, bad, after] = [context.location(span), context.location(span), context.location(span)];
  fork(context, isGood, good, bad, span, false);
  context.here = good;
  effect();
  set(call, result, zero(call));
  context.jump(after, span);
  context.here = bad;
  otherwise();
  set(call, result, number(call, error));
  context.jump(after, span);
  context.here = after;
  return contents(call, result);
}

/**
 * To initialise is to write plain memory: nobody may use the object at the same time. `attributes`: which argument names them; others than the default ones are not
 * modelled where they matter.
 */
export const initialised =
  (value: (call: Call) => Expr, attributes = 1): Meaning =>
  (call) => {
    const { context, given, span } = call;
    const [at] = given as [Expr];
    const plain = given[attributes] === undefined || given[attributes] === context.pool.const(0n, 64);
    if (!plain) {
      context.stop('cut', `'${call.name}' with attributes is not modelled: describe it in a .spec`, span);
      return zero(call);
    }
    setWord(call, at, value(call));
    return zero(call);
  };

/** The object that the first argument means is used, whatever is in it: it must be there. */
export function use(call: Call): void {
  const { context, node, span, given } = call;
  const unused = context.temporary(node, INT, 'used');
  context.atomically(span, () => set(call, unused, word(call, given[0]!)));
}

/** A time is read there, which is plain memory: two words. */
export function readTime({ context, node, span }: Call, address: Expr): void {
  const { pool, sizes } = context;
  dropped(context, node, read(context, { type: CHAR, address, bits: null }, span));
  touch(context, address, pool.const(sizes.ulong.width / 4, 64), false, span);
}

export const sourceOf = ({ span }: Call): string => oneLine(span);
