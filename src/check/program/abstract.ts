// The static half of the portfolio: build the net, solve, and where a suspicion is left, unfold the variables that guard it and
// solve again ([theory] section 5: precision before refinement).

import type { Budget } from '../../base/budget.ts';
import { eachLook } from '../../base/cegar.ts';
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
  const looks = eachLook<Refined<T>, Refined<T> | null>(
    {
      look: async (number) => {
        const rounds = number - 1;
        observer.stage('abstract');
        const recipe: AbstractionRecipe = { ...firstRecipe(options, kind), also: [...also] };
        const abstraction = buildNet(program, { ...recipeOptions(recipe), budget });
        const isBlind = abstraction.unknowns.length > 0;
        // Time ran out while a later net was being built: what the earlier ones showed is all there is.
        if (rounds > 0 && isBlind) return { kind: 'answer', answer: null };
        const analysis = await analyse(abstraction, recipe);
        const round = { abstraction, analysis, rounds };
        return analysis.settled || isBlind
          ? { kind: 'answer', answer: round }
          : { kind: 'counterexample', counterexample: round };
      },
      learn: ({ abstraction, analysis }) => {
        const before = also.size;
        for (const variable of abstraction.guardVariables(analysis.suspicious)) also.add(variable);
        return { kind: also.size === before ? 'nothing' : 'refined' };
      },
    },
    { budget, maxRounds: MAX_ROUNDS },
  );
  for await (const seen of looks) {
    const round =
      seen.kind === 'counterexample' ? seen.counterexample : seen.kind === 'answer' ? seen.answer : null;
    if (round !== null) yield round;
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
