// From a candidate to a run: the linear program says where the components stand and how often each event happens; this
// search looks for an order of the events that the composition really follows. It never decides that there is none.
//
// First depth first within the counts of the events: when the counts come from a real run, some order works, and usually nearly
// every order does. Then best first by the distance of the components to their places, with all events allowed.

import type { Budget } from '../base/budget.ts';
import type { Path } from '../kripke/path.ts';
import type { Kripke } from '../kripke/structure.ts';
import { stateCount } from '../kripke/structure.ts';
import type { System } from '../kripke/system.ts';
import { eachEnabledEvent, eachInitial, eachOutcome } from '../kripke/system.ts';
import { TupleTable } from '../kripke/tuples.ts';

const MAX_WITHIN_COUNTS = 20_000;
const MAX_BEST_FIRST = 20_000;

/** A run into a deadlock, on the way to the target; null when the effort did not find one. */
export function reach(
  system: System,
  target: readonly number[],
  counts: readonly number[],
  budget: Budget,
): Path | null {
  const initial = nearestInitial(system);
  return withinCounts(system, initial, counts, budget) ?? bestFirst(system, initial, target, budget);
}

function nearestInitial(system: System): Int32Array {
  let first = new Int32Array(0);
  eachInitial(system, (configuration) => {
    first = Int32Array.from(configuration);
    return false;
  });
  return first;
}

interface Step {
  readonly event: number;
  readonly target: Int32Array;
}

function enabledEvents(system: System, configuration: Int32Array): number[] {
  const events: number[] = [];
  eachEnabledEvent(system, configuration, (event) => {
    events.push(event);
    return undefined;
  });
  return events;
}

function outcomes(system: System, configuration: Int32Array, event: number): Step[] {
  const steps: Step[] = [];
  eachOutcome(system, configuration, event, (target) => {
    steps.push({ event, target: Int32Array.from(target) });
  });
  return steps;
}

/** What is still to be tried in one configuration of the depth-first search. */
interface Choices {
  readonly events: number[];
  readonly steps: Step[];
}

/** Depth first, taking each event at most as often as the counts say (rounded up). */
function withinCounts(
  system: System,
  initial: Int32Array,
  counts: readonly number[],
  budget: Budget,
): Path | null {
  const left = Float64Array.from(counts, (count) => Math.ceil(count - 1e-6));
  const seen = new TupleTable(system.components.length);
  const states: Int32Array[] = [];
  const events: number[] = [];
  const choices: Choices[] = [];
  /** True when the configuration is a deadlock. */
  const enter = (configuration: Int32Array): boolean => {
    const possible = enabledEvents(system, configuration);
    states.push(configuration);
    choices.push({ events: possible.filter((event) => left[event]! > 0), steps: [] });
    return possible.length === 0;
  };
  seen.intern(initial);
  if (enter(initial)) return { states, events, loopStart: null };
  while (choices.length > 0 && seen.size <= MAX_WITHIN_COUNTS && budget.timeLeft()) {
    const { events: untried, steps } = choices.at(-1)!;
    // Outcomes are computed only when their event's turn comes: configurations are large.
    if (steps.length === 0 && untried.length > 0)
      steps.push(...outcomes(system, states.at(-1)!, untried.pop()!));
    const step = steps.pop();
    if (step === undefined) {
      choices.pop();
      states.pop();
      const event = events.pop();
      if (event !== undefined) left[event]!++;
      continue;
    }
    const size = seen.size;
    if (seen.intern(step.target) < size) continue;
    left[step.event]!--;
    events.push(step.event);
    if (enter(step.target)) return { states, events, loopStart: null };
  }
  return null;
}

/** Best first: the configurations whose components are nearest to their places in the target. */
function bestFirst(
  system: System,
  initial: Int32Array,
  target: readonly number[],
  budget: Budget,
): Path | null {
  const distances = system.components.map((structure, index) => distancesTo(structure, target[index]!));
  const far = (configuration: Int32Array): number =>
    configuration.reduce((sum, state, index) => sum + distances[index]![state]!, 0);
  const seen = new TupleTable(system.components.length);
  const parents: number[] = [-1];
  const labels: number[] = [-1];
  seen.intern(initial);
  const buckets: number[][] = [];
  const push = (state: number, distance: number): void => {
    if (Number.isFinite(distance)) (buckets[distance] ??= []).push(state);
  };
  push(0, far(initial));
  for (let expanded = 0; expanded < MAX_BEST_FIRST && budget.timeLeft(); expanded++) {
    const state = buckets.find((bucket) => bucket !== undefined && bucket.length > 0)?.pop();
    if (state === undefined) return null;
    const configuration = Int32Array.from(seen.get(state));
    const possible = enabledEvents(system, configuration);
    if (possible.length === 0) return pathTo(seen, state, parents, labels);
    for (const step of possible.flatMap((event) => outcomes(system, configuration, event))) {
      const id = seen.intern(step.target);
      if (id < parents.length) continue;
      parents.push(state);
      labels.push(step.event);
      push(id, far(step.target));
    }
  }
  return null;
}

function pathTo(
  seen: TupleTable,
  state: number,
  parents: readonly number[],
  labels: readonly number[],
): Path {
  const states: Int32Array[] = [];
  const events: number[] = [];
  for (let at = state; at >= 0; at = parents[at]!) {
    states.push(Int32Array.from(seen.get(at)));
    if (parents[at]! >= 0) events.push(labels[at]!);
  }
  return { states: states.reverse(), events: events.reverse(), loopStart: null };
}

/** Steps from each state of a component to the target inside it. */
function distancesTo(structure: Kripke, target: number): Float64Array {
  const states = stateCount(structure);
  const before: number[][] = Array.from({ length: states }, () => []);
  for (let state = 0; state < states; state++) {
    const { first, target: targets } = structure.edges;
    for (let i = first[state]!; i < first[state + 1]!; i++) before[targets[i]!]!.push(state);
  }
  const distances = new Float64Array(states).fill(Number.POSITIVE_INFINITY);
  distances[target] = 0;
  const queue = [target];
  for (const state of queue) {
    for (const previous of before[state]!) {
      if (distances[previous] !== Number.POSITIVE_INFINITY) continue;
      distances[previous] = distances[state]! + 1;
      queue.push(previous);
    }
  }
  return distances;
}
