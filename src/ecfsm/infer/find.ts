// A formula for a protocol that has none: candidates from cheap to dear, the first that the induction proves safe is taken. Where none is, the first
// one found is a beginning for a person.

import type { Budget, Observer } from '../../base/budget.ts';
import { explore, walk } from '../concrete/explore.ts';
import type { GlobalState } from '../concrete/state.ts';
import { stateKey } from '../concrete/state.ts';
import type { Disjunct, Protocol } from '../model.ts';
import { prepare } from '../safety/formula.ts';
import { Induction } from '../safety/induction.ts';
import { Decider } from '../solver/decider.ts';
import type { Grains } from './abstract.ts';
import { TIERS } from './candidates.ts';
import { evenGrains, learntGrains } from './grain.ts';
import { strengthen } from './houdini.ts';
import { inferInvariant, thresholdsOf } from './infer.ts';
import { looseTemplates } from './loose.ts';
import { shortened } from './shorten.ts';

/** What has more places than this is tried last: each of them gets all candidates. */
const FEW_PLACES = 20;
const SEEN_STATES = 4_000;
const WALKS = { seed: 11, walks: 80, length: 80 };

/** Empty when no formula was found within the limits. `fine`: only formulas that keep one message and several apart. */
export async function findInvariant(
  protocol: Protocol,
  budget: Budget,
  observer: Observer,
  fine = false,
): Promise<readonly Disjunct[]> {
  const decider = new Decider(budget);
  try {
    let first: readonly Disjunct[] = [];
    for await (const candidate of candidates(protocol, decider, budget, observer, fine)) {
      if (candidate.length === 0) continue;
      if (first.length === 0) first = candidate;
      const induction = new Induction(prepare(protocol, candidate), decider);
      const { failures, outOfTime } = await induction.run(budget, 1, () => {});
      if (failures.length === 0 && !outOfTime) return await proved(protocol, candidate, decider, budget);
      if (outOfTime) break;
    }
    return first;
  } finally {
    decider.dispose();
  }
}

/** Shorter, if that is proved as well. */
async function proved(
  protocol: Protocol,
  candidate: readonly Disjunct[],
  decider: Decider,
  budget: Budget,
): Promise<readonly Disjunct[]> {
  const shorter = await shortened(protocol, candidate, decider, budget);
  const { failures, outOfTime } = await new Induction(prepare(protocol, shorter), decider).run(
    budget,
    1,
    () => {},
  );
  return failures.length === 0 && !outOfTime ? shorter : candidate;
}

async function* candidates(
  protocol: Protocol,
  decider: Decider,
  budget: Budget,
  observer: Observer,
  onlyFine: boolean,
): AsyncGenerator<readonly Disjunct[]> {
  const shapes: Disjunct[][] = [];
  const reached = (grains: Grains): Disjunct[] => {
    observer.stage('infer');
    shapes.push(inferInvariant(protocol, budget, grains));
    return shapes.at(-1)!;
  };
  for (const fine of onlyFine ? [true] : [false, true]) yield reached(evenGrains(protocol, fine));
  const seen = statesSeen(protocol, budget);
  if (!onlyFine) yield reached(learntGrains(protocol, seen));
  const bounds = new Set(thresholdsOf(protocol));
  const loose = looseTemplates(protocol, seen);
  const small = [loose, ...shapes].filter(({ length }) => length <= FEW_PLACES);
  const large = shapes.filter(({ length }) => length > FEW_PLACES);
  for (const group of [small, large])
    for (const functions of TIERS)
      for (const templates of group) {
        observer.stage('strengthen');
        yield (await strengthen(protocol, templates, seen, { bounds, functions }, decider, budget)) ?? [];
      }
}

function statesSeen(protocol: Protocol, { timeLeft }: Budget): readonly GlobalState[] {
  const found = new Map<string, GlobalState>();
  const note = (state: GlobalState): null => {
    found.set(stateKey(state), state);
    return null;
  };
  explore(protocol, SEEN_STATES, note, undefined, timeLeft);
  walk(protocol, WALKS, note, timeLeft);
  return [...found.values()];
}
