// Threads and condition variables: starting is a write, joining and waiting are tests of what others write.

import type { Expr } from '../program/expr.ts';
import { INT, ULONG } from '../program/types.ts';
import {
  type Call,
  choose,
  contents,
  isFree,
  me,
  number,
  set,
  setWord,
  sourceOf,
  waitUntil,
  word,
  zero,
} from './call-pieces.ts';
import {
  DETACHED,
  ENDED,
  FREE,
  type Instance,
  MOST_INSTANCES,
  RUNNING,
  StartsThread,
} from './thread-plan.ts';

const ETIMEDOUT = 110n;

export function create(call: Call): Expr {
  const { context, plan, given, span } = call;
  const { pool } = context;
  const [handle, attributes, start, argument] = given as [Expr, Expr, Expr, Expr];
  const detached =
    attributes === pool.const(0n, 64) ? pool.false : pool.eq(word(call, attributes), number(call, 1n));
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
        setWord(call, handle, number(call, BigInt(instance.number), context.sizes.ulong.width));
        set(call, instance.argument, argument);
        set(call, instance.state, pool.ite(detached, number(call, DETACHED), number(call, RUNNING)));
        set(call, result, number(call, BigInt(instance.number), 64));
      },
    };
  });
  const tooMany = () =>
    context.stop('cut', `more than ${MOST_INSTANCES} threads of '${entity.name}' at the same time`, span);
  choose(call, [...ways, { test: taken, effect: tooMany }]);
  return zero(call);
}

export function join(call: Call): Expr {
  const { pool } = call.context;
  const target = call.given[1]!;
  return withThread(call, (instance) => {
    const runs = () => pool.eq(contents(call, instance.state), number(call, RUNNING));
    const what = `in ${sourceOf(call)} for the end of ${instance.name}`;
    waitUntil(
      call,
      what,
      () => pool.not(runs()),
      () => {
        mustBeJoinable(call, pool.eq(contents(call, instance.state), number(call, ENDED)));
        set(call, instance.state, number(call, FREE));
        if (target !== pool.const(0n, 64)) setWord(call, target, contents(call, instance.result));
      },
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
      set(call, state, pool.ite(isIn(ENDED), number(call, FREE), number(call, DETACHED)));
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
    const test = pool.eq(id, pool.const(BigInt(instance.number), 64));
    other = pool.and(other, pool.not(test));
    context.here = start;
    context.emit({ kind: 'assume', test, branch: null }, span);
    effect(instance);
    context.jump(after, span);
  }
  context.here = start;
  context.emit({ kind: 'assume', test: other, branch: null }, span);
  context.emit({ kind: 'defined', test: pool.false, why: `${name} of what is no thread` }, span);
  context.here = after;
  return zero(call);
}

/** The thread ends: a process goes on when main ends this way. */
export function exit(call: Call): null {
  const { context, plan, given, span } = call;
  const { result, end } = plan.current;
  if (given[0] !== undefined) set(call, result, given[0]);
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

export function signal(call: Call): Expr {
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

export function broadcast(call: Call): Expr {
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
