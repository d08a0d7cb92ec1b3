// Refuting Q-liveness: a reachable state from which only finitely many states can be reached, none of them in the goal.
// Rare on infinite state spaces, but exact: the search from that state ended by itself.

import type { ConcreteRun } from '../concrete/explore.ts';
import { explore, objection } from '../concrete/explore.ts';
import { satisfying } from '../concrete/state.ts';
import type { Goal, Model } from '../model.ts';

const STARTS = 400;
const STATES = 2000;

export function refuteLiveness(model: Model, goal: Goal): { run: ConcreteRun; states: number } | null {
  const { protocol, invariant } = model;
  const wanted = goal.disjuncts.map((index) => invariant[index]!);
  const reached = explore(protocol, STARTS, (state) => objection(protocol, null, state));
  for (const [index, start] of reached.states.entries()) {
    let met = false;
    const onwards = explore(
      protocol,
      STATES,
      (state) => {
        met = satisfying(protocol.definitions, wanted, state).length > 0;
        return met ? { kind: 'outside' } : null;
      },
      start,
    );
    if (!met && onwards.complete) return { run: reached.runTo(index), states: onwards.states.length };
  }
  return null;
}
