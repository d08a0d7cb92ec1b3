// A path of the composition as the evidence that reports understand: events in turn, with the state of each component.

import type { Change, Run, Step } from '../verdict/run.ts';
import type { Path } from './path.ts';
import { followsStep } from './replay.ts';
import type { System } from './system.ts';
import { isInitial } from './system.ts';

export function runOf(system: System, path: Path, title: string): Run {
  const change = (component: number, state: number): Change => ({
    name: system.components[component]!.name,
    value: stateText(system, component, state),
  });
  const steps = path.events.map((event, index): Step => {
    const before = path.states[index]!;
    const after = path.states[index + 1] ?? path.states[path.loopStart!]!;
    const participants = system.participants[event]!;
    const leader = participants[0]!;
    return {
      actors: participants,
      text: system.events[event]!,
      at: system.components[leader]!.places[before[leader]!] ?? null,
      events: [{ kind: 'event', name: system.events[event]! }],
      changes: participants
        .filter((component) => before[component] !== after[component])
        .map((component) => change(component, after[component]!)),
      choice: [event, ...participants.map((component) => after[component]!)],
    };
  });
  return {
    title,
    actors: system.components.map(({ name }) => name),
    queues: [],
    initial: system.components.map((_, component) => change(component, path.states[0]![component]!)),
    steps,
    loopStart: path.loopStart,
  };
}

/** The state's name, with its propositions where it has some. */
export function stateText(system: System, component: number, state: number): string {
  const structure = system.components[component]!;
  const propositions = structure.labels[state]!.map((id) => structure.propositions[id]!);
  const name = structure.stateNames[state]!;
  return propositions.length === 0 ? name : `${name} {${propositions.join(', ')}}`;
}

/**
 * Takes the steps of a recorded run again: how far the composition allows them, as a run of its own, and the index of the first step that it
 * does not allow (0 also when the run does not even begin here).
 */
export function replayRun(
  system: System,
  recorded: Run,
): { readonly run: Run; readonly failedAt: number | null } {
  const path = pathOfRun(system, recorded);
  if (path === null) return { run: { ...recorded, steps: [], loopStart: null }, failedAt: 0 };
  const failed = path.events.findIndex((_, index) => !isStep(system, path, index));
  if (failed < 0) return { run: runOf(system, path, recorded.title), failedAt: null };
  const part = { states: statesUpTo(path, failed), events: path.events.slice(0, failed), loopStart: null };
  return { run: runOf(system, part, recorded.title), failedAt: failed };
}

const stateAt = (path: Path, index: number) => path.states[index] ?? path.states[path.loopStart!]!;
const statesUpTo = (path: Path, length: number) =>
  Array.from({ length: length + 1 }, (_, index) => stateAt(path, index));

/** The step alone, as a path that begins wherever it begins; the first one must also begin in an initial configuration. */
function isStep(system: System, path: Path, index: number): boolean {
  const before = stateAt(path, index);
  if (index === 0 && !isInitial(system, before)) return false;
  return followsStep(system, before, path.events[index]!, stateAt(path, index + 1));
}

/** The path that a run's choices describe; null when they are not of this system. For replays. */
export function pathOfRun(system: System, run: Run): Path | null {
  const byName = system.components.map(
    (structure, component) =>
      new Map(structure.stateNames.map((_, state) => [stateText(system, component, state), state])),
  );
  const first = run.initial.map(({ value }, component) => byName[component]?.get(value));
  if (first.length !== system.components.length || first.includes(undefined)) return null;
  const states: number[][] = [first as number[]];
  const events: number[] = [];
  for (const { choice } of run.steps) {
    const [event, ...targets] = choice;
    const participants = event === undefined ? undefined : system.participants[event];
    if (participants === undefined || participants.length !== targets.length) return null;
    const next = [...states.at(-1)!];
    participants.forEach((component, position) => {
      next[component] = targets[position]!;
    });
    states.push(next);
    events.push(event!);
  }
  return { states: run.loopStart === null ? states : states.slice(0, -1), events, loopStart: run.loopStart };
}
