// Stuck states, violated assertions and runtime errors by one search, in several orders.
//
// First breadth first, which finds short runs and settles small spaces. Then glances into the depth, and random walks: an error that many runs share is found at
// any depth, in time that does not depend on the number of states. Then all steps of some more states, which costs little. Then last in, first
// out, with all of the budget: it is as exhaustive as the first, but is deep at once. What walks and deep searches find is shortened before anyone sees it (shorten.ts).

import { atMost, type Budget, type Observer, withStates } from '../base/budget.ts';
import type { Model } from './compile.ts';
import { FEW_WALKS, walk } from './error-walks.ts';
import { Found, type SafetyOptions, type SafetyOutcome } from './found.ts';
import { forgetfulModel } from './reduction/forget.ts';
import { dyingModel, immortalModel } from './reduction/immortal.ts';
import { plainTrail, symmetricModel } from './reduction/symmetry.ts';
import type { SearchOptions, SearchOutcome } from './search.ts';
import { search } from './search.ts';
import { trailOf } from './trail.ts';

/** States of the first looks; between them are some into the depth, where an error is that every run comes to. */
const GLANCE = 2_000;
const FIRST_LOOK = 10_000;
const DEEP_GLANCE = 5_000;
const SECOND_LOOK = 50_000;
/** How many states are expanded in SPIN's own order, all their steps, before and after the first look: what its search meets soon is met here. */
const FIRST_DESCENT = 20_000;
const SECOND_DESCENT = 150_000;
/** For each of them so many states may be found. */
const FOUND_PER_STATE = 8;
/** States that are taken without stubborn sets in the time that those take for a tenth of them or so. */
const FULL_LOOK = 500_000;
/** Milliseconds that walks may take in any case: more than they need, unless single steps take long. */
const WALK_TIME = 5000;

/** Whoever is told of a finding as soon as there is one, while the search goes on for the other. */
export type Tell = (outcome: SafetyOutcome) => void;

export function searchSafety(
  model: Model,
  options: SafetyOptions,
  budget: Budget,
  observer: Observer,
  tell: Tell = () => {},
): SafetyOutcome {
  const found = new Found(model, options, budget);
  const ask: Asked = { found, options, budget, observer, tell };
  const isLast = options.brief !== true;
  const near = isLast ? [...FIRST_STAGES, ...SECOND_STAGES] : FIRST_STAGES;
  const stages = isLast ? [...near, ...LAST_STAGES] : near;
  if (!options.reduce) return searchOrders(model, stages, isLast, ask);
  const still = withoutIdleValues(immortalModel(model));
  const dying = withoutIdleValues(dyingModel(model)) ?? withoutIdleValues(model)!;
  if (still === null) return searchOrders(dying, stages, isLast, ask);
  // Without deaths fewer steps are to be taken, and like processes may be like; but who is finished tells what was before, which may multiply.
  const first = searchOrders(still, stages.slice(0, 1), false, ask);
  if (isSettled(first, ask)) return first;
  if (symmetricModel(still) === null) return searchOrders(dying, stages.slice(1), isLast, ask);
  const second = searchOrders(dying, near.slice(1), false, ask);
  if (isSettled(second, ask) || !isLast) return second;
  const third = searchOrders(still, LAST_STAGES, true, ask);
  return third.search.limitFaults === 0 ? third : searchOrders(dying, LAST_STAGES, true, ask);
}

const withoutIdleValues = (model: Model | null): Model | null => model && (forgetfulModel(model) ?? model);

interface Asked {
  readonly found: Found;
  readonly options: SafetyOptions;
  readonly budget: Budget;
  readonly observer: Observer;
  readonly tell: Tell;
}

/** Nothing is left to find, or to find it in. */
function isSettled(
  { search: { limit, limitFaults, states } }: SafetyOutcome,
  { found, budget }: Asked,
): boolean {
  if (found.all() || limit === 'time-limit' || limit === 'memory-limit') return true;
  return limit === null ? limitFaults === 0 : states >= budget.maxStates;
}

