// Semaphores: the first word of the object is what it counts.

import type { Expr } from '../program/expr.ts';
import { INT } from '../program/types.ts';
import {
  type Call,
  contents,
  ifGood,
  initialised,
  type Meaning,
  number,
  outcome,
  readTime,
  set,
  setWord,
  sourceOf,
  waitUntil,
  word,
  zero,
} from './call-pieces.ts';

const EAGAIN = 11n;
const EINVAL = 22n;
const ETIMEDOUT = 110n;
const EOVERFLOW = 75n;
/** What a semaphore counts to, `SEM_VALUE_MAX`. */
const MOST = 0x7fff_ffffn;

export const semaphoreInitialised: Meaning = (call) => {
  const { pool } = call.context;
  const value = pool.trunc(call.given[2]!, 32);
  const fits = pool.not(pool.compare('slt', value, zero(call)));
  const effect = () => void initialised(() => value, 3)(call);
  return ifGood(call, fits, -1n, effect, () => setError(call, EINVAL));
};

export function semaphorePost(call: Call): Expr {
  const { pool } = call.context;
  const [at] = call.given as [Expr];
  const isFull = pool.eq(word(call, at), number(call, MOST));
  return outcome(
    call,
    pool.not(isFull),
    () => setWord(call, at, pool.binary('add', word(call, at), number(call, 1n))),
    0n,
    -1n,
    () => setError(call, EOVERFLOW),
  );
}

export function semaphoreWait(call: Call): Expr {
  const { pool } = call.context;
  const [at] = call.given as [Expr];
  const test = () => pool.compare('slt', zero(call), word(call, at));
  waitUntil(call, `for ${sourceOf(call)}`, test, () =>
    setWord(call, at, pool.binary('sub', word(call, at), number(call, 1n))),
  );
  return zero(call);
}

export const semaphoreTry: Meaning = (call) => take(call, EAGAIN);

/** How long the time is nobody knows: a thread that waits for a while is one that comes by later. */
export const semaphoreTimed: Meaning = (call) => {
  readTime(call, call.given[1]!);
  return take(call, ETIMEDOUT);
};

/** What it counts at that moment is kept in plain memory afterwards. */
export const semaphoreValue: Meaning = (call) => {
  const { context, given, node, span } = call;
  const [at, to] = given as [Expr, Expr];
  const count = context.temporary(node, INT, 'count');
  context.atomically(span, () => set(call, count, word(call, at)));
  setWord(call, to, contents(call, count));
  return zero(call);
};

function take(call: Call, why: bigint): Expr {
  const { pool } = call.context;
  const [at] = call.given as [Expr];
  const test = pool.compare('slt', zero(call), word(call, at));
  return outcome(
    call,
    test,
    () => setWord(call, at, pool.binary('sub', word(call, at), number(call, 1n))),
    0n,
    -1n,
    () => setError(call, why),
  );
}

/** `errno`, where the program knows it. */
function setError(call: Call, value: bigint): void {
  const entity = call.context.scope.find('errno');
  if (entity?.kind !== 'object') return;
  for (const cell of entity.object.cells.values()) set(call, cell, number(call, value, cell.width));
}
