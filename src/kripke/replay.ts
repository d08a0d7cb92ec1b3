// From a sequence of events to a concrete path, and the last check before anything is called refuted.
//
// Components are independent once the events are fixed: each follows its own part of the sequence, so concrete states are
// found one component at a time, forward by sets and backward by choice. `isPath` then looks at the whole path with
// nothing but the definition of the composition.

import type { Path } from './path.ts';
import type { Kripke } from './structure.ts';
import { edgesWith } from './structure.ts';
import type { Configuration, System } from './system.ts';
import { isInitial } from './system.ts';

/** The path whose component i ends in finals[i]; null when some component cannot follow. */
export function concretise(
  system: System,
  events: readonly number[],
  finals: readonly number[],
): Path | null {
  const states = Array.from({ length: events.length + 1 }, () => new Int32Array(system.components.length));
  for (const [component, structure] of system.components.entries()) {
    const positions: number[] = [];
    const locals: number[] = [];
    events.forEach((event, index) => {
      const position = system.participants[event]!.indexOf(component);
      if (position < 0) return;
      positions.push(index);
      locals.push(system.localIds[event]![position]!);
    });
    const visited = follow(structure, locals, finals[component]!);
    if (visited === null) return null;
    let step = 0;
    for (let index = 0; index <= events.length; index++) {
      states[index]![component] = visited[step]!;
      if (positions[step] === index) step++;
    }
  }
  return { states, events, loopStart: null };
}

/** The states of one component along its events, ending in the given one. */
function follow(structure: Kripke, events: readonly number[], final: number): readonly number[] | null {
  const layers: Set<number>[] = [new Set(structure.initial)];
  for (const event of events) {
    const next = new Set<number>();
    for (const state of layers.at(-1)!) {
      const [from, to] = edgesWith(structure, state, event);
      for (let i = from; i < to; i++) next.add(structure.edges.target[i]!);
    }
    layers.push(next);
  }
  if (!layers.at(-1)!.has(final)) return null;
  const visited = [final];
  for (let index = events.length - 1; index >= 0; index--) {
    const target = visited.at(-1)!;
    for (const state of layers[index]!) {
      if (!hasEdge(structure, state, events[index]!, target)) continue;
      visited.push(state);
      break;
    }
  }
  return visited.reverse();
}

function hasEdge(structure: Kripke, state: number, event: number, target: number): boolean {
  const [from, to] = edgesWith(structure, state, event);
  for (let i = from; i < to; i++) if (structure.edges.target[i] === target) return true;
  return false;
}

/** Whether this is a path of the composition from one of its initial configurations: every step against the definition. */
export function isPath(system: System, path: Path): boolean {
  if (path.states.length !== path.events.length + (path.loopStart === null ? 1 : 0)) return false;
  if (!isInitial(system, path.states[0]!)) return false;
  return path.events.every((event, index) =>
    followsStep(system, path.states[index]!, event, path.states[index + 1] ?? path.states[path.loopStart!]!),
  );
}

/** Whether the event leads from one configuration to the other, by the definition of the composition. */
export function followsStep(
  system: System,
  before: Configuration,
  event: number,
  after: Configuration,
): boolean {
  const participants = system.participants[event]!;
  return system.components.every((structure, component) => {
    const position = participants.indexOf(component);
    if (position < 0) return before[component] === after[component];
    return hasEdge(structure, before[component]!, system.localIds[event]![position]!, after[component]!);
  });
}
