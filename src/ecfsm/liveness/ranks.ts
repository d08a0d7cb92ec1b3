// A proof of Q-liveness as numbers: the goal's disjuncts have rank 0, and every other disjunct gets, by one rule, to disjuncts of lower rank. Whoever looks at the
// proof again needs only the numbers: each rule is a local check on the graph.
//
// The rules are those of live.ts, each for a set of good disjuncts: a sending that is always executable and ends in a good one; receiving, with choices, that cannot
// avoid the good ones; a sending that cannot be repeated for ever, repeated within disjuncts of the same rank.

import type { Action } from '../model.ts';
import type { DegeneratedGraph, ReceptionGraph } from './graph.ts';

/** Null when some disjunct has no way to the goal. */
export function ranksOf(graph: DegeneratedGraph, goal: readonly number[]): readonly number[] | null {
  const ranks = Array.from({ length: graph.nodes }, () => -1);
  for (const node of goal) ranks[node] = 0;
  for (let rank = 1; ranks.includes(-1); rank++) {
    const good = ranks.map((one) => one >= 0);
    const found = justified(graph, good);
    if (found.size === 0) return null;
    for (const node of found) ranks[node] = rank;
  }
  return ranks;
}

/** The first disjunct that its rank does not justify; null when all are. */
export function unjustified(graph: DegeneratedGraph, ranks: readonly number[]): number | null {
  const highest = Math.max(0, ...ranks);
  for (let rank = 1; rank <= highest; rank++) {
    const here = ranks.flatMap((one, node) => (one === rank ? [node] : []));
    if (here.length === 0) continue;
    const good = ranks.map((one) => one < rank);
    const found = justified(graph, good);
    const open = here.find((node) => !found.has(node));
    if (open !== undefined) return open;
  }
  return null;
}

/** The disjuncts, not good themselves, from which one rule leads to good ones. */
function justified(graph: DegeneratedGraph, good: readonly boolean[]): Set<number> {
  const found = new Set<number>();
  graph.options.forEach((effects, node) => {
    const leads = effects.some(
      ({ must, may }) => must.some((target) => good[target]) || may.every((target) => good[target]),
    );
    if (!good[node] && leads) found.add(node);
  });
  for (const reception of graph.receptions) {
    const forced = forcedPast(reception, good);
    good.forEach((isGood, node) => {
      if (!isGood && !forced.has(node)) found.add(node);
    });
  }
  for (const node of repeated(graph, good)) found.add(node);
  return found;
}

/** Where the messages can bring the receiver to an empty channel past all good disjuncts. */
function forcedPast({ ways, empty }: ReceptionGraph, good: readonly boolean[]): Set<number> {
  const forced = new Set<number>();
  const isForced = (node: number): boolean =>
    empty[node]! ||
    ways[node]!.some((choices) =>
      choices.every((targets) => targets.some((target) => !good[target] && forced.has(target))),
    );
  for (let size = -1; size !== forced.size; ) {
    size = forced.size;
    good.forEach((isGood, node) => {
      if (!isGood && !forced.has(node) && isForced(node)) forced.add(node);
    });
  }
  return forced;
}

/** Disjuncts in which one sending, repeated, has to leave them for good ones. */
function repeated(graph: DegeneratedGraph, good: readonly boolean[]): Set<number> {
  const found = new Set<number>();
  const actions = new Set<Action>(
    graph.options.flat().flatMap(({ action, finite }) => (finite ? [action] : [])),
  );
  for (const action of actions) {
    const inside = new Map<number, readonly number[]>();
    graph.options.forEach((effects, node) => {
      const effect = effects.find((one) => one.action === action && one.finite);
      if (!good[node] && effect !== undefined) inside.set(node, effect.may);
    });
    for (let size = -1; size !== inside.size; ) {
      size = inside.size;
      for (const [node, may] of inside)
        if (!may.every((target) => good[target] || inside.has(target))) inside.delete(node);
    }
    for (const node of inside.keys()) found.add(node);
  }
  return found;
}
