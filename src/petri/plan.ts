// Plans: evidence that places grow without limit. A plan fires transitions one by one and, in between, repeats loops at will.
//
// Read with ω-markings a plan is checked in one pass: a loop may be repeated when it is enabled and loses only in places that are ω
// already; what it gains becomes ω. Each ω is then reached by real runs, as high as one likes and all of them at once (Karp and
// Miller): the later loops say how often the earlier ones must run. `unroll` computes such a run. A place may have no loop of its own
// that could go on for ever (tokens are made first, then moved): the plan repeats one loop after the other.

import { fire, initialMarking, isBelow, type Marking, OMEGA, type PetriNet } from './net.ts';

export type PlanStep =
  | { readonly kind: 'fire'; readonly transition: number }
  | { readonly kind: 'repeat'; readonly body: readonly number[] };

export type Plan = readonly PlanStep[];

export interface LoopEffect {
  /** What one round needs, per place. */
  readonly needs: ReadonlyMap<number, number>;
  /** What one round changes, without zeros. */
  readonly change: ReadonlyMap<number, number>;
}

export function loopEffect(net: PetriNet, body: readonly number[]): LoopEffect {
  const change = new Map<number, number>();
  const needs = new Map<number, number>();
  for (const transition of body) {
    const { take, put } = net.transitions[transition]!;
    for (const { place, weight } of take) {
      const before = change.get(place) ?? 0;
      needs.set(place, Math.max(needs.get(place) ?? 0, weight - before));
      change.set(place, before - weight);
    }
    for (const { place, weight } of put) change.set(place, (change.get(place) ?? 0) + weight);
  }
  for (const [place, by] of change) if (by === 0) change.delete(place);
  return { needs, change };
}

/** The ω-marking that the plan leads to; null when it is no plan of the net. */
export function checkPlan(net: PetriNet, plan: Plan): Marking | null {
  return markingsAlong(net, plan)?.at(-1) ?? null;
}

/** The ω-markings before the first and after each step. */
function markingsAlong(net: PetriNet, plan: Plan): Marking[] | null {
  let marking: Marking = initialMarking(net);
  const along = [marking];
  for (const step of plan) {
    const next =
      step.kind === 'fire' ? fireAll(net, marking, [step.transition]) : repeated(net, marking, step.body);
    if (next === null) return null;
    marking = next;
    along.push(marking);
  }
  return along;
}

function fireAll(net: PetriNet, start: Marking, body: readonly number[]): Marking | null {
  let marking: Marking | null = start;
  for (const transition of body) {
    const step = net.transitions[transition];
    if (step === undefined || marking === null) return null;
    marking = fire(step, marking);
  }
  return marking;
}

function repeated(net: PetriNet, marking: Marking, body: readonly number[]): Marking | null {
  const after = fireAll(net, marking, body);
  if (after === null || !isBelow(marking, after)) return null;
  return after.map((count, place) => (count > marking[place]! ? OMEGA : count));
}

const MAX_STEPS = 100_000;

/**
 * A run of the net after which the places hold at least so many tokens together that the weighted sum reaches the goal. Null when the plan
 * leads to no such run, or only to a very long one.
 */
export function unroll(net: PetriNet, plan: Plan, places: readonly number[], goal: number): number[] | null {
  const along = markingsAlong(net, plan);
  if (along === null) return null;
  const last = along.at(-1)!;
  const grown = places.find((place) => last[place] === OMEGA);
  const finite = places.reduce((sum, place) => sum + last[place]!, 0);
  if (grown === undefined && finite < goal) return null;
  const demand = new Map<number, number>(grown === undefined ? [] : [[grown, goal]]);
  const rounds = new Map<number, number>();
  let steps = 0;
  for (let index = plan.length - 1; index >= 0; index--) {
    const step = plan[index]!;
    const body = step.kind === 'fire' ? [step.transition] : step.body;
    const times = step.kind === 'fire' ? 1 : roundsFor(net, body, along[index]!, along[index + 1]!, demand);
    rounds.set(index, times);
    steps += times * body.length;
    if (steps > MAX_STEPS) return null;
    if (times > 0) demandBefore(net, body, times, demand);
  }
  const run = plan.flatMap((step, index) => {
    const body = step.kind === 'fire' ? [step.transition] : step.body;
    return Array.from({ length: rounds.get(index)! }, () => body).flat();
  });
  const reached = fireAll(net, initialMarking(net), run);
  if (reached === null) throw new Error('impossible: a plan that was checked cannot be unrolled');
  return run;
}

/** How often the loop must run for the places that it makes ω to meet the demand. */
function roundsFor(
  net: PetriNet,
  body: readonly number[],
  before: Marking,
  after: Marking,
  demand: ReadonlyMap<number, number>,
): number {
  const { change } = loopEffect(net, body);
  let rounds = 0;
  for (const [place, by] of change) {
    if (before[place] === OMEGA || after[place] !== OMEGA) continue;
    const missing = (demand.get(place) ?? 0) - before[place]!;
    rounds = Math.max(rounds, Math.ceil(missing / by));
  }
  return rounds;
}

/** What must be there before so many rounds, for the demand to be met after them. Finite places are met by the ω-markings. */
function demandBefore(
  net: PetriNet,
  body: readonly number[],
  rounds: number,
  demand: Map<number, number>,
): void {
  const { needs, change } = loopEffect(net, body);
  for (const place of new Set([...needs.keys(), ...change.keys()])) {
    const by = change.get(place) ?? 0;
    const wanted = (demand.get(place) ?? 0) - rounds * by;
    const running = (needs.get(place) ?? 0) + (by < 0 ? (rounds - 1) * -by : 0);
    demand.set(place, Math.max(0, wanted, running));
  }
}
