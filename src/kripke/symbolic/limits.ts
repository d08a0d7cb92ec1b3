// Decision diagrams grow in the middle of recursive functions: a limit that is met there ends them all at once.

import type { Budget } from '../../base/budget.ts';
import { OutOfLimits } from './diagram.ts';

export function withinLimits<T>(work: () => T, otherwise: (limit: 'time' | 'memory') => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof OutOfLimits) return otherwise(error.limit);
    throw error;
  }
}

const SMALL_BYTES = 64 * 2 ** 20;

/** Memory for some hundred thousand nodes. */
export const withSmallDiagrams = (budget: Budget): Budget => ({
  ...budget,
  maxMemory: Math.min(budget.maxMemory, SMALL_BYTES),
});
