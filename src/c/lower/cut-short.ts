// What cuts runs off: the limit on recursion, or on allocations at one place, or that an allocation is of a size that has no case? Tried with a few inputs only: the answer decides
// how deep the program is unfolded and which sizes are told apart, and nothing about its verdict.

import type { Budget } from '../../base/budget.ts';
import { execute } from '../program/execute.ts';
import type { Expr } from '../program/expr.ts';
import type { Provider } from '../program/interpreter.ts';
import type { Program } from '../program/program.ts';
import { isHeapCut } from './heap.ts';
import { placeOf } from './heap-plan.ts';
import { isRecursionCut } from './recursion.ts';

/** What every input is, one run after the other; then the constants of this size that the program compares with, and their neighbours. */
const TRIED = [0n, 1n, 5n, 10n, 33n];
const LARGEST = 330n;
const MOST_CONSTANTS = 6;
const MOST_STEPS = 200_000;
/** Of all runs together. */
const MOST_STEPS_OF_ALL = 1_500_000;

/** Too large for anything that is unfolded: it shows that inputs decide a size without bounds. */
const BEYOND = 1000n;

interface Shortage {
  readonly isTooShallow: boolean;
  /** By place: the numbers of elements that runs ask for. */
  readonly counts: ReadonlyMap<string, ReadonlySet<number>>;
}

export function shortageOf(program: Program, { timeLeft }: Pick<Budget, 'timeLeft'>): Shortage {
  const counts = new Map<string, Set<number>>();
  const cuts = program.locations.filter(({ kind }) => kind === 'cut');
  const hasSizes = cuts.some(({ wanted }) => wanted !== undefined);
  if (!hasSizes && !cuts.some(({ why }) => isLimit(why))) return { isTooShallow: false, counts };
  let isTooShallow = false;
  let steps = 0;
  const values = [...TRIED, ...bounds(program, hasSizes ? 1n : TRIED.at(-1)!)];
  const same = (value: bigint) => ({ value, provide: () => value });
  const all = values.map(same);
  // A size may be a difference.
  const every2nd = [...values, BEYOND].map((value) => ({ value, provide: inTurn(value) }));
  for (const { value, provide } of hasSizes ? [...all, same(BEYOND), ...every2nd] : all) {
    if (!timeLeft() || steps > MOST_STEPS_OF_ALL) break;
    const { outcome, why, machine, edges } = execute(program, provide, () => false, MOST_STEPS);
    steps += edges.length;
    if (outcome !== 'cut') continue;
    const { wanted, span } = program.locations[machine.location]!;
    if (wanted !== undefined) {
      const place = placeOf(span);
      counts.set(place, (counts.get(place) ?? new Set()).add(Number(machine.value(wanted))));
    } else if (value !== BEYOND && isLimit(why)) {
      isTooShallow = true;
      break;
    }
  }
  return { isTooShallow, counts };
}

/** The inputs are this number and 0 in turn. */
function inTurn(value: bigint): Provider {
  let given = 0;
  return (_, operation) => (operation?.kind === 'input' && given++ % 2 === 0 ? value : 0n);
}

const isLimit = (why: string): boolean => isRecursionCut(why) || isHeapCut(why);

/** A depth that an input decides is often bounded by an assumption about it. */
function bounds(program: Program, above: bigint): bigint[] {
  const found = new Set<bigint>();
  const collect = (expr: Expr): void => {
    const { op, value, width, args } = expr;
    if (op === 'const' && width >= 8 && value > above && value <= LARGEST) found.add(value);
    for (const arg of args) if (arg.args.length > 0 || arg.op === 'const') collect(arg);
  };
  for (const { operation } of program.edges) {
    if (found.size >= MOST_CONSTANTS) break;
    if (operation.kind === 'assume' && !operation.test.hasLoad) collect(operation.test);
  }
  return [...found].slice(0, MOST_CONSTANTS).flatMap((value) => [value - 1n, value, value + 1n]);
}
