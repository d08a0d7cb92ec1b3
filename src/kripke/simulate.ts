// Does a structure follow a path of its quotient? [MAGIC] section 6, the validation step and its refinement, for finite
// paths and for lassos. One component at a time: that is the compositional part.

import type { LocalPath } from './path.ts';
import type { Partition } from './quotient.ts';
import type { Kripke } from './structure.ts';
import { edgesWith } from './structure.ts';

export type Simulation =
  /** `reached`: the states the component may be in at the end of a finite path, or at the start of a repeating loop. */
  | { readonly kind: 'follows'; readonly reached: readonly number[] }
  /** It cannot: these states of one class are reached, but another state of the class was needed to go on. Split them off. */
  | { readonly kind: 'spurious'; readonly split: readonly number[] };

/** The path's states are classes of the partition. */
export function simulate(structure: Kripke, partition: Partition, path: LocalPath): Simulation {
  let reached = structure.initial.filter((state) => partition.classOf[state] === path.states[0]);
  const step = (index: number): readonly number[] | null => {
    const next = index + 1 < path.states.length ? path.states[index + 1]! : path.states[path.loopStart!]!;
    const successors = successorsIn(structure, partition, reached, path.events[index]!, next);
    if (successors.length === 0) return reached;
    reached = successors;
    return null;
  };
  for (let index = 0; index < path.events.length; index++) {
    const stuck = step(index);
    if (stuck !== null) return { kind: 'spurious', split: stuck };
  }
  if (path.loopStart === null) return { kind: 'follows', reached };
  // Go round the loop until the set repeats; the sets are finitely many, so it does, or becomes empty.
  const seen = new Set<string>();
  while (!seen.has(reached.join())) {
    seen.add(reached.join());
    for (let index = path.loopStart; index < path.events.length; index++) {
      const stuck = step(index);
      if (stuck !== null) return { kind: 'spurious', split: stuck };
    }
  }
  return { kind: 'follows', reached };
}

/** Succ(Q, a) ∩ class, ascending. */
function successorsIn(
  structure: Kripke,
  partition: Partition,
  states: readonly number[],
  event: number,
  wanted: number,
): number[] {
  const found = new Set<number>();
  for (const state of states) {
    const [from, to] = edgesWith(structure, state, event);
    for (let i = from; i < to; i++) {
      const target = structure.edges.target[i]!;
      if (partition.classOf[target] === wanted) found.add(target);
    }
  }
  return [...found].sort((a, b) => a - b);
}
