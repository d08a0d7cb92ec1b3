// The static half of the portfolio: build the net, solve, and where a suspicion is left, unfold the variables that guard it and
// solve again ([theory] section 5: precision before refinement).

import { type Budget, shareOf } from '../../base/budget.ts';
import { type Abstraction, buildNet, type NetOptions } from '../../net/build.ts';
import type { VariableId } from '../../process/program.ts';
import type { ReasonCode } from '../../verdict/reasons.ts';
import type { PromelaContext } from './context.ts';

/** Rounds of unfolding before the search takes over. */
const MAX_ROUNDS = 6;

/** What an analysis of one net says: settled, or which transitions keep it from being settled. */
export interface Attempt {
  readonly settled: boolean;
  readonly suspicious: Iterable<number>;
}

export interface Refined<T> {
  readonly abstraction: Abstraction;
  readonly analysis: T;
  readonly rounds: number;
}

/** What it takes to build the same net again: stored in certificates, read by audit. */
export interface AbstractionRecipe {
  readonly also: readonly number[];
  readonly progress: readonly string[];
  /** `any`: nothing is assumed of the declared capacities. */
  readonly capacities: 'unlimited' | 'any';
  /** `kept`: what the order of messages rules out is left out. The papers' method knows no order. */
  readonly order: 'kept' | 'ignored';
  readonly [key: string]: readonly number[] | readonly string[] | string;
}

export const recipeOptions = (recipe: AbstractionRecipe): NetOptions => ({
  also: recipe.also as readonly VariableId[],
  progress: recipe.progress,
  capacities: recipe.capacities,
  order: recipe.order === 'kept',
});

export async function analyseWithUnfolding<T extends Attempt>(
  { program, request }: PromelaContext,
  analyse: (abstraction: Abstraction, recipe: AbstractionRecipe, budget: Budget) => Promise<T>,
  capacities: 'unlimited' | 'any' = 'unlimited',
): Promise<Refined<T>> {
  const also = new Set<VariableId>();
  const progress = request.options.progress ?? [];
  const order = request.options.method === 'cycles' ? 'ignored' : 'kept';
  // Nets that take too long to build, cycles that take too long to enumerate: they must leave time for the search, which may settle it at once.
  const budget = request.options.confirm === false ? request.budget : shareOf(request.budget, 2);
  for (let round = 0; ; round++) {
    request.observer.stage('abstract');
    const recipe: AbstractionRecipe = { also: [...also], progress, capacities, order };
    const abstraction = buildNet(program, { ...recipeOptions(recipe), budget });
    const analysis = await analyse(abstraction, recipe, budget);
    const done: Refined<T> = { abstraction, analysis, rounds: round };
    if (analysis.settled || abstraction.unknowns.length > 0 || round >= MAX_ROUNDS || !budget.timeLeft())
      return done;
    const before = also.size;
    for (const variable of abstraction.guardVariables(analysis.suspicious)) also.add(variable);
    if (also.size === before) return done;
  }
}

/** Why nothing may be concluded from the net, if so. */
export function blindSpot(
  { request }: PromelaContext,
  abstraction: Abstraction,
): { readonly reason: string; readonly reasonCode: ReasonCode } | null {
  const [first] = abstraction.unknowns;
  if (first === undefined) return null;
  if (first.reasonCode === 'too-large' && !request.budget.timeLeft()) {
    return { reason: 'the time was over while the abstraction was being built', reasonCode: 'time-limit' };
  }
  return { reason: first.reason, reasonCode: first.reasonCode };
}
