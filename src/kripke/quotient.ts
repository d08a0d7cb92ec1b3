// Existential quotients, [MAGIC] section 3.2: the states of a partition's classes are lumped together, and a class has
// every edge that one of its states has. By Proposition 1 every path of the structure has its image in the quotient.

import type { Kripke } from './structure.ts';
import { eachEdge, packEdges, stateCount } from './structure.ts';

/** A partition of a structure's states: state → class, classes numbered from 0 without gaps. */
export interface Partition {
  readonly classOf: Int32Array;
  readonly count: number;
}

/** The coarsest partition whose classes agree on the given propositions (ids of the structure). */
export function coarsest(structure: Kripke, propositions: readonly number[]): Partition {
  const wanted = new Set(propositions);
  const keys = structure.labels.map((label) => label.filter((id) => wanted.has(id)).join(','));
  const ids = new Map<string, number>();
  const classOf = Int32Array.from(keys, (key) => {
    if (!ids.has(key)) ids.set(key, ids.size);
    return ids.get(key)!;
  });
  return { classOf, count: ids.size };
}

/** Moves the given states, all of one class and not the whole of it, into a new class. */
export function split(partition: Partition, states: Iterable<number>): Partition {
  const classOf = Int32Array.from(partition.classOf);
  for (const state of states) classOf[state] = partition.count;
  return { classOf, count: partition.count + 1 };
}

/** Rounds in which a counterexample splits one class alone. */
const GENTLE_ROUNDS = 8;

/** Splits the states off; later on, every class of the component as well. */
export function splitFurther(
  structure: Kripke,
  partition: Partition,
  states: Iterable<number>,
  round: number,
): Partition {
  const next = split(partition, states);
  return round <= GENTLE_ROUNDS ? next : splitBySteps(structure, next);
}

/** Parts the states of a class that have different steps, by event and class of the target: one round towards bisimilarity. */
function splitBySteps(structure: Kripke, partition: Partition): Partition {
  const ids = new Map<string, number>();
  const keys = Array.from({ length: stateCount(structure) }, (_, state) => {
    const steps = new Set<number>();
    eachEdge(structure, state, (event, to) => {
      steps.add(event * partition.count + partition.classOf[to]!);
    });
    return `${partition.classOf[state]} ${[...steps].sort((a, b) => a - b).join()}`;
  });
  const classOf = Int32Array.from(keys, (key) => {
    if (!ids.has(key)) ids.set(key, ids.size);
    return ids.get(key)!;
  });
  return { classOf, count: ids.size };
}

/** The states of each class, ascending. */
export function classes(partition: Partition): readonly (readonly number[])[] {
  const members: number[][] = Array.from({ length: partition.count }, () => []);
  partition.classOf.forEach((id, state) => {
    members[id]!.push(state);
  });
  return members;
}

/** M/(PA, ≈). The partition must respect the propositions kept; the others disappear. */
export function quotient(structure: Kripke, partition: Partition, propositions: readonly number[]): Kripke {
  const members = classes(partition);
  const newIds = new Map(propositions.map((id, index) => [id, index]));
  const sources: number[] = [];
  const events: number[] = [];
  const targets: number[] = [];
  const seen = new Set<number>();
  for (let state = 0; state < stateCount(structure); state++) {
    const source = partition.classOf[state]!;
    eachEdge(structure, state, (event, to) => {
      const target = partition.classOf[to]!;
      const key = (source * partition.count + target) * structure.events.length + event;
      if (seen.has(key)) return;
      seen.add(key);
      sources.push(source);
      events.push(event);
      targets.push(target);
    });
  }
  return {
    name: structure.name,
    stateNames: members.map((states) => className(structure, states)),
    places: members.map((states) => structure.places[states[0]!] ?? null),
    propositions: propositions.map((id) => structure.propositions[id]!),
    labels: members.map((states) =>
      structure.labels[states[0]!]!.flatMap((id) => newIds.get(id) ?? []).sort((a, b) => a - b),
    ),
    events: structure.events,
    initial: [...new Set(structure.initial.map((state) => partition.classOf[state]!))].sort((a, b) => a - b),
    edges: packEdges(partition.count, sources, events, targets),
  };
}

function className(structure: Kripke, states: readonly number[]): string {
  const shown = states.slice(0, 3).map((state) => structure.stateNames[state]!);
  if (states.length > shown.length) shown.push(`… ${states.length - shown.length} more`);
  return states.length === 1 ? shown[0]! : `{${shown.join(', ')}}`;
}
