// From generalised acceptance to accepting states: the classical counter, kept small.
//
// A copy of a state knows how many of the marks (in a fixed order) it has seen in this round; with the last one it is an
// accepting copy and the next round begins. The counter means something only inside an accepting component: whoever
// enters one may start anywhere, so an existing copy is reused; components in which every cycle accepts need no counter.
// Several orders of the marks are tried, and the results are reduced by simulation; the smallest wins.

import type { Automaton, AutomatonEdge, BuchiAutomaton } from './automaton.ts';
import { allMarks, edgeCount, reachablePart } from './automaton.ts';
import { acceptingComponents, usefulPart } from './prune.ts';
import { reduceBySimulation } from './simulate.ts';

/** States times marks. */
const LARGE = 60;

export function degeneralise(automaton: Automaton): BuchiAutomaton {
  const direct = withoutCounter(automaton);
  let best = direct === null ? null : reduceStateBased(direct);
  const orders = ordersOf(automaton.marks);
  // Reducing a large automaton takes its time: once is enough.
  const tried = automaton.edges.length * automaton.marks > LARGE ? orders.slice(0, 1) : orders;
  for (const order of tried) {
    const candidate = reduceStateBased(unfold(automaton, order));
    if (best === null || compare(candidate, best) < 0) best = candidate;
  }
  return withAcceptingStates(best!);
}

/**
 * Needs no counter: with one mark at most, when the edges of each state (those inside an accepting component) agree on it.
 * The result has one mark, on all edges of a state or on none.
 */
function withoutCounter(automaton: Automaton): Automaton | null {
  if (automaton.marks > 1) return null;
  const { of, accepting } = acceptingComponents(automaton);
  const full = allMarks(automaton.marks);
  const edges: AutomatonEdge[][] = [];
  for (const [state, list] of automaton.edges.entries()) {
    const inside = list.filter((edge) => accepting.has(of[state]!) && of[edge.target] === of[state]);
    const marked = inside.filter((edge) => edge.marks === full).length;
    if (marked !== 0 && marked !== inside.length) return null;
    edges.push(list.map((edge) => ({ ...edge, marks: marked > 0 ? 1 : 0 })));
  }
  return { ...automaton, marks: 1, edges };
}

/** All orders of up to three marks, the rotations of more. */
function ordersOf(count: number): number[][] {
  const identity = Array.from({ length: count }, (_, mark) => mark);
  if (count > 3) return identity.map((shift) => identity.map((mark) => (mark + shift) % count));
  const permute = (rest: readonly number[]): number[][] =>
    rest.length === 0
      ? [[]]
      : rest.flatMap((mark) =>
          permute(rest.filter((other) => other !== mark)).map((order) => [mark, ...order]),
        );
  return permute(identity);
}

function compare(a: Automaton, b: Automaton): number {
  return a.edges.length - b.edges.length || edgeCount(a) - edgeCount(b);
}

/** One mark only, and it is on all edges of a state or on none. */
function unfold(automaton: Automaton, order: readonly number[]): Automaton {
  const { of, accepting } = acceptingComponents(automaton);
  const last = order.length;
  const full = allMarks(automaton.marks);
  const weak = new Set(accepting);
  for (const [state, edges] of automaton.edges.entries()) {
    if (edges.some((edge) => of[edge.target] === of[state] && edge.marks !== full)) weak.delete(of[state]!);
  }

  const numbers = new Map<string, number>();
  const copies: { readonly state: number; readonly level: number }[] = [];
  const someLevel = new Map<number, number>();
  const copy = (state: number, level: number): number => {
    const key = `${state} ${level}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = copies.push({ state, level }) - 1;
      numbers.set(key, number);
      someLevel.set(state, level);
    }
    return number;
  };
  const entryLevel = (state: number): number => {
    if (weak.has(of[state]!)) return last;
    return accepting.has(of[state]!) ? (someLevel.get(state) ?? 0) : 0;
  };
  const levelAfter = (state: number, level: number, edge: AutomatonEdge): number => {
    if (of[state] !== of[edge.target] || !accepting.has(of[state]!)) return entryLevel(edge.target);
    let next = level === last ? 0 : level;
    while (next < last && ((edge.marks >> order[next]!) & 1) === 1) next++;
    return next;
  };

  const initial = copy(automaton.initial, entryLevel(automaton.initial));
  const edges: AutomatonEdge[][] = [];
  for (let number = 0; number < copies.length; number++) {
    const { state, level } = copies[number]!;
    const marks = level === last && accepting.has(of[state]!) ? 1 : 0;
    edges.push(
      automaton.edges[state]!.map((edge) => ({
        guard: edge.guard,
        target: copy(edge.target, levelAfter(state, level, edge)),
        marks,
      })),
    );
  }
  const stateOf = copies.map(({ state }) => state);
  return enterAtTheBottom({ ...automaton, initial, marks: 1, edges }, stateOf, (copy) => of[stateOf[copy]!]!);
}

/**
 * Whoever enters a component may start on any level, so also in copies that are never left again: then the copies
 * that only lead there are not needed.
 */
function enterAtTheBottom(
  automaton: Automaton,
  stateOf: readonly number[],
  componentOf: (copy: number) => number,
): Automaton {
  const { of } = acceptingComponents(automaton);
  const lowest = new Map<number, number>();
  for (const [copy, state] of stateOf.entries()) {
    const best = lowest.get(state);
    // Components are numbered from the bottom up.
    if (best === undefined || of[copy]! < of[best]!) lowest.set(state, copy);
  }
  const entry = (copy: number) => lowest.get(stateOf[copy]!)!;
  return {
    ...automaton,
    initial: entry(automaton.initial),
    edges: automaton.edges.map((edges, copy) =>
      edges.map((edge) =>
        componentOf(copy) === componentOf(edge.target) ? edge : { ...edge, target: entry(edge.target) },
      ),
    ),
  };
}

function reduceStateBased(automaton: Automaton): Automaton {
  let current = usefulPart(automaton);
  for (let round = 0; round < 4; round++) {
    const before = current.edges.length;
    current = usefulPart(reduceBySimulation(current));
    if (current.edges.length === before) break;
  }
  return reachablePart(current);
}

function withAcceptingStates(automaton: Automaton): BuchiAutomaton {
  const { of, accepting } = acceptingComponents(automaton);
  return {
    atoms: automaton.atoms,
    guards: automaton.guards,
    letters: automaton.letters,
    initial: automaton.initial,
    accepting: automaton.edges.map(
      (edges, state) => accepting.has(of[state]!) && edges.some((edge) => edge.marks === 1),
    ),
    edges: automaton.edges.map((edges) => edges.map(({ guard, target }) => ({ guard, target }))),
  };
}
