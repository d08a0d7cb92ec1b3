// Deadlock by exhaustive search of the composition: the monolithic mode, and the yardstick of everything else here.
// Breadth first, so that the run it finds is a shortest one.

import type { Budget } from '../base/budget.ts';
import { aloneDeadlock } from '../kripke/alone/deadlock.ts';
import { Product } from '../kripke/product.ts';
import { breadthFirst, type Look, lookAt, type SearchResult } from '../kripke/search.ts';
import type { System } from '../kripke/system.ts';

/** The whole product as far as a look goes. */
export function lookForDeadlock(system: System, look: Look, budget: Budget): SearchResult {
  const product = new Product(system);
  return breadthFirst(product, lookAt(product, budget, look), (_, steps) => steps === 0);
}

/** none: no configuration is stuck. found: the path leads into one that is. */
export function searchDeadlock(
  system: System,
  budget: Budget,
  report: (states: number) => void = () => {},
): SearchResult {
  const [only, ...others] = system.components;
  // One structure is its own product, and searched as it stands.
  return only !== undefined && others.length === 0
    ? aloneDeadlock(only, budget, report)
    : breadthFirst(new Product(system), budget, (_, steps) => steps === 0, report);
}
