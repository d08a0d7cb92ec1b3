// Deadlocks of a composition by a reduced search, breadth first: at each configuration only the enabled events of a stubborn set are taken. Every deadlock that can be reached
// is reached by what is left (docs/structures.md), though not always by a shortest run.

import type { Budget } from '../../base/budget.ts';
import { Product } from '../product.ts';
import type { SearchResult } from '../search.ts';
import { breadthFirst } from '../search.ts';
import type { System } from '../system.ts';
import { eachOutcome, enabledEvents } from '../system.ts';
import { StubbornSets } from './stubborn-sets.ts';

const anySet = (): boolean => true;

export function reducedDeadlock(
  system: System,
  budget: Budget,
  report: (states: number) => void = () => {},
): SearchResult {
  const product = new Product(system, reducedSteps(system));
  return breadthFirst(product, budget, (_, steps) => steps === 0, report);
}

function reducedSteps(system: System) {
  const sets = new StubbornSets(system);
  return (configuration: Int32Array, visit: (event: number, target: Int32Array) => void): void => {
    for (const event of sets.choose(configuration, enabledEvents(system, configuration), anySet))
      eachOutcome(system, configuration, event, (target) => visit(event, target));
  };
}
