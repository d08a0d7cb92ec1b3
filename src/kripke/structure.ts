// Labelled Kripke structures: [MAGIC] section 3. A structure has states labelled with sets of propositions, transitions
// labelled with non-empty sets of events, several initial states and an alphabet that may hold events no transition bears
// (such an event is refused for ever, and with it by every composition that shares it).
//
// "T and E are entirely determined by the collection of transitions s –a→ s'" (section 3): that collection is what is
// stored, one entry for each single event, sorted and free of doubles. A transition in the paper's sense, with its set of
// events, is the group of entries with equal source and target.

import type { Position } from '../source/source.ts';

/** All ids are local to the structure: states, propositions and events are numbered from 0. */
export interface Kripke {
  readonly name: string;
  readonly stateNames: readonly string[];
  /** Where each state is written in the user's text, null where it is not. */
  readonly places: readonly (Position | null)[];
  readonly propositions: readonly string[];
  /** The propositions of each state, ascending. */
  readonly labels: readonly (readonly number[])[];
  /** The alphabet. */
  readonly events: readonly string[];
  /** Ascending, never empty. */
  readonly initial: readonly number[];
  readonly edges: Edges;
}

/** The edges of state s are the indices from first[s] up to first[s + 1], ordered by event, then by target. */
export interface Edges {
  readonly first: Int32Array;
  readonly event: Int32Array;
  readonly target: Int32Array;
}

export const stateCount = (structure: Kripke): number => structure.stateNames.length;
/** Entries s –a→ s' with a single event each. */
export const edgeCount = (structure: Kripke): number => structure.edges.event.length;

/** Calls visit(event, target) for every edge of the state. */
export function eachEdge(
  structure: Kripke,
  state: number,
  visit: (event: number, target: number) => void,
): void {
  const { first, event, target } = structure.edges;
  for (let i = first[state]!; i < first[state + 1]!; i++) visit(event[i]!, target[i]!);
}

/** The targets of a state's edges with one event, as a stretch of `edges.target`: [from, to). */
export function edgesWith(structure: Kripke, state: number, event: number): readonly [number, number] {
  const { first, event: events } = structure.edges;
  const end = first[state + 1]!;
  let from = first[state]!;
  // Binary search pays only for states with many edges; most have a handful.
  if (end - from > 16) from = lowerBound(events, from, end, event);
  while (from < end && events[from]! < event) from++;
  let to = from;
  while (to < end && events[to] === event) to++;
  return [from, to];
}

function lowerBound(sorted: Int32Array, from: number, to: number, value: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** True when the state has no edge with the event: it refuses it ([MAGIC] section 7). */
export function refuses(structure: Kripke, state: number, event: number): boolean {
  const [from, to] = edgesWith(structure, state, event);
  return from === to;
}

/** Transitions as the paper counts them: pairs of states, whatever the number of events on each. */
export function transitionCount(structure: Kripke): number {
  let count = 0;
  for (let state = 0; state < stateCount(structure); state++) {
    const targets = new Set<number>();
    eachEdge(structure, state, (_, target) => targets.add(target));
    count += targets.size;
  }
  return count;
}

/** Collects a structure piece by piece. Names of events and propositions are created on first use. */
export class KripkeBuilder {
  private readonly name: string;
  private readonly stateNames: string[] = [];
  private readonly places: (Position | null)[] = [];
  private readonly labels: number[][] = [];
  private readonly propositionIds = new Map<string, number>();
  private readonly eventIds = new Map<string, number>();
  private readonly initials = new Set<number>();
  private readonly sources: number[] = [];
  private readonly events: number[] = [];
  private readonly targets: number[] = [];

  constructor(name: string) {
    this.name = name;
  }

  state(name: string, propositions: Iterable<string> = [], place: Position | null = null): number {
    this.places.push(place);
    const ids = new Set([...propositions].map((proposition) => this.proposition(proposition)));
    this.labels.push([...ids].sort((a, b) => a - b));
    return this.stateNames.push(name) - 1;
  }

  proposition(name: string): number {
    return idOf(this.propositionIds, name);
  }

  /** Also declares an event without any edge. */
  event(name: string): number {
    return idOf(this.eventIds, name);
  }

  initial(state: number): void {
    this.initials.add(state);
  }

  edge(from: number, event: number | string, to: number): void {
    this.sources.push(from);
    this.events.push(typeof event === 'string' ? this.event(event) : event);
    this.targets.push(to);
  }

  /** Null when there is no state or no initial state: such a structure has no paths and no composition. */
  build(): Kripke | null {
    if (this.stateNames.length === 0 || this.initials.size === 0) return null;
    return {
      name: this.name,
      stateNames: this.stateNames,
      places: this.places,
      propositions: [...this.propositionIds.keys()],
      labels: this.labels,
      events: [...this.eventIds.keys()],
      initial: [...this.initials].sort((a, b) => a - b),
      edges: packEdges(this.stateNames.length, this.sources, this.events, this.targets),
    };
  }
}

function idOf(ids: Map<string, number>, name: string): number {
  let id = ids.get(name);
  if (id === undefined) {
    id = ids.size;
    ids.set(name, id);
  }
  return id;
}

/** Sorts by source, event and target, drops doubles, and packs: by counting for the sources, then each state's few edges by themselves. */
export function packEdges(
  states: number,
  sources: ArrayLike<number>,
  events: ArrayLike<number>,
  targets: ArrayLike<number>,
): Edges {
  const count = sources.length;
  const first = new Int32Array(states + 1);
  for (let i = 0; i < count; i++) first[sources[i]! + 1]!++;
  for (let state = 0; state < states; state++) first[state + 1]! += first[state]!;
  const next = first.slice(0, states);
  const event = new Int32Array(count);
  const target = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const at = next[sources[i]!]!++;
    event[at] = events[i]!;
    target[at] = targets[i]!;
  }
  let kept = 0;
  for (let state = 0, from = 0; state < states; state++) {
    const to = first[state + 1]!;
    const begin = kept;
    sortStretch(event, target, from, to, states);
    for (let i = from; i < to; i++) {
      if (kept > begin && event[i] === event[kept - 1] && target[i] === target[kept - 1]) continue;
      event[kept] = event[i]!;
      target[kept++] = target[i]!;
    }
    first[state + 1] = kept;
    from = to;
  }
  if (kept === count) return { first, event, target };
  return { first, event: event.slice(0, kept), target: target.slice(0, kept) };
}

/** Orders the edges from..to by event and target. */
function sortStretch(event: Int32Array, target: Int32Array, from: number, to: number, states: number): void {
  if (to - from > 24) {
    sortLongStretch(event, target, from, to, states);
    return;
  }
  for (let i = from + 1; i < to; i++) {
    const [ownEvent, ownTarget] = [event[i]!, target[i]!];
    let at = i;
    while (
      at > from &&
      (event[at - 1]! > ownEvent || (event[at - 1] === ownEvent && target[at - 1]! > ownTarget))
    ) {
      event[at] = event[at - 1]!;
      target[at] = target[at - 1]!;
      at--;
    }
    event[at] = ownEvent;
    target[at] = ownTarget;
  }
}

function sortLongStretch(
  event: Int32Array,
  target: Int32Array,
  from: number,
  to: number,
  states: number,
): void {
  /** Event and target in one number, ordered as the pair is. */
  const keys = Float64Array.from(
    { length: to - from },
    (_, i) => event[from + i]! * states + target[from + i]!,
  );
  keys.sort();
  for (let i = from; i < to; i++) {
    event[i] = Math.floor(keys[i - from]! / states);
    target[i] = keys[i - from]! % states;
  }
}
