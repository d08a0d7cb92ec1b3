// The whole way from a formula to a small automaton: simplify, derive, prune, reduce.

import type { Automaton } from './automaton.ts';
import { TooManyNodes } from './bdd.ts';
import type { DeriveLimits } from './derive.ts';
import { derive } from './derive.ts';
import type { Formula, FormulaFactory } from './formula.ts';
import { prune } from './prune.ts';
import { simplify } from './rewrite.ts';
import { reduceBySimulation } from './simulate.ts';

/** An automaton that accepts exactly the words of which the formula holds; null when it would be too large. */
export function translate(
  factory: FormulaFactory,
  formula: Formula,
  limits?: DeriveLimits,
): Automaton | null {
  const derived = derive(factory, simplify(factory, formula), limits);
  return derived === null ? null : reduce(derived);
}

/** Prunes and merges until nothing changes. */
export function reduce(automaton: Automaton): Automaton {
  let current = prune(automaton);
  try {
    for (let round = 0; round < 4; round++) {
      const before = current.edges.length;
      current = prune(reduceBySimulation(current));
      if (current.edges.length === before) break;
    }
  } catch (error) {
    // The reduction is optional: what there is so far is right, only larger.
    if (!(error instanceof TooManyNodes)) throw error;
  }
  return current;
}
