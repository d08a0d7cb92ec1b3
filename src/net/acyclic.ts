// What the acyclic part of a run can contribute to each place ([Ciclo] IV-D, [IBOC] section 2): the component-wise largest
// and smallest effect of the simple paths from a class's initial location.
//
// The papers speak of polynomial time, but the longest simple path is not; we enumerate within a budget of steps and then fall
// back to a bound that is never too small: on a simple path each location is left at most once.

import { reachable } from '../graph/digraph.ts';
import type { ClassGraph } from './cycles.ts';
import type { Net } from './net.ts';

export interface PathExtremes {
  /** Place → largest sum over the simple paths; at least 0, absent for 0. */
  readonly largest: ReadonlyMap<number, number>;
  readonly smallest: ReadonlyMap<number, number>;
  readonly exact: boolean;
}

export function pathExtremes(
  net: Net,
  netClass: number,
  { graph, transitions }: ClassGraph,
  maxSteps = 50_000,
): PathExtremes {
  const { initial } = net.classes[netClass]!;
  const largest = new Map<number, number>();
  const smallest = new Map<number, number>();
  const sum = new Map<number, number>();
  const onPath = new Set([initial]);
  const frames: { readonly node: number; next: number; readonly by: number | null }[] = [
    { node: initial, next: 0, by: null },
  ];
  const apply = (transition: number, sign: 1 | -1): void => {
    for (const { place, change } of net.transitions[transition]!.effect) {
      const value = (sum.get(place) ?? 0) + sign * change;
      sum.set(place, value);
      if (sign === -1) continue;
      if (value > (largest.get(place) ?? 0)) largest.set(place, value);
      if (value < (smallest.get(place) ?? 0)) smallest.set(place, value);
    }
  };
  let steps = 0;
  while (frames.length > 0) {
    const frame = frames[frames.length - 1]!;
    const arc = graph.out[frame.node]![frame.next++];
    if (arc === undefined) {
      frames.pop();
      if (frames.length > 0) onPath.delete(frame.node);
      if (frame.by !== null) apply(frame.by, -1);
      continue;
    }
    if (++steps > maxSteps) return coarseExtremes(net, initial, { graph, transitions });
    const { to } = graph.arcs[arc]!;
    if (onPath.has(to)) continue;
    onPath.add(to);
    apply(transitions[arc]!, 1);
    frames.push({ node: to, next: 0, by: transitions[arc]! });
  }
  return { largest, smallest, exact: true };
}

/** Per place: the sum over the reachable locations of the best that leaving each once can do. */
function coarseExtremes(net: Net, initial: number, { graph, transitions }: ClassGraph): PathExtremes {
  const largest = new Map<number, number>();
  const smallest = new Map<number, number>();
  for (const node of reachable(graph, [initial])) {
    const best = new Map<number, number>();
    const worst = new Map<number, number>();
    for (const arc of graph.out[node]!) {
      for (const { place, change } of net.transitions[transitions[arc]!]!.effect) {
        best.set(place, Math.max(best.get(place) ?? 0, change));
        worst.set(place, Math.min(worst.get(place) ?? 0, change));
      }
    }
    for (const [place, change] of best) largest.set(place, (largest.get(place) ?? 0) + change);
    for (const [place, change] of worst) smallest.set(place, (smallest.get(place) ?? 0) + change);
  }
  return { largest, smallest, exact: false };
}

/**
 * How many instances of each class there can ever be; Infinity for classes that grow. A transition off every cycle is taken at most
 * once by each instance.
 */
export function instanceLimits(
  net: Net,
  growing: ReadonlySet<number>,
  cyclic: ReadonlySet<number>,
): number[] {
  const limits: (number | undefined)[] = net.classes.map((_, netClass) =>
    growing.has(netClass) ? Number.POSITIVE_INFINITY : undefined,
  );
  const starters: { readonly by: number; readonly count: number }[][] = net.classes.map(() => []);
  net.transitions.forEach((transition, index) => {
    if (cyclic.has(index)) return;
    for (const spawn of transition.spawns)
      starters[spawn.class]!.push({ by: transition.class, count: spawn.count });
  });
  const limitOf = (netClass: number): number => {
    const known = limits[netClass];
    if (known !== undefined) return known;
    let limit = net.classes[netClass]!.instances;
    for (const { by, count } of starters[netClass]!) limit += count * limitOf(by);
    limits[netClass] = limit;
    return limit;
  };
  return net.classes.map((_, index) => limitOf(index));
}
