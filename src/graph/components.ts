// Strongly connected components: Tarjan's algorithm, with an explicit stack so that deep graphs cannot overflow the call stack.

import type { Digraph } from './digraph.ts';

export interface Components {
  /** Component number per node. Numbers are a reverse topological order: an arc between components leads to a smaller number. */
  readonly of: Int32Array;
  readonly members: readonly (readonly number[])[];
}

/** `usable` restricts the graph to some arcs. */
export function components(graph: Digraph, usable: (arc: number) => boolean = () => true): Components {
  const { nodeCount, arcs, out } = graph;
  const order = new Int32Array(nodeCount).fill(-1);
  const low = new Int32Array(nodeCount);
  const of = new Int32Array(nodeCount).fill(-1);
  const members: number[][] = [];
  const open: number[] = [];
  let counter = 0;

  const enter = (node: number): { node: number; next: number } => {
    order[node] = low[node] = counter++;
    open.push(node);
    return { node, next: 0 };
  };
  const close = (root: number): void => {
    const component: number[] = [];
    for (;;) {
      const node = open.pop()!;
      of[node] = members.length;
      component.push(node);
      if (node === root) break;
    }
    members.push(component.reverse());
  };

  for (let start = 0; start < nodeCount; start++) {
    if (order[start] !== -1) continue;
    const frames = [enter(start)];
    while (frames.length > 0) {
      const frame = frames[frames.length - 1]!;
      const arc = out[frame.node]![frame.next++];
      if (arc === undefined) {
        frames.pop();
        const parent = frames[frames.length - 1];
        if (parent !== undefined) low[parent.node] = Math.min(low[parent.node]!, low[frame.node]!);
        if (low[frame.node] === order[frame.node]) close(frame.node);
        continue;
      }
      if (!usable(arc)) continue;
      const { to } = arcs[arc]!;
      if (order[to] === -1) frames.push(enter(to));
      else if (of[to] === -1) low[frame.node] = Math.min(low[frame.node]!, order[to]!);
    }
  }
  return { of, members };
}

/** The arcs that lie on some cycle: both ends in one component. */
export function cyclicArcs(graph: Digraph, found: Components = components(graph)): number[] {
  return graph.arcs.flatMap((arc, index) => (found.of[arc.from] === found.of[arc.to] ? [index] : []));
}
