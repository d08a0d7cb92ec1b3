// A recorded run, taken again on a system: step by step, as far as it goes.

import type { Run } from '../verdict/run.ts';
import { movesOf, runOf } from './run.ts';
import { type Advance, advance, initialState } from './semantics.ts';
import { type Stimulus, type SystemState, stimuli } from './state.ts';
import type { ActorSystem, Scheduler } from './system.ts';

export interface ReplayedActors {
  readonly run: Run;
  readonly failedAt: number | null;
  readonly refused?: string;
}

export function replayActors(system: ActorSystem, scheduler: Scheduler, recorded: Run): ReplayedActors {
  const moves = movesOf(recorded);
  let state: SystemState | null = null;
  let possible = 0;
  for (const { stimulus, choices } of moves) {
    if (stimulus !== null && (state === null || !isPossible(system, scheduler, state, stimulus))) break;
    let next = 0;
    const choose = (count: number): number => Math.min(choices[next++] ?? 0, count - 1);
    const result: Advance =
      state === null || stimulus === null
        ? initialState(system, scheduler, choose)
        : advance(system, scheduler, state, stimulus, choose);
    state = result.state;
    possible++;
    if (result.end !== 'quiet') break;
  }
  const taken = moves.slice(0, possible);
  const starts = recorded.steps.flatMap((step, index) => (step.choice.length > 0 ? [index] : []));
  const loopMove = recorded.loopStart === null ? null : starts.indexOf(recorded.loopStart);
  const run = runOf(system, scheduler, taken, {
    title: recorded.title,
    loopStart: loopMove === null || loopMove < 0 ? null : loopMove,
  });
  if (run === null) return { run: recorded, failedAt: 0 };
  if (possible < moves.length) return { run, failedAt: starts[possible] ?? 0 };
  const same =
    run.steps.length === recorded.steps.length &&
    run.steps.every((step, index) => step.text === recorded.steps[index]!.text);
  return {
    run: { ...run, ...(recorded.growth === undefined ? {} : { growth: recorded.growth }) },
    failedAt: null,
    ...(same ? {} : { refused: 'the steps are possible, but the actors do something else now' }),
  };
}

const isPossible = (
  system: ActorSystem,
  scheduler: Scheduler,
  state: SystemState,
  stimulus: Stimulus,
): boolean =>
  stimuli(system, scheduler, state).some((one) => JSON.stringify(one) === JSON.stringify(stimulus));
