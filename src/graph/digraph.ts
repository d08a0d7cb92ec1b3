// A directed multigraph: nodes 0..nodeCount-1 and edges that keep their identity, so that parallel edges stay distinct.
// What nodes and edges mean is the caller's business.

export interface Arc {
  readonly from: number;
  readonly to: number;
}

export interface Digraph {
  readonly nodeCount: number;
  readonly arcs: readonly Arc[];
  /** Indices into `arcs`, per node. */
  readonly out: readonly (readonly number[])[];
  readonly in: readonly (readonly number[])[];
}

export function digraph(nodeCount: number, arcs: readonly Arc[]): Digraph {
  const out: number[][] = Array.from({ length: nodeCount }, () => []);
  const into: number[][] = Array.from({ length: nodeCount }, () => []);
  for (const [index, arc] of arcs.entries()) {
    out[arc.from]!.push(index);
    into[arc.to]!.push(index);
  }
  return { nodeCount, arcs, out, in: into };
}

/** The nodes reachable from the roots (roots included). */
export function reachable(graph: Digraph, roots: Iterable<number>): Set<number> {
  return sweep(roots, (node) => graph.out[node]!.map((arc) => graph.arcs[arc]!.to));
}

/** The nodes from which some target can be reached (targets included). */
export function coreachable(graph: Digraph, targets: Iterable<number>): Set<number> {
  return sweep(targets, (node) => graph.in[node]!.map((arc) => graph.arcs[arc]!.from));
}

function sweep(start: Iterable<number>, next: (node: number) => readonly number[]): Set<number> {
  const seen = new Set(start);
  const work = [...seen];
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    for (const other of next(node)) {
      if (!seen.has(other)) {
        seen.add(other);
        work.push(other);
      }
    }
  }
  return seen;
}
