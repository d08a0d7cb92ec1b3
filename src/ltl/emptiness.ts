// Is there an infinite path that sees every mark infinitely often? On the fly, by strongly connected components.
//
// Couvreur's algorithm (FM'99): a depth-first search keeps, for each component it is still inside of, the marks of the edges
// seen in it. When an edge closes a cycle the components on it become one and their marks are joined; once they are all
// there, an accepting cycle exists, and the search stops at once. It needs no second search and no single acceptance set.
// The witness is then cut short: breadth-first to the component, and inside it from mark to mark and back.

import type { Budget, Observer } from '../base/budget.ts';

/** A graph given on the fly. Nodes are numbered from 0 in the order they are met. */
export interface MarkedGraph<Edge extends MarkedEdge = MarkedEdge> {
  /** How many marks there are; an edge's set of them is a number's bits. */
  readonly marks: number;
  initial(): readonly number[];
  /** May be called several times for one node, and answers the same each time. */
  successors(node: number): readonly Edge[];
  /** The same, if it is cheaper, as numbers: target and marks in turn. A long path of the search keeps them all. */
  arcs?(node: number): number[];
  /** Nodes met so far. */
  readonly size: number;
  /** Bytes that the nodes take, roughly; the search adds its own. */
  bytes(): number;
}

export interface MarkedEdge {
  readonly target: number;
  readonly marks: number;
}

export type Emptiness<Edge extends MarkedEdge> =
  | { readonly kind: 'empty' }
  | { readonly kind: 'cycle'; readonly path: MarkedPath<Edge> }
  | { readonly kind: 'limit'; readonly limit: 'time-limit' | 'state-limit' | 'memory-limit' };

/** Edges from an initial node on; the last one leads back to nodes[loopStart]. */
export interface MarkedPath<Edge extends MarkedEdge> {
  readonly nodes: readonly number[];
  readonly edges: readonly Edge[];
  readonly loopStart: number;
}

interface Root {
  /** Depth-first number of the first node of the component. */
  readonly order: number;
  /** Marks of the edges inside the component. */
  marks: number;
  /** Marks of the edge that led to it. */
  readonly entry: number;
}

const DEAD = -1;
/** What the search itself keeps per node, and per node on its path (with its edges), roughly. */
const BYTES_PER_NODE = 16;
const BYTES_PER_FRAME = 200;

export function findAcceptingCycle<Edge extends MarkedEdge>(
  graph: MarkedGraph<Edge>,
  budget: Budget,
  observer: Observer,
): Emptiness<Edge> {
  const full = 2 ** graph.marks - 1;
  /** Per node: undefined before it is met, its depth-first number (from 1) while it may be on a cycle, DEAD after. */
  const order: number[] = [];
  const live: number[] = [];
  const roots: Root[] = [];
  const frames: { readonly node: number; readonly arcs: readonly number[]; next: number }[] = [];
  let counter = 0;
  let steps = 0;

  let outOfTime = false;
  const enter = (node: number, entry: number): void => {
    // Nodes may take long to open, however few they are.
    if ((counter & 15) === 0 && !budget.timeLeft()) outOfTime = true;
    order[node] = ++counter;
    live.push(node);
    roots.push({ order: counter, marks: 0, entry });
    frames.push({ node, arcs: arcsOf(graph, node), next: 0 });
  };
  const closeCycle = (target: number, marks: number): Root => {
    let joined = marks;
    while (roots[roots.length - 1]!.order > order[target]!) {
      const root = roots.pop()!;
      joined |= root.marks | root.entry;
    }
    const root = roots[roots.length - 1]!;
    root.marks |= joined;
    return root;
  };
  const leave = (node: number): void => {
    if (roots[roots.length - 1]!.order !== order[node]) return;
    roots.pop();
    for (let member = live.pop()!; ; member = live.pop()!) {
      order[member] = DEAD;
      if (member === node) break;
    }
  };

  const initial = graph.initial();
  for (const start of initial) {
    if (order[start] !== undefined) continue;
    enter(start, 0);
    while (frames.length > 0) {
      if (outOfTime) return { kind: 'limit', limit: 'time-limit' };
      if (++steps % 4096 === 0) {
        if (!budget.timeLeft()) return { kind: 'limit', limit: 'time-limit' };
        const bytes = graph.bytes() + graph.size * BYTES_PER_NODE + frames.length * BYTES_PER_FRAME;
        if (bytes > budget.maxMemory) return { kind: 'limit', limit: 'memory-limit' };
        observer.progress(`${graph.size} product states`);
      }
      const frame = frames[frames.length - 1]!;
      if (frame.next === frame.arcs.length) {
        frames.pop();
        leave(frame.node);
        continue;
      }
      const target = frame.arcs[frame.next++]!;
      const marks = frame.arcs[frame.next++]!;
      const seen = order[target];
      if (seen === undefined) {
        if (graph.size > budget.maxStates) return { kind: 'limit', limit: 'state-limit' };
        enter(target, marks);
      } else if (seen !== DEAD) {
        const root = closeCycle(target, marks);
        if (root.marks === full) {
          const component = new Set<number>();
          for (let i = live.length - 1; i >= 0 && order[live[i]!]! >= root.order; i--)
            component.add(live[i]!);
          const visited = (node: number) => order[node] !== undefined;
          return { kind: 'cycle', path: witness(graph, initial, component, visited, full, counter) };
        }
      }
    }
  }
  return { kind: 'empty' };
}

