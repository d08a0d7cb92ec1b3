// Q-liveness: from every disjunct, a way to a goal disjunct.
//
// [QLive] (*4): a path in the degenerated reachability graph. Beyond the paper, a disjunct is also good when all outcomes of one choice
// are: every possible result of a sending that is always executable lies in good disjuncts, or no way of receiving until the channel is
// empty avoids the good disjuncts; of several actions for the same message the receiver takes the one that suits it. Both follow from the same facts as the edges, read for sets of disjuncts instead of single ones. Third, a
// sending that lowers a register, or raises one that the disjuncts bound, can be repeated only finitely often (finite.ts): if it is always
// executable in a set of disjuncts, and every result is in the set or good, repeating it ends in a good one.

import type { Action } from '../model.ts';
import type { DegeneratedGraph, ReceptionGraph } from './graph.ts';

/** How to get nearer to the goal from a disjunct. */
export type Move =
  | { readonly kind: 'goal' }
  | { readonly kind: 'send'; readonly action: Action; readonly to: readonly number[] }
  | { readonly kind: 'receive'; readonly channel: number; readonly to: readonly number[] }
  /** The same sending again and again; it cannot go on for ever. */
  | { readonly kind: 'repeat'; readonly action: Action; readonly to: readonly number[] }
  /** No state satisfies the disjunct. */
  | { readonly kind: 'empty' };

export interface LivenessResult {
  /** Per disjunct: the first move of a way to the goal, null where none was found. */
  readonly moves: readonly (Move | null)[];
  /** Disjuncts that needed more than single edges. */
  readonly beyondPaths: number;
}

export function findWays(graph: DegeneratedGraph, goal: readonly number[]): LivenessResult {
  const moves: (Move | null)[] = Array.from({ length: graph.nodes }, () => null);
  for (const index of goal) moves[index] = { kind: 'goal' };
  let beyondPaths = 0;
  for (;;) {
    followEdges(graph, moves);
    const found = followSets(graph, moves);
    if (found === 0) return { moves, beyondPaths };
    beyondPaths += found;
  }
}

/** Backwards over single edges, breadth first: shortest paths. */
function followEdges(graph: DegeneratedGraph, moves: (Move | null)[]): void {
  const into: { from: number; move: Move }[][] = moves.map(() => []);
  for (const { from, to, action } of graph.sends)
    into[to]!.push({ from, move: { kind: 'send', action, to: [to] } });
  for (const { from, to, channel } of graph.receives)
    into[to]!.push({ from, move: { kind: 'receive', channel, to: [to] } });
  const queue = moves.flatMap((move, node) => (move === null ? [] : [node]));
  for (let i = 0; i < queue.length; i++) {
    for (const { from, move } of into[queue[i]!]!) {
      if (moves[from] !== null) continue;
      moves[from] = move;
      queue.push(from);
    }
  }
}

/** One round of the rules for sets; how many disjuncts became good. */
function followSets(graph: DegeneratedGraph, moves: (Move | null)[]): number {
  const good = moves.map((move) => move !== null);
  let found = 0;
  const set = (node: number, move: Move): void => {
    if (moves[node] !== null) return;
    moves[node] = move;
    found++;
  };
  graph.options.forEach((effects, node) => {
    if (good[node]) return;
    const effect = effects.find(({ may }) => may.every((target) => good[target]));
    if (effect !== undefined)
      set(
        node,
        effect.may.length === 0 ? { kind: 'empty' } : { kind: 'send', action: effect.action, to: effect.may },
      );
  });
  for (const [action, { nodes, to }] of countdowns(graph, good))
    for (const node of nodes) set(node, { kind: 'repeat', action, to });
  for (const reception of graph.receptions) {
    const avoiding = canAvoid(reception, good);
    good.forEach((isGood, node) => {
      if (isGood || avoiding.has(node)) return;
      const to = firstGood(reception, node, good, avoiding);
      set(node, to.length === 0 ? { kind: 'empty' } : { kind: 'receive', channel: reception.channel, to });
    });
  }
  return found;
}

