// Is there a run that the limit on recursion cuts off? Tried with a few inputs only: the answer decides how deep the program is unfolded, and nothing
// about its verdict.

import type { Budget } from '../../base/budget.ts';
import { execute } from '../program/interpreter.ts';
import type { Program } from '../program/program.ts';
import { isRecursionCut } from './recursion.ts';

/** What every input is, one run after the other. */
const TRIED = [0n, 1n, 5n, 10n, 33n];
const MOST_STEPS = 200_000;

export function isCutShort(program: Program, { timeLeft }: Pick<Budget, 'timeLeft'>): boolean {
  if (!program.locations.some(({ kind, why }) => kind === 'cut' && isRecursionCut(why))) return false;
  return TRIED.some((value) => {
    if (!timeLeft()) return false;
    const provide = () => value;
    const { outcome, why } = execute(program, provide, () => false, MOST_STEPS);
    return outcome === 'cut' && isRecursionCut(why);
  });
}
