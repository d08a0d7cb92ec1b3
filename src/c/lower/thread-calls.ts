// Threads and condition variables: joining and waiting are tests of what others write.

import type { Expr } from '../program/expr.ts';
import { DETACHED, ENDED, GONE, RUNNING, STARTING } from '../program/thread-states.ts';
import { INT, pointerTo, type ScalarType, VOID } from '../program/types.ts';
import {
  type Call,
  choose,
  contents,
  isFree,
  me,
  number,
  readTime,
  set,
  setWord,
  sourceOf,
  unlessNull,
  use,
  waitUntil,
  word,
  zero,
} from './call-pieces.ts';
import { mustBeDefault } from './lock-kinds.ts';
import { type Instance, nameOfThread } from './thread-plan.ts';

const ETIMEDOUT = 110n;

export function join(call: Call): Expr {
  const { context } = call;
  const { pool } = context;
  const target = call.given[1]!;
  const isAsked = target !== pool.const(0n, target.width);
  const result = context.temporary(call.node, pointerTo(VOID) as ScalarType, 'joined');
  return withThread(call, (instance) => {
    if (instance === call.plan.current) {
      // POSIX leaves it undefined; glibc returns EDEADLK.
      context.emit({ kind: 'defined', test: pool.false, why: 'a thread waits for its own end' }, call.span);
      return;
    }
    const isIn = (state: bigint) => pool.eq(contents(call, instance.state), number(call, state));
    const what = `in ${sourceOf(call)} for the end of ${instance.name}`;
    waitUntil(
      call,
      what,
      () => pool.not(pool.or(isIn(RUNNING), isIn(STARTING))),
      () => {
        mustBeJoinable(call, isIn(ENDED));
        set(call, instance.state, number(call, GONE));
        if (isAsked) set(call, result, contents(call, instance.result));
      },
    );
    // Plain memory, which other threads may use at the same time.
    unlessNull(call, target, () =>
      setWord(call, target, pool.trunc(contents(call, result), context.sizes.ulong.width)),
    );
  });
}

export function detach(call: Call): Expr {
  const { context, span } = call;
  const { pool } = context;
  return withThread(call, ({ state }) =>
    context.atomically(span, () => {
      const isIn = (what: bigint) => pool.eq(contents(call, state), number(call, what));
      mustBeJoinable(call, pool.or(isIn(RUNNING), isIn(ENDED)));
      set(call, state, pool.ite(isIn(ENDED), number(call, GONE), number(call, DETACHED)));
    }),
  );
}

function mustBeJoinable({ context, name, span }: Call, test: Expr): void {
  context.emit(
    { kind: 'defined', test, why: `${name} of a thread that was joined or detached before` },
    span,
  );
}

/** What is done with the thread that the first argument names. */
function withThread(call: Call, effect: (instance: Instance) => void): Expr {
  const { context, plan, given, span, name } = call;
  const { pool } = context;
  const id = pool.resize(given[0]!, 64, false);
  const start = context.here;
  const after = context.location(span);
  let other: Expr = pool.true;
  for (const instance of plan.instances) {
    const test = pool.eq(id, pool.const(nameOfThread(instance.number, context.sizes), 64));
    other = pool.and(other, pool.not(test));
    context.here = start;
    context.atomically(span, () => context.emit({ kind: 'assume', test, branch: null }, span));
    effect(instance);
    context.jump(after, span);
  }
  context.here = start;
  context.atomically(span, () => context.emit({ kind: 'assume', test: other, branch: null }, span));
  context.emit({ kind: 'defined', test: pool.false, why: `${name} of what is no thread` }, span);
  context.here = after;
  return zero(call);
}

/** The thread ends: a process goes on when main ends this way. */
export function exit(call: Call): null {
  const { context, plan, given, span } = call;
  const { result, end } = plan.current;
  if (given[0] !== undefined) set(call, result, given[0]);
  // glibc has it called again then.
  if (plan.isInOnce) context.stop('cut', "pthread_exit() in what 'pthread_once' calls is not modelled", span);
  // The last thread that ends would end the program.
  if (context.exits !== null && plan.current.function === null)
    context.stop('cut', "pthread_exit() in main beside 'atexit' is not modelled", span);
  context.jump(end, span);
  return null;
}

// ---- condition variables ----

export function conditionWait(call: Call, mayTimeOut: boolean): Expr {
  const { context, plan, given, span, node } = call;
  const { pool } = context;
  const [condition, mutex] = given as [Expr, Expr];
  const { waitsFor } = plan.current;
  const woken = context.location(span);
  const late = context.temporary(node, INT, 'late');
  if (mayTimeOut) readTime(call, given[2]!);
  context.atomically(span, () => {
    use(call);
    mustBeDefault(call, mutex, 1);
    const test = pool.eq(word(call, mutex), me(call));
    context.emit({ kind: 'defined', test, why: 'a condition is waited for without its mutex' }, span);
    set(call, waitsFor, condition);
    setWord(call, mutex, zero(call));
    set(call, late, zero(call));
  });
  const standing = context.here;
  if (standing === null) return zero(call);
  context.locations[standing]!.waits = `in ${sourceOf(call)} for a signal`;
  const isWoken = pool.eq(contents(call, waitsFor), number(call, 0n, 64));
  context.atomically(span, () => context.emit({ kind: 'assume', test: isWoken, branch: null }, span));
  context.jump(woken, span);
  // Without a signal.
  const stop = () => set(call, waitsFor, number(call, 0n, 64));
  context.here = standing;
  context.atomically(span, () => context.spuriously(stop));
  context.jump(woken, span);
  if (mayTimeOut) {
    context.here = standing;
    context.atomically(span, () => {
      stop();
      set(call, late, number(call, ETIMEDOUT));
    });
    context.jump(woken, span);
  }
  context.here = woken;
  waitUntil(
    call,
    `in ${sourceOf(call)} for the mutex`,
    () => isFree(call, mutex),
    () => setWord(call, mutex, me(call)),
  );
  return contents(call, late);
}

export function signal(call: Call): Expr {
  const { context, plan, given, span } = call;
  const { pool } = context;
  const condition = given[0]!;
  const waiting = (instance: Instance) => pool.eq(contents(call, instance.waitsFor), condition);
  let nobody: Expr = pool.true;
  for (const instance of plan.instances) nobody = pool.and(nobody, pool.not(waiting(instance)));
  context.atomically(span, () => {
    use(call);
    choose(call, [
      ...plan.instances.map((instance) => ({
        test: waiting(instance),
        effect: () => set(call, instance.waitsFor, number(call, 0n, 64)),
      })),
      { test: nobody, effect: () => {} },
    ]);
  });
  return zero(call);
}

export function broadcast(call: Call): Expr {
  const { context, plan, given, span } = call;
  const { pool } = context;
  const condition = given[0]!;
  context.atomically(span, () => {
    use(call);
    for (const { waitsFor } of plan.instances) {
      const now = contents(call, waitsFor);
      set(call, waitsFor, pool.ite(pool.eq(now, condition), number(call, 0n, 64), now));
    }
  });
  return zero(call);
}
