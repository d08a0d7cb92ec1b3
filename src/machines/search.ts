// All configurations of communicating machines, as far as they go: faults, loops that flood a queue, or the end of the state space, which
// settles everything. With a limit on the queues it is the k-bounded graph of the theory of multiparty compatibility.

import type { Budget } from '../base/budget.ts';
import { type Configuration, keyOf, type Semantics, type Step } from './configuration.ts';
import { type Fault, faultIn } from './faults.ts';
import { growthPerRound } from './pump.ts';

export interface Explored {
  readonly configurations: readonly Configuration[];
  /** Per configuration: its successors and the steps there. */
  readonly edges: readonly (readonly { readonly step: Step; readonly to: number }[])[];
  readonly complete: boolean;
  /** The steps from the start to a configuration. */
  path(index: number): Step[];
  readonly faults: ReadonlyMap<Fault, number>;
  /** The first loop found that floods a queue: steps before it, steps of it, growth per channel. */
  readonly flood: {
    readonly before: readonly Step[];
    readonly round: readonly Step[];
    readonly growth: readonly number[];
  } | null;
}

export interface SearchOptions {
  /** Queues hold no more; then nothing is said about floods. */
  readonly limit?: number;
  readonly configurations: number;
  readonly faults: readonly Fault[];
}

const AFTER_FLOOD = 4_000;

export function explore(semantics: Semantics, options: SearchOptions, budget: Budget): Explored {
  const configurations: Configuration[] = [];
  const parents: { readonly from: number; readonly step: Step }[] = [];
  const edges: { step: Step; to: number }[][] = [];
  const numbers = new Map<string, number>();
  const faults = new Map<Fault, number>();
  let flood: Explored['flood'] = null;
  const add = (configuration: Configuration, from: number, step: Step): number => {
    const key = keyOf(configuration);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const index = configurations.push(configuration) - 1;
    numbers.set(key, index);
    parents.push({ from, step });
    edges.push([]);
    for (const fault of options.faults)
      if (!faults.has(fault) && faultIn(semantics, configuration, fault) !== null) faults.set(fault, index);
    if (options.limit === undefined && flood === null) flood = floodAt(index);
    return index;
  };
  const path = (index: number, stop = 0): Step[] => {
    const steps: Step[] = [];
    for (let at = index; at !== stop && at > 0; at = parents[at]!.from) steps.push(parents[at]!.step);
    return steps.reverse();
  };
  const floodAt = (index: number): Explored['flood'] => {
    const after = configurations[index]!;
    for (let at = parents[index]!.from, depth = 0; at >= 0 && depth < 400; at = parents[at]!.from, depth++) {
      const before = configurations[at]!;
      if (!before.states.every((state, machine) => state === after.states[machine])) continue;
      if (!before.queues.every((queue, channel) => queue.length <= after.queues[channel]!.length)) continue;
      const round = path(index, at);
      const growth = growthPerRound(semantics, before, after, round);
      if (growth?.some((count) => count > 0)) return { before: path(at), round, growth };
    }
    return null;
  };
  add(semantics.initial(), -1, { machine: -1, move: -1 });
  let complete = true;
  for (let index = 0; index < configurations.length; index++) {
    // Endless anyway: what is left to find are faults, and those lie mostly near the start.
    const most = flood === null ? options.configurations : Math.min(options.configurations, AFTER_FLOOD);
    if (configurations.length > most || (index % 128 === 0 && !budget.timeLeft())) {
      complete = false;
      break;
    }
    const configuration = configurations[index]!;
    for (const step of semantics.steps(configuration, options.limit))
      edges[index]!.push({ step, to: add(semantics.take(configuration, step), index, step) });
  }
  return { configurations, edges, complete, path, faults, flood };
}
