// POSIX threads as operations on memory: threads, mutexes, condition variables, read-write locks, semaphores, barriers, spin locks, `pthread_once`. A lock is the first word
// of its object: 0 where it is free (as static initialisers and zeroed memory have it), else the number of the thread that holds it.
//
// Waits may end without a signal (POSIX allows it); such an end is an edge on which nobody may count, so that a lost signal is still a deadlock.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import type { Cell } from '../program/program.ts';
import { INT, ULONG } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { refuse } from '../text/codes.ts';
import { args, inline, nothing } from './calls.ts';
import { PLAIN_C } from './calls-of-spec.ts';
import type { Context } from './context.ts';
import type { Value } from './places.ts';
import {
  ENDED,
  FREE,
  type Instance,
  MOST_INSTANCES,
  RUNNING,
  StartsThread,
  type ThreadPlan,
} from './thread-plan.ts';
import { saved } from './values.ts';

type CallNode = Extract<Expression, { kind: 'call' }>;

interface Call {
  readonly context: Context;
  readonly plan: ThreadPlan;
  readonly node: CallNode;
  readonly span: Span;
  readonly name: string;
  /** Addresses and numbers, each computed once. */
  readonly given: readonly Expr[];
}

const EBUSY = 16n;
const ETIMEDOUT = 110n;
const SERIAL_THREAD = -1n;

type Meaning = (call: Call) => Expr | null;

/** Null: the call is none of these. */
export function threadCall(context: Context, name: string, node: CallNode): Value | null {
  if (context.threads === null) {
    // Which function does not matter yet: the next attempt finds it out. In a .spec threads are named there.
    if (name === 'pthread_create' && context.calls === PLAIN_C) throw new StartsThread('');
    return null;
  }
  if (name === 'pthread_self') return threadSelf(context, context.threads);
  const meaning = MEANINGS[name];
  if (meaning === undefined)
    return /^(pthread|sem|mtx|thrd|cnd)_/.test(name) ? notModelled(context, name, node) : null;
  const values = args(context, node).map((arg, i) => saved(context, node.args[i], arg, node.span));
  const given = values.map(({ type, expr }) =>
    type.kind === 'int' ? context.pool.resize(expr, 64, type.signed) : expr,
  );
  const result = meaning({ context, plan: context.threads, node, span: node.span, name, given });
  return result === null ? nothing(context) : { type: INT, expr: result };
}

function notModelled(context: Context, name: string, node: CallNode): Value {
  args(context, node);
  context.stop(
    'cut',
    `'${name}' is not modelled: describe the threads and what they wait for in a .spec (thread T = f();)`,
    node.span,
  );
  return { type: INT, expr: context.pool.const(0n, 32) };
}

// ---- the pieces ----

const number = ({ context: { pool } }: Call, value: bigint, width = 32): Expr => pool.const(value, width);
const contents = ({ context: { pool } }: Call, cell: Cell): Expr => pool.symbol(cell.id, cell.width);
const zero = (call: Call): Expr => number(call, 0n);

/** A word of an object of the library's. */
function word(call: Call, address: Expr, offset = 0): Expr {
  const { pool, memory } = call.context;
  const at = pool.binary('add', address, pool.const(offset, 64));
  return pool.load(at, 32, memory.site(at, 32, call.span).id);
}

function setWord(call: Call, address: Expr, value: Expr, offset = 0): void {
  const { pool, memory } = call.context;
  const at = pool.binary('add', address, pool.const(offset, 64));
  call.context.emit(
    { kind: 'store', site: memory.site(at, value.width, call.span), address: at, value },
    call.span,
  );
}

function set(call: Call, cell: Cell, value: Expr): void {
  call.context.emit({ kind: 'assign', cell, value }, call.span);
}

/** Stands until the test holds, then goes on, with what follows in one piece. */
function waitUntil(call: Call, what: string, test: () => Expr, effect: () => void): void {
  const { context, span } = call;
  context.emit({ kind: 'skip' }, span);
  if (context.here !== null) context.locations[context.here]!.waits = what;
  context.atomically(span, () => {
    context.emit({ kind: 'assume', test: test(), branch: null }, span);
    effect();
  });
}

/** In one piece; ways on which none of the tests holds end. */
function choose(call: Call, ways: readonly { readonly test: Expr; readonly effect: () => void }[]): void {
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
function outcome(call: Call, test: Expr, effect: () => void, yes: bigint, no: bigint): Expr {
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
    { test: context.pool.not(test), effect: () => set(call, result, number(call, no)) },
  ]);
  return contents(call, result);
}

