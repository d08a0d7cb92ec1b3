// Graphs whose edges carry labels and whose nodes carry colours, packed into arrays: what bisimulations are about.

/** The edges of node s are the indices from first[s] up to first[s + 1]. */
export interface LabelledGraph {
  readonly nodes: number;
  readonly first: Int32Array;
  /** HIDDEN, or a number that is not negative. */
  readonly label: Int32Array;
  readonly target: Int32Array;
  /** Nodes of different colours are never equivalent. */
  readonly colour: Int32Array;
}

/** The label of steps that nobody sees. */
export const HIDDEN = -1;

/** The sources of the edges into each node: those of node t are source[first[t]] up to source[first[t + 1]]. */
export interface Sources {
  readonly first: Int32Array;
  readonly source: Int32Array;
}

export function sourcesOf({ nodes, first, target }: Omit<LabelledGraph, 'label' | 'colour'>): Sources {
  const into = new Int32Array(nodes + 1);
  for (const to of target) into[to + 1]!++;
  for (let node = 0; node < nodes; node++) into[node + 1]! += into[node]!;
  const next = into.slice(0, nodes);
  const source = new Int32Array(target.length);
  for (let node = 0; node < nodes; node++)
    for (let i = first[node]!; i < first[node + 1]!; i++) source[next[target[i]!]!++] = node;
  return { first: into, source };
}

/**
 * Components that are strongly connected by hidden edges between nodes of one colour: Tarjan's algorithm on the arrays. Numbers are a reverse
 * topological order: such an edge between two components leads to the smaller number.
 */
export function hiddenComponents(graph: LabelledGraph): { readonly of: Int32Array; readonly count: number } {
  const { nodes, first, label, target, colour } = graph;
  const order = new Int32Array(nodes).fill(-1);
  const low = new Int32Array(nodes);
  const of = new Int32Array(nodes).fill(-1);
  const next = first.slice(0, nodes);
  const open: number[] = [];
  const frames: number[] = [];
  let counter = 0;
  let count = 0;
  const enter = (node: number): void => {
    order[node] = low[node] = counter++;
    open.push(node);
    frames.push(node);
  };
  const close = (root: number): void => {
    for (let node = open.pop()!; ; node = open.pop()!) {
      of[node] = count;
      if (node === root) break;
    }
    count++;
  };
  for (let start = 0; start < nodes; start++) {
    if (order[start] !== -1) continue;
    enter(start);
    while (frames.length > 0) {
      const node = frames[frames.length - 1]!;
      if (next[node] === first[node + 1]) {
        frames.pop();
        const parent = frames[frames.length - 1];
        if (parent !== undefined && low[node]! < low[parent]!) low[parent] = low[node]!;
        if (low[node] === order[node]) close(node);
        continue;
      }
      const edge = next[node]!++;
      const to = target[edge]!;
      if (label[edge] !== HIDDEN || colour[to] !== colour[node]) continue;
      if (order[to] === -1) enter(to);
      else if (of[to] === -1 && order[to]! < low[node]!) low[node] = order[to]!;
    }
  }
  return { of, count };
}