/** `plain` is the model as it is, or without deaths (then it may have a symmetry), or with deaths first. At last all of the budget is taken. */
function searchOrders(plain: Model, stages: readonly Stage[], isLast: boolean, ask: Asked): SafetyOutcome {
  const { found, options, budget, observer, tell } = ask;
  const symmetric = symmetricModel(plain);
  const searched = symmetric ?? plain;
  const trail = symmetric === null ? trailOf : plainTrail.bind(null, plain);
  const began = observer.now();
  let look: SearchOutcome | null = null;
  for (const stage of stages) {
    if (stage === WALKS) {
      if (walk(plain, found, budget, FEW_WALKS)) tell(found.outcome(look!));
      if (found.all()) return found.outcome(look!);
      continue;
    }
    const { states, ...how } = stage;
    const room = roomFor(states, how.order, budget);
    look = search(searched, { ...found.open(), each: true, ...how }, room, observer);
    const isNew = found.keepAll(look, trail);
    if (found.all() || endsHere(look, states, how.order, budget)) return found.outcome(look);
    if (isNew) tell(found.outcome(look));
    // The memory that a descent may take is a limit of its own.
    if (look.limit === 'memory-limit') look = { ...look, limit: 'state-limit' };
  }
  if (!isLast) return found.outcome(look!);
  observer.stage('random walks');
  const walkTime = Math.max(WALK_TIME, observer.now() - began);
  const isNew = walk(plain, found, atMost(budget, walkTime, observer.now));
  if (found.all()) return found.outcome(look!);
  if (isNew) tell(found.outcome(look!));
  observer.stage('search');
  if (options.reduce && budget.maxStates > FULL_LOOK) {
    const full = lookAtAll(searched, found.open(), budget, observer);
    found.keepAll(full, trail);
    if (full.limit === null || found.all()) return found.outcome(full);
    if (full.limit === 'time-limit')
      return found.outcome(full.states < look!.states ? { ...look!, limit: full.limit } : full);
  }
  const deep = search(searched, { ...found.open(), each: true, order: 'depth' }, budget, observer);
  found.keepAll(deep, trail);
  return found.outcome(deep);
}

type Look = Pick<SearchOptions, 'order' | 'most' | 'reduce'> & { readonly states: number };
const WALKS = 'walks';
type Stage = Look | typeof WALKS;

const descent = (most: number): Look => ({
  states: most * FOUND_PER_STATE,
  order: 'spin',
  most,
  reduce: false,
});
const FIRST_STAGES: readonly Stage[] = [{ states: GLANCE, order: 'breadth' }, descent(FIRST_DESCENT)];
const SECOND_STAGES: readonly Stage[] = [
  WALKS,
  { states: DEEP_GLANCE, order: 'depth', reduce: false },
  { states: FIRST_LOOK, order: 'breadth' },
  descent(SECOND_DESCENT),
  { states: DEEP_GLANCE, order: 'depth' },
];
/** With symmetry, where there is one. */
const LAST_STAGES: readonly Stage[] = [{ states: SECOND_LOOK, order: 'breadth' }];

/** A descent leaves most of the memory to those who come after it: what it took is not free at once. */
function roomFor(states: number, order: Look['order'], budget: Budget): Budget {
  const room = withStates(budget, states);
  return order === 'spin' ? { ...room, maxMemory: budget.maxMemory / 8 } : room;
}

/** Is that all there is, or all there may be? A descent ends at limits of its own. */
function endsHere({ limit }: SearchOutcome, states: number, order: Look['order'], budget: Budget): boolean {
  if (limit === null || limit === 'time-limit') return true;
  return order !== 'spin' && (limit === 'memory-limit' || budget.maxStates <= states);
}

/** A space that reduction makes only a little smaller is seen sooner as a whole. */
const lookAtAll = (model: Model, options: SafetyOptions, budget: Budget, observer: Observer): SearchOutcome =>
  search(model, { ...options, reduce: false, each: true }, withStates(budget, FULL_LOOK), observer);
