// Stuck states, violated assertions and runtime errors by one search, in several orders.
//
// First breadth first, which finds short runs and settles small spaces. Then a glance into the depth, and random walks: an error that many runs share is found at
// any depth, in time that does not depend on the number of states. Then all steps of some more states, which costs little. Then last in, first
// out, with all of the budget: it is as exhaustive as the first, but is deep at once. What walks and deep searches find is shortened before anyone sees it (shorten.ts).

import { atMost, type Budget, type Observer, withStates } from '../base/budget.ts';
import { Random } from '../base/random.ts';
import type { Choice } from './choices.ts';
import type { Model } from './compile.ts';
import type { FaultCode } from './faults.ts';
import { FAULT, isLimit } from './faults.ts';
import { FLAG } from './machine.ts';
import { forgetfulModel } from './reduction/forget.ts';
import { dyingModel, immortalModel, withDeaths } from './reduction/immortal.ts';
import { plainTrail, symmetricModel } from './reduction/symmetry.ts';
import type { SearchGoals, SearchOptions, SearchOutcome, ViolationKind } from './search.ts';
import { search } from './search.ts';
import { shorten } from './shorten.ts';
import { trailOf } from './trail.ts';

export interface SafetyOptions extends SearchGoals {
  readonly reduce: boolean;
  readonly seed?: number;
  /** Only the first looks, which small models need nothing beyond. */
  readonly brief?: boolean;
}

export interface Finding {
  readonly kind: ViolationKind;
  readonly fault: FaultCode | null;
  /** From the initial state, a failing one last. */
  readonly choices: readonly Choice[];
}

export interface SafetyOutcome {
  /** A state in which nothing can move and not everyone may stop. */
  readonly stuck: Finding | null;
  /** An assertion or runtime error. */
  readonly failure: Finding | null;
  /** The search that ended last: whether it saw everything, and its figures. */
  readonly search: SearchOutcome;
}

