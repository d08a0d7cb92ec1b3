// Is a concrete run a run of the net? A model is executed step by step by the concrete engine, and each step is replayed as transitions
// of the net; no count may become negative, and each queue's length must be the sum of its places.

import { compileModel, type Model } from '../explore/compile.ts';
import { FRAME, HEADER } from '../explore/layout.ts';
import type { Operation } from '../explore/machine.ts';
import type { Program } from '../process/program.ts';
import { programOf } from '../promela/testing.ts';
import { type Abstraction, buildNet, type NetOptions } from './build.ts';
import type { NetTransition } from './net.ts';

const MOST_CONFIGURATIONS = 400;

interface Configuration {
  /** Per process number: its class and location. */
  readonly processes: readonly {
    readonly process: number;
    readonly location: number;
    /** Edges taken and processes started since it was there: parts of a fused transition. */
    readonly pending: readonly number[];
    readonly started: readonly number[];
  }[];
  readonly counts: readonly number[];
}

interface ConcreteStep {
  readonly words: Int32Array;
  readonly pid: number;
  readonly edge: number;
  readonly partner: number;
  readonly partnerEdge: number;
  readonly operations: readonly Operation[];
}

class Simulation {
  private readonly net: Abstraction['net'];
  private readonly program: Program;
  private readonly leaving: ReadonlyMap<string, readonly NetTransition[]>;

  constructor(program: Program, { net }: Abstraction) {
    this.program = program;
    this.net = net;
    const leaving = new Map<string, NetTransition[]>();
    for (const transition of net.transitions) {
      const key = `${transition.class}:${transition.from}`;
      leaving.set(key, [...(leaving.get(key) ?? []), transition]);
    }
    this.leaving = leaving;
  }

  /** All assignments of classes to the initial processes (a proctype may have several classes). */
  initial(types: readonly number[]): Configuration[] {
    let found: { processes: Configuration['processes']; left: number[] }[] = [
      { processes: [], left: this.net.classes.map(({ instances }) => instances) },
    ];
    for (const type of types) {
      found = found.flatMap(({ processes, left }) =>
        this.net.classes.flatMap((process, index) => {
          if (process.proctype !== type || left[index] === 0) return [];
          const rest = left.map((count, other) => (other === index ? count - 1 : count));
          return [
            {
              processes: [
                ...processes,
                { process: index, location: process.initial, pending: [], started: [] },
              ],
              left: rest,
            },
          ];
        }),
      );
    }
    return found.map(({ processes }) => ({
      processes,
      counts: this.net.places.map(({ initial }) => initial),
    }));
  }

  step(configuration: Configuration, step: ConcreteStep, started: readonly number[]): Configuration[] {
    const first = this.move(configuration, step.pid, step.edge, started);
    const both =
      step.partner < 0 ? first : first.flatMap((one) => this.move(one, step.partner, step.partnerEdge, []));
    return both.filter(({ counts }) =>
      this.net.places.every(({ kind }, place) => kind !== 'rendezvous' || counts[place] === 0),
    );
  }

  private move(
    configuration: Configuration,
    pid: number,
    edge: number,
    started: readonly number[],
  ): Configuration[] {
    const at = configuration.processes[pid];
    // A process that was started inside a transition not yet finished: this guess of the transition was wrong.
    if (at === undefined) return [];
    const { proctype } = this.net.classes[at.process]!;
    const { statement } = this.program.proctypes[proctype]!.edges[edge]!;
    if (statement.kind === 'end') {
      const isLast = pid === configuration.processes.length - 1 && at.pending.length === 0;
      return isLast ? [{ ...configuration, processes: configuration.processes.slice(0, -1) }] : [];
    }
    const edges = [...at.pending, edge];
    const all = [...at.started, ...started];
    const found: Configuration[] = [];
    for (const transition of this.leaving.get(`${at.process}:${at.location}`) ?? []) {
      const { origin } = transition;
      if (!edges.every((id, index) => origin[index] === id)) continue;
      if (origin.length > edges.length)
        found.push(this.at(configuration, pid, { ...at, pending: edges, started: all }));
      else found.push(...this.throughDstep(this.fire(configuration, pid, transition, all), pid));
    }
    return found;
  }

  private fire(
    configuration: Configuration,
    pid: number,
    transition: NetTransition,
    started: readonly number[],
  ): Configuration[] {
    const counts = [...configuration.counts];
    for (const { place, change } of transition.effect) counts[place]! += change;
    const taken = (place: number): number =>
      Math.max(0, -(transition.effect.find((one) => one.place === place)?.change ?? 0));
    if (transition.tests?.some((place) => configuration.counts[place]! <= taken(place))) return [];
    if (counts.some((count, place) => count < 0 && this.net.places[place]!.kind !== 'rendezvous')) return [];
    const born = transition.spawns.flatMap(({ class: process, count }) => Array<number>(count).fill(process));
    if (born.map((process) => this.net.classes[process]!.proctype).join() !== started.join()) return [];
    const moved = this.at({ ...configuration, counts }, pid, {
      process: transition.class,
      location: transition.to,
      pending: [],
      started: [],
    });
    const processes = [
      ...moved.processes,
      ...born.map((process) => ({
        process,
        location: this.net.classes[process]!.initial,
        pending: [],
        started: [],
      })),
    ];
    return [{ counts, processes }];
  }

