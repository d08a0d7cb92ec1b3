// From an abstract lasso that every component follows to a concrete one.
//
// Components are independent once the events are fixed, but a component may need several rounds of the loop before its own states
// repeat. Each finds how many rounds it takes to enter its cycle and how long that is; the whole path unrolls the loop to the
// longest entry and the least common multiple of the cycles.

import type { LocalPath, Path } from './path.ts';
import { project } from './path.ts';
import type { Partition } from './quotient.ts';
import type { Kripke } from './structure.ts';
import { edgesWith } from './structure.ts';
import type { System } from './system.ts';

const MAX_STEPS = 200_000;

/** Null when a component does not follow, or when the repetition would be too long to write down. */
export function concreteLasso(system: System, partitions: readonly Partition[], abstract: Path): Path | null {
  const { loopStart } = abstract;
  if (loopStart === null) return null;
  const locals = system.components.map((structure, index) =>
    localCourse(structure, partitions[index]!, project(system, abstract, index)),
  );
  const entry = Math.max(0, ...locals.map((course) => course?.entry ?? 0));
  const period = locals.reduce((product, course) => lcm(product, course?.period ?? 1), 1);
  const loop = abstract.events.slice(loopStart);
  if (locals.includes(null) || loop.length * (entry + period) > MAX_STEPS) return null;
  const events = abstract.events.slice(0, loopStart);
  for (let round = 0; round < entry + period; round++) events.push(...loop);
  const states = events.map(() => new Int32Array(system.components.length));
  locals.forEach((course, component) => {
    let taken = 0;
    events.forEach((event, index) => {
      states[index]![component] = course!.at(taken);
      if (system.participants[event]!.includes(component)) taken++;
    });
  });
  return { states, events, loopStart: loopStart + entry * loop.length };
}

function lcm(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return (a / x) * b;
}

/** The states of one component along its events, for ever. */
interface Course {
  /** Rounds of the loop before the states repeat, and rounds in one repetition. */
  readonly entry: number;
  readonly period: number;
  /** The state after so many of its own events. */
  at(taken: number): number;
}

function localCourse(structure: Kripke, partition: Partition, path: LocalPath): Course | null {
  const walk = (from: ReadonlySet<number>, begin: number, end: number) =>
    walkThrough(structure, partition, path, from, begin, end);
  const initial = new Set(structure.initial.filter((state) => partition.classOf[state] === path.states[0]));
  if (path.loopStart === null) {
    const states = walk(initial, 0, path.events.length)?.to(null);
    return states == null ? null : { entry: 0, period: 1, at: (taken) => states[taken]! };
  }
  const { loopStart } = path;
  const stem = walk(initial, 0, loopStart);
  if (stem === null) return null;
  const round = (state: number) => walk(new Set([state]), loopStart, path.events.length);
  const rounds = findCycle([...stem.ends], (state) => [...(round(state)?.ends ?? [])]);
  if (rounds === null) return null;
  const { states: corners, back } = rounds;
  const before = stem.to(corners[0]!)!;
  const loops = corners.map((state, i) => round(state)!.to(corners[i + 1] ?? corners[back]!)!);
  const length = path.events.length - loopStart;
  const period = corners.length - back;
  return {
    entry: back,
    period,
    at: (taken) => {
      if (taken <= loopStart) return before[taken]!;
      const beyond = taken - loopStart;
      const index = Math.floor(beyond / length);
      const turn = index < corners.length ? index : back + ((index - back) % period);
      return loops[turn]![beyond % length]!;
    },
  };
}

interface Walk {
  readonly ends: ReadonlySet<number>;
  /** The states along the way to one of the ends (null: any). */
  to(end: number | null): number[] | null;
}

/** Follows the path's events from index begin to end through its classes; null when that is impossible. */
function walkThrough(
  structure: Kripke,
  partition: Partition,
  path: LocalPath,
  from: ReadonlySet<number>,
  begin: number,
  end: number,
): Walk | null {
  const layers: ReadonlySet<number>[] = [from];
  for (let index = begin; index < end; index++) {
    const wanted = path.states[index + 1] ?? path.states[path.loopStart ?? 0]!;
    const next = new Set<number>();
    for (const state of layers.at(-1)!) {
      for (const target of targets(structure, state, path.events[index]!))
        if (partition.classOf[target] === wanted) next.add(target);
    }
    if (next.size === 0) return null;
    layers.push(next);
  }
  const ends = layers.at(-1)!;
  return {
    ends,
    to: (last) => {
      const final = last ?? [...ends][0]!;
      if (!ends.has(final)) return null;
      const states = [final];
      for (let layer = layers.length - 2; layer >= 0; layer--) {
        const goal = states.at(-1)!;
        const event = path.events[begin + layer]!;
        states.push([...layers[layer]!].find((state) => targets(structure, state, event).includes(goal))!);
      }
      return states.reverse();
    },
  };
}

function targets(structure: Kripke, state: number, event: number): readonly number[] {
  const [from, to] = edgesWith(structure, state, event);
  return Array.from(structure.edges.target.subarray(from, to));
}

/** A path of states s0 … sk where sk leads back to s(back); depth first, each state opened once. */
function findCycle(
  starts: readonly number[],
  next: (state: number) => readonly number[],
): { readonly states: readonly number[]; readonly back: number } | null {
  const opened = new Set<number>();
  for (const start of starts) {
    if (opened.has(start)) continue;
    opened.add(start);
    const stack = [start];
    const choices = [[...next(start)]];
    while (stack.length > 0) {
      const candidate = choices.at(-1)!.pop();
      if (candidate === undefined) {
        stack.pop();
        choices.pop();
        continue;
      }
      const back = stack.indexOf(candidate);
      if (back >= 0) return { states: stack, back };
      if (opened.has(candidate)) continue;
      opened.add(candidate);
      stack.push(candidate);
      choices.push([...next(candidate)]);
    }
  }
  return null;
}