const me = (call: Call): Expr => number(call, BigInt(call.plan.current.number));
const isFree = (call: Call, address: Expr): Expr => call.context.pool.eq(word(call, address), zero(call));

function lock(call: Call, address: Expr): void {
  waitUntil(
    call,
    `for ${sourceOf(call)}`,
    () => isFree(call, address),
    () => setWord(call, address, me(call)),
  );
}

function unlock(call: Call, address: Expr): void {
  const { context, span } = call;
  context.atomically(span, () => {
    const test = context.pool.eq(word(call, address), me(call));
    context.emit(
      { kind: 'defined', test, why: 'a mutex is released by a thread that does not hold it' },
      span,
    );
    setWord(call, address, zero(call));
  });
}

const sourceOf = ({ span }: Call): string => span.file.text.slice(span.start, span.end).replace(/\s+/g, ' ');

// ---- threads ----

function create(call: Call): Expr {
  const { context, plan, given, span } = call;
  const { pool } = context;
  const [handle, , start, argument] = given as [Expr, Expr, Expr, Expr];
  const found = [...context.functionObjects].find(
    ([, object]) => start.op === 'const' && start.value === object.address,
  );
  if (found === undefined || found[0].definition === null) {
    context.stop('cut', 'a thread whose function is not named where it is started is not modelled', span);
    return zero(call);
  }
  const [entity] = found;
  if (!plan.functions.includes(entity.name)) throw new StartsThread(entity.name);
  plan.entities.set(entity.name, entity);
  const instances = plan.instances.filter((instance) => instance.function === entity.name);
  const result = context.temporary(call.node, ULONG, 'thread');
  // The first that is free; that others look at the same time for one is why it is in one piece.
  let taken: Expr = pool.true;
  const ways = instances.map((instance) => {
    const free = pool.eq(contents(call, instance.state), number(call, FREE));
    const test = pool.and(taken, free);
    taken = pool.and(taken, pool.not(free));
    return {
      test,
      effect: () => {
        setWord(call, handle, number(call, BigInt(instance.number), 64));
        set(call, instance.argument, argument);
        set(call, instance.state, number(call, RUNNING));
        set(call, result, number(call, BigInt(instance.number), 64));
      },
    };
  });
  const tooMany = () =>
    context.stop('cut', `more than ${MOST_INSTANCES} threads of '${entity.name}' at the same time`, span);
  choose(call, [...ways, { test: taken, effect: tooMany }]);
  return zero(call);
}

function join(call: Call): Expr {
  const { context, plan, given, span } = call;
  const { pool } = context;
  const [thread, target] = given as [Expr, Expr];
  const start = context.here;
  const after = context.location(span);
  const id = pool.resize(thread, 64, false);
  let other: Expr = pool.true;
  for (const instance of plan.instances) {
    const test = pool.eq(id, pool.const(BigInt(instance.number), 64));
    other = pool.and(other, pool.not(test));
    context.here = start;
    context.emit({ kind: 'assume', test, branch: null }, span);
    const ended = () => pool.eq(contents(call, instance.state), number(call, ENDED));
    waitUntil(call, `in ${sourceOf(call)} for the end of ${instance.name}`, ended, () => {
      set(call, instance.state, number(call, FREE));
      if (target !== pool.const(0n, 64)) setWord(call, target, contents(call, instance.result));
    });
    context.jump(after, span);
  }
  context.here = start;
  context.emit({ kind: 'assume', test: other, branch: null }, span);
  context.emit({ kind: 'defined', test: pool.false, why: 'pthread_join of what is no thread' }, span);
  context.here = after;
  return zero(call);
}

/** The thread ends: a process goes on when main ends this way. */
function exit(call: Call): null {
  const { context, plan, given, span } = call;
  const { result, end } = plan.current;
  if (given[0] !== undefined) set(call, result, given[0]);
  context.jump(end, span);
  return null;
}

// ---- condition variables ----

