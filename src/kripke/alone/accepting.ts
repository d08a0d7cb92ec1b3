// Is there an infinite path of one structure that an automaton accepts? Couvreur's algorithm (FM'99), as in ltl/emptiness.ts, on the packed product: order, path and
// roots are columns of numbers, so that a structure with a million edges takes some forty bytes for each node and no object at all.
//
// The witness is a shortest way to the component that accepts, and inside it from mark to mark and back.

import type { Budget, Observer } from '../../base/budget.ts';
import { IntStack } from '../../base/int-stack.ts';
import type { Path } from '../path.ts';
import type { PackedProduct } from './packed-product.ts';
import { NodeSearch } from './shortest.ts';

export type AloneResult = {
  /** States of the structure that the search has met. */
  readonly met: number;
} & (
  | { readonly kind: 'holds' }
  | { readonly kind: 'violated'; readonly path: Path }
  | { readonly kind: 'limit'; readonly limit: 'time-limit' | 'state-limit' | 'memory-limit' }
);

const DEAD = -1;
const STEPS_BETWEEN_LOOKS = 16_384;

export function findAlone(product: PackedProduct, budget: Budget, observer: Observer): AloneResult {
  const search = new AcceptingSearch(product, budget, observer);
  const found = search.run();
  const met = search.met;
  if (typeof found === 'string') return { kind: 'limit', limit: found, met };
  if (found === null) return { kind: 'holds', met };
  return { kind: 'violated', path: found, met };
}

class AcceptingSearch {
  met = 0;
  private readonly product: PackedProduct;
  private readonly budget: Budget;
  private readonly observer: Observer;
  /** Per node: 0 before it is met, its depth-first number (from 1) while it may be on a cycle, DEAD after. */
  private readonly order: Int32Array;
  private readonly metStates: Uint8Array;
  private readonly live = new IntStack();
  /** The path: nodes, and where each stands among its edges and the moves at the edge. */
  private readonly nodes = new IntStack();
  private readonly edgeAt = new IntStack();
  private readonly moveAt = new IntStack();
  /** Components on the path: number of the first node, marks of the edges inside, marks of the edge that led there. */
  private readonly roots = new IntStack();
  private readonly rootMarks = new IntStack();
  private readonly rootEntry = new IntStack();
  private counter = 0;

  constructor(product: PackedProduct, budget: Budget, observer: Observer) {
    this.product = product;
    this.budget = budget;
    this.observer = observer;
    this.order = new Int32Array(product.limit);
    this.metStates = new Uint8Array(product.edges.first.length - 1);
  }

  /** A lasso, null when there is none, or the limit that was reached. */
  run(): Path | null | 'time-limit' | 'state-limit' | 'memory-limit' {
    const full = 2 ** this.product.marks - 1;
    for (const start of this.product.initial) {
      if (this.order[start] !== 0) continue;
      this.enter(start, 0);
      for (let steps = 0; this.nodes.size > 0; steps++) {
        if (steps % STEPS_BETWEEN_LOOKS === 0) {
          const limit = this.limitReached();
          if (limit !== null) return limit;
        }
        const root = this.step();
        if (root > 0 && this.rootMarks.top() === full) return this.witness(root, full);
      }
    }
    return null;
  }

  /** Follows the next arc of the last node, or leaves it. Where a cycle was closed: the number of its component's first node. */
  private step(): number {
    const { edges, width, firstMove, moveTarget, moveMarks, row, column } = this.product;
    const top = this.nodes.size - 1;
    const node = this.nodes.at(top);
    const state = Math.floor(node / width);
    const here = row[state]! + node - state * width;
    const end = edges.first[state + 1]!;
    let edge = this.edgeAt.at(top);
    let move = this.moveAt.at(top);
    while (edge < end) {
      const key = here + column[edges.event[edge]!]!;
      if (move < 0) move = firstMove[key]!;
      if (move < firstMove[key + 1]!) {
        this.edgeAt.set(top, edge);
        this.moveAt.set(top, move + 1);
        return this.arrive(edges.target[edge]! * width + moveTarget[move]!, moveMarks[move]!);
      }
      move = -1;
      edge++;
    }
    this.leave();
    return 0;
  }

