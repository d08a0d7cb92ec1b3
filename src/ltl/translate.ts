// The whole way from a formula to a small automaton: simplify, derive, prune, reduce.

import type { Automaton } from './automaton.ts';
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

/** For guards that are joined on the way; derivation has its own limit. */
const MAX_NODES = 500_000;

/** Prunes and merges until nothing changes. */
export function reduce(automaton: Automaton): Automaton {
  automaton.guards.allow(MAX_NODES);
  let current = prune(automaton);
  for (let round = 0; round < 4; round++) {
    const before = current.edges.length;
    current = prune(reduceBySimulation(current));
    if (current.edges.length === before) break;
  }
  return current;
}
