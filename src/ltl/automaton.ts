// Büchi automata whose edges carry guards over the atoms of a formula.

import type { Bdd } from './bdd.ts';
import type { Atom } from './structure.ts';

/** What letters look like: guards are decision diagrams whose variables are indices into `atoms`. */
export interface Alphabet {
  readonly atoms: readonly Atom[];
  readonly guards: Bdd;
  /** The letters that exist: at most one event at a time. Every guard lies within it. */
  readonly letters: number;
}

/** Transition-based generalised Büchi: a run is accepting when it takes edges with each of the marks infinitely often. */
export interface Automaton extends Alphabet {
  readonly initial: number;
  /** Marks are numbered 0..marks−1; an edge has a set of them, as bits. */
  readonly marks: number;
  /** Out-going edges per state. */
  readonly edges: readonly (readonly AutomatonEdge[])[];
}

export interface AutomatonEdge {
  readonly guard: number;
  readonly target: number;
  readonly marks: number;
}

/** The classical kind, with accepting states: what never claims and most tools have. */
export interface BuchiAutomaton extends Alphabet {
  readonly initial: number;
  readonly accepting: readonly boolean[];
  readonly edges: readonly (readonly BuchiEdge[])[];
}

export interface BuchiEdge {
  readonly guard: number;
  readonly target: number;
}

/** Marks are bits of a 32-bit integer. */
export const MAX_MARKS = 30;

export const allMarks = (count: number): number => 2 ** count - 1;

export function edgeCount(automaton: { readonly edges: readonly (readonly unknown[])[] }): number {
  return automaton.edges.reduce((sum, edges) => sum + edges.length, 0);
}

/** Edges with equal target and marks become one, their guards joined; edges that no letter takes vanish. */
export function mergeEdges(guards: Bdd, edges: Iterable<AutomatonEdge>): AutomatonEdge[] {
  const merged = new Map<string, AutomatonEdge>();
  for (const edge of edges) {
    if (edge.guard === 0) continue;
    const key = `${edge.target} ${edge.marks}`;
    const other = merged.get(key);
    merged.set(key, other === undefined ? edge : { ...other, guard: guards.or(other.guard, edge.guard) });
  }
  return [...merged.values()];
}

/** The same automaton, states renumbered in the order a breadth-first walk from the initial state meets them; others dropped. */
export function reachablePart(automaton: Automaton): Automaton {
  const number = new Map([[automaton.initial, 0]]);
  const order = [automaton.initial];
  for (const state of order) {
    for (const { target } of automaton.edges[state]!) {
      if (!number.has(target)) number.set(target, order.push(target) - 1);
    }
  }
  return {
    ...automaton,
    initial: 0,
    edges: order.map((state) =>
      automaton.edges[state]!.map((edge) => ({ ...edge, target: number.get(edge.target)! })).sort(
        (a, b) => a.target - b.target || a.marks - b.marks,
      ),
    ),
  };
}
