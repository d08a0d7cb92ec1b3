// Does a composition satisfy a formula? The portfolio: a look at the whole product; minimising while composing; refinement ([MAGIC] Fig. 4); the whole product with
// what time is left.

import { type Budget, fractionOf, type Observer } from '../base/budget.ts';
import type { Syntax } from '../ltl/syntax.ts';
import type { Method, StatValue } from '../verdict/verdict.ts';
import type { Classes } from './audit/lump.ts';
import { minimisedFormula } from './minimise/formula.ts';
import type { CompositionRecord } from './minimise/proof.ts';
import type { LtlLimit, ModelCheckOptions } from './model-check.ts';
import { modelCheck, violatesFormula } from './model-check.ts';
import type { Path } from './path.ts';
import type { System } from './system.ts';

export const FORMULA_STRATEGIES = [
  'portfolio',
  'compositional',
  'minimised',
  'refinement',
  'monolithic',
] as const;
export type FormulaStrategy = (typeof FORMULA_STRATEGIES)[number];

export type FormulaAnswer = {
  readonly method: Method;
  readonly stats: Readonly<Record<string, StatValue>>;
} & (
  | { readonly kind: 'holds'; readonly proof: FormulaProof }
  /** A lasso of the composition that violates the formula, checked. */
  | { readonly kind: 'violated'; readonly path: Path }
  | { readonly kind: 'limit'; readonly limit: LtlLimit }
);

export type FormulaProof =
  /** The classes that are enough; null: the composition itself is gone through. */
  | { readonly kind: 'classes'; readonly classes: Classes | null }
  | { readonly kind: 'composition'; readonly record: CompositionRecord };

type Engine = (system: System, formula: Syntax, budget: Budget, observer: Observer) => FormulaAnswer;

const look = searching({ monolithic: true, look: true });
const refinement = searching({});
const monolithic = searching({ monolithic: true });

/** The engines in turn, each with the part of the time that is left. */
const ENGINES: Readonly<Record<FormulaStrategy, readonly (readonly [engine: Engine, part: number])[]>> = {
  portfolio: [
    [look, 0.3],
    [minimised, 0.5],
    [refinement, 0.4],
    [monolithic, 1],
  ],
  compositional: [
    [minimised, 0.6],
    [refinement, 1],
  ],
  minimised: [[minimised, 1]],
  refinement: [[refinement, 1]],
  monolithic: [[monolithic, 1]],
};

export function settleFormula(
  system: System,
  formula: Syntax,
  strategy: FormulaStrategy,
  budget: Budget,
  observer: Observer,
): FormulaAnswer {
  // One component by itself is its own product: nothing is gained by taking it apart.
  const engines =
    ENGINES[strategy === 'portfolio' && system.components.length === 1 ? 'monolithic' : strategy];
  let stats: FormulaAnswer['stats'] = {};
  for (const [index, [engine, part]] of engines.entries()) {
    const answer = engine(system, formula, part === 1 ? budget : fractionOf(budget, part), observer);
    stats = { ...stats, ...answer.stats };
    if (answer.kind !== 'limit' || index === engines.length - 1) return { ...answer, stats };
  }
  throw new Error('impossible: a strategy without engines');
}

function searching(options: ModelCheckOptions): Engine {
  const method = options.monolithic ? 'exhaustive' : 'compositional';
  return (system, formula, budget, observer) => {
    const { stats: own, ...result } = modelCheck(system, formula, options, budget, observer);
    const { classes, ...counts } = own;
    const stats = { ...counts, classesPerComponent: classes };
    if (result.kind === 'holds')
      return { kind: 'holds', method, proof: { kind: 'classes', classes: result.classes }, stats };
    return { ...result, method, stats };
  };
}

function minimised(system: System, formula: Syntax, budget: Budget, observer: Observer): FormulaAnswer {
  observer.stage('minimising composition');
  const { stats: own, ...result } = minimisedFormula(system, formula, budget, observer);
  const common = { method: 'compositional', stats: { ...own } } as const;
  switch (result.kind) {
    case 'holds':
      return { kind: 'holds', proof: { kind: 'composition', record: result.record }, ...common };
    case 'limit':
      return { ...result, ...common };
    case 'violated':
      if (!violatesFormula(system, result.path, result.factory, result.formula))
        throw new Error('impossible: the counterexample does not survive its replay');
      return { kind: 'violated', path: result.path, ...common };
  }
}
