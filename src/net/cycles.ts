// The elementary cycles of a net's process classes with their effect vectors ([Ciclo] IV-B level 4, [IBOC] section 2), and the
// classes whose instances can grow without limit ([IBOC] 3.7), for which cycles alone do not tell everything.

import { components } from '../graph/components.ts';
import { elementaryCycles } from '../graph/cycles.ts';
import type { Digraph } from '../graph/digraph.ts';
import { digraph } from '../graph/digraph.ts';
import type { Net } from './net.ts';

export interface NetCycle {
  readonly class: number;
  /** Transition indices in order of travel. */
  readonly transitions: readonly number[];
  /** Summed over the transitions, zeros dropped: place → change. */
  readonly effect: ReadonlyMap<number, number>;
  /** Instances started in one round: class → count. */
  readonly spawns: ReadonlyMap<number, number>;
  readonly progress: boolean;
}

export interface CycleList {
  readonly cycles: readonly NetCycle[];
  /** False when the limit stopped the enumeration: no proof may rest on an incomplete list. */
  readonly complete: boolean;
}

/** The control graph of one class; `transitions[arc]` is the transition behind an arc. */
export interface ClassGraph {
  readonly graph: Digraph;
  readonly transitions: readonly number[];
}

export function classGraphs(net: Net): ClassGraph[] {
  const transitions: number[][] = net.classes.map(() => []);
  net.transitions.forEach((transition, index) => {
    transitions[transition.class]!.push(index);
  });
  return net.classes.map((netClass, index) => ({
    graph: digraph(
      netClass.locations.length,
      transitions[index]!.map((transition) => net.transitions[transition]!),
    ),
    transitions: transitions[index]!,
  }));
}

/** The transitions that lie on some control cycle. */
export function cyclicTransitions(net: Net, graphs: readonly ClassGraph[] = classGraphs(net)): Set<number> {
  const cyclic = new Set<number>();
  for (const { graph, transitions } of graphs) {
    const { of } = components(graph);
    graph.arcs.forEach((arc, index) => {
      if (of[arc.from] === of[arc.to]) cyclic.add(transitions[index]!);
    });
  }
  return cyclic;
}

/**
 * The classes of which a ray may start instances: started on a cycle, by such a class, or (directly or through others) by
 * themselves. Every other class moves in circles only, in a ray.
 */
export function growingClasses(net: Net, graphs: readonly ClassGraph[] = classGraphs(net)): Set<number> {
  const cyclic = cyclicTransitions(net, graphs);
  const starts: { readonly from: number; readonly to: number }[] = [];
  const growing = new Set<number>();
  net.transitions.forEach((transition, index) => {
    for (const spawn of transition.spawns) {
      starts.push({ from: transition.class, to: spawn.class });
      if (cyclic.has(index)) growing.add(spawn.class);
    }
  });
  const graph = digraph(net.classes.length, starts);
  const { of, members } = components(graph);
  for (const { from, to } of starts)
    if (of[from] === of[to]) for (const p of members[of[from]!]!) growing.add(p);
  const work = [...growing];
  for (let p = work.pop(); p !== undefined; p = work.pop()) {
    for (const arc of graph.out[p]!) {
      const { to } = starts[arc]!;
      if (!growing.has(to)) {
        growing.add(to);
        work.push(to);
      }
    }
  }
  return growing;
}

export interface CycleLimits {
  readonly maxCycles: number;
  readonly goOn?: () => boolean;
}

/** The elementary cycles of the wanted classes. */
export function netCycles(
  net: Net,
  limits: CycleLimits,
  wanted: (netClass: number) => boolean = () => true,
  graphs: readonly ClassGraph[] = classGraphs(net),
): CycleList {
  const cycles: NetCycle[] = [];
  for (const [index, { graph, transitions }] of graphs.entries()) {
    if (!wanted(index)) continue;
    const found = elementaryCycles(graph, { ...limits, maxCycles: limits.maxCycles - cycles.length });
    for (const arcs of found.cycles)
      cycles.push(
        cycleOf(
          net,
          index,
          arcs.map((arc) => transitions[arc]!),
        ),
      );
    if (!found.complete) return { cycles, complete: false };
  }
  return { cycles, complete: true };
}

export function cycleOf(net: Net, netClass: number, transitions: readonly number[]): NetCycle {
  const effect = new Map<number, number>();
  const spawns = new Map<number, number>();
  let progress = false;
  for (const index of transitions) {
    const transition = net.transitions[index]!;
    for (const { place, change } of transition.effect) effect.set(place, (effect.get(place) ?? 0) + change);
    for (const spawn of transition.spawns)
      spawns.set(spawn.class, (spawns.get(spawn.class) ?? 0) + spawn.count);
    progress ||= transition.progress;
  }
  for (const [place, change] of effect) if (change === 0) effect.delete(place);
  return { class: netClass, transitions, effect, spawns, progress };
}

/** The papers' statistics: cycles of the control graph, and the different effects each of them can have. */
export function countCycles(
  net: Net,
  cycles: readonly NetCycle[],
): { cycles: number; effectVectors: number } {
  const control = new Set<string>();
  const vectors = new Set<string>();
  for (const cycle of cycles) {
    const origins = cycle.transitions.map((index) => {
      const { from, to, origin } = net.transitions[index]!;
      return `${from}-${origin.join('.')}-${to}`;
    });
    const name = `${cycle.class}:${origins.join(' ')}`;
    control.add(name);
    vectors.add(`${name}|${effectKey(cycle.effect)}`);
  }
  return { cycles: control.size, effectVectors: vectors.size };
}

export const effectKey = (effect: ReadonlyMap<number, number>): string =>
  [...effect]
    .sort(([a], [b]) => a - b)
    .map(([place, change]) => `${place}:${change}`)
    .join(' ');
