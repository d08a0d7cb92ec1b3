// The threads of a program: each instance of a function that is started has a graph of its own, which begins where it waits for its start.

import type { Span } from '../../source/source.ts';
import type { ProgramThread } from '../program/program.ts';
import { DETACHED, ENDED, firstName, GONE, RUNNING } from '../program/thread-states.ts';
import { pointerTo, VOID } from '../program/types.ts';
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
  endOfMain(context, plan.current);
  const next = () =>
    plan.instances.find(
      (instance) => instance.entry < 0 && instance.function !== null && plan.entities.has(instance.function),
    );
  for (let instance = next(); instance !== undefined; instance = next())
    lowerInstance(context, plan, instance, plan.entities.get(instance.function!)!);
}

/** `pthread_exit` in main: its variables are gone, others may wait for its end, the process goes on. */
function endOfMain(context: Context, main: Instance): void {
  const { span } = context.locations[main.end]!;
  context.here = main.end;
  endOf(context, main, span);
  context.locations[context.here!]!.idle = true;
}

/** Whoever waits for the thread may go on. */
function endOf(context: Context, { state }: Instance, span: Span): void {
  const { pool } = context;
  const isDetached = pool.eq(pool.symbol(state.id, 32), pool.const(DETACHED, 32));
  const after = pool.ite(isDetached, pool.const(GONE, 32), pool.const(ENDED, 32));
  context.atomically(span, () => context.emit({ kind: 'assign', cell: state, value: after }, span));
}

function lowerInstance(context: Context, plan: ThreadPlan, instance: Instance, entity: FunctionEntity): void {
  const { span: whole, body } = entity.definition!;
  const span = { ...whole, end: body.span.start };
  const { pool } = context;
  plan.current = instance;
  context.copies.startThread();
  context.block = newBlock();
  // Nothing outside of functions is shared between threads, either.
  context.frame = context.newFrame('', 0, 0, null, VOID);
  instance.entry = context.location(span);
  instance.end = context.location(span);
  context.locations[instance.entry]!.idle = true;
  context.here = instance.entry;
  const isIn = (state: bigint) => pool.eq(pool.symbol(instance.state.id, 32), pool.const(state, 32));
  const running = pool.or(isIn(RUNNING), isIn(DETACHED));
  context.emit({ kind: 'assume', test: running, branch: 'starts' }, span);
  const argument = { type: pointerTo(VOID), expr: pool.symbol(instance.argument.id, 64) };
  const result = inline(context, entity, entity.type.parameters.length === 0 ? [] : [argument], span);
  keepResult(context, instance.result, result, span);
  context.jump(instance.end, span);
  context.here = instance.end;
  endOf(context, instance, span);
  context.jump(instance.entry, span);
  context.exits?.finish(context, span);
}
