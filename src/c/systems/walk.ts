// Random walks through a system: its threads are executed as the walk needs them. Own steps of threads come first, in any order: others cannot
// see them. What is left is which of the common events happens next, and there chance gets deep where breadth-first search drowns.
// Where there is a choice, the place in the code that was visited least is preferred, so that walks come by rare places too.

import { Random } from '../../base/random.ts';
import type { Kripke } from '../../kripke/structure.ts';
import { eachEdge } from '../../kripke/structure.ts';
import type { ProbeGraph } from '../probe/graph.ts';
import type { Edge } from '../program/program.ts';
import { ALL_ENDED, ownStep } from '../spec/names.ts';

export interface WalkRequest {
  readonly names: readonly string[];
  readonly graphs: readonly ProbeGraph[];
  /** The events of each thread. */
  readonly alphabets: readonly (readonly string[])[];
  readonly processes: readonly Kripke[];
  /** Is this what is looked for? Null: a deadlock is. */
  readonly isGoal: ((configuration: Int32Array) => boolean) | null;
  readonly steps: number;
  readonly seed: number;
  readonly timeLeft: () => boolean;
}

/** States by component: nodes of the threads' graphs, then states of the processes. */
export interface Walk {
  readonly states: readonly Int32Array[];
  readonly events: readonly string[];
}

const LONGEST = 1500;
/** Steps of walks in search of a shorter one. */
const SHORTENING = 30_000;

/** The shortest of those that it meets. */
export function walk(request: WalkRequest): Walk | null {
  const walker = new Walker(request);
  let best: Walk | null = null;
  let left = request.steps;
  while (left > 0 && request.timeLeft()) {
    const found = walker.once();
    left -= Math.max(1, walker.length);
    if (found === null) continue;
    if (best === null) left = Math.min(left, SHORTENING);
    best = found;
    walker.longest = found.events.length - 1;
  }
  return best;
}

interface Choice {
  readonly event: string;
  readonly target: Int32Array;
}

class Walker {
  private readonly request: WalkRequest;
  private readonly random: Random;
  private readonly participants = new Map<string, number[]>();
  private readonly visits: readonly Map<number, number>[];
  longest = LONGEST;
  private states: Int32Array[] = [];
  private events: string[] = [];

  constructor(request: WalkRequest) {
    this.request = request;
    this.random = new Random(request.seed);
    const alphabets = [
      ...request.alphabets.map((events) => [...events, ALL_ENDED]),
      ...request.processes.map(({ events }) => events),
    ];
    alphabets.forEach((events, component) => {
      for (const event of events) {
        const list = this.participants.get(event);
        if (list === undefined) this.participants.set(event, [component]);
        else list.push(component);
      }
    });
    this.visits = alphabets.map(() => new Map());
  }

  get length(): number {
    return this.events.length;
  }

  once(): Walk | null {
    const { graphs, processes, isGoal } = this.request;
    const starts = processes.map(({ initial }) => this.random.pick(initial));
    this.states = [Int32Array.from([...graphs.map(() => 0), ...starts])];
    this.events = [];
    while (this.length < this.longest) {
      const quiet = this.ownSteps();
      if (quiet === 'lost') return null;
      const offered = this.offered();
      if (isGoal === null && quiet === 'waiting' && offered.length === 0) return this.shortened();
      if (!this.takeOneOf(offered)) return null;
      if (isGoal?.(this.at())) return this.shortened();
    }
    return null;
  }

  private at(): Int32Array {
    return this.states[this.states.length - 1]!;
  }

  private placeOf(component: number, state: number): number {
    const graph = this.request.graphs[component];
    return graph === undefined ? state : graph.nodes[state]!.location;
  }

  private move({ event, target }: Choice): void {
    const before = this.at();
    target.forEach((state, component) => {
      const seen = this.visits[component]!;
      const place = this.placeOf(component, state);
      if (state !== before[component]) seen.set(place, (seen.get(place) ?? 0) + 1);
    });
    this.events.push(event);
    this.states.push(target);
  }

