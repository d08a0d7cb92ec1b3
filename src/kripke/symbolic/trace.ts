// Runs through sets of configurations: all events in turn until the goal is met, then back through what was met, one configuration at a time.

import { EMPTY } from './diagram.ts';
import type { Move } from './moves.ts';
import type { Space } from './space.ts';

/** Members of the space, one after the other; each follows from the one before. */
export type Trace = readonly (readonly number[])[];

/**
 * A way from one set to another inside a bound; null when there is none. Not a shortest one: layer by layer, the sets of exactly k steps become large where those of
 * all that a sweep has met stay small.
 */
export function wayInto(space: Space, from: number, goal: number, bound: number): Trace | null {
  const { diagrams, moves, forward, backward } = space;
  /** What was met after so many moves, and by which move. */
  const met = [from];
  const by: (Move | null)[] = [null];
  let known = from;
  let quiet = 0;
  for (let next = 0; diagrams.intersection(known, goal) === EMPTY; next = (next + 1) % moves.length) {
    if (quiet === moves.length) return null;
    const move = moves[next]!;
    const now = diagrams.union(known, forward.along(move, known, bound));
    quiet = now === known ? quiet + 1 : 0;
    if (now === known) continue;
    known = now;
    met.push(now);
    by.push(move);
  }
  let at = diagrams.member(diagrams.intersection(known, goal));
  const trace = [at];
  for (;;) {
    const index = met.findIndex((set) => diagrams.has(set, at));
    if (index === 0) return trace.reverse();
    at = diagrams.member(backward.along(by[index]!, single(space, at), met[index - 1]!));
    trace.push(at);
  }
}

/** From a member through each of the sets and back to it, by at least one step. */
export function roundTrip(
  space: Space,
  start: readonly number[],
  through: readonly number[],
  bound: number,
): Trace {
  const { diagrams, forward } = space;
  let trace: Trace = [start];
  const goals = [...through.filter((set) => !diagrams.has(set, start)), single(space, start)];
  for (const goal of goals) {
    if (trace.some((member) => diagrams.has(goal, member)) && goal !== goals.at(-1)) continue;
    const next = wayInto(space, forward.image(single(space, trace.at(-1)!), bound), goal, bound);
    if (next === null) throw new Error('impossible: a component without a way back');
    trace = [...trace, ...next];
  }
  return trace;
}

export const single = (space: Space, member: readonly number[]): number =>
  space.diagrams.box(member.map((value) => [value]));
