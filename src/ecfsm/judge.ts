// What a recorded run is said to show, judged on the state that it leads to: nothing of who recorded it is believed. Unsafe states are unsafe or not; of a state from which a
// goal cannot be reached that is seen again from the machines alone (liveness/refute.ts). A run that refutes a goal by the formula is possible, no more: what it shows
// rests on a proof.

import type { Budget } from '../base/budget.ts';
import type { Run } from '../verdict/run.ts';
import type { ReplayedRun } from './concrete/simulation.ts';
import { replayProtocol } from './concrete/simulation.ts';
import type { GlobalState } from './concrete/state.ts';
import { unsafety } from './concrete/step.ts';
import { isLost } from './liveness/refute.ts';
import type { Model } from './model.ts';
import { unsafeTitle } from './report/report.ts';

/** `deadlock: …`, `unspecified reception: …` */
const UNSAFE = /^(deadlock|unspecified reception): /;
/** `A has no way from old into goal up`, `from here, none of the 4 reachable states is in goal up`, … */
const LOST = /\bgoal ([\w']+)(,|$)/;
const BY_FORMULA = / no step of the formula leads to goal /;

/** The run on this model, and whether it shows what it says. */
export function judgeRun(model: Model, recorded: Run, { timeLeft }: Budget): ReplayedRun {
  const { protocol, goals } = model;
  const wrong = (end: GlobalState): string | null => {
    const { title } = recorded;
    if (UNSAFE.test(title)) {
      const unsafe = unsafety(protocol, end);
      const shown = unsafe === null ? 'the state at its end is safe' : unsafeTitle(protocol, unsafe);
      return shown === title ? null : shown;
    }
    const name = LOST.exec(title)?.[1];
    if (name === undefined || BY_FORMULA.test(title)) return null;
    const goal = goals.find((one) => one.name === name);
    if (goal === undefined) return `there is no goal ${name}`;
    return isLost(model, goal, end, timeLeft)
      ? null
      : `it was not seen that goal ${name} cannot be reached any more`;
  };
  return replayProtocol(protocol, recorded, undefined, wrong);
}

/** Is what `judgeRun` looks at all that refutes the property? */
export function showsByItself(property: string, { title }: Run): boolean {
  if (property === 'safe') return UNSAFE.test(title);
  return !BY_FORMULA.test(title) && property === `live:${LOST.exec(title)?.[1]}`;
}