function arcsOf<Edge extends MarkedEdge>(graph: MarkedGraph<Edge>, node: number): number[] {
  if (graph.arcs !== undefined) return graph.arcs(node);
  const arcs: number[] = [];
  for (const { target, marks } of graph.successors(node)) arcs.push(target, marks);
  return arcs;
}

function witness<Edge extends MarkedEdge>(
  graph: { successors(node: number): readonly Edge[] },
  initial: readonly number[],
  component: ReadonlySet<number>,
  visited: (node: number) => boolean,
  full: number,
  effort: number,
): MarkedPath<Edge> {
  const nodes: number[] = [];
  const edges: Edge[] = [];
  let here = initial.find((node) => component.has(node)) ?? -1;
  const append = (path: readonly Edge[]): void => {
    for (const edge of path) {
      nodes.push(here);
      edges.push(edge);
      here = edge.target;
    }
  };
  if (here === -1) {
    // The depth-first search may have come a long way round: look a little further for a shorter one.
    const arrives = (edge: Edge) => component.has(edge.target);
    const anywhere = () => true;
    const found =
      shortest(graph, initial, anywhere, arrives, Math.max(20_000, 2 * effort)) ??
      shortest(graph, initial, visited, arrives)!;
    here = found.start;
    append(found.path);
  }
  const loopStart = edges.length;
  const entry = here;
  const inside = (node: number) => component.has(node);
  let missing = full;
  while (missing !== 0) {
    const wanted = missing;
    const { path } = shortest(graph, [here], inside, (edge) => (edge.marks & wanted) !== 0)!;
    append(path);
    for (const edge of path) missing &= ~edge.marks;
  }
  if (here !== entry || edges.length === loopStart)
    append(shortest(graph, [here], inside, (edge) => edge.target === entry)!.path);
  return { nodes, edges, loopStart };
}

/**
 * The shortest path (of at least one edge) whose last edge is wanted, through allowed nodes only. The caller knows that there
 * is one; null when it was not found within `limit` nodes.
 */
function shortest<Edge extends MarkedEdge>(
  graph: { successors(node: number): readonly Edge[] },
  starts: readonly number[],
  allowed: (node: number) => boolean,
  wanted: (edge: Edge) => boolean,
  limit = Number.POSITIVE_INFINITY,
): { readonly start: number; readonly path: Edge[] } | null {
  const cameBy = new Map<number, { readonly from: number; readonly edge: Edge } | null>(
    starts.map((start) => [start, null]),
  );
  const back = (node: number, last: Edge) => {
    const path = [last];
    let current = node;
    for (let step = cameBy.get(current); step; step = cameBy.get(current)) {
      path.push(step.edge);
      current = step.from;
    }
    return { start: current, path: path.reverse() };
  };
  for (const node of cameBy.keys()) {
    if (cameBy.size > limit) return null;
    for (const edge of graph.successors(node)) {
      if (!allowed(edge.target)) continue;
      if (wanted(edge)) return back(node, edge);
      if (!cameBy.has(edge.target)) cameBy.set(edge.target, { from: node, edge });
    }
  }
  throw new Error('impossible: the component that the search found has no such path');
}
