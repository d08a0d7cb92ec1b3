// Cycles in the explored state graph: non-progress cycles and acceptance cycles, by strongly connected components.
//
// SPIN searches for them with a nested depth-first search over a product; with the graph at hand one pass of Tarjan's algorithm decides
// the same questions: a cycle through only allowed states exists exactly in a component of the graph restricted to them. On a
// graph cut off by a limit every cycle found is real, and none found means nothing.

import { IntStack } from '../base/int-stack.ts';
import type { StateSpace } from './search.ts';

export interface CycleQuestion {
  /** The states a cycle may pass through. */
  readonly allowed: (state: number) => boolean;
  /** At least one of these must lie on it; all states when left out. */
  readonly wanted?: (state: number) => boolean;
  /** The edges (by index into the space's edges) a cycle may take; all when left out. */
  readonly allowedEdge?: (edge: number) => boolean;
}

/** States; the last of the loop leads back to its first, which is the last of the stem's successors. */
export interface Lasso {
  /** From the initial state to the first state of the loop, that one excluded. */
  readonly stem: readonly number[];
  readonly loop: readonly number[];
}

export function findCycle(space: StateSpace, question: CycleQuestion): Lasso | null {
  const component = components(space, question);
  const root = chooseRoot(space, question, component);
  if (root === null) return null;
  const stem: number[] = [];
  for (let at = space.parentOf(root); at >= 0; at = space.parentOf(at)) stem.push(at);
  return { stem: stem.reverse(), loop: shortestLoop(space, question, component, root) };
}

/** By state: the number of its component, all states and edges counted. */
export const stateComponents = (space: StateSpace): Int32Array => components(space, { allowed: () => true });

/** By state: the number of its component, −1 outside the allowed states. Iterative Tarjan on the rows of the graph. */
function components(space: StateSpace, question: CycleQuestion): Int32Array {
  const count = space.store.count;
  const { edges, rowStart, rowEnd } = space;
  const component = new Int32Array(count).fill(-1);
  const order = new Int32Array(count);
  const low = new Int32Array(count);
  const cursor = new Int32Array(count);
  const open = new IntStack();
  const path = new IntStack();
  let time = 0;
  let found = 0;
  const enter = (state: number): void => {
    order[state] = low[state] = ++time;
    cursor[state] = state < rowStart.length ? rowStart.data[state]! : 0;
    open.push(state);
    path.push(state);
  };
  for (let start = 0; start < count; start++) {
    if (order[start] !== 0 || !question.allowed(start)) continue;
    enter(start);
    while (path.size > 0) {
      const state = path.top();
      const end = state < rowEnd.length ? rowEnd.data[state]! : 0;
      if (cursor[state]! < end) {
        const edge = cursor[state]!++;
        const target = edges.data[edge]!;
        if (!question.allowed(target) || question.allowedEdge?.(edge) === false) continue;
        if (order[target] === 0) enter(target);
        else if (component[target] === -1) low[state] = Math.min(low[state]!, order[target]!);
        continue;
      }
      path.pop();
      if (path.size > 0) {
        const above = path.top();
        low[above] = Math.min(low[above]!, low[state]!);
      }
      if (low[state] !== order[state]) continue;
      for (let member = -1; member !== state; ) {
        member = open.pop();
        component[member] = found;
      }
      found++;
    }
  }
  return component;
}

/** The first wanted state that lies on a cycle. */
function chooseRoot(space: StateSpace, question: CycleQuestion, component: Int32Array): number | null {
  const cyclic = new Uint8Array(component.length);
  for (let state = 0; state < component.length; state++) {
    if (component[state] === -1) continue;
    forEachTarget(space, question, state, (target) => {
      if (component[target] === component[state]) cyclic[component[state]!] = 1;
    });
  }
  for (let state = 0; state < component.length; state++)
    if (cyclic[component[state]!] === 1 && (question.wanted?.(state) ?? true)) return state;
  return null;
}

function forEachTarget(
  space: StateSpace,
  question: CycleQuestion,
  state: number,
  visit: (target: number) => void,
): void {
  const { edges, rowStart, rowEnd } = space;
  const end = state < rowEnd.length ? rowEnd.data[state]! : 0;
  for (let edge = state < rowStart.length ? rowStart.data[state]! : 0; edge < end; edge++)
    if (question.allowedEdge?.(edge) !== false) visit(edges.data[edge]!);
}

/** Breadth first inside the component, from the root back to the root. */
function shortestLoop(
  space: StateSpace,
  question: CycleQuestion,
  component: Int32Array,
  root: number,
): number[] {
  /** By state: one more than the state before it. */
  const from = new Int32Array(component.length);
  const queue = new IntStack();
  queue.push(root);
  for (let head = 0; head < queue.size; head++) {
    const state = queue.at(head);
    let closed = false;
    forEachTarget(space, question, state, (target) => {
      if (target === root) closed = true;
      else if (component[target] === component[root] && from[target] === 0) {
        from[target] = state + 1;
        queue.push(target);
      }
    });
    if (closed) {
      const loop = [state];
      while (loop[loop.length - 1] !== root) loop.push(from[loop[loop.length - 1]!]! - 1);
      return loop.reverse();
    }
  }
  throw new Error('impossible: a component without a cycle through its own state');
}
