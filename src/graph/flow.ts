// Flow decomposition: a non-negative integer flow on the arcs of a graph is a sum of elementary cycles and of paths that lead from
// nodes with a surplus (more flow leaves than enters) to nodes with a deficit. Exact, on BigInt.

import type { Digraph } from './digraph.ts';

export interface FlowPart {
  readonly kind: 'cycle' | 'path';
  /** Arc indices in order of travel. A path is elementary too. */
  readonly arcs: readonly number[];
  /** How many units take it. */
  readonly times: bigint;
}

/** At most one part per arc with flow plus one per source or sink; the parts add up to the flow exactly. */
export function decomposeFlow(graph: Digraph, flow: readonly bigint[]): FlowPart[] {
  const left = flow.map((units) => (units > 0n ? units : 0n));
  const surplus = new Array<bigint>(graph.nodeCount).fill(0n);
  for (const [index, arc] of graph.arcs.entries()) {
    surplus[arc.from]! += left[index]!;
    surplus[arc.to]! -= left[index]!;
  }
  const parts: FlowPart[] = [];
  const take = (kind: FlowPart['kind'], arcs: readonly number[], times: bigint): void => {
    for (const arc of arcs) left[arc]! -= times;
    parts.push({ kind, arcs, times });
  };
  for (let node = 0; node < graph.nodeCount; node++) {
    while (surplus[node]! > 0n) walkFrom(graph, left, surplus, node, take);
  }
  // No sources are left, so no sinks are either: what remains is a circulation, and any walk closes a cycle.
  for (let node = 0; node < graph.nodeCount; node++) {
    while (graph.out[node]!.some((arc) => left[arc]! > 0n)) walkFrom(graph, left, surplus, node, take);
  }
  return parts;
}

/** Follows flow from a node until it closes a cycle (taken off at once) or reaches a node with a deficit. */
function walkFrom(
  graph: Digraph,
  left: readonly bigint[],
  surplus: bigint[],
  start: number,
  take: (kind: FlowPart['kind'], arcs: readonly number[], times: bigint) => void,
): void {
  const path: number[] = [];
  const stepOf = new Map<number, number>([[start, 0]]);
  let node = start;
  for (;;) {
    if (surplus[node]! < 0n && path.length > 0 && surplus[start]! > 0n) {
      const times = least([surplus[start]!, -surplus[node]!, ...path.map((arc) => left[arc]!)]);
      surplus[start]! -= times;
      surplus[node]! += times;
      take('path', path, times);
      return;
    }
    const arc = graph.out[node]!.find((candidate) => left[candidate]! > 0n);
    if (arc === undefined)
      throw new Error('impossible: flow entered a node without a deficit and does not leave it');
    path.push(arc);
    node = graph.arcs[arc]!.to;
    const earlier = stepOf.get(node);
    if (earlier !== undefined) {
      const cycle = path.slice(earlier);
      take('cycle', cycle, least(cycle.map((index) => left[index]!)));
      return;
    }
    stepOf.set(node, path.length);
  }
}

const least = (values: readonly bigint[]): bigint => {
  let smallest = values[0]!;
  for (const value of values) if (value < smallest) smallest = value;
  return smallest;
};
