// Sections that no other thread may come between, by the convention of the verification community: what stands between `__VERIFIER_atomic_begin` and `_end`, and
// functions called `__VERIFIER_atomic_…`. Which thread is in one is a word of the memory. The convention has no sections inside of sections; functions of that kind that call
// each other are one section all the same.

import type { Span } from '../../source/source.ts';
import { isScalar } from '../program/types.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import type { Value } from './places.ts';
import type { FunctionEntity } from './scope.ts';
import type { ThreadPlan } from './thread-plan.ts';
import { saved } from './values.ts';

export function beginSection(context: Context, plan: ThreadPlan, span: Span): void {
  const { pool } = context;
  if (context.here === null) return;
  context.atomically(span, () => {
    const [inside, outside] = [context.location(span), context.location(span)];
    fork(context, isHeld(context, plan), inside, outside, span, false);
    context.here = inside;
    context.stop('cut', 'a section that nobody may come between begins inside of another one', span);
    context.here = outside;
    context.emit({ kind: 'assign', cell: plan.holder, value: pool.const(plan.current.number, 32) }, span);
  });
}

export function endSection(context: Context, { holder }: ThreadPlan, span: Span): void {
  const free = { kind: 'assign', cell: holder, value: context.pool.const(0n, 32) } as const;
  context.atomically(span, () => context.emit(free, span));
}

const isHeld = ({ pool }: Context, { holder, current }: ThreadPlan) =>
  pool.eq(pool.symbol(holder.id, 32), pool.const(current.number, 32));

/** A call, of such a function or of another one. */
export function inSection<T>(
  context: Context,
  { name }: FunctionEntity,
  values: readonly Value[],
  span: Span,
  work: (values: readonly Value[]) => T,
): T {
  const { threads: plan } = context;
  if (plan === null || plan.isInSection || !name.startsWith('__VERIFIER_atomic_')) return work(values);
  // Others may still come between the arguments and the call.
  const given = values.map((one, i) => saved(context, `argument ${i} of ${name}`, one, span));
  if (given.some(({ type }) => !isScalar(type)))
    context.stop('cut', `a struct as argument of '${name}' among threads is not modelled`, span);
  beginSection(context, plan, span);
  plan.isInSection = true;
  try {
    return work(given);
  } finally {
    plan.isInSection = false;
    endSection(context, plan, span);
  }
}
