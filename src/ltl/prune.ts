// Keeps what matters of an automaton: states that can still accept, marks that lie on accepting cycles, marks that say
// something the others do not. The language stays the same.

import { components } from '../graph/components.ts';
import type { Digraph } from '../graph/digraph.ts';
import { coreachable, digraph } from '../graph/digraph.ts';
import type { Automaton, AutomatonEdge } from './automaton.ts';
import { allMarks, mergeEdges, reachablePart } from './automaton.ts';

export function prune(automaton: Automaton): Automaton {
  const current = usefulPart(automaton);
  const { of, accepting } = acceptingComponents(current);
  const onCycle = (state: number, edge: AutomatonEdge) => of[state] === of[edge.target];
  const accepts = (state: number, edge: AutomatonEdge) => onCycle(state, edge) && accepting.has(of[state]!);
  const all = current.edges.flatMap((list, state) => list.map((edge) => ({ state, edge })));
  const rejecting = all.some(({ state, edge }) => onCycle(state, edge) && !accepts(state, edge));
  const cyclic = all.filter(({ state, edge }) => accepts(state, edge)).map(({ edge }) => edge);
  const kept = necessaryMarks(current.marks, cyclic, rejecting);
  const edges = current.edges.map((list, state) =>
    mergeEdges(
      current.guards,
      list.map((edge) => ({ ...edge, marks: accepts(state, edge) ? renameMarks(edge.marks, kept) : 0 })),
    ),
  );
  return { ...current, marks: kept.length, edges };
}

/** The states from which an accepting cycle can be reached; marks stay as they are. */
export function usefulPart(automaton: Automaton): Automaton {
  const current = reachablePart(automaton);
  const { graph, of, accepting } = acceptingComponents(current);
  const useful = coreachable(
    graph,
    current.edges.flatMap((_, state) => (accepting.has(of[state]!) ? [state] : [])),
  );
  const edges = current.edges.map((list, state) =>
    useful.has(state) ? list.filter((edge) => useful.has(edge.target)) : [],
  );
  return reachablePart({ ...current, edges });
}

/** Components in which some cycle has all the marks. */
export function acceptingComponents(automaton: Automaton): {
  readonly graph: Digraph;
  readonly of: Int32Array;
  readonly accepting: ReadonlySet<number>;
} {
  const arcs = automaton.edges.flatMap((list, from) => list.map((edge) => ({ from, to: edge.target })));
  const graph = digraph(automaton.edges.length, arcs);
  const { of } = components(graph);
  const seen = new Map<number, number>();
  for (const [state, list] of automaton.edges.entries()) {
    for (const edge of list) {
      const component = of[state]!;
      if (of[edge.target] === component) seen.set(component, (seen.get(component) ?? 0) | edge.marks);
    }
  }
  const full = allMarks(automaton.marks);
  const accepting = new Set([...seen].filter(([, marks]) => marks === full).map(([component]) => component));
  return { graph, of, accepting };
}

/**
 * A mark is superfluous when every edge (on an accepting cycle) with some other kept mark has it as well, or all edges have it.
 * While there are rejecting cycles, which have no marks at all, one mark must stay.
 */
function necessaryMarks(count: number, cyclic: readonly AutomatonEdge[], rejecting: boolean): number[] {
  const has = (edge: AutomatonEdge, mark: number) => ((edge.marks >> mark) & 1) === 1;
  let kept = Array.from({ length: count }, (_, mark) => mark);
  for (const mark of [...kept]) {
    const others = kept.filter((other) => other !== mark);
    const needed = rejecting && others.length === 0;
    const implied =
      (!needed && cyclic.every((edge) => has(edge, mark))) ||
      others.some((other) => cyclic.every((edge) => !has(edge, other) || has(edge, mark)));
    if (implied) kept = others;
  }
  return kept;
}

function renameMarks(marks: number, kept: readonly number[]): number {
  return kept.reduce((result, mark, index) => result | (((marks >> mark) & 1) << index), 0);
}
