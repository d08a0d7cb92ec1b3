// Refuting Q-liveness: a reachable state from which only finitely many states can be reached, none of them in the goal.
// Rare on infinite state spaces, but exact: the search from that state ended by itself.

import type { ConcreteRun } from '../concrete/explore.ts';
import { explore, objection } from '../concrete/explore.ts';
import { satisfying } from '../concrete/state.ts';
import type { Goal, Model } from '../model.ts';

const STARTS = 200;
const STATES = 600;
/** In all searches together. */
const VISITS = 12_000;

export function refuteLiveness(model: Model, goal: Goal): { run: ConcreteRun; states: number } | null {
  const { protocol, invariant } = model;
  const wanted = goal.disjuncts.map((index) => invariant[index]!);
  const reached = explore(protocol, STARTS, (state) => objection(protocol, null, state));
  let visits = 0;
  for (const [index, start] of reached.states.entries()) {
    if (visits > VISITS) return null;
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
    visits += onwards.states.length;
    if (!met && onwards.complete) return { run: reached.runTo(index), states: onwards.states.length };
  }
  return null;
}
