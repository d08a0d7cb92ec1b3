// Q-liveness of a protocol with finitely many states: all of them are visited, and looked at backwards from the goal. Exact in both directions, and
// without any formula.

import type { ConcreteRun } from '../concrete/explore.ts';
import { explore } from '../concrete/explore.ts';
import { stateKey } from '../concrete/state.ts';
import { enabledSteps } from '../concrete/step.ts';
import type { Goal, Model } from '../model.ts';
import { inGoal } from './refute.ts';

const MOST_STATES = 4_000;

export type Exhausted =
  | { readonly kind: 'live'; readonly states: number; readonly transitions: number }
  /** A run into a state from which the goal cannot be reached. */
  | { readonly kind: 'lost'; readonly run: ConcreteRun; readonly states: number };

/** Null when there are too many states, or no time is left. */
export function exhaustLiveness(model: Model, goal: Goal, timeLeft: () => boolean): Exhausted | null {
  const { protocol } = model;
  const exploration = explore(protocol, MOST_STATES, () => null, undefined, timeLeft);
  const { states, transitions } = exploration;
  if (!exploration.complete) return null;
  const numbers = new Map(states.map((state, index) => [stateKey(state), index]));
  const before: number[][] = states.map(() => []);
  states.forEach((state, from) => {
    for (const { next } of enabledSteps(protocol, state).steps)
      before[numbers.get(stateKey(next))!]!.push(from);
  });
  const hopeful = new Set(states.flatMap((state, index) => (inGoal(model, goal, state) ? [index] : [])));
  for (const state of hopeful) for (const from of before[state]!) hopeful.add(from);
  const lost = states.findIndex((_, index) => !hopeful.has(index));
  if (lost < 0) return { kind: 'live', states: states.length, transitions };
  return { kind: 'lost', run: exploration.runTo(lost), states: states.length };
}
