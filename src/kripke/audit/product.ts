// The composition of structures ([MAGIC] section 3.3) for second looks: configurations as they are met, and their steps, by the definition. Simple rather than fast.

import type { Kripke } from '../structure.ts';
import { eachEdge } from '../structure.ts';

export interface Written {
  /** One state for each structure. */
  readonly configurations: readonly (readonly number[])[];
  readonly initial: readonly number[];
  readonly steps: readonly (readonly NamedStep[])[];
}

export interface NamedStep {
  readonly event: string;
  readonly to: number;
}

/** Configurations, and nodes of a tableau over them, that a second look goes through. */
export const SECOND_LOOK = 1_500_000;
/** Steps take most of the memory: a few for each configuration. */
export const MOST_STEPS = 4 * SECOND_LOOK;

/** The composition as far as somebody has asked: configurations have numbers, and steps have the names of their events. */
export interface Walk {
  readonly initial: readonly number[];
  eachStep(configuration: number, visit: (event: string, to: number) => void): void;
  stateOf(configuration: number, component: number): number;
  /** Configurations met so far. */
  readonly size: number;
  /** Nodes of a tableau that a second look along it may have. */
  readonly mostNodes: number;
}

/** Null when it has too many initial configurations. */
export const walkThrough = (structures: readonly Kripke[]): Walk | null =>
  structures.length === 1 ? new Alone(structures[0]!) : Unwritten.of(structures);

/** One structure is its own composition: its states are the configurations. */
class Alone implements Walk {
  readonly initial: readonly number[];
  // There is nothing to keep of a configuration but its number.
  readonly mostNodes = 6 * SECOND_LOOK;
  size = 0;
  private readonly structure: Kripke;
  private readonly met: Uint8Array;

  constructor(structure: Kripke) {
    this.structure = structure;
    this.initial = structure.initial;
    this.met = new Uint8Array(structure.stateNames.length);
    for (const state of this.initial) this.meet(state);
  }

  eachStep(state: number, visit: (event: string, to: number) => void): void {
    const { events, edges } = this.structure;
    for (let i = edges.first[state]!; i < edges.first[state + 1]!; i++) {
      this.meet(edges.target[i]!);
      visit(events[edges.event[i]!]!, edges.target[i]!);
    }
  }

  stateOf(state: number): number {
    return state;
  }

  private meet(state: number): void {
    if (this.met[state] === 1) return;
    this.met[state] = 1;
    this.size++;
  }
}

export class Unwritten implements Walk {
  readonly mostNodes = SECOND_LOOK;
  readonly configurations: (readonly number[])[] = [];
  readonly initial: readonly number[];
  private readonly ids = new Map<string | number, number>();
  private readonly sharers = new Map<string, number[]>();
  /** For each structure and state: event → targets; made when the state is first met. */
  private readonly moves: (Map<string, number[]> | undefined)[][];
  private readonly structures: readonly Kripke[];

  private constructor(structures: readonly Kripke[], starts: readonly (readonly number[])[]) {
    this.structures = structures;
    structures.forEach(({ events }, i) => {
      for (const event of events) this.sharers.set(event, [...(this.sharers.get(event) ?? []), i]);
    });
    this.moves = structures.map(() => []);
    this.initial = starts.map((start) => this.idOf(start));
  }

  /** Null when it has too many initial configurations. */
  static of(structures: readonly Kripke[]): Unwritten | null {
    let starts: number[][] = [[]];
    for (const { initial } of structures) {
      starts = starts.flatMap((start) => initial.map((state) => [...start, state]));
      if (starts.length > SECOND_LOOK) return null;
    }
    return new Unwritten(structures, starts);
  }

  get size(): number {
    return this.configurations.length;
  }

  stateOf(id: number, component: number): number {
    return this.configurations[id]![component]!;
  }

  eachStep(id: number, visit: (event: string, to: number) => void): void {
    for (const { event, to } of this.stepsOf(id)) visit(event, to);
  }

  stepsOf(id: number): NamedStep[] {
    const configuration = this.configurations[id]!;
    const own: NamedStep[] = [];
    configuration.forEach((state, component) => {
      for (const event of this.movesOf(component, state).keys()) {
        const takers = this.sharers.get(event)!;
        // Each event once: by the first of those who share it.
        if (takers[0] !== component) continue;
        let targets: (readonly number[])[] = [configuration];
        for (const taker of takers) {
          const choices = this.movesOf(taker, configuration[taker]!).get(event) ?? [];
          targets = targets.flatMap((target) => choices.map((to) => target.with(taker, to)));
        }
        for (const target of targets) own.push({ event, to: this.idOf(target) });
      }
    });
    return own;
  }

  private movesOf(component: number, state: number): Map<string, number[]> {
    const known = this.moves[component]![state];
    if (known !== undefined) return known;
    const byEvent = new Map<string, number[]>();
    const structure = this.structures[component]!;
    eachEdge(structure, state, (event, to) => {
      const name = structure.events[event]!;
      const targets = byEvent.get(name);
      if (targets === undefined) byEvent.set(name, [to]);
      else targets.push(to);
    });
    this.moves[component]![state] = byEvent;
    return byEvent;
  }

  private idOf(configuration: readonly number[]): number {
    const key = configuration.length === 1 ? configuration[0]! : configuration.join();
    let id = this.ids.get(key);
    if (id === undefined) {
      id = this.configurations.push(configuration) - 1;
      this.ids.set(key, id);
    }
    return id;
  }
}

/** Null when it is too large for a second look, or no time is left. */
export function writeOut(structures: readonly Kripke[], timeLeft: () => boolean): Written | null {
  const lazy = Unwritten.of(structures);
  if (lazy === null) return null;
  const { configurations, initial } = lazy;
  const steps: NamedStep[][] = [];
  let stepCount = 0;
  for (let i = 0; i < configurations.length; i++) {
    if (configurations.length > SECOND_LOOK || stepCount > MOST_STEPS) return null;
    if ((i & 255) === 0 && !timeLeft()) return null;
    steps.push(lazy.stepsOf(i));
    stepCount += steps[i]!.length;
  }
  return { configurations, initial, steps };
}