function conditionWait(call: Call, mayTimeOut: boolean): Expr {
  const { context, plan, given, span, node } = call;
  const { pool } = context;
  const [condition, mutex] = given as [Expr, Expr];
  const { waitsFor } = plan.current;
  const woken = context.location(span);
  const late = context.temporary(node, INT, 'late');
  context.atomically(span, () => {
    const test = pool.eq(word(call, mutex), me(call));
    context.emit({ kind: 'defined', test, why: 'a condition is waited for without its mutex' }, span);
    set(call, waitsFor, condition);
    setWord(call, mutex, zero(call));
    set(call, late, zero(call));
  });
  const standing = context.here;
  if (standing === null) return zero(call);
  context.locations[standing]!.waits = `in ${sourceOf(call)} for a signal`;
  context.emit(
    { kind: 'assume', test: pool.eq(contents(call, waitsFor), number(call, 0n, 64)), branch: null },
    span,
  );
  context.jump(woken, span);
  // Without a signal.
  context.here = standing;
  context.atomically(span, () => {
    const stop = () => set(call, waitsFor, number(call, 0n, 64));
    if (!mayTimeOut) context.spuriously(stop);
    else {
      stop();
      set(call, late, number(call, ETIMEDOUT));
    }
  });
  context.jump(woken, span);
  context.here = woken;
  waitUntil(
    call,
    `in ${sourceOf(call)} for the mutex`,
    () => isFree(call, mutex),
    () => setWord(call, mutex, me(call)),
  );
  return contents(call, late);
}

function signal(call: Call): Expr {
  const { context, plan, given } = call;
  const { pool } = context;
  const condition = given[0]!;
  const waiting = (instance: Instance) => pool.eq(contents(call, instance.waitsFor), condition);
  let nobody: Expr = pool.true;
  for (const instance of plan.instances) nobody = pool.and(nobody, pool.not(waiting(instance)));
  choose(call, [
    ...plan.instances.map((instance) => ({
      test: waiting(instance),
      effect: () => set(call, instance.waitsFor, number(call, 0n, 64)),
    })),
    { test: nobody, effect: () => {} },
  ]);
  return zero(call);
}

function broadcast(call: Call): Expr {
  const { context, plan, given, span } = call;
  const { pool } = context;
  const condition = given[0]!;
  context.atomically(span, () => {
    for (const { waitsFor } of plan.instances) {
      const now = contents(call, waitsFor);
      set(call, waitsFor, pool.ite(pool.eq(now, condition), number(call, 0n, 64), now));
    }
  });
  return zero(call);
}

// ---- the rest ----

/** Read-write locks: 0 free, -1 held by a writer, else the number of readers. */
function readLock(call: Call): Expr {
  const { pool } = call.context;
  const [at] = call.given as [Expr];
  const test = () => pool.not(pool.eq(word(call, at), number(call, -1n)));
  waitUntil(call, `for ${sourceOf(call)}`, test, () =>
    setWord(call, at, pool.binary('add', word(call, at), number(call, 1n))),
  );
  return zero(call);
}

function writeLock(call: Call): Expr {
  const [at] = call.given as [Expr];
  waitUntil(
    call,
    `for ${sourceOf(call)}`,
    () => isFree(call, at),
    () => setWord(call, at, number(call, -1n)),
  );
  return zero(call);
}

function readWriteUnlock(call: Call): Expr {
  const { context, span } = call;
  const { pool } = context;
  const [at] = call.given as [Expr];
  context.atomically(span, () => {
    const now = word(call, at);
    context.emit(
      {
        kind: 'defined',
        test: pool.not(pool.eq(now, zero(call))),
        why: 'a lock is released that nobody holds',
      },
      span,
    );
    const written = pool.eq(now, number(call, -1n));
    setWord(call, at, pool.ite(written, zero(call), pool.binary('sub', now, number(call, 1n))));
  });
  return zero(call);
}

function semaphoreWait(call: Call): Expr {
  const { pool } = call.context;
  const [at] = call.given as [Expr];
  const test = () => pool.compare('slt', zero(call), word(call, at));
  waitUntil(call, `for ${sourceOf(call)}`, test, () =>
    setWord(call, at, pool.binary('sub', word(call, at), number(call, 1n))),
  );
  return zero(call);
}

function semaphoreTry(call: Call): Expr {
  const { pool } = call.context;
  const [at] = call.given as [Expr];
  const test = pool.compare('slt', zero(call), word(call, at));
  return outcome(
    call,
    test,
    () => setWord(call, at, pool.binary('sub', word(call, at), number(call, 1n))),
    0n,
    -1n,
  );
}

function semaphorePost(call: Call): Expr {
  const { pool } = call.context;
  const [at] = call.given as [Expr];
  call.context.atomically(call.span, () =>
    setWord(call, at, pool.binary('add', word(call, at), number(call, 1n))),
  );
  return zero(call);
}

