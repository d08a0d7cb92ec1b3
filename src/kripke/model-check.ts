// Does a composition satisfy a formula of SE-LTL? By refinement of classes ([MAGIC] section 6, Fig. 4), or on the product of the components as they are. A conjunction whose
// automaton would be too large is checked in pieces.

import type { Budget, Observer } from '../base/budget.ts';
import type { Formula } from '../ltl/formula.ts';
import { FormulaFactory } from '../ltl/formula.ts';
import type { Syntax } from '../ltl/syntax.ts';
import { toFormula } from '../ltl/syntax.ts';
import { translate } from '../ltl/translate.ts';
import { FormulaRefinement } from './formula-refinement.ts';
import type { Path } from './path.ts';
import type { Look } from './search.ts';
import type { System } from './system.ts';

export interface ModelCheckStats {
  automatonStates: number;
  automatonEdges: number;
  iterations: number;
  /** Classes of each component in the last round; all states in the monolithic mode. */
  classes: readonly number[];
  /** The largest number of configurations met in one round. */
  largestProduct: number;
}

export type ModelCheckResult = {
  readonly stats: ModelCheckStats;
} /** `classes`: the partition that was enough, for each component; null when nothing was lumped. */ & (
  | { readonly kind: 'holds'; readonly classes: readonly (readonly number[])[] | null }
  /** A lasso of the composition that violates the formula, checked. */
  | { readonly kind: 'violated'; readonly path: Path }
  | { readonly kind: 'limit'; readonly limit: LtlLimit }
);

export type LtlLimit = 'time-limit' | 'state-limit' | 'memory-limit' | 'formula-too-large';

export interface ModelCheckOptions {
  /** Build the product of the components as they are. */
  readonly monolithic?: boolean;
  /** With `monolithic`: only as far as this look goes. */
  readonly look?: Look;
}

export function modelCheck(
  system: System,
  syntax: Syntax,
  options: ModelCheckOptions,
  budget: Budget,
  observer: Observer,
): ModelCheckResult {
  const factory = new FormulaFactory();
  const formula = toFormula(factory, syntax);
  const parts = conjuncts(factory, formula);
  const stats = { ...NO_STATS };
  const partitions: (readonly (readonly number[])[] | null)[] = [];
  // A conjunction holds when its pieces do; they are made smaller until their automata are small enough.
  let size = parts.length;
  for (let at = 0; at < parts.length; ) {
    const piece = factory.and(parts.slice(at, at + size));
    const result = checkOne(system, factory, piece, options, budget, observer);
    if (result === null && size === 1) return { kind: 'limit', limit: 'formula-too-large', stats };
    if (result === null) {
      size >>= 1;
      continue;
    }
    addStats(stats, result.stats);
    if (result.kind !== 'holds') return { ...result, stats };
    partitions.push(result.classes);
    at += size;
  }
  return { kind: 'holds', classes: commonClasses(partitions), stats };
}

/** What the parts of a conjunction tell apart, the whole tells apart: a finer partition is as good for each. */
function commonClasses(
  partitions: readonly (readonly (readonly number[])[] | null)[],
): readonly (readonly number[])[] | null {
  const [first, ...others] = partitions;
  if (first === undefined || first === null || others.includes(null)) return null;
  return first.map((classOf, component) => {
    const ids = new Map<string, number>();
    return classOf.map((id, state) => {
      const key = [id, ...others.map((other) => other![component]![state]!)].join();
      if (!ids.has(key)) ids.set(key, ids.size);
      return ids.get(key)!;
    });
  });
}

const NO_STATS: Readonly<ModelCheckStats> = {
  automatonStates: 0,
  automatonEdges: 0,
  iterations: 0,
  classes: [],
  largestProduct: 0,
};

/** Where a formula is checked in parts, automata and rounds add up, sizes are the largest. */
function addStats(sum: ModelCheckStats, part: ModelCheckStats): void {
  sum.automatonStates += part.automatonStates;
  sum.automatonEdges += part.automatonEdges;
  sum.iterations += part.iterations;
  sum.classes = part.classes.map((count, index) => Math.max(count, sum.classes[index] ?? 0));
  sum.largestProduct = Math.max(sum.largestProduct, part.largestProduct);
}

/** G (a ∧ b) is G a ∧ G b. */
function conjuncts(factory: FormulaFactory, formula: Formula): readonly Formula[] {
  if (formula.kind === 'and') return formula.operands.flatMap((part) => conjuncts(factory, part));
  const [left, right] = formula.operands;
  if (formula.kind === 'release' && left!.kind === 'false' && right!.kind === 'and')
    return right!.operands.flatMap((part) => conjuncts(factory, factory.always(part)));
  return [formula];
}

/** Null when the automaton would be too large. */
function checkOne(
  system: System,
  factory: FormulaFactory,
  formula: Formula,
  options: ModelCheckOptions,
  budget: Budget,
  observer: Observer,
): ModelCheckResult | null {
  const automaton = translate(factory, factory.not(formula));
  if (automaton === null) return null;
  const run = new FormulaRefinement(system, factory, formula, automaton, budget, observer);
  return options.monolithic ? run.monolithic(options.look) : run.compositional();
}