/** States of the first looks; between them are some into the depth, where an error is that every run comes to. */
const GLANCE = 2_000;
const FIRST_LOOK = 10_000;
const DEEP_GLANCE = 5_000;
const SECOND_LOOK = 50_000;
/** How many states are expanded in SPIN's own order, all their steps, before and after the first look: what its search meets soon is met here. */
const FIRST_DESCENT = 20_000;
const SECOND_DESCENT = 100_000;
/** For each of them so many states may be found. */
const FOUND_PER_STATE = 8;
/** States that are taken without stubborn sets in the time that those take for a tenth of them or so. */
const FULL_LOOK = 500_000;
const WALKS = 40;
const WALK_LENGTH = 5000;
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
  const stages = isLast ? [...BRIEF_STAGES, ...FURTHER_STAGES] : BRIEF_STAGES;
  if (!options.reduce) return searchOrders(model, stages, isLast, ask);
  const still = withoutIdleValues(immortalModel(model));
  const dying = withoutIdleValues(dyingModel(model)) ?? withoutIdleValues(model)!;
  if (still === null) return searchOrders(dying, stages, isLast, ask);
  // Without deaths fewer steps are to be taken, and like processes may be like; but who is finished tells what was before, which may multiply.
  const [glance, ...others] = stages;
  const first = searchOrders(still, [glance!], false, ask);
  if (isSettled(first, ask)) return first;
  if (symmetricModel(still) === null) return searchOrders(dying, others, isLast, ask);
  const second = searchOrders(dying, others.slice(0, 2), false, ask);
  if (isSettled(second, ask) || !isLast) return second;
  const third = searchOrders(still, others.slice(2), true, ask);
  return third.search.limitFaults === 0 ? third : searchOrders(dying, others.slice(2), true, ask);
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
  for (const { states, ...how } of stages) {
    const room = roomFor(states, how.order, budget);
    look = search(searched, { ...found.open(), each: true, ...how }, room, observer);
    const isNew = found.keepAll(look, trail);
    if (found.all() || endsHere(look, states, how.order, budget)) return found.outcome(look);
    if (isNew) tell(found.outcome(look));
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

type Stage = Pick<SearchOptions, 'order' | 'most' | 'reduce'> & { readonly states: number };

const descent = (most: number): Stage => ({
  states: most * FOUND_PER_STATE,
  order: 'spin',
  most,
  reduce: false,
});
const BRIEF_STAGES: readonly Stage[] = [{ states: GLANCE, order: 'breadth' }, descent(FIRST_DESCENT)];
const FURTHER_STAGES: readonly Stage[] = [
  { states: FIRST_LOOK, order: 'breadth' },
  descent(SECOND_DESCENT),
  { states: DEEP_GLANCE, order: 'depth' },
  { states: SECOND_LOOK, order: 'breadth' },
];

/** A descent leaves most of the memory to those who come after it: what it took is not free at once. */
function roomFor(states: number, order: Stage['order'], budget: Budget): Budget {
  const room = withStates(budget, states);
  return order === 'spin' ? { ...room, maxMemory: budget.maxMemory / 8 } : room;
}

/** Is that all there is, or all there may be? A descent ends at limits of its own. */
function endsHere({ limit }: SearchOutcome, states: number, order: Stage['order'], budget: Budget): boolean {
  if (limit === null || limit === 'time-limit') return true;
  return order !== 'spin' && (limit === 'memory-limit' || budget.maxStates <= states);
}

/** A space that reduction makes only a little smaller is seen sooner as a whole. */
const lookAtAll = (model: Model, options: SafetyOptions, budget: Budget, observer: Observer): SearchOutcome =>
  search(model, { ...options, reduce: false, each: true }, withStates(budget, FULL_LOOK), observer);

/** The first of each kind that was asked for. */
export class Found {
  private stuck: Finding | null = null;
  private failure: Finding | null = null;
  /** The same, made shorter. */
  private shortStuck: Finding | null = null;
  private shortFailure: Finding | null = null;
  private readonly model: Model;
  private readonly options: SafetyOptions;
  private readonly budget: Budget;

  constructor(model: Model, options: SafetyOptions, budget: Budget) {
    this.model = model;
    this.options = options;
    this.budget = budget;
  }

  all(): boolean {
    return (
      (this.stuck !== null || !this.options.endStates) && (this.failure !== null || !this.options.assertions)
    );
  }

  /** What is still looked for. */
  open(): SafetyOptions {
    const { endStates, assertions } = this.options;
    return {
      ...this.options,
      endStates: endStates === true && this.stuck === null,
      assertions: assertions === true && this.failure === null,
    };
  }

  any(): boolean {
    return this.stuck !== null || this.failure !== null;
  }

  /** Was one of them new? */
  keepAll({ violations, space }: SearchOutcome, trail = trailOf): boolean {
    const added = violations.filter((violation) => {
      if (!this.isNew(violation.kind)) return false;
      this.keep({ ...violation, choices: trail(space, violation) }, space.model);
      return true;
    });
    return added.length > 0;
  }

  isNew(kind: ViolationKind): boolean {
    if (kind === 'invalid-end-state') return this.options.endStates === true && this.stuck === null;
    return this.options.assertions === true && this.failure === null;
  }

  /** `by`: the model that has the run. */
  keep({ kind, fault, choices }: Finding, by: Model): void {
    const isStuck = kind === 'invalid-end-state';
    const isStill = by.options.immortal === true;
    const finding = {
      kind,
      fault,
      choices: isStill ? withDeaths(this.model, choices, isStuck) : choices,
    };
    if (isStuck) this.stuck = finding;
    else this.failure = finding;
  }

  outcome(last: SearchOutcome): SafetyOutcome {
    this.shortStuck ??= this.stuck && shorten(this.model, this.stuck, this.budget);
    this.shortFailure ??= this.failure && shorten(this.model, this.failure, this.budget);
    return { stuck: this.shortStuck, failure: this.shortFailure, search: last };
  }
}

/** Did they find something new? */
export function walk(model: Model, found: Found, budget: Budget, seed = 1): boolean {
  const random = new Random(seed);
  const before = found.open();
  for (let i = 0; i < WALKS && !found.all() && budget.timeLeft(); i++) walkOnce(model, found, random, budget);
  const after = found.open();
  return before.endStates !== after.endStates || before.assertions !== after.assertions;
}

/** One run, a step at a time, to where it is stuck, fails or has become long. */
function walkOnce(model: Model, found: Found, random: Random, budget: Budget): void {
  const { machine } = model;
  const taken: Choice[] = [];
  if (machine.initial() !== 0) return;
  let words = machine.copy();
  for (let step = 0; step < WALK_LENGTH; step++) {
    if (step % 256 === 255 && !budget.timeLeft()) return;
    let seen = 0;
    let next: Int32Array | null = null;
    let choices: Choice[] = [];
    machine.unpack(words, 0);
    const cursor = machine.open({
      step: (successor, length) => {
        // Every step with the same chance, without keeping them all.
        if (random.next() * ++seen >= 1) return;
        next = successor.slice(0, length);
        choices = machine.choices().copy();
      },
      fault: (code, failing) => {
        const kind = faultKind(code);
        if (kind === null || !found.isNew(kind)) return;
        found.keep({ kind, fault: code, choices: [...taken, ...failing.copy()] }, model);
      },
    });
    const steps = cursor.expand();
    if (steps === 0 && (machine.flags() & FLAG.validEnd) === 0 && found.isNew('invalid-end-state'))
      found.keep({ kind: 'invalid-end-state', fault: null, choices: taken }, model);
    if (next === null) return;
    taken.push(...choices);
    words = next;
  }
}

const faultKind = (code: number): ViolationKind | null =>
  isLimit(code) ? null : code === FAULT.assertion ? 'assertion' : 'runtime-error';
