// Formulas by minimising while composing. Each conjunct speaks of a few events and propositions; all else is hidden as soon as everybody who shares it is
// inside. Where the conjunct cannot see hidden steps (`ltl/hidden-steps`) parts are reduced by branching bisimulation with explicit divergence:
// then every infinite path of one side has one of the other with the same visible steps and changes of propositions. Where it can, by
// strong bisimulation. Parts that two conjuncts see alike are made once.

import type { Budget, Observer } from '../../base/budget.ts';
import type { Bisimulation } from '../../graph/bisimulation.ts';
import { findAcceptedPath } from '../../ltl/check.ts';
import { atomsOf, conjunctsOf } from '../../ltl/conjuncts.ts';
import { FormulaFactory } from '../../ltl/formula.ts';
import { ignoresHiddenSteps } from '../../ltl/hidden-steps.ts';
import type { Lasso } from '../../ltl/structure.ts';
import type { Syntax } from '../../ltl/syntax.ts';
import { toFormula } from '../../ltl/syntax.ts';
import { translate } from '../../ltl/translate.ts';
import type { NotProved, Path } from '../path.ts';
import { Product } from '../product.ts';
import { tooManyStarts } from '../search.ts';
import type { System } from '../system.ts';
import { asEventStructure } from '../vocabulary.ts';
import type { PartCache } from './compose.ts';
import { composeParts } from './compose.ts';
import { PART_LIMIT } from './deadlock.ts';
import { followDown } from './follow.ts';
import type { Part } from './part.ts';
import { settingOf } from './part.ts';
import type { CompositionRecord } from './proof.ts';
import { recordOf } from './proof.ts';
import type { ReducedSystem } from './reduced-system.ts';
import { partPath, reducedSystem } from './reduced-system.ts';

export interface MinimisedFormulaStats {
  automatonStates: number;
  automatonEdges: number;
  largestProduct: number;
  /** Conjuncts that were reduced by branching bisimulation, and by strong. */
  branching: number;
  strong: number;
}

export type FormulaLimit = 'time-limit' | 'state-limit' | 'memory-limit' | 'formula-too-large';

type Open = NotProved<FormulaLimit>;

export type MinimisedFormula = { readonly stats: MinimisedFormulaStats } & (
  | { readonly kind: 'holds'; readonly record: CompositionRecord }
  | Open
);

type Conjunct =
  | { readonly kind: 'holds'; readonly equivalence: Bisimulation; readonly parts: readonly Part[] }
  | Open;

export function minimisedFormula(
  system: System,
  syntax: Syntax,
  budget: Budget,
  observer: Observer,
): MinimisedFormula {
  const stats: MinimisedFormulaStats = {
    automatonStates: 0,
    automatonEdges: 0,
    largestProduct: 0,
    branching: 0,
    strong: 0,
  };
  const cache: PartCache = new Map();
  const proofs: { equivalence: Bisimulation; parts: readonly Part[] }[] = [];
  for (const part of conjunctsOf(syntax)) {
    const result = new ConjunctCheck(system, part, budget, observer, stats).run(cache);
    if (result.kind !== 'holds') return { ...result, stats };
    proofs.push(result);
  }
  return { kind: 'holds', record: recordOf(proofs), stats };
}

class ConjunctCheck {
  private readonly system: System;
  private readonly syntax: Syntax;
  private readonly budget: Budget;
  private readonly observer: Observer;
  private readonly stats: MinimisedFormulaStats;

  constructor(
    system: System,
    syntax: Syntax,
    budget: Budget,
    observer: Observer,
    stats: MinimisedFormulaStats,
  ) {
    this.system = system;
    this.syntax = syntax;
    this.budget = budget;
    this.observer = observer;
    this.stats = stats;
  }

  run(cache: PartCache): Conjunct {
    const { system, syntax, budget, observer, stats } = this;
    const equivalence = ignoresHiddenSteps(syntax) ? 'branching' : 'strong';
    stats[equivalence]++;
    const setting = settingOf(system, atomsOf(syntax), equivalence);
    const limit = { ...PART_LIMIT, timeLeft: budget.timeLeft };
    const composition = composeParts(setting, limit, cache, (text) => observer.progress(text));
    if (composition === null) return { kind: 'limit', limit: 'time-limit' };
    const { parts } = composition;
    stats.largestProduct = Math.max(stats.largestProduct, composition.largest);
    const propositions = system.components.reduce((sum, { propositions: own }) => sum + own.length, 0);
    const found = this.search(reducedSystem(system, parts, propositions));
    if (found.kind === 'limit') return found;
    if (found.kind === 'holds') return { kind: 'holds', equivalence, parts };
    const path = followDown(system, parts, found.path);
    if (path === null) return { kind: 'limit', limit: 'state-limit' };
    return { kind: 'violated', path, factory: found.factory, formula: found.formula };
  }

  private search(reduced: ReducedSystem) {
    const { syntax, budget, observer, stats } = this;
    const factory = new FormulaFactory();
    const formula = toFormula(factory, syntax);
    const automaton = translate(factory, factory.not(formula));
    if (automaton === null) return { kind: 'limit', limit: 'formula-too-large' } as const;
    if (tooManyStarts(reduced.system, budget)) return { kind: 'limit', limit: 'state-limit' } as const;
    const product = new Product(reduced.system);
    const numbers = new Map(reduced.origins.map((origin, event) => [origin, event]));
    const structure = asEventStructure(product, reduced.places);
    // The formula speaks of the events by their numbers in the components' system.
    const renumbered = {
      ...structure,
      holds: (state: number, proposition: number) =>
        reduced.places[proposition] !== null && structure.holds(state, proposition),
      eachSuccessor: (state: number, visit: (event: number, target: number) => void) =>
        structure.eachSuccessor(state, (event, target) => {
          const origin = reduced.origins[event]!;
          visit(origin >= 0 ? origin : -1 - event, target);
        }),
    };
    const result = findAcceptedPath(renumbered, automaton, budget, observer);
    stats.automatonStates += result.stats.automatonStates;
    stats.automatonEdges += result.stats.automatonEdges;
    stats.largestProduct = Math.max(stats.largestProduct, product.size);
    if (result.kind !== 'violated') return result;
    const back = (event: number): number => (event < 0 ? -1 - event : numbers.get(event)!);
    const path = partPath(reduced, pathOf(product, result.lasso, back));
    return { kind: 'violated', path, factory, formula } as const;
  }
}

const pathOf = (product: Product, { steps, loopStart }: Lasso, eventOf: (event: number) => number): Path => ({
  states: steps.map(({ state }) => product.configuration(state)),
  events: steps.map(({ event }) => eventOf(event)),
  loopStart,
});
