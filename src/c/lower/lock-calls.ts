// Locks of all kinds. A mutex is the first word of its object: 0 where it is free (as static initialisers and zeroed memory have it), else the number of the
// thread that holds it.

import type { Expr } from '../program/expr.ts';
import { INT } from '../program/types.ts';
import {
  type Call,
  choose,
  contents,
  ifGood,
  initialised,
  isFree,
  type Meaning,
  me,
  number,
  outcome,
  readTime,
  set,
  setWord,
  sourceOf,
  use,
  waitUntil,
  word,
  zero,
} from './call-pieces.ts';
import { inline } from './inlining.ts';
import { isDefault, kindAt, makeDefault, mustBeDefault, orCut } from './lock-kinds.ts';

const EBUSY = 16n;
const EINVAL = 22n;
const ETIMEDOUT = 110n;
const SERIAL_THREAD = -1n;
/** Where a barrier counts those that it has let through and that still use it. */
const LEAVING = 12;

/** Waits for the lock, if it is of the kind that is modelled. */
function waitForLock(call: Call, at: Expr, test: () => Expr, effect: () => void): void {
  const { pool } = call.context;
  const isOpen = () => pool.and(isDefault(call, at), test());
  waitUntil(call, `for ${sourceOf(call)}`, isOpen, effect, () => orCut(call, at));
}

function lock(call: Call, at: Expr): void {
  waitForLock(
    call,
    at,
    () => isFree(call, at),
    () => setWord(call, at, me(call)),
  );
}

function unlock(call: Call, address: Expr): void {
  const { context, span } = call;
  context.atomically(span, () => {
    mustBeDefault(call, address);
    const test = context.pool.eq(word(call, address), me(call));
    context.emit(
      { kind: 'defined', test, why: 'a mutex is released by a thread that does not hold it' },
      span,
    );
    setWord(call, address, zero(call));
  });
}

/** Read-write locks: 0 free, -N held by thread N to write, else the number of readers. */
const isWritten = (call: Call, at: Expr): Expr =>
  call.context.pool.compare('slt', word(call, at), zero(call));

/** Where a lock counts how often each thread holds it to read: the words behind the first, as far as glibc's type has some. Null for later threads. */
function ownCount(call: Call): number | null {
  const last = kindAt(call) ?? (call.context.sizes.name === 'LP64' ? 56 : 32);
  const own = 4 * call.plan.current.number;
  return own < last ? own : null;
}

function addToWord(call: Call, at: Expr, by: bigint, offset = 0): void {
  const { pool } = call.context;
  setWord(call, at, pool.binary('add', word(call, at, offset), number(call, by)), offset);
}

function addReader(call: Call, at: Expr): void {
  const own = ownCount(call);
  addToWord(call, at, 1n);
  if (own !== null) addToWord(call, at, 1n, own);
}

export function readLock(call: Call): Expr {
  const { pool } = call.context;
  const [at] = call.given as [Expr];
  const test = () => pool.not(isWritten(call, at));
  waitForLock(call, at, test, () => addReader(call, at));
  return zero(call);
}

/** Takes the lock, or says at once why not. */
function tryLock(call: Call, test: (at: Expr) => Expr, effect: (at: Expr) => void, why: bigint): Expr {
  const [at] = call.given as [Expr];
  return call.context.atomically(call.span, () => {
    mustBeDefault(call, at);
    return outcome(call, test(at), () => effect(at), 0n, why);
  });
}

export const readTry: Meaning = (call) =>
  tryLock(
    call,
    (at) => call.context.pool.not(isWritten(call, at)),
    (at) => addReader(call, at),
    EBUSY,
  );

export const writeTry: Meaning = (call) =>
  tryLock(
    call,
    (at) => isFree(call, at),
    (at) => setWord(call, at, writer(call)),
    EBUSY,
  );

/** All counts are 0 at first. */
export const readWriteInitialised: Meaning = (call) => {
  const [at] = call.given as [Expr];
  const result = initialised(zero)(call);
  for (let offset = 4; offset <= (call.context.sizes.name === 'LP64' ? 52 : 28); offset += 4)
    setWord(call, at, zero(call), offset);
  return result;
};

const writer = (call: Call): Expr => number(call, BigInt(-call.plan.current.number));

export function writeLock(call: Call): Expr {
  const [at] = call.given as [Expr];
  waitForLock(
    call,
    at,
    () => isFree(call, at),
    () => setWord(call, at, writer(call)),
  );
  return zero(call);
}

export function readWriteUnlock(call: Call): Expr {
  const { context, span } = call;
  const { pool } = context;
  const [at] = call.given as [Expr];
  context.atomically(span, () => {
    const own = ownCount(call);
    const now = word(call, at);
    const reads = pool.compare('slt', zero(call), own === null ? now : word(call, at, own));
    context.emit(
      {
        kind: 'defined',
        test: pool.or(reads, pool.eq(now, writer(call))),
        why: 'a lock is released by a thread that does not hold it',
      },
      span,
    );
    const written = isWritten(call, at);
    if (own !== null)
      setWord(
        call,
        at,
        pool.ite(written, word(call, at, own), pool.binary('sub', word(call, at, own), number(call, 1n))),
        own,
      );
    setWord(call, at, pool.ite(written, zero(call), pool.binary('sub', now, number(call, 1n))));
  });
  return zero(call);
}

