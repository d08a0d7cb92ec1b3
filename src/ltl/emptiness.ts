// Is there an infinite path that sees every mark infinitely often? On the fly, by strongly connected components.
//
// Couvreur's algorithm (FM'99): a depth-first search keeps, for each component it is still inside of, the marks of the edges
// seen in it. When an edge closes a cycle the components on it become one and their marks are joined; once they are all
// there, an accepting cycle exists, and the search stops at once. It needs no second search and no single acceptance set.
// The witness is then cut short: breadth-first to the component, and inside it from mark to mark and back.

import type { Budget, Observer } from '../base/budget.ts';
import { IntList } from '../base/growable.ts';
import { IntStack } from '../base/int-stack.ts';

/** A graph given on the fly. Nodes are numbered from 0 in the order they are met. */
export interface MarkedGraph<Edge extends MarkedEdge = MarkedEdge> {
  /** How many marks there are; an edge's set of them is a number's bits. */
  readonly marks: number;
  initial(): readonly number[];
  /** May be called several times for one node, and answers the same each time. */
  successors(node: number): readonly Edge[];
  /** The same, if it is cheaper, as numbers: target and marks in turn. They are read before the next call. */
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

const DEAD = -1;
/** Steps between two looks at the limits. */
const CHECK_EVERY = 4096;

export function findAcceptingCycle<Edge extends MarkedEdge>(
  graph: MarkedGraph<Edge>,
  budget: Budget,
  observer: Observer,
): Emptiness<Edge> {
  return new EmptinessSearch(graph, budget).run(observer);
}

/** Lists of numbers only: a path of millions of nodes is no rarity. */
class EmptinessSearch<Edge extends MarkedEdge> {
  private readonly graph: MarkedGraph<Edge>;
  private readonly budget: Budget;
  private readonly full: number;
  /** Per node: 0 before it is met, its depth-first number (from 1) while it may be on a cycle, DEAD after. */
  private readonly order = new IntList();
  private readonly live = new IntStack();
  /** Per component on the path: the number of its first node, the marks of the edges inside, those of the edge that led to it. */
  private readonly rootOrders = new IntStack();
  private readonly rootMarks = new IntStack();
  private readonly rootEntries = new IntStack();
  /** Per node on the path: itself, and where its arcs begin. What is left of them lies above, the next one on top. */
  private readonly path = new IntStack();
  private readonly bases = new IntStack();
  private readonly arcs = new IntStack();
  private counter = 0;
  private outOfTime = false;

  constructor(graph: MarkedGraph<Edge>, budget: Budget) {
    this.graph = graph;
    this.budget = budget;
    this.full = 2 ** graph.marks - 1;
  }

  run(observer: Observer): Emptiness<Edge> {
    const { graph, budget, path, arcs } = this;
    const initial = graph.initial();
    let steps = 0;
    for (const start of initial) {
      if (this.orderOf(start) !== 0) continue;
      this.enter(start, 0);
      while (path.size > 0) {
        if (this.outOfTime) return { kind: 'limit', limit: 'time-limit' };
        if (++steps % CHECK_EVERY === 0) {
          const limit = this.limit();
          if (limit !== null) return { kind: 'limit', limit };
          observer.progress(`${graph.size} product states`);
        }
        if (arcs.size === this.bases.top()) {
          this.leave();
          continue;
        }
        const target = arcs.pop();
        const marks = arcs.pop();
        const seen = this.orderOf(target);
        if (seen === 0) {
          if (graph.size > budget.maxStates) return { kind: 'limit', limit: 'state-limit' };
          this.enter(target, marks);
        } else if (seen !== DEAD && this.closeCycle(seen, marks) === this.full) {
          return { kind: 'cycle', path: this.witness(initial) };
        }
      }
    }
    return { kind: 'empty' };
  }

  private orderOf(node: number): number {
    return this.order.data[node] ?? 0;
  }

  private enter(node: number, entry: number): void {
    // Nodes may take long to open, however few they are.
    if ((this.counter & 15) === 0 && !this.budget.timeLeft()) this.outOfTime = true;
    this.order.set(node, ++this.counter);
    this.live.push(node);
    this.rootOrders.push(this.counter);
    this.rootMarks.push(0);
    this.rootEntries.push(entry);
    this.path.push(node);
    this.bases.push(this.arcs.size);
    const arcs = arcsOf(this.graph, node);
    for (let i = arcs.length - 1; i >= 0; i--) this.arcs.push(arcs[i]!);
  }

  /** The marks of the component that an edge to the node with this number makes. */
  private closeCycle(target: number, marks: number): number {
    const { rootOrders, rootMarks, rootEntries } = this;
    let joined = marks;
    while (rootOrders.top() > target) {
      rootOrders.pop();
      joined |= rootMarks.pop() | rootEntries.pop();
    }
    joined |= rootMarks.top();
    rootMarks.set(rootMarks.size - 1, joined);
    return joined;
  }

  private leave(): void {
    this.bases.pop();
    const node = this.path.pop();
    if (this.rootOrders.top() !== this.orderOf(node)) return;
    this.rootOrders.pop();
    this.rootMarks.pop();
    this.rootEntries.pop();
    for (let member = this.live.pop(); ; member = this.live.pop()) {
      this.order.set(member, DEAD);
      if (member === node) break;
    }
  }

