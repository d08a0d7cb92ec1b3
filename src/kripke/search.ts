// Breadth-first search of a composition, with the shortest path to what was looked for.

import type { Budget } from '../base/budget.ts';
import type { Path } from './path.ts';
import type { Product } from './product.ts';
import type { System } from './system.ts';
import { initialCount } from './system.ts';

export type Limit = 'time' | 'states' | 'memory';

export type SearchResult =
  | { readonly kind: 'none'; readonly states: number; readonly edges: number }
  | { readonly kind: 'found'; readonly path: Path; readonly states: number; readonly edges: number }
  | { readonly kind: 'limit'; readonly limit: Limit; readonly states: number; readonly edges: number };

/** A configuration of thousands of components takes long by itself: the clock is looked at after so many numbers. */
const NUMBERS_BETWEEN_LOOKS = 500_000;

/** `isGoal` is asked once for each configuration, with the number of its steps. */
export function breadthFirst(
  product: Product,
  budget: Budget,
  isGoal: (state: number, steps: number) => boolean,
  report: (states: number) => void = () => {},
): SearchResult {
  const parents: number[] = [];
  const events: number[] = [];
  const remember = (state: number, parent: number, event: number): void => {
    if (state < parents.length) return;
    parents.push(parent);
    events.push(event);
  };
  let edges = 0;
  let looked = 0;
  const limited = (limit: Limit): SearchResult => ({ kind: 'limit', limit, states: product.size, edges });
  if (tooManyStarts(product.system, budget)) return limited('states');
  for (const state of product.initialStates()) remember(state, -1, -1);
  for (let state = 0; state < product.size; state++) {
    const before = edges;
    product.eachSuccessor(state, (event, target) => {
      edges++;
      remember(target, state, event);
    });
    if (isGoal(state, edges - before)) {
      const path = pathTo(product, state, parents, events);
      return { kind: 'found', path, states: product.size, edges };
    }
    if (product.size > budget.maxStates) return limited('states');
    if ((state & 255) === 0 || product.written > looked + NUMBERS_BETWEEN_LOOKS) {
      looked = product.written;
      report(product.size);
      if (!budget.timeLeft()) return limited('time');
      // Parents and events of each state are two numbers in arrays beside the table.
      if (product.bytes + 16 * product.size > budget.maxMemory) return limited('memory');
    }
  }
  return { kind: 'none', states: product.size, edges };
}

/** Looks at the whole product: so many configurations, and so many numbers written for them. */
const LOOKS = {
  /** All there is to see of small systems, with the shortest runs. */
  first: { states: 5_000, numbers: 1_000_000 },
  /** For middling ones that decision diagrams do not settle at once. */
  second: { states: 100_000, numbers: 40_000_000 },
} as const;
export type Look = keyof typeof LOOKS;

/** The budget of a look; it ends as soon as the product turns out to be large. */
export const lookAt = (product: Product, budget: Budget, look: Look): Budget => ({
  ...budget,
  maxStates: Math.min(budget.maxStates, LOOKS[look].states),
  timeLeft: () => budget.timeLeft() && product.written < LOOKS[look].numbers,
});

const MAX_STARTS = 1_000_000;

/** Components with several initial states multiply: such a system cannot even be begun. */
export const tooManyStarts = (system: System, budget: Budget): boolean =>
  initialCount(system) > Math.min(MAX_STARTS, budget.maxStates);

function pathTo(
  product: Product,
  state: number,
  parents: readonly number[],
  events: readonly number[],
): Path {
  const states: Int32Array[] = [];
  const labels: number[] = [];
  for (let at = state; at >= 0; at = parents[at]!) {
    states.push(product.configuration(at));
    if (parents[at]! >= 0) labels.push(events[at]!);
  }
  return { states: states.reverse(), events: labels.reverse(), loopStart: null };
}
