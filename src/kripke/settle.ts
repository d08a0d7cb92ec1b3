// Does a composition satisfy a formula? The portfolio: a look at the whole product; decision diagrams as long as they stay small; a longer look; minimising while
// composing; larger diagrams; a reduced search; refinement ([MAGIC] Fig. 4); the whole product with what time is left.

import type { Budget, Observer } from '../base/budget.ts';
import type { Formula, FormulaFactory } from '../ltl/formula.ts';
import type { Syntax } from '../ltl/syntax.ts';
import type { Method, StatValue } from '../verdict/verdict.ts';
import type { Classes } from './audit/lump.ts';
import { minimisedFormula } from './minimise/formula.ts';
import type { CompositionRecord } from './minimise/proof.ts';
import type { LtlLimit, ModelCheckOptions } from './model-check.ts';
import { modelCheck } from './model-check.ts';
import type { Path } from './path.ts';
import type { Look } from './search.ts';
import type { Strategy } from './strategies.ts';
import { reducedFormula } from './stubborn/formula.ts';
import { symbolicFormula } from './symbolic/formula.ts';
import { withSmallDiagrams } from './symbolic/limits.ts';
import type { SymbolicRecord } from './symbolic/proof.ts';
import type { System } from './system.ts';
import type { Turns } from './turns.ts';
import { inTurn } from './turns.ts';
import { violatesFormula } from './violation.ts';

/** Those that know more than deadlocks. */
export type FormulaStrategy = Exclude<Strategy, 'linear'>;
export const isFormulaStrategy = (strategy: Strategy): strategy is FormulaStrategy => strategy !== 'linear';

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
  | { readonly kind: 'composition'; readonly record: CompositionRecord }
  | { readonly kind: 'sets'; readonly record: SymbolicRecord }
  /** A reduced search was enough; the second look reduces by itself. */
  | { readonly kind: 'reduced' };

interface Question {
  readonly system: System;
  readonly formula: Syntax;
}

type Engine = (question: Question, budget: Budget, observer: Observer) => FormulaAnswer;

const look = (size: Look) => searching({ monolithic: true, look: size });
const refinement = searching({});
const monolithic = searching({ monolithic: true });

const ENGINES: Turns<FormulaStrategy, Question, FormulaAnswer> = {
  portfolio: [
    [look('first'), 0.3],
    [small, 0.3],
    [look('second'), 0.3],
    [minimised, 0.4],
    [symbolic, 0.4],
    [reduced, 0.4],
    [refinement, 0.4],
    [monolithic, 1],
  ],
  symbolic: [[symbolic, 1]],
  compositional: [
    [minimised, 0.6],
    [refinement, 1],
  ],
  minimised: [[minimised, 1]],
  reduced: [[reduced, 1]],
  refinement: [[refinement, 1]],
  monolithic: [[monolithic, 1]],
};

export const settleFormula = (
  system: System,
  formula: Syntax,
  strategy: FormulaStrategy,
  budget: Budget,
  observer: Observer,
): Promise<FormulaAnswer> =>
  inTurn(ENGINES, strategy, { system, formula }, ({ kind }) => kind !== 'limit', budget, observer);

function searching(options: ModelCheckOptions): Engine {
  const method = options.monolithic ? 'exhaustive' : 'compositional';
  return ({ system, formula }, budget, observer) => {
    const { stats: own, ...result } = modelCheck(system, formula, options, budget, observer);
    const { classes, ...counts } = own;
    const stats = { ...counts, classesPerComponent: classes };
    if (result.kind === 'holds')
      return { kind: 'holds', method, proof: { kind: 'classes', classes: result.classes }, stats };
    return { ...result, method, stats };
  };
}

/** Decision diagrams as long as they stay small: mostly they do, or explode at once. */
function small(question: Question, budget: Budget, observer: Observer): FormulaAnswer {
  return symbolic(question, withSmallDiagrams(budget), observer);
}

function symbolic({ system, formula }: Question, budget: Budget, observer: Observer): FormulaAnswer {
  observer.stage('decision diagrams');
  const { stats, ...result } = symbolicFormula(system, formula, budget);
  const common = { method: 'symbolic', stats: { ...stats } } as const;
  if (result.kind === 'holds')
    return { kind: 'holds', proof: { kind: 'sets', record: result.record }, ...common };
  return result.kind === 'limit' ? { ...result, ...common } : violated(system, result, common);
}

function minimised({ system, formula }: Question, budget: Budget, observer: Observer): FormulaAnswer {
  observer.stage('minimising composition');
  const { stats, ...result } = minimisedFormula(system, formula, budget, observer);
  const common = { method: 'compositional', stats: { ...stats } } as const;
  if (result.kind === 'holds')
    return { kind: 'holds', proof: { kind: 'composition', record: result.record }, ...common };
  return result.kind === 'limit' ? { ...result, ...common } : violated(system, result, common);
}

function reduced({ system, formula }: Question, budget: Budget, observer: Observer): FormulaAnswer {
  observer.stage('reduced search');
  const { stats, ...result } = reducedFormula(system, formula, budget, observer);
  const common = { method: 'exhaustive', stats: { ...stats } } as const;
  if (result.kind === 'holds') return { kind: 'holds', proof: { kind: 'reduced' }, ...common };
  return result.kind === 'limit' ? { ...result, ...common } : violated(system, result, common);
}

/** The last word before `refuted`. */
function violated(
  system: System,
  { path, factory, formula }: { path: Path; factory: FormulaFactory; formula: Formula },
  common: Pick<FormulaAnswer, 'method' | 'stats'>,
): FormulaAnswer {
  if (!violatesFormula(system, path, factory, formula))
    throw new Error('impossible: the counterexample does not survive its replay');
  return { kind: 'violated', path, ...common };
}
