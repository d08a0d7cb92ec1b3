// Compositional model checking of SE-LTL by counterexample-guided refinement: [MAGIC] section 6, Fig. 4.
//
// Every component is lumped together by the coarsest partition that respects the propositions of the formula. The composed
// quotients over-approximate the composition (Theorems 1 and 5): when they satisfy the formula, so does the system. A lasso that
// violates it is followed in each component alone (Theorem 1(3)); a component that cannot follow is refined by splitting off
// the states that got stuck. When all follow, the lasso is made concrete and checked once more against the definitions.
//
// Departures: all components that object to one lasso are refined in the same round; after a few rounds every class of such a component is split by
// what its states do, so that a component of a thousand states does not take a thousand rounds.

import type { Budget, Observer } from '../base/budget.ts';
import { refineUntilSettled } from '../base/cegar.ts';
import type { Automaton } from '../ltl/automaton.ts';
import { edgeCount } from '../ltl/automaton.ts';
import { findAcceptedPath } from '../ltl/check.ts';
import type { Formula, FormulaFactory } from '../ltl/formula.ts';
import type { Lasso } from '../ltl/structure.ts';
import { findAlone } from './alone/accepting.ts';
import { PackedProduct } from './alone/packed-product.ts';
import { concreteLasso } from './lasso.ts';
import type { LtlLimit, ModelCheckResult, ModelCheckStats } from './model-check.ts';
import type { Path } from './path.ts';
import { project } from './path.ts';
import { Product } from './product.ts';
import type { Partition } from './quotient.ts';
import { coarsest, quotient, splitFurther } from './quotient.ts';
import type { Look } from './search.ts';
import { lookAt, tooManyStarts } from './search.ts';
import { simulate } from './simulate.ts';
import type { System } from './system.ts';
import { compose } from './system.ts';
import { violatesFormula } from './violation.ts';
import type { PropositionPlace } from './vocabulary.ts';
import { asEventStructure, propositionPlaces } from './vocabulary.ts';

type Found =
  | { readonly kind: 'holds' }
  | { readonly kind: 'violated'; readonly path: Path }
  | { readonly kind: 'limit'; readonly limit: LtlLimit };

export class FormulaRefinement {
  private readonly system: System;
  private readonly factory: FormulaFactory;
  private readonly formula: Formula;
  private readonly automaton: Automaton;
  private readonly budget: Budget;
  private readonly observer: Observer;
  private readonly places: readonly PropositionPlace[];
  /** For each component the propositions that the formula names. */
  private readonly relevant: readonly (readonly number[])[];
  private readonly stats: ModelCheckStats;

  constructor(
    system: System,
    factory: FormulaFactory,
    formula: Formula,
    automaton: Automaton,
    budget: Budget,
    observer: Observer,
  ) {
    this.system = system;
    this.factory = factory;
    this.formula = formula;
    this.automaton = automaton;
    this.budget = budget;
    this.observer = observer;
    this.places = propositionPlaces(system);
    const relevant: number[][] = system.components.map(() => []);
    for (const { kind, id } of automaton.atoms) {
      if (kind === 'proposition') relevant[this.places[id]!.component]!.push(this.places[id]!.local);
    }
    this.relevant = relevant;
    this.stats = {
      automatonStates: automaton.edges.length,
      automatonEdges: edgeCount(automaton),
      iterations: 0,
      classes: system.components.map(({ stateNames }) => stateNames.length),
      largestProduct: 0,
    };
  }

  monolithic(look?: Look): ModelCheckResult {
    const { stats } = this;
    const result = this.search(this.system, this.places, look);
    if (result.kind === 'holds') return { kind: 'holds', classes: null, stats };
    if (result.kind === 'limit') return { ...result, stats };
    this.confirm(result.path);
    return { ...result, stats };
  }