  /** A concrete d_step is one step; opened in the net it is several. */
  private throughDstep(entered: readonly Configuration[], pid: number): Configuration[] {
    const seen = new Map(entered.map((one) => [keyOf(one), one]));
    const found: Configuration[] = [];
    for (const one of seen.values()) {
      const { process, location } = one.processes[pid]!;
      if (!this.net.classes[process]!.locations[location]!.name.includes('/')) found.push(one);
      else
        for (const transition of this.leaving.get(`${process}:${location}`) ?? [])
          for (const next of this.fire(one, pid, transition, [])) {
            const total = next.counts.reduce((sum, count) => sum + count, 0);
            if (seen.size < MOST_CONFIGURATIONS && total < 1000) seen.set(keyOf(next), next);
          }
    }
    return found;
  }

  private at(
    configuration: Configuration,
    pid: number,
    state: Configuration['processes'][number],
  ): Configuration {
    return {
      ...configuration,
      processes: configuration.processes.map((one, index) => (index === pid ? state : one)),
    };
  }

  /** Does the sum of a queue's places equal its concrete length, for every queue by name? */
  agrees({ counts, processes }: Configuration, lengths: ReadonlyMap<string, number>): boolean {
    if (processes.some(({ pending }) => pending.length > 0)) return true;
    const sums = new Map<string, number>();
    for (const { name, places, declared } of this.net.queues) {
      if (declared === 0) continue;
      sums.set(name, (sums.get(name) ?? 0) + places.reduce((sum, place) => sum + counts[place]!, 0));
    }
    return [...sums].every(([name, sum]) => sum === (lengths.get(name) ?? 0));
  }
}

const keyOf = ({ processes, counts }: Configuration): string =>
  `${processes.map(({ process, location, pending }) => `${process}.${location}.${pending.join('-')}`).join()}|${counts.join()}`;

function successors({ machine }: Model): ConcreteStep[] {
  const found: ConcreteStep[] = [];
  const operations: Operation[] = [];
  const cursor = machine.open({
    micro: true,
    operations,
    step: (words, length) => {
      const [pid, edge, partner, partnerEdge] = machine.choices().at(0);
      found.push({
        words: words.slice(0, length),
        pid,
        edge,
        partner,
        partnerEdge,
        operations: [...operations],
      });
    },
  });
  cursor.expand();
  return found;
}

const processTypes = ({ machine }: Model): number[] => {
  const count = machine.cells[HEADER.processes]!;
  return Array.from({ length: count }, (_, pid) => machine.cells[machine.frames[pid]! + FRAME.type]!);
};

/** Null when the run is a run of the net, else what went wrong. */
export function replayInNet(
  text: string,
  options: NetOptions,
  capacity: 'unlimited' | 'declared',
  picks: readonly number[],
): string | null {
  const program = programOf(text);
  const compiled = compileModel(program, { capacity });
  if (!compiled.ok) throw new Error(compiled.error.reason);
  const model = compiled.value;
  const { machine } = model;
  const abstraction = buildNet(program, options);
  if (abstraction.unknowns.length > 0) return `not seen through: ${abstraction.unknowns[0]!.reason}`;
  const simulation = new Simulation(program, abstraction);
  if (machine.initial() !== 0) return null;
  machine.pack();
  let configurations = simulation.initial(processTypes(model));
  const lengths = new Map<string, number>();
  const trace: string[] = [];
  for (const pick of picks) {
    const before = processTypes(model);
    const steps = successors(model);
    if (steps.length === 0) return null;
    const step = steps[pick % steps.length]!;
    machine.unpack(step.words, 0);
    machine.pack();
    const after = processTypes(model);
    trace.push(`${step.pid}:${step.edge}${step.partner < 0 ? '' : `+${step.partner}:${step.partnerEdge}`}`);
    for (const operation of step.operations) {
      if (operation.kind !== 'send' && operation.kind !== 'receive') continue;
      const { name } = model.layout.queueNames[machine.nameOfChannel[operation.channel - 1]!]!;
      lengths.set(name, (lengths.get(name) ?? 0) + (operation.kind === 'send' ? 1 : -1));
    }
    const next = new Map<string, Configuration>();
    for (const configuration of configurations) {
      for (const one of simulation.step(configuration, step, after.slice(before.length)))
        if (simulation.agrees(one, lengths)) next.set(keyOf(one), one);
    }
    if (next.size === 0) return `no transition of the net for ${trace.join(' ')}`;
    if (next.size > MOST_CONFIGURATIONS) return null;
    configurations = [...next.values()];
  }
  return null;
}
