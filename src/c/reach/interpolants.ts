// What holds between the parts of a way that cannot be taken, by z3's solver for Horn clauses: along one way these are a chain, without a loop, and a
// solution of the chain is a sequence of interpolants (McMillan, "Lazy Abstraction with Interpolants", CAV 2006; for the chain Gupta, Popeea and Rybalchenko,
// APLAS 2011). What they say is a guess at predicates, nothing rests on it.

import type { Budget } from '../../base/budget.ts';
import type { CellSet } from '../program/cell-set.ts';
import type { Expr } from '../program/expr.ts';
import { hornInvariants, type Numbers } from './horn.ts';
import { type Passage, type Regions, START } from './regions.ts';

/** For one way. */
const MOST_MILLISECONDS = 1000;

/** For each head on the way (`way[i].to`) what holds there, the target at the end left out; null when the solver says nothing. */
export async function interpolantsOf(
  { program }: Regions,
  live: readonly CellSet[],
  way: readonly Passage[],
  numbers: Numbers,
  budget: Budget,
): Promise<readonly (readonly Expr[])[] | null> {
  const heads = way.slice(0, -1).map(({ to }) => to);
  // Each arrival is a place of its own.
  const chain: Regions = {
    program,
    heads: heads.map((_, i) => i),
    passages: way.map((passage, i) => ({ ...passage, from: i === 0 ? START : i - 1, to: i })),
  };
  const liveAlong = heads.map((head) => live[head]!);
  const limit = Math.min(MOST_MILLISECONDS, budget.remaining() * 0.5);
  const found = await hornInvariants(chain, liveAlong, numbers, limit, budget);
  return found && heads.map((_, i) => found.get(i)!);
}
