// Formulas by a reduced search. Each conjunct has a reduced graph of its own, where the events and propositions that it names are visible; the graph is then searched with the
// automaton of the negated conjunct. A conjunct that can see hidden steps (`ltl/hidden-steps`) gets the whole graph.

import type { Budget, Observer } from '../../base/budget.ts';
import { edgeCount } from '../../ltl/automaton.ts';
import { atomsOf, conjunctsOf } from '../../ltl/conjuncts.ts';
import { FormulaFactory } from '../../ltl/formula.ts';
import { ignoresHiddenSteps } from '../../ltl/hidden-steps.ts';
import type { Syntax } from '../../ltl/syntax.ts';
import { toFormula } from '../../ltl/syntax.ts';
import { translate } from '../../ltl/translate.ts';
import { findAlone } from '../alone/accepting.ts';
import { PackedProduct } from '../alone/packed-product.ts';
import type { LtlLimit } from '../model-check.ts';
import type { NotProved } from '../path.ts';
import type { System } from '../system.ts';
import type { PropositionPlace } from '../vocabulary.ts';
import { propositionPlaces } from '../vocabulary.ts';
import type { Visible } from './reduced-graph.ts';
import { reducedGraph } from './reduced-graph.ts';

export interface ReducedFormulaStats {
  automatonStates: number;
  automatonEdges: number;
  largestProduct: number;
}

type Open = NotProved<LtlLimit>;

export type ReducedFormula = { readonly stats: ReducedFormulaStats } & ({ readonly kind: 'holds' } | Open);

export function reducedFormula(
  system: System,
  syntax: Syntax,
  budget: Budget,
  observer: Observer,
): ReducedFormula {
  const stats: ReducedFormulaStats = { automatonStates: 0, automatonEdges: 0, largestProduct: 0 };
  for (const part of conjunctsOf(syntax)) {
    const result = conjunct(system, part, budget, observer, stats);
    if (result.kind !== 'holds') return { ...result, stats };
  }
  return { kind: 'holds', stats };
}

function conjunct(
  system: System,
  part: Syntax,
  budget: Budget,
  observer: Observer,
  stats: ReducedFormulaStats,
): { readonly kind: 'holds' } | Open {
  const factory = new FormulaFactory();
  const formula = toFormula(factory, part);
  const automaton = translate(factory, factory.not(formula));
  if (automaton === null) return { kind: 'limit', limit: 'formula-too-large' };
  stats.automatonStates += automaton.edges.length;
  stats.automatonEdges += edgeCount(automaton);
  const places = propositionPlaces(system);
  const visible = ignoresHiddenSteps(part) ? visibleTo(system, part, places) : null;
  const graph = reducedGraph(system, visible, budget, (states) =>
    observer.progress(`${states} configurations`),
  );
  if (typeof graph === 'string') return { kind: 'limit', limit: graph };
  const { edges, initial, configuration } = graph;
  stats.largestProduct = Math.max(stats.largestProduct, edges.first.length - 1);
  const product = PackedProduct.of({ edges, initial, eventCount: system.events.length }, automaton, {
    holds: (proposition, state) => {
      const { component, local } = places[proposition]!;
      return system.components[component]!.labels[configuration(state)[component]!]!.includes(local);
    },
    eventIds: Int32Array.from(system.events.keys()),
  });
  if (product === null) return { kind: 'limit', limit: 'memory-limit' };
  const result = findAlone(product, budget, observer);
  if (result.kind !== 'violated') return result;
  const states = result.path.states.map((state) => configuration(state[0]!));
  return { kind: 'violated', path: { ...result.path, states }, factory, formula };
}

function visibleTo(system: System, part: Syntax, places: readonly PropositionPlace[]): Visible {
  const atoms = atomsOf(part);
  const relevant = system.components.map((): number[] => []);
  for (const id of atoms.propositions) relevant[places[id]!.component]!.push(places[id]!.local);
  return {
    event: (event) => atoms.events.has(event),
    change: (component, from, to) => {
      const { labels } = system.components[component]!;
      return relevant[component]!.some(
        (local) => labels[from]!.includes(local) !== labels[to]!.includes(local),
      );
    },
  };
}