  private arrive(target: number, marks: number): number {
    const seen = this.order[target]!;
    if (seen === 0) this.enter(target, marks);
    return seen > 0 ? this.closeCycle(seen, marks) : 0;
  }

  private enter(node: number, entry: number): void {
    const state = Math.floor(node / this.product.width);
    if (this.metStates[state] === 0) {
      this.metStates[state] = 1;
      this.met++;
    }
    this.order[node] = ++this.counter;
    this.live.push(node);
    this.roots.push(this.counter);
    this.rootMarks.push(0);
    this.rootEntry.push(entry);
    this.nodes.push(node);
    this.edgeAt.push(this.product.edges.first[state]!);
    this.moveAt.push(-1);
  }

  private closeCycle(seen: number, marks: number): number {
    let joined = marks;
    while (this.roots.top() > seen) {
      this.roots.pop();
      joined |= this.rootMarks.pop() | this.rootEntry.pop();
    }
    this.rootMarks.set(this.rootMarks.size - 1, this.rootMarks.top() | joined);
    return this.roots.top();
  }

  private leave(): void {
    const node = this.nodes.pop();
    this.edgeAt.pop();
    this.moveAt.pop();
    if (this.roots.top() !== this.order[node]) return;
    this.roots.pop();
    this.rootMarks.pop();
    this.rootEntry.pop();
    for (let member = this.live.pop(); ; member = this.live.pop()) {
      this.order[member] = DEAD;
      if (member === node) break;
    }
  }

  private limitReached(): 'time-limit' | 'state-limit' | 'memory-limit' | null {
    const { budget } = this;
    if (!budget.timeLeft()) return 'time-limit';
    if (this.counter > budget.maxStates) return 'state-limit';
    const stacks = [
      this.live,
      this.nodes,
      this.edgeAt,
      this.moveAt,
      this.roots,
      this.rootMarks,
      this.rootEntry,
    ];
    const bytes = stacks.reduce((sum, stack) => sum + stack.bytes, 5 * this.order.length);
    if (bytes > budget.maxMemory) return 'memory-limit';
    this.observer.progress(`${this.counter} product states`);
    return null;
  }

  /** The component holds the nodes with numbers from `root` on. */
  private witness(root: number, full: number): Path {
    const { product, order } = this;
    const search = new NodeSearch(product);
    const inside = (node: number): boolean => order[node]! >= root;
    const path = new Witness(product.width);
    const begin = product.initial.find(inside);
    let here = begin ?? path.append(search.run(product.initial, () => true, inside, 0));
    const entry = here;
    path.beginLoop();
    for (let missing = full; missing !== 0; missing &= ~path.loopMarks)
      here = path.append(search.run([here], inside, () => true, missing));
    if (here !== entry || path.isLoopEmpty)
      path.append(search.run([here], inside, (node) => node === entry, 0));
    return path.done();
  }
}

/** A lasso as it grows, each step with the state that it leaves. */
class Witness {
  loopMarks = 0;
  private readonly width: number;
  private readonly states: Int32Array[] = [];
  private readonly events: number[] = [];
  private loopStart = 0;

  constructor(width: number) {
    this.width = width;
  }

  get isLoopEmpty(): boolean {
    return this.events.length === this.loopStart;
  }

  beginLoop(): void {
    this.loopStart = this.events.length;
    this.loopMarks = 0;
  }

  /** The node in which the steps end. */
  append({ steps, end }: ReturnType<NodeSearch['run']>): number {
    for (const { node, event, marks } of steps) {
      this.states.push(Int32Array.of(Math.floor(node / this.width)));
      this.events.push(event);
      this.loopMarks |= marks;
    }
    return end;
  }

  done(): Path {
    return { states: this.states, events: this.events, loopStart: this.loopStart };
  }
}
