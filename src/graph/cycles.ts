// Elementary cycles of a directed multigraph: Johnson's algorithm (1975), O((n + e)(c + 1)), with an explicit stack.
// A cycle visits no node twice; cycles that differ in one of several parallel arcs are different cycles.
// There may be exponentially many, so the enumeration has a limit and says when it stopped early.

import { components } from './components.ts';
import type { Digraph } from './digraph.ts';

export interface CycleLimit {
  readonly maxCycles: number;
  /** Asked every few thousand steps; false stops the enumeration. */
  readonly goOn?: () => boolean;
}

export interface Cycles {
  /** Each cycle as arc indices in order of travel. */
  readonly cycles: readonly (readonly number[])[];
  /** False when a limit stopped the enumeration: more cycles may exist. */
  readonly complete: boolean;
}

const STEPS_BETWEEN_QUESTIONS = 4096;

export function elementaryCycles(graph: Digraph, limit: CycleLimit): Cycles {
  const found: number[][] = [];
  let steps = 0;
  const mayGoOn = (): boolean => {
    if (found.length >= limit.maxCycles) return false;
    steps++;
    return steps % STEPS_BETWEEN_QUESTIONS !== 0 || (limit.goOn?.() ?? true);
  };
  // Cycles whose smallest node is `root`, for each root in turn: only nodes ≥ root in root's component take part.
  for (let root = 0; root < graph.nodeCount; root++) {
    const allowed = (arc: number): boolean => graph.arcs[arc]!.from >= root && graph.arcs[arc]!.to >= root;
    if (!graph.out[root]!.some(allowed)) continue;
    const { of } = components(graph, allowed);
    const inside = (arc: number): boolean => allowed(arc) && of[graph.arcs[arc]!.to] === of[root];
    if (!cyclesThrough(graph, root, inside, found, mayGoOn)) return { cycles: found, complete: false };
  }
  return { cycles: found, complete: true };
}

/** Adds the cycles through root to `found`; false when stopped by a limit that hid at least possibly one more cycle. */
function cyclesThrough(
  graph: Digraph,
  root: number,
  inside: (arc: number) => boolean,
  found: number[][],
  mayGoOn: () => boolean,
): boolean {
  const blocked = new Set<number>([root]);
  const waiting = new Map<number, Set<number>>();
  const unblock = (first: number): void => {
    const work = [first];
    for (let node = work.pop(); node !== undefined; node = work.pop()) {
      blocked.delete(node);
      const others = waiting.get(node);
      waiting.delete(node);
      for (const other of others ?? []) if (blocked.has(other)) work.push(other);
    }
  };
  const path: number[] = [];
  const frames = [{ node: root, next: 0, closed: false }];
  while (frames.length > 0) {
    const frame = frames[frames.length - 1]!;
    const arc = graph.out[frame.node]![frame.next++];
    if (arc !== undefined) {
      if (!inside(arc)) continue;
      const { to } = graph.arcs[arc]!;
      if (to !== root && blocked.has(to)) continue;
      if (!mayGoOn()) return false;
      if (to === root) {
        found.push([...path, arc]);
        frame.closed = true;
      } else {
        path.push(arc);
        blocked.add(to);
        frames.push({ node: to, next: 0, closed: false });
      }
      continue;
    }
    frames.pop();
    path.pop();
    if (frame.closed) {
      unblock(frame.node);
      const parent = frames[frames.length - 1];
      if (parent !== undefined) parent.closed = true;
    } else {
      for (const out of graph.out[frame.node]!) {
        if (!inside(out)) continue;
        const { to } = graph.arcs[out]!;
        waiting.set(to, (waiting.get(to) ?? new Set()).add(frame.node));
      }
    }
  }
  return true;
}