/** Three words: who has come, how many must come, how often all have. */
function barrierWait(call: Call): Expr {
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
  waitUntil(call, `at the barrier of ${sourceOf(call)}`, passed, () => {});
  return contents(call, serial);
}

function once(call: Call): Expr {
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
  inline(context, found[0], [], span);
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

/** `attributes`: which argument names them; others than the default ones are not modelled where they matter. */
const initialised =
  (value: (call: Call) => Expr | null, attributes = 1): Meaning =>
  (call) => {
    const { context, given, span } = call;
    const [at] = given as [Expr];
    const plain = given[attributes] === undefined || given[attributes] === context.pool.const(0n, 64);
    if (!plain) {
      context.stop('cut', `'${call.name}' with attributes is not modelled: describe it in a .spec`, span);
      return zero(call);
    }
    const first = value(call);
    context.atomically(span, () => {
      if (first !== null) setWord(call, at, first);
    });
    return zero(call);
  };

const ok: Meaning = (call) => zero(call);
const mutexLock: Meaning = (call) => {
  lock(call, call.given[0]!);
  return zero(call);
};
const mutexUnlock: Meaning = (call) => {
  unlock(call, call.given[0]!);
  return zero(call);
};
const mutexTry: Meaning = (call) =>
  outcome(call, isFree(call, call.given[0]!), () => setWord(call, call.given[0]!, me(call)), 0n, EBUSY);

/** `__VERIFIER_atomic_begin` and `_end`: the thread alone goes on. */
const holding =
  (holder: (call: Call) => Expr): Meaning =>
  (call) => {
    set(call, call.plan.holder, holder(call));
    return null;
  };

const MEANINGS: Readonly<Record<string, Meaning>> = {
  pthread_create: create,
  pthread_join: join,
  pthread_exit: exit,
  pthread_detach: ok,
  pthread_equal: (call) => call.context.pool.number(call.context.pool.eq(call.given[0]!, call.given[1]!), 32),
  pthread_yield: ok,
  sched_yield: ok,
  usleep: ok,
  sleep: ok,
  nanosleep: ok,
  pthread_attr_init: ok,
  pthread_attr_destroy: ok,
  pthread_attr_setdetachstate: ok,
  pthread_mutex_init: initialised(zero),
  pthread_mutex_destroy: ok,
  pthread_mutex_lock: mutexLock,
  pthread_mutex_trylock: mutexTry,
  pthread_mutex_unlock: mutexUnlock,
  pthread_spin_init: initialised(zero, 2),
  pthread_spin_destroy: ok,
  pthread_spin_lock: mutexLock,
  pthread_spin_trylock: mutexTry,
  pthread_spin_unlock: mutexUnlock,
  pthread_cond_init: initialised(() => null),
  pthread_cond_destroy: ok,
  pthread_cond_wait: (call) => conditionWait(call, false),
  pthread_cond_timedwait: (call) => conditionWait(call, true),
  pthread_cond_signal: signal,
  pthread_cond_broadcast: broadcast,
  pthread_rwlock_init: initialised(zero),
  pthread_rwlock_destroy: ok,
  pthread_rwlock_rdlock: readLock,
  pthread_rwlock_wrlock: writeLock,
  pthread_rwlock_unlock: readWriteUnlock,
  pthread_barrier_init: (call) => {
    initialised(zero)(call);
    setWord(call, call.given[0]!, call.context.pool.trunc(call.given[2]!, 32), 4);
    setWord(call, call.given[0]!, zero(call), 8);
    return zero(call);
  },
  pthread_barrier_destroy: ok,
  pthread_barrier_wait: barrierWait,
  pthread_once: once,
  sem_init: (call) => initialised((inner) => inner.context.pool.trunc(inner.given[2]!, 32), 3)(call),
  sem_destroy: ok,
  sem_wait: semaphoreWait,
  sem_trywait: semaphoreTry,
  sem_post: semaphorePost,
  __VERIFIER_atomic_begin: holding(me),
  __VERIFIER_atomic_end: holding(zero),
};

const threadSelf = ({ pool }: Context, { current }: ThreadPlan): Value => ({
  type: ULONG,
  expr: pool.const(BigInt(current.number), 64),
});

/** `_Thread_local` among several threads. */
export function noVariablesOfThreads(context: Context, name: string, span: Span): void {
  if (context.threads !== null)
    refuse(
      'SPW5012',
      `'${name}', of which every thread has its own, is not modelled`,
      span,
      'describe the threads in a .spec',
    );
}
