// Work on a program that ends with the time.

import { type Budget, TimeOver, watchOf } from '../base/budget.ts';
import type { Program } from './program/program.ts';

/** Null when the time was over first. */
export function inTime<T>({ pool }: Program, budget: Budget, work: () => T): T | null {
  try {
    return pool.underWatch(watchOf(budget), work);
  } catch (error) {
    if (error instanceof TimeOver) return null;
    throw error;
  }
}
