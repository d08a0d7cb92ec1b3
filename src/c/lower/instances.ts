// The threads of a program: each instance of a function that is started has a graph of its own, which begins where it waits for its start.

import type { ProgramThread } from '../program/program.ts';
import { DETACHED, ENDED, firstName, GONE, RUNNING } from '../program/thread-states.ts';
import { isScalar, pointerTo, VOID } from '../program/types.ts';
import type { Context } from './context.ts';
import { newBlock } from './frames.ts';
import { inline } from './inlining.ts';
import { keepResult } from './missing-values.ts';
import type { FunctionEntity } from './scope.ts';
import type { Instance, ThreadPlan } from './thread-plan.ts';

export const threadsOf = ({ instances }: ThreadPlan, main: number): ProgramThread[] =>
  instances.flatMap(({ number, name, state, entry }, i) => {
    if (i === 0) return [{ number, name, state, entry: main }];
    return entry < 0 ? [] : [{ number, name, state, entry }];
  });

export const namesOf = ({ sizes: { ulong } }: Context) => ({
  first: firstName(ulong.width),
  width: ulong.width,
});

/** The graphs of all that is started, some of it from threads. */
export function lowerThreads(context: Context, plan: ThreadPlan): void {
  const next = () =>
    plan.instances.find(
      (instance) => instance.entry < 0 && instance.function !== null && plan.entities.has(instance.function),
    );
  for (let instance = next(); instance !== undefined; instance = next())
    lowerInstance(context, plan, instance, plan.entities.get(instance.function!)!);
}

function lowerInstance(context: Context, plan: ThreadPlan, instance: Instance, entity: FunctionEntity): void {
  const { span: whole, body } = entity.definition!;
  const span = { ...whole, end: body.span.start };
  const { pool } = context;
  plan.current = instance;
  context.copies.startThread();
  context.block = newBlock();
  instance.entry = context.location(span);
  instance.end = context.location(span);
  context.locations[instance.entry]!.idle = true;
  context.here = instance.entry;
  const isIn = (state: bigint) => pool.eq(pool.symbol(instance.state.id, 32), pool.const(state, 32));
  const running = pool.or(isIn(RUNNING), isIn(DETACHED));
  context.emit({ kind: 'assume', test: running, branch: 'starts' }, span);
  const argument = { type: pointerTo(VOID), expr: pool.symbol(instance.argument.id, 64) };
  const result = inline(context, entity, entity.type.parameters.length === 0 ? [] : [argument], span);
  if (isScalar(result.type) && context.here !== null) keepResult(context, instance.result, result, span);
  context.jump(instance.end, span);
  context.here = instance.end;
  const after = pool.ite(isIn(DETACHED), pool.const(GONE, 32), pool.const(ENDED, 32));
  const ended = { kind: 'assign', cell: instance.state, value: after } as const;
  context.atomically(span, () => context.emit(ended, span));
  context.jump(instance.entry, span);
  context.exits?.finish(context, span);
}
