// pthread_create: an instance of the function is taken, its name is written where the caller wants it, then it runs. As glibc has it the name is there before the
// thread begins. That it is written is an access to plain memory like any other.

import type { Expr } from '../program/expr.ts';
import { DETACHED, FREE, GONE, RUNNING, STARTING } from '../program/thread-states.ts';
import { type CType, INT, widthOf } from '../program/types.ts';
import { type Call, contents, ifGood, number, set, setWord, unlessNull, word, zero } from './call-pieces.ts';
import { functionAddress } from './places.ts';
import type { FunctionEntity } from './scope.ts';
import { type Instance, MOST_INSTANCES, nameOfThread, StartsThread } from './thread-plan.ts';

/** Functions that a pointer to one may mean, at most: each of them gets instances. */
const MOST_FUNCTIONS = 6;
const EINVAL = 22n;
const NOT_NAMED = 'a thread whose function is not named where it is started is not modelled';

export function create(call: Call): Expr {
  const { context, given, span } = call;
  const { pool } = context;
  const function_ = given[2]!;
  if (function_.op === 'const') {
    const named = [...context.functionObjects].find(([, { address }]) => address === function_.value)?.[0];
    if (named === undefined || named.definition === null) context.stop('cut', NOT_NAMED, span);
    else start(call, named);
    return zero(call);
  }
  const possible = functionsLike(call);
  const here = context.here;
  const after = context.location(span);
  let other: Expr = pool.true;
  for (const entity of possible.length > MOST_FUNCTIONS ? [] : possible) {
    const test = pool.eq(function_, functionAddress(context, entity));
    other = pool.and(other, pool.not(test));
    context.here = here;
    context.emit({ kind: 'assume', test, branch: `[starts ${entity.name}]` }, span);
    start(call, entity);
    context.jump(after, span);
  }
  context.here = here;
  context.emit({ kind: 'assume', test: other, branch: null }, span);
  context.stop('cut', NOT_NAMED, span);
  context.here = after;
  return zero(call);
}

/** Functions whose address is used, and whose type is the one that threads have. */
function functionsLike({ context }: Call): readonly FunctionEntity[] {
  const isPointer = (kind: string) => kind === 'pointer';
  return [...context.addressTaken].filter(
    ({ definition, type }) =>
      definition !== null &&
      isPointer(type.result.kind) &&
      type.parameters.length <= 1 &&
      type.parameters.every(({ kind }) => isPointer(kind)),
  );
}

/** C wants `void *f(void *)`; let pass is what many programs have: no parameter, a number, another result that lies in a register, or none. */
function mayBeStarted({ context: { sizes } }: Call, { type }: FunctionEntity): boolean {
  const { parameters, result, variadic } = type;
  const isWord = (one: CType) =>
    (one.kind === 'pointer' || one.kind === 'int') && widthOf(one) <= sizes.ulong.width;
  if (parameters.length > 1 || variadic || !parameters.every(isWord)) return false;
  return isWord(result) || result.kind === 'void';
}

/** As the attributes say, which may be null. */
function isDetached(call: Call, attributes: Expr): Expr {
  const { context, node } = call;
  const { pool } = context;
  if (attributes === pool.const(0n, attributes.width)) return pool.false;
  const state = context.temporary(node, INT, 'detached');
  set(call, state, zero(call));
  unlessNull(call, attributes, () => set(call, state, word(call, attributes)));
  return pool.eq(contents(call, state), number(call, 1n));
}

/** `pthread_attr_setdetachstate`: only 0 and 1 are states. */
export function setDetached(call: Call): Expr {
  const { pool } = call.context;
  const [attributes, given] = call.given as [Expr, Expr];
  const state = pool.trunc(given, 32);
  const isState = pool.or(pool.eq(state, zero(call)), pool.eq(state, number(call, 1n)));
  return ifGood(call, isState, EINVAL, () => setWord(call, attributes, state));
}

function start(call: Call, entity: FunctionEntity): void {
  const { context, plan, given, span } = call;
  const { pool } = context;
  const [handle, attributes, , argument] = given as [Expr, Expr, Expr, Expr];
  if (!mayBeStarted(call, entity)) {
    const why = `'${entity.name}' is started as a thread, which takes a pointer and returns one`;
    context.emit({ kind: 'defined', test: pool.false, why }, span);
    context.here = null;
    return;
  }
  const own = context.ownName(entity);
  if (!plan.functions.includes(own)) throw new StartsThread(own);
  plan.entities.set(own, entity);
  const detached = isDetached(call, attributes);
  const width = context.sizes.ulong.width;
  const isIn = ({ state }: Instance, which: bigint) => pool.eq(contents(call, state), number(call, which));
  const [here, after] = [context.location(span), context.location(span)];
  context.jump(here, span);
  const instances = plan.instances.filter((instance) => instance.function === own);
  let none: Expr = pool.true;
  for (const instance of instances) {
    const test = pool.and(none, isIn(instance, FREE));
    none = pool.and(none, pool.not(isIn(instance, FREE)));
    context.here = here;
    // In one piece, since others may look for one at the same time.
    context.atomically(span, () => {
      context.emit({ kind: 'assume', test, branch: null }, span);
      // The name that is written over is no longer there when the search looks whether this one is.
      setWord(call, handle, number(call, 0n, width));
      set(call, instance.state, number(call, STARTING));
      set(call, instance.argument, argument);
    });
    setWord(call, handle, number(call, nameOfThread(instance.number, context.sizes), width));
    context.atomically(span, () =>
      set(call, instance.state, pool.ite(detached, number(call, DETACHED), number(call, RUNNING))),
    );
    context.jump(after, span);
  }
  const isGone = instances.map((instance) => isIn(instance, GONE)).reduce((a, b) => pool.or(a, b));
  context.here = here;
  context.atomically(span, () => {
    context.emit({ kind: 'assume', test: pool.and(none, isGone), branch: null }, span);
    for (const { state } of instances) {
      const now = contents(call, state);
      set(call, state, pool.ite(pool.eq(now, number(call, GONE)), number(call, FREE), now));
    }
  });
  context.jump(here, span);
  context.here = here;
  context.atomically(span, () =>
    context.emit({ kind: 'assume', test: pool.and(none, pool.not(isGone)), branch: null }, span),
  );
  context.stop('cut', `more than ${MOST_INSTANCES} threads of '${entity.name}' at the same time`, span);
  context.here = after;
}
