// Immediate dominators, after Cooper, Harvey and Kennedy ("A simple, fast dominance algorithm"): iterate intersections over a
// reverse postorder until nothing changes.

import type { Digraph } from './digraph.ts';

export interface Dominators {
  /** Immediate dominator per node; the root's is itself, −1 for unreachable nodes. */
  readonly immediate: Int32Array;
  /** Does every path from the root to `node` pass through `dominator`? False for unreachable nodes. */
  dominates(dominator: number, node: number): boolean;
}

export function dominators(graph: Digraph, root: number): Dominators {
  const postorder = postorderFrom(graph, root);
  const rank = new Int32Array(graph.nodeCount).fill(-1);
  for (const [index, node] of postorder.entries()) rank[node] = index;
  const immediate = new Int32Array(graph.nodeCount).fill(-1);
  immediate[root] = root;
  const meet = (a: number, b: number): number => {
    let [x, y] = [a, b];
    while (x !== y) {
      while (rank[x]! < rank[y]!) x = immediate[x]!;
      while (rank[y]! < rank[x]!) y = immediate[y]!;
    }
    return x;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = postorder.length - 2; i >= 0; i--) {
      const node = postorder[i]!;
      let best = -1;
      for (const arc of graph.in[node]!) {
        const { from } = graph.arcs[arc]!;
        if (immediate[from] === -1) continue;
        best = best === -1 ? from : meet(best, from);
      }
      if (best !== immediate[node]) {
        immediate[node] = best;
        changed = true;
      }
    }
  }
  return { immediate, dominates: (dominator, node) => climbs(immediate, root, dominator, node) };
}

function climbs(immediate: Int32Array, root: number, dominator: number, node: number): boolean {
  if (immediate[node] === -1) return false;
  let at = node;
  while (at !== dominator && at !== root) at = immediate[at]!;
  return at === dominator;
}

function postorderFrom(graph: Digraph, root: number): number[] {
  const order: number[] = [];
  const seen = new Set([root]);
  const frames = [{ node: root, next: 0 }];
  while (frames.length > 0) {
    const frame = frames[frames.length - 1]!;
    const arc = graph.out[frame.node]![frame.next++];
    if (arc === undefined) {
      order.push(frame.node);
      frames.pop();
      continue;
    }
    const { to } = graph.arcs[arc]!;
    if (!seen.has(to)) {
      seen.add(to);
      frames.push({ node: to, next: 0 });
    }
  }
  return order;
}