/** Sendings that cannot be repeated for ever, each with the largest set of disjuncts that it can leave only for good ones. */
function countdowns(
  graph: DegeneratedGraph,
  good: readonly boolean[],
): Map<Action, { readonly nodes: ReadonlySet<number>; readonly to: readonly number[] }> {
  const byAction = new Map<Action, Map<number, readonly number[]>>();
  graph.options.forEach((effects, node) => {
    if (good[node]) return;
    for (const { action, finite, may } of effects) {
      if (!finite) continue;
      const known = byAction.get(action) ?? new Map<number, readonly number[]>();
      byAction.set(action, known.set(node, may));
    }
  });
  const result = new Map<Action, { nodes: ReadonlySet<number>; to: readonly number[] }>();
  for (const [action, may] of byAction) {
    for (let changed = true; changed; ) {
      changed = false;
      for (const [node, targets] of may) {
        if (targets.every((target) => good[target] || may.has(target))) continue;
        may.delete(node);
        changed = true;
      }
    }
    const to = [...new Set([...may.values()].flat())].filter((target) => good[target]);
    if (to.length > 0) result.set(action, { nodes: new Set(may.keys()), to });
  }
  return result;
}

/**
 * Nodes from which receiving may end with an empty channel without passing a good disjunct, however the machine chooses between its actions: the
 * nodes from which the messages can force it. The channel gets empty in any case, so whoever is not forced passes a good one.
 */
function canAvoid({ ways, empty }: ReceptionGraph, good: readonly boolean[]): Set<number> {
  const forced = new Set(empty.flatMap((isEmpty, node) => (isEmpty && !good[node] ? [node] : [])));
  const waiting = new Set(empty.flatMap((isEmpty, node) => (isEmpty || good[node] ? [] : [node])));
  for (let size = -1; size !== forced.size; ) {
    size = forced.size;
    for (const node of waiting) {
      const isForced = ways[node]!.some((choices) => choices.every((targets) => meets(targets, forced)));
      if (!isForced) continue;
      forced.add(node);
      waiting.delete(node);
    }
  }
  return forced;
}

const meets = (targets: readonly number[], set: ReadonlySet<number>): boolean =>
  targets.some((target) => set.has(target));

/** The good disjuncts that receiving from here can meet first, with choices that avoid the others. */
function firstGood(
  { ways }: ReceptionGraph,
  start: number,
  good: readonly boolean[],
  avoiding: ReadonlySet<number>,
): number[] {
  const seen = new Set([start]);
  const found: number[] = [];
  const queue = [start];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    for (const to of ways[node]!.flatMap((choices) => choices.find((one) => !meets(one, avoiding)) ?? [])) {
      if (seen.has(to)) continue;
      seen.add(to);
      if (good[to]) found.push(to);
      else queue.push(to);
    }
  }
  return found;
}

/** The disjuncts on one way from here to the goal (of several possible outcomes the first is followed). */
export function wayFrom(
  result: LivenessResult,
  start: number,
): { readonly node: number; readonly move: Move }[] {
  const way: { node: number; move: Move }[] = [];
  const seen = new Set<number>();
  for (let node = start; !seen.has(node); ) {
    seen.add(node);
    const move = result.moves[node];
    if (move === null || move === undefined) return way;
    way.push({ node, move });
    if (move.kind === 'goal' || move.kind === 'empty') return way;
    node = move.to[0]!;
  }
  return way;
}

/** Is there a path from every disjunct to every other ([QLive] Figure 1)? */
export function stronglyConnected(graph: DegeneratedGraph): boolean {
  const out: number[][] = Array.from({ length: graph.nodes }, () => []);
  for (const { from, to } of [...graph.sends, ...graph.receives]) out[from]!.push(to);
  return out.every((_, start) => {
    const seen = new Set([start]);
    const queue = [start];
    for (let node = queue.pop(); node !== undefined; node = queue.pop())
      for (const to of out[node]!)
        if (!seen.has(to)) {
          seen.add(to);
          queue.push(to);
        }
    return seen.size === graph.nodes;
  });
}
