// Is there a run that the limit on recursion, or on allocations at one place, cuts off? Tried with a few inputs only: the answer decides how deep the program is unfolded, and nothing
// about its verdict.

import type { Budget } from '../../base/budget.ts';
import type { Expr } from '../program/expr.ts';
import { execute } from '../program/interpreter.ts';
import type { Program } from '../program/program.ts';
import { isHeapCut } from './heap.ts';
import { isRecursionCut } from './recursion.ts';

/** What every input is, one run after the other; then the constants of this size that the program compares with, and their neighbours. */
const TRIED = [0n, 1n, 5n, 10n, 33n];
const LARGEST = 330n;
const MOST_CONSTANTS = 6;
const MOST_STEPS = 200_000;

export function isCutShort(program: Program, { timeLeft }: Pick<Budget, 'timeLeft'>): boolean {
  if (!program.locations.some(({ kind, why }) => kind === 'cut' && isLimit(why))) return false;
  return [...TRIED, ...bounds(program)].some((value) => {
    if (!timeLeft()) return false;
    const provide = () => value;
    const { outcome, why } = execute(program, provide, () => false, MOST_STEPS);
    return outcome === 'cut' && isLimit(why);
  });
}

const isLimit = (why: string): boolean => isRecursionCut(why) || isHeapCut(why);

/** A depth that an input decides is often bounded by an assumption about it. */
function bounds(program: Program): bigint[] {
  const found = new Set<bigint>();
  const collect = (expr: Expr): void => {
    const { op, value, width, args } = expr;
    if (op === 'const' && width >= 8 && value > TRIED.at(-1)! && value <= LARGEST) found.add(value);
    for (const arg of args) if (arg.args.length > 0 || arg.op === 'const') collect(arg);
  };
  for (const { operation } of program.edges) {
    if (found.size >= MOST_CONSTANTS) break;
    if (operation.kind === 'assume' && !operation.test.hasLoad) collect(operation.test);
  }
  return [...found].slice(0, MOST_CONSTANTS).flatMap((value) => [value - 1n, value, value + 1n]);
}
