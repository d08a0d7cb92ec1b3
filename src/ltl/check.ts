// Does every infinite path of a structure satisfy a formula? [MAGIC] Theorem 3: exactly when the product with the automaton
// of the negated formula has no accepting path. A path that is found is checked against the definition of the logic before it is reported.

import type { Budget, Observer } from '../base/budget.ts';
import type { Automaton } from './automaton.ts';
import { edgeCount } from './automaton.ts';
import type { MarkedPath } from './emptiness.ts';
import { findAcceptingCycle } from './emptiness.ts';
import type { Formula } from './formula.ts';
import { FormulaFactory } from './formula.ts';
import type { ProductEdge } from './product.ts';
import { Product } from './product.ts';
import type { EventStructure, Lasso } from './structure.ts';
import type { Syntax } from './syntax.ts';
import { toFormula } from './syntax.ts';
import { translate } from './translate.ts';
import { violates } from './words.ts';

export interface LtlStats {
  readonly automatonStates: number;
  readonly automatonEdges: number;
  readonly productStates: number;
  readonly productEdges: number;
}

export type LtlOutcome =
  | { readonly kind: 'holds' }
  | { readonly kind: 'violated'; readonly lasso: Lasso }
  | {
      readonly kind: 'limit';
      readonly limit: 'time-limit' | 'state-limit' | 'memory-limit' | 'formula-too-large';
    };

export type LtlResult = LtlOutcome & { readonly stats: LtlStats };

/** A Map holds no more than 2^24 entries. */
const MAX_PRODUCT_STATES = 16_000_000;

export function checkFormula(
  structure: EventStructure,
  syntax: Syntax,
  budget: Budget,
  observer: Observer,
): LtlResult {
  const factory = new FormulaFactory();
  return checkCore(structure, factory, toFormula(factory, syntax), budget, observer);
}

export function checkCore(
  structure: EventStructure,
  factory: FormulaFactory,
  formula: Formula,
  budget: Budget,
  observer: Observer,
): LtlResult {
  const automaton = translate(factory, factory.not(formula));
  if (automaton === null) {
    const stats = { automatonStates: 0, automatonEdges: 0, productStates: 0, productEdges: 0 };
    return { kind: 'limit', limit: 'formula-too-large', stats };
  }
  const result = findAcceptedPath(structure, automaton, budget, observer);
  if (result.kind === 'violated' && !violates(structure, result.lasso, factory, formula))
    throw new Error('impossible: a path that the automaton accepts satisfies the formula it refutes');
  return result;
}

/** An infinite path of the structure that the automaton accepts; for callers that keep the automaton of a negated formula. */
export function findAcceptedPath(
  structure: EventStructure,
  automaton: Automaton,
  budget: Budget,
  observer: Observer,
): LtlResult {
  const product = new Product(structure, automaton);
  const maxStates = Math.min(budget.maxStates, MAX_PRODUCT_STATES);
  const found = findAcceptingCycle(product, { ...budget, maxStates }, observer);
  const stats = {
    automatonStates: automaton.edges.length,
    automatonEdges: edgeCount(automaton),
    productStates: product.size,
    productEdges: product.edgesSeen,
  };
  switch (found.kind) {
    case 'empty':
      return { kind: 'holds', stats };
    case 'cycle':
      return { kind: 'violated', lasso: lassoOf(product, found.path), stats };
    default:
      return { kind: 'limit', limit: found.limit, stats };
  }
}

function lassoOf(product: Product, path: MarkedPath<ProductEdge>): Lasso {
  return {
    steps: path.edges.map((edge, index) => ({
      state: product.stateOf(path.nodes[index]!),
      event: edge.event,
    })),
    loopStart: path.loopStart,
  };
}
