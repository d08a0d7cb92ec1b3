// Which threads need to be looked at in a moment. A set of threads is persistent when no thread outside of it can ever touch what the next steps inside it
// touch (Godefroid): steps of the others can wait. What others can touch is everything reachable from where they stand.

import type { Interpreter } from '../program/interpreter.ts';
import type { ThreadGraph } from './graph.ts';
import { conflict } from './graph.ts';
import { openEdges, standingOf } from './moment.ts';

/** The smallest one with a thread that can go on; null: all. */
export function persistentSet(
  machine: Interpreter,
  graph: ThreadGraph,
  at: ArrayLike<number>,
): readonly number[] | null {
  const { now, later } = graph;
  const relevant = relevantThreads(machine, graph, at);
  let best: readonly number[] | null = null;
  for (const start of relevant) {
    if (standingOf(machine, graph, at[start]!) !== 'enabled') continue;
    const set = new Set([start]);
    for (const inside of set)
      for (const other of relevant)
        if (!set.has(other) && conflict(now[at[inside]!]!, later[at[other]!]!)) set.add(other);
    if (best === null || set.size < best.length) best = [...set];
    if (best.length === 1) break;
  }
  return best === null || best.length >= relevant.length ? null : best;
}

/** Threads that run, and those that one of them may yet start. */
function relevantThreads(machine: Interpreter, graph: ThreadGraph, at: ArrayLike<number>): readonly number[] {
  const { now, later, program, outgoing } = graph;
  const isIdle = (location: number) =>
    program.locations[location]!.idle === true && openEdges(machine, outgoing[location]!).length === 0;
  const found = new Set<number>();
  for (let thread = 0; thread < at.length; thread++) if (!isIdle(at[thread]!)) found.add(thread);
  for (const running of found)
    for (let thread = 0; thread < at.length; thread++)
      if (!found.has(thread) && conflict(now[at[thread]!]!, later[at[running]!]!)) found.add(thread);
  return [...found];
}