  compositional(): ModelCheckResult {
    const { stats, system } = this;
    const partitions = system.components.map((component, index) =>
      coarsest(component, this.relevant[index]!),
    );
    const end = refineUntilSettled<Path, ModelCheckResult>(
      {
        look: () => {
          stats.classes = partitions.map(({ count }) => count);
          const quotients = system.components.map((component, index) =>
            quotient(component, partitions[index]!, this.relevant[index]!),
          );
          const result = this.search(compose(quotients), this.abstractPlaces());
          this.observer.progress(`round ${stats.iterations}: ${stats.largestProduct} configurations`);
          if (result.kind === 'violated') return { kind: 'counterexample', counterexample: result.path };
          if (result.kind === 'limit') return { kind: 'answer', answer: { ...result, stats } };
          const classes = partitions.map(({ classOf }) => [...classOf]);
          return { kind: 'answer', answer: { kind: 'holds', classes, stats } };
        },
        learn: (abstract) => {
          if (this.refine(partitions, abstract)) return { kind: 'refined' };
          const path = concreteLasso(system, partitions, abstract);
          // Each component follows, but writing the repetition down takes too long: let the whole product find a lasso of its own.
          if (path === null) return { kind: 'answer', answer: this.monolithic() };
          this.confirm(path);
          return { kind: 'answer', answer: { kind: 'violated', path, stats } };
        },
      },
      { budget: this.budget },
    );
    return end.kind === 'answer' ? end.answer : { kind: 'limit', limit: 'time-limit', stats };
  }

  /** Where the propositions stand in the quotients, which keep only the relevant ones. */
  private abstractPlaces(): readonly (PropositionPlace | null)[] {
    return this.places.map(({ component, local }) => {
      const index = this.relevant[component]!.indexOf(local);
      return index < 0 ? null : { component, local: index };
    });
  }

  /** Splits classes of every component that cannot follow; false when all can. */
  private refine(partitions: Partition[], path: Path): boolean {
    let refined = false;
    this.system.components.forEach((component, index) => {
      const simulation = simulate(component, partitions[index]!, project(this.system, path, index));
      if (simulation.kind === 'follows') return;
      partitions[index] = splitFurther(
        component,
        partitions[index]!,
        simulation.split,
        this.stats.iterations,
      );
      refined = true;
    });
    return refined;
  }

  private search(system: System, places: readonly (PropositionPlace | null)[], look?: Look): Found {
    if (tooManyStarts(system, this.budget)) return { kind: 'limit', limit: 'state-limit' };
    const alone = look === undefined ? this.searchAlone(system, places) : null;
    if (alone !== null) return alone;
    const product = new Product(system);
    const structure = asEventStructure(product, places);
    // Configurations of many components are large: memory may run out long before the number of states does.
    const fits = (): boolean => product.bytes + 300 * product.size < this.budget.maxMemory;
    const whole = look === undefined ? this.budget : lookAt(product, this.budget, look);
    const budget = { ...whole, timeLeft: () => whole.timeLeft() && fits() };
    const result = findAcceptedPath(structure, this.automaton, budget, this.observer);
    this.stats.iterations++;
    this.stats.largestProduct = Math.max(this.stats.largestProduct, product.size);
    if (result.kind === 'violated') return { kind: 'violated', path: pathOf(product, result.lasso) };
    if (result.kind === 'holds') return { kind: 'holds' };
    return { kind: 'limit', limit: fits() ? result.limit : 'memory-limit' };
  }

  /** One structure is its own product, and searched as it stands; null when there are several, or a table over it would be large. */
  private searchAlone(system: System, places: readonly (PropositionPlace | null)[]): Found | null {
    const [structure, ...others] = system.components;
    if (structure === undefined || others.length > 0) return null;
    const eventIds = system.globalIds[0]!;
    const { edges, initial, events } = structure;
    const graph = { edges, initial, eventCount: events.length };
    const product = PackedProduct.of(graph, this.automaton, {
      holds: (proposition, state) => structure.labels[state]!.includes(places[proposition]!.local),
      eventIds,
    });
    if (product === null) return null;
    const { met, ...result } = findAlone(product, this.budget, this.observer);
    this.stats.iterations++;
    this.stats.largestProduct = Math.max(this.stats.largestProduct, met);
    if (result.kind !== 'violated') return result;
    const taken = result.path.events.map((event) => eventIds[event]!);
    return { kind: 'violated', path: { ...result.path, events: taken } };
  }

  private confirm(path: Path): void {
    if (!violatesFormula(this.system, path, this.factory, this.formula))
      throw new Error('impossible: the counterexample does not survive its replay');
  }
}

function pathOf(product: Product, lasso: Lasso): Path {
  return {
    states: lasso.steps.map(({ state }) => product.configuration(state)),
    events: lasso.steps.map(({ event }) => event),
    loopStart: lasso.loopStart,
  };
}
