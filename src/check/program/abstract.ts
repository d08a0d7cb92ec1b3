// The static half of the portfolio: build the net, solve, and where a suspicion is left, unfold the variables that guard it and
// solve again ([theory] section 5: precision before refinement).

import type { Budget } from '../../base/budget.ts';
import type { CheckOptions } from '../../engine/options.ts';
import { type Abstraction, buildNet, type NetOptions } from '../../net/build.ts';
import type { VariableId } from '../../process/program.ts';
import type { ReasonCode } from '../../verdict/reasons.ts';
import type { ProgramContext } from './context.ts';

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
  /** `wide`: variables with as many values as a byte has are unfolded too. */
  readonly limits: 'usual' | 'wide';
  /** `asked`: shared variables that refinement asks for are tokens, too. */
  readonly shared: 'tested' | 'asked';
  readonly [key: string]: readonly number[] | readonly string[] | string;
}

export const recipeOptions = (recipe: AbstractionRecipe): NetOptions => ({
  also: recipe.also as readonly VariableId[],
  progress: recipe.progress,
  capacities: recipe.capacities,
  order: recipe.order === 'kept',
  shared: recipe.shared,
  ...(recipe.limits === 'wide' ? { limits: WIDE } : {}),
});

/** Before anything is unfolded. */
export const firstRecipe = (
  { progress = [], method }: CheckOptions,
  {
    capacities = 'unlimited',
    limits = 'usual',
    shared = 'tested',
  }: Partial<Pick<AbstractionRecipe, 'capacities' | 'limits' | 'shared'>> = {},
): AbstractionRecipe => ({
  also: [],
  progress,
  capacities,
  order: method === 'cycles' ? 'ignored' : 'kept',
  limits,
  shared,
});

/** For counters in bytes: worth their size only where nothing else settles it. */
const WIDE: NonNullable<NetOptions['limits']> = {
  valuesPerUnfolded: 256,
  valuesPerLocal: 256,
  growth: 300,
  locationsPerClass: 20_000,
  workPerClass: 200_000,
};

/** One round after the other, each with more variables unfolded; what a round proves is the caller's as soon as it ends. */
export async function* analyseWithUnfolding<T extends Attempt>(
  { program, options, budget, observer }: ProgramContext,
  analyse: (abstraction: Abstraction, recipe: AbstractionRecipe) => Promise<T>,
  kind: Parameters<typeof firstRecipe>[1] = {},
): AsyncGenerator<Refined<T>> {
  const also = new Set<VariableId>();
  for (let round = 0; ; round++) {
    observer.stage('abstract');
    const recipe: AbstractionRecipe = { ...firstRecipe(options, kind), also: [...also] };
    const abstraction = buildNet(program, { ...recipeOptions(recipe), budget });
    // Time ran out while a later net was being built: what the earlier ones showed is all there is.
    if (round > 0 && abstraction.unknowns.length > 0) return;
    const analysis = await analyse(abstraction, recipe);
    yield { abstraction, analysis, rounds: round };
    if (analysis.settled || abstraction.unknowns.length > 0 || round >= MAX_ROUNDS || !budget.timeLeft())
      return;
    const before = also.size;
    for (const variable of abstraction.guardVariables(analysis.suspicious)) also.add(variable);
    if (also.size === before) return;
  }
}

/** Why nothing may be concluded from the net, if so. */
export function blindSpot(
  budget: Budget,
  abstraction: Abstraction,
): { readonly reason: string; readonly reasonCode: ReasonCode } | null {
  const [first] = abstraction.unknowns;
  if (first === undefined) return null;
  if (first.reasonCode === 'too-large' && !budget.timeLeft()) {
    return { reason: 'the time was over while the abstraction was being built', reasonCode: 'time-limit' };
  }
  return { reason: first.reason, reasonCode: first.reasonCode };
}