  private prefer(choices: readonly Choice[]): Choice {
    const before = this.at();
    const visits = ({ target }: Choice) =>
      target.reduce(
        (sum, state, component) =>
          state === before[component]
            ? sum
            : sum + (this.visits[component]!.get(this.placeOf(component, state)) ?? 0),
        0,
      );
    const one = this.random.pick(choices);
    if (this.random.below(4) === 0) return one;
    return choices.reduce((best, other) => (visits(other) < visits(best) ? other : best), one);
  }

  /** Every thread up to where it waits for events: `busy` when one could also go on by itself, `lost` when one cannot go on. */
  private ownSteps(): 'waiting' | 'busy' | 'lost' {
    const { graphs, names } = this.request;
    let busy = false;
    for (const [thread, graph] of graphs.entries())
      for (;;) {
        if (this.length >= this.longest) return 'lost';
        const node = this.at()[thread]!;
        const edges = graph.offers(node);
        const own = edges.filter(({ operation }) => operation.kind !== 'event');
        if (own.length === 0) {
          if (edges.length === 0 && graph.program.locations[graph.nodes[node]!.location]!.kind !== 'end')
            busy = true;
          break;
        }
        busy ||= own.length < edges.length;
        if (own.length < edges.length && this.random.below(2) === 0) break;
        const targets = graph.ownTargets(node);
        if (targets.length === 0 && own.length === edges.length) return 'lost';
        if (targets.length === 0 || targets.every((to) => to === node)) {
          busy = true;
          break;
        }
        this.move(
          this.prefer(
            targets.map((to) => ({ event: ownStep(names[thread]!), target: this.changed(thread, to) })),
          ),
        );
      }
    return busy ? 'busy' : 'waiting';
  }

  private changed(component: number, state: number): Int32Array {
    const next = Int32Array.from(this.at());
    next[component] = state;
    return next;
  }

  /** Events that all participants offer. */
  private offered(): string[] {
    const { graphs, processes } = this.request;
    const counts = new Map<string, number>();
    const at = this.at();
    const count = (events: Iterable<string>) => {
      for (const event of new Set(events)) counts.set(event, (counts.get(event) ?? 0) + 1);
    };
    graphs.forEach((graph, thread) => {
      const { location } = graph.nodes[at[thread]!]!;
      if (graph.program.locations[location]!.kind === 'end') count([ALL_ENDED]);
      else count(graph.offers(at[thread]!).flatMap((edge) => eventOf(edge) ?? []));
    });
    processes.forEach((process, i) => {
      const events: string[] = [];
      eachEdge(process, at[graphs.length + i]!, (event) => void events.push(process.events[event]!));
      count(events);
    });
    return [...counts].flatMap(([event, n]) => (n === this.participants.get(event)!.length ? [event] : []));
  }

  private takeOneOf(offered: readonly string[]): boolean {
    const choices = offered.flatMap((event) => {
      const target = event === ALL_ENDED ? null : this.outcome(event);
      return target === null ? [] : [{ event, target }];
    });
    if (choices.length === 0) return false;
    this.move(this.prefer(choices));
    return true;
  }

  /** One of the configurations an event leads to; null when a thread's run ends with it. */
  private outcome(event: string): Int32Array | null {
    const { graphs, processes } = this.request;
    const at = this.at();
    const target = Int32Array.from(at);
    for (const component of this.participants.get(event)!) {
      const state = at[component]!;
      if (component < graphs.length) {
        const graph = graphs[component]!;
        const edge = this.random.pick(graph.offers(state).filter((one) => eventOf(one) === event));
        const to = graph.follow(state, edge);
        if (to === null) return null;
        target[component] = to;
      } else {
        const process = processes[component - graphs.length]!;
        const targets: number[] = [];
        eachEdge(process, state, (e, to) => void (process.events[e] === event && targets.push(to)));
        target[component] = this.random.pick(targets);
      }
    }
    return target;
  }

  /** Without its detours. */
  private shortened(): Walk {
    const last = new Map<string, number>();
    this.states.forEach((state, i) => void last.set(state.join(), i));
    const states: Int32Array[] = [];
    const events: string[] = [];
    for (let i = last.get(this.states[0]!.join())!; ; ) {
      states.push(this.states[i]!);
      if (i >= this.events.length) return { states, events };
      events.push(this.events[i]!);
      i = last.get(this.states[i + 1]!.join())!;
    }
  }
}

const eventOf = ({ operation }: Edge): string | null => (operation.kind === 'event' ? operation.name : null);