/** Four words: who has come, how many must come, how often all have, who is leaving. */
export const barrierInitialised: Meaning = (call) => {
  const { pool } = call.context;
  const [at, , given] = call.given as [Expr, Expr, Expr];
  const count = pool.trunc(given, 32);
  // Not none, and not more than glibc counts to.
  const isGood = pool.compare('slt', zero(call), count);
  return ifGood(call, isGood, EINVAL, () => {
    initialised(zero)(call);
    setWord(call, at, count, 4);
    setWord(call, at, zero(call), 8);
    setWord(call, at, zero(call), LEAVING);
  });
};

/** Waits until all that were let through have left: so the one that comes out first may destroy the barrier, and free or initialise it then. */
export const barrierDestroyed: Meaning = (call) => {
  const { pool } = call.context;
  const [at] = call.given as [Expr];
  const isLeft = () => pool.eq(word(call, at, LEAVING), zero(call));
  waitUntil(call, `in ${sourceOf(call)} for others to leave`, isLeft, () => {});
  return zero(call);
};

export function barrierWait(call: Call): Expr {
  const { context, node } = call;
  const { pool } = context;
  const [at] = call.given as [Expr];
  const round = context.temporary(node, INT, 'round');
  const serial = context.temporary(node, INT, 'serial');
  const come = pool.binary('add', word(call, at), number(call, 1n));
  const isLast = pool.eq(come, word(call, at, 4));
  choose(call, [
    {
      test: isLast,
      effect: () => {
        set(call, round, pool.binary('sub', word(call, at, 8), number(call, 1n)));
        setWord(call, at, pool.binary('add', word(call, at, LEAVING), come), LEAVING);
        setWord(call, at, zero(call));
        setWord(call, at, pool.binary('add', word(call, at, 8), number(call, 1n)), 8);
        set(call, serial, number(call, SERIAL_THREAD));
      },
    },
    {
      test: pool.not(isLast),
      effect: () => {
        set(call, round, word(call, at, 8));
        setWord(call, at, come);
        set(call, serial, zero(call));
      },
    },
  ]);
  const passed = () => pool.not(pool.eq(word(call, at, 8), contents(call, round)));
  waitUntil(call, `at the barrier of ${sourceOf(call)}`, passed, () => addToWord(call, at, -1n, LEAVING));
  return contents(call, serial);
}

export function once(call: Call): Expr {
  const { context, given, span, node } = call;
  const { pool } = context;
  const [at, start] = given as [Expr, Expr];
  const found = [...context.functionObjects].find(
    ([, object]) => start.op === 'const' && start.value === object.address,
  );
  if (found === undefined || found[0].definition === null) {
    context.stop('cut', 'pthread_once of a function that is not named there is not modelled', span);
    return zero(call);
  }
  const first = outcome(call, isFree(call, at), () => setWord(call, at, number(call, 1n)), 1n, 0n);
  const [yes, after] = [context.location(node.span), context.location(node.span)];
  const start_ = context.here;
  if (start_ === null) return zero(call);
  context.edge(start_, yes, { kind: 'assume', test: pool.test(first), branch: null }, span);
  context.edge(start_, after, { kind: 'assume', test: pool.not(pool.test(first)), branch: null }, span);
  context.here = yes;
  const { isInOnce } = call.plan;
  call.plan.isInOnce = true;
  inline(context, found[0], [], span);
  call.plan.isInOnce = isInOnce;
  context.atomically(span, () => setWord(call, at, number(call, 2n)));
  context.jump(after, span);
  context.here = after;
  waitUntil(
    call,
    `for ${sourceOf(call)}`,
    () => pool.eq(word(call, at), number(call, 2n)),
    () => {},
  );
  return zero(call);
}

/** Of a mutex, or a read-write lock: nobody may hold it. */
export const destroyed: Meaning = (call) => {
  const { context, given, span } = call;
  context.atomically(span, () => {
    const test = isFree(call, given[0]!);
    context.emit({ kind: 'defined', test, why: 'a lock is destroyed while a thread holds it' }, span);
  });
  return zero(call);
};

export const ok: Meaning = (call) => zero(call);
/** Of other objects: that is not looked at, but they must be there. */
export const destroyedUnseen: Meaning = (call) => {
  use(call);
  return zero(call);
};
export const mutexLock: Meaning = (call) => {
  lock(call, call.given[0]!);
  return zero(call);
};
export const mutexUnlock: Meaning = (call) => {
  unlock(call, call.given[0]!);
  return zero(call);
};
export const mutexInitialised: Meaning = (call) => {
  const result = initialised(zero)(call);
  makeDefault(call, call.given[0]!);
  return result;
};
const takeMutex = (call: Call, why: bigint): Expr =>
  tryLock(
    call,
    (at) => isFree(call, at),
    (at) => setWord(call, at, me(call)),
    why,
  );
export const mutexTry: Meaning = (call) => takeMutex(call, EBUSY);
/** How long the time is nobody knows: a thread that waits for a while is one that comes by later. */
export const mutexTimed: Meaning = (call) => {
  readTime(call, call.given[1]!);
  return takeMutex(call, ETIMEDOUT);
};
