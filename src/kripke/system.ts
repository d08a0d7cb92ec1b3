// Parallel composition, [MAGIC] section 3.3: components synchronise on shared events and move alone on their own.
// A System is the composition that is never built: the components, one numbering for all events, and who takes part in
// each. A configuration is one state for each component; its steps are computed when somebody asks.

import type { Kripke } from './structure.ts';
import { edgesWith } from './structure.ts';

export interface System {
  readonly components: readonly Kripke[];
  /** All alphabets together; ids of events below are indices here. */
  readonly events: readonly string[];
  /** For each event the components that have it in their alphabet, ascending. */
  readonly participants: readonly (readonly number[])[];
  /** For each event its id in the alphabet of each participant, in the order of `participants`. */
  readonly localIds: readonly (readonly number[])[];
  /** For each component: id in its own alphabet → id of the event in the system. */
  readonly globalIds: readonly Int32Array[];
}

/** One state for each component. */
export type Configuration = readonly number[] | Int32Array;

/** The components are taken to be compatible: `overlappingPropositions` finds none. */
export function compose(components: readonly Kripke[]): System {
  if (components.length === 1) return byItself(components[0]!);
  const ids = new Map<string, number>();
  const participants: number[][] = [];
  const localIds: number[][] = [];
  const globalIds = components.map((component, index) =>
    Int32Array.from(component.events, (name, local) => {
      let id = ids.get(name);
      if (id === undefined) {
        id = ids.size;
        ids.set(name, id);
        participants.push([]);
        localIds.push([]);
      }
      participants[id]!.push(index);
      localIds[id]!.push(local);
      return id;
    }),
  );
  return { components, events: [...ids.keys()], participants, localIds, globalIds };
}

/** One structure takes all its steps alone, and keeps its numbers: there may be a million events. */
function byItself(structure: Kripke): System {
  const { events } = structure;
  const nobodyElse = [0];
  return {
    components: [structure],
    events,
    participants: events.map(() => nobodyElse),
    localIds: events.map((_, id) => [id]),
    globalIds: [Int32Array.from(events.keys())],
  };
}

export interface Overlap {
  readonly proposition: string;
  readonly first: number;
  readonly second: number;
}

/** Propositions that two components claim: P1 ∩ P2 must be empty for a composition to mean anything. */
export function overlappingPropositions(components: readonly Kripke[]): readonly Overlap[] {
  const owner = new Map<string, number>();
  const overlaps: Overlap[] = [];
  components.forEach((component, index) => {
    for (const proposition of component.propositions) {
      const first = owner.get(proposition);
      if (first === undefined) owner.set(proposition, index);
      else overlaps.push({ proposition, first, second: index });
    }
  });
  return overlaps;
}

/** Whether every participant can take the event. */
export function enabled(system: System, configuration: Configuration, event: number): boolean {
  const participants = system.participants[event]!;
  const locals = system.localIds[event]!;
  for (let i = 0; i < participants.length; i++) {
    const component = participants[i]!;
    const [from, to] = edgesWith(system.components[component]!, configuration[component]!, locals[i]!);
    if (from === to) return false;
  }
  return true;
}

/** Calls visit once for each enabled event; stops early when visit returns false. */
export function eachEnabledEvent(
  system: System,
  configuration: Configuration,
  visit: (event: number) => boolean | undefined,
): void {
  for (let index = 0; index < system.components.length; index++) {
    const { first, event } = system.components[index]!.edges;
    const state = configuration[index]!;
    const globals = system.globalIds[index]!;
    let before = -1;
    for (let i = first[state]!; i < first[state + 1]!; i++) {
      if (event[i] === before) continue;
      before = event[i]!;
      const id = globals[before]!;
      // The first participant speaks for the event, so that each is seen once.
      if (system.participants[id]![0] !== index || !enabled(system, configuration, id)) continue;
      if (visit(id) === false) return;
    }
  }
}

export function enabledEvents(system: System, configuration: Configuration): number[] {
  const events: number[] = [];
  eachEnabledEvent(system, configuration, (event) => {
    events.push(event);
    return undefined;
  });
  return events;
}

/** A deadlock: no event is enabled. */
export function isDeadlock(system: System, configuration: Configuration): boolean {
  let stuck = true;
  eachEnabledEvent(system, configuration, () => {
    stuck = false;
    return false;
  });
  return stuck;
}

/** Calls visit with every configuration the event leads to. The array is reused: copy what you keep. */
export function eachOutcome(
  system: System,
  configuration: Configuration,
  event: number,
  visit: (target: Int32Array) => void,
): void {
  const participants = system.participants[event]!;
  const locals = system.localIds[event]!;
  const target = Int32Array.from(configuration);
  if (moveAlong(system, configuration, event, target)) {
    visit(target);
    return;
  }
  const choices = participants.map((component, position) => {
    const structure = system.components[component]!;
    const [from, to] = edgesWith(structure, configuration[component]!, locals[position]!);
    return structure.edges.target.subarray(from, to);
  });
  eachCombination(choices, (picks) => {
    for (let i = 0; i < participants.length; i++) target[participants[i]!] = choices[i]![picks[i]!]!;
    visit(target);
    return undefined;
  });
}

/** The usual case, quickly: every participant has exactly one edge with the event. False when that is not so. */
function moveAlong(system: System, configuration: Configuration, event: number, target: Int32Array): boolean {
  const participants = system.participants[event]!;
  const locals = system.localIds[event]!;
  for (let i = 0; i < participants.length; i++) {
    const component = participants[i]!;
    const structure = system.components[component]!;
    const [from, to] = edgesWith(structure, configuration[component]!, locals[i]!);
    if (to - from !== 1) return false;
    target[component] = structure.edges.target[from]!;
  }
  return true;
}

/** Calls visit with every initial configuration. The array is reused: copy what you keep. */
export function eachInitial(system: System, visit: (configuration: Int32Array) => boolean | undefined): void {
  const configuration = new Int32Array(system.components.length);
  const choices = system.components.map(({ initial }) => initial);
  eachCombination(choices, (picks) => {
    for (let i = 0; i < choices.length; i++) configuration[i] = choices[i]![picks[i]!]!;
    return visit(configuration);
  });
}

/** How many initial configurations there are: a product, and soon too many to list. */
export const initialCount = (system: System): number =>
  system.components.reduce((product, { initial }) => product * initial.length, 1);

/** All ways to pick an index from each list, like an odometer; stops when visit returns false. */
function eachCombination(
  lists: readonly ArrayLike<number>[],
  visit: (picks: Int32Array) => boolean | undefined,
): void {
  if (lists.some((list) => list.length === 0)) return;
  const picks = new Int32Array(lists.length);
  for (;;) {
    if (visit(picks) === false) return;
    let wheel = lists.length - 1;
    while (wheel >= 0 && picks[wheel] === lists[wheel]!.length - 1) picks[wheel--] = 0;
    if (wheel < 0) return;
    picks[wheel]!++;
  }
}

export function isInitial(system: System, configuration: Configuration): boolean {
  return system.components.every((component, index) => component.initial.includes(configuration[index]!));
}
