// POSIX threads as operations on memory: which call means what.
//
// Waits may end without a signal (POSIX allows it); such an end is an edge on which nobody may count, so that a lost signal is still a deadlock.

import type { Span } from '../../source/source.ts';
import { INT } from '../program/types.ts';
import { refuse } from '../text/codes.ts';
import { type CallNode, initialised, type Meaning, readTime, zero } from './call-pieces.ts';
import { args, givenAway, nothing } from './call-values.ts';
import { PLAIN_C } from './calls-of-spec.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import {
  barrierDestroyed,
  barrierInitialised,
  barrierWait,
  destroyed,
  destroyedUnseen,
  mutexInitialised,
  mutexLock,
  mutexTimed,
  mutexTry,
  mutexUnlock,
  ok,
  once,
  readLock,
  readTry,
  readWriteInitialised,
  readWriteUnlock,
  writeLock,
  writeTry,
} from './lock-calls.ts';
import type { Value } from './places.ts';
import { beginSection, endSection } from './sections.ts';
import {
  semaphoreInitialised,
  semaphorePost,
  semaphoreTimed,
  semaphoreTry,
  semaphoreValue,
  semaphoreWait,
} from './semaphores.ts';
import { broadcast, conditionWait, detach, exit, join, signal } from './thread-calls.ts';
import { nameOfThread, StartsThread, type ThreadPlan } from './thread-plan.ts';
import { create, setDetached } from './thread-starts.ts';
import { saved } from './values.ts';

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
  // All numbers that these functions take are whole.
  const given = values
    .map((arg) => (arg.type.kind === 'float' ? convert(context, arg, INT, node.span) : arg))
    .map(({ type, expr }) => (type.kind === 'int' ? context.pool.resize(expr, 64, type.signed) : expr));
  const result = meaning({ context, plan: context.threads, node, span: node.span, name, given });
  return result === null ? nothing(context) : { type: INT, expr: result };
}

function notModelled(context: Context, name: string, node: CallNode): Value {
  givenAway(context, node);
  context.stop(
    'cut',
    `'${name}' is not modelled: describe the threads and what they wait for in a .spec (thread T = f();)`,
    node.span,
  );
  return { type: INT, expr: context.pool.const(0n, 32) };
}

const MEANINGS: Readonly<Record<string, Meaning>> = {
  pthread_create: create,
  pthread_join: join,
  pthread_exit: exit,
  pthread_detach: detach,
  pthread_equal: (call) => call.context.pool.number(call.context.pool.eq(call.given[0]!, call.given[1]!), 32),
  pthread_yield: ok,
  sched_yield: ok,
  usleep: ok,
  sleep: ok,
  nanosleep: (call) => {
    readTime(call, call.given[0]!);
    return zero(call);
  },
  pthread_attr_init: initialised(zero),
  pthread_attr_destroy: destroyedUnseen,
  pthread_attr_setdetachstate: setDetached,
  pthread_mutex_init: mutexInitialised,
  pthread_mutex_destroy: destroyed,
  pthread_mutex_lock: mutexLock,
  pthread_mutex_trylock: mutexTry,
  pthread_mutex_timedlock: mutexTimed,
  pthread_mutex_unlock: mutexUnlock,
  pthread_spin_init: initialised(zero, 2),
  pthread_spin_destroy: destroyedUnseen,
  pthread_spin_lock: mutexLock,
  pthread_spin_trylock: mutexTry,
  pthread_spin_unlock: mutexUnlock,
  pthread_cond_init: initialised(zero),
  pthread_cond_destroy: destroyedUnseen,
  pthread_cond_wait: (call) => conditionWait(call, false),
  pthread_cond_timedwait: (call) => conditionWait(call, true),
  pthread_cond_signal: signal,
  pthread_cond_broadcast: broadcast,
  pthread_rwlock_init: readWriteInitialised,
  pthread_rwlock_destroy: destroyed,
  pthread_rwlock_rdlock: readLock,
  pthread_rwlock_wrlock: writeLock,
  pthread_rwlock_tryrdlock: readTry,
  pthread_rwlock_trywrlock: writeTry,
  pthread_rwlock_unlock: readWriteUnlock,
  pthread_barrier_init: barrierInitialised,
  pthread_barrier_destroy: barrierDestroyed,
  pthread_barrier_wait: barrierWait,
  pthread_once: once,
  sem_init: semaphoreInitialised,
  sem_destroy: destroyedUnseen,
  sem_wait: semaphoreWait,
  sem_trywait: semaphoreTry,
  sem_timedwait: semaphoreTimed,
  sem_getvalue: semaphoreValue,
  sem_post: semaphorePost,
  __VERIFIER_atomic_begin: ({ context, plan, span }) => {
    beginSection(context, plan, span);
    return null;
  },
  __VERIFIER_atomic_end: ({ context, plan, span }) => {
    endSection(context, plan, span);
    return null;
  },
};

const threadSelf = ({ pool, sizes }: Context, { current }: ThreadPlan): Value => ({
  type: sizes.ulong,
  expr: pool.const(nameOfThread(current.number, sizes), sizes.ulong.width),
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
