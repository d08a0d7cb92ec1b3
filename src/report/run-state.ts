// What a run's steps did to queues and variables, step by step: for stepping through a run and for traces with contents.

import type { Event, Run } from '../verdict/run.ts';

/** The state after a step: contents of every queue and the last known value of every variable. */
export interface RunState {
  readonly queues: ReadonlyMap<string, readonly string[]>;
  readonly values: ReadonlyMap<string, string>;
}

/** One state before the first step and one after each step. */
export function runStates(run: Run): RunState[] {
  let queues: ReadonlyMap<string, readonly string[]> = new Map(run.queues.map((queue) => [queue.name, []]));
  let values: ReadonlyMap<string, string> = new Map(run.initial.map(({ name, value }) => [name, value]));
  const states: RunState[] = [{ queues, values }];
  for (const step of run.steps) {
    for (const event of step.events) queues = applyEvent(queues, event);
    if (step.changes.length > 0) {
      values = new Map([...values, ...step.changes.map(({ name, value }) => [name, value] as const)]);
    }
    states.push({ queues, values });
  }
  return states;
}

function applyEvent(
  queues: ReadonlyMap<string, readonly string[]>,
  event: Event,
): ReadonlyMap<string, readonly string[]> {
  if (event.kind !== 'send' && event.kind !== 'receive') return queues;
  const before = queues.get(event.queue) ?? [];
  if (event.kind === 'send') {
    const at = event.position ?? before.length;
    return new Map(queues).set(event.queue, before.toSpliced(at, 0, event.message));
  }
  if (event.copy) return queues;
  return new Map(queues).set(event.queue, before.toSpliced(event.position ?? 0, 1));
}
