// What a run's steps did to queues and variables, step by step: for stepping through a run and for traces with contents.

import type { Event, Run, Step } from './run.ts';

/** The state after a step: contents of every queue and the last known value of every variable. */
export interface RunState {
  readonly queues: ReadonlyMap<string, readonly string[]>;
  readonly values: ReadonlyMap<string, string>;
}

/** One state before the first step and one after each step. */
export function runStates(run: Run): RunState[] {
  const states = [firstState(run)];
  for (const step of run.steps) states.push(stateAfter(states.at(-1)!, step));
  return states;
}

export const firstState = (run: Run): RunState => ({
  queues: new Map(run.queues.map((queue) => [queue.name, []])),
  values: new Map(run.initial.map(({ name, value }) => [name, value])),
});

export function stateAfter({ queues, values }: RunState, { events, changes }: Step): RunState {
  return {
    queues: events.reduce(applyEvent, queues),
    values:
      changes.length === 0
        ? values
        : new Map([...values, ...changes.map(({ name, value }) => [name, value] as const)]),
  };
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

/** The greatest length each queue has along the run, its loop taken the given number of times. */
export function longestQueues(run: Run, rounds: number): Map<string, number> {
  const loop = run.loopStart === null ? [] : run.steps.slice(run.loopStart);
  const prefix = run.steps.slice(0, run.loopStart ?? run.steps.length);
  const steps = [...prefix, ...Array.from({ length: rounds }, () => loop).flat()];
  const lengths = new Map<string, number>();
  for (const { queues } of runStates({ ...run, steps })) {
    for (const [name, contents] of queues)
      lengths.set(name, Math.max(lengths.get(name) ?? 0, contents.length));
  }
  return lengths;
}
