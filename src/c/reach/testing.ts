// Helpers for the tests of this room.

import type { Budget } from '../../base/budget.ts';
import { SILENT } from '../../base/budget.ts';
import type { Program } from '../program/program.ts';
import { type ReachResult, reach } from './cegar.ts';

const NO_SHORTCUTS = { paths: false, guesses: false, unrolling: false, lazy: false };

/** What the abstraction by single steps finds, where what comes before it as a rule would have settled it. */
export const byAbstraction = (
  program: Program,
  isError: (location: number) => boolean,
  budget: Budget,
): Promise<ReachResult> => reach(program, isError, budget, SILENT, {}, NO_SHORTCUTS);