  private limit(): 'time-limit' | 'memory-limit' | null {
    const { maxMemory, isMemoryOver, timeLeft } = this.budget;
    if (!timeLeft()) return 'time-limit';
    const bytes = this.bytes();
    const isOver = bytes > maxMemory || (bytes > maxMemory / 2 && isMemoryOver?.() === true);
    return isOver ? 'memory-limit' : null;
  }

  private bytes(): number {
    const { live, rootOrders, rootMarks, rootEntries, path, bases, arcs } = this;
    const stacks = [live, rootOrders, rootMarks, rootEntries, path, bases, arcs];
    return this.graph.bytes() + stacks.reduce((sum, stack) => sum + stack.bytes, 4 * this.order.data.length);
  }

  /** The topmost component has every mark. */
  private witness(initial: readonly number[]): MarkedPath<Edge> {
    const first = this.rootOrders.top();
    // The depth-first search may have come a long way round: look a little further for a shorter one, where there is room.
    const isRoomy = this.bytes() < this.budget.maxMemory / 2;
    return witness(this.graph, initial, {
      inside: (node) => this.orderOf(node) >= first,
      visited: (node) => this.orderOf(node) !== 0,
      full: this.full,
      further: isRoomy ? Math.max(20_000, 2 * this.counter) : 0,
    });
  }
}

function arcsOf<Edge extends MarkedEdge>(graph: MarkedGraph<Edge>, node: number): number[] {
  if (graph.arcs !== undefined) return graph.arcs(node);
  const arcs: number[] = [];
  for (const { target, marks } of graph.successors(node)) arcs.push(target, marks);
  return arcs;
}

interface Found {
  /** In the component, whose edges have all marks. */
  readonly inside: (node: number) => boolean;
  readonly visited: (node: number) => boolean;
  readonly full: number;
  /** How many nodes may be looked at for a way to the component that is shorter than all through visited ones. */
  readonly further: number;
}

function witness<Edge extends MarkedEdge>(
  graph: MarkedGraph<Edge>,
  initial: readonly number[],
  { inside, visited, full, further }: Found,
): MarkedPath<Edge> {
  const nodes: number[] = [];
  const edges: Edge[] = [];
  let here = initial.find(inside) ?? -1;
  const append = (path: readonly Edge[]): void => {
    for (const edge of path) {
      nodes.push(here);
      edges.push(edge);
      here = edge.target;
    }
  };
  if (here === -1) {
    const arrives = (edge: Edge) => inside(edge.target);
    const found =
      shortest(graph, initial, () => true, arrives, further) ?? shortest(graph, initial, visited, arrives)!;
    here = found.start;
    append(found.path);
  }
  // On to the first mark: the loop begins there, so that the way to it is not part of it.
  const { path: approach } = shortest(graph, [here], inside, ({ marks }) => full === 0 || marks !== 0)!;
  append(approach.slice(0, -1));
  const loopStart = edges.length;
  const entry = here;
  append(approach.slice(-1));
  let missing = full & ~approach.at(-1)!.marks;
  while (missing !== 0) {
    const wanted = missing;
    const { path } = shortest(graph, [here], inside, (edge) => (edge.marks & wanted) !== 0)!;
    append(path);
    for (const edge of path) missing &= ~edge.marks;
  }
  if (here !== entry) append(shortest(graph, [here], inside, (edge) => edge.target === entry)!.path);
  return { nodes, edges, loopStart };
}

/**
 * The shortest path (of at least one edge) whose last edge is wanted, through allowed nodes only. The caller knows that there
 * is one; null when it was not found within `limit` nodes.
 */
function shortest<Edge extends MarkedEdge>(
  graph: MarkedGraph<Edge>,
  starts: readonly number[],
  allowed: (node: number) => boolean,
  wanted: (edge: Edge) => boolean,
  limit = Number.POSITIVE_INFINITY,
): { readonly start: number; readonly path: Edge[] } | null {
  const START = -1;
  /** By node: one more than the node before it. */
  const cameFrom = new IntList();
  const queue = new IntStack();
  const meet = (node: number, from: number): void => {
    if ((cameFrom.data[node] ?? 0) !== 0) return;
    cameFrom.set(node, from);
    queue.push(node);
  };
  const back = (node: number, last: Edge) => {
    const path = [last];
    let current = node;
    for (let from = cameFrom.data[current]!; from !== START; from = cameFrom.data[current]!) {
      const target = current;
      path.push(graph.successors(from - 1).find((edge) => edge.target === target)!);
      current = from - 1;
    }
    return { start: current, path: path.reverse() };
  };
  for (const start of starts) meet(start, START);
  for (let next = 0; next < queue.size; next++) {
    if (queue.size > limit) return null;
    const node = queue.at(next);
    for (const edge of graph.successors(node)) {
      if (!allowed(edge.target)) continue;
      if (wanted(edge)) return back(node, edge);
      meet(edge.target, node + 1);
    }
  }
  throw new Error('impossible: the component that the search found has no such path');
}
