// The best integer point of a small problem, by branch and bound on the exact simplex: where loading a solver would take longer.

import { objectiveAt, solveExactly } from './exact-simplex.ts';
import type { Column, Problem } from './problem.ts';

/** Linear programs that may be solved on the way. */
const MOST_NODES = 60;

/** Null when there is none, or it was not found within the limits. The point is optimal when it is given. */
export function integerPointExactly(
  problem: Problem,
  timeLeft: () => boolean,
): { readonly values: bigint[]; readonly objective: bigint } | null {
  const better = (a: bigint, b: bigint): boolean => (problem.objective.sense === 'maximise' ? a > b : a < b);
  let best: { readonly values: bigint[]; readonly objective: bigint } | null = null;
  const open: Problem[] = [problem];
  for (let nodes = 0; open.length > 0; nodes++) {
    if (nodes >= MOST_NODES || !timeLeft()) return null;
    const node = open.pop()!;
    const outcome = solveExactly(node, { timeLeft });
    if (outcome.kind === 'infeasible') continue;
    if (outcome.kind !== 'optimal') return null;
    const { values, denominator } = outcome.primal;
    const { num, den } = outcome.objective;
    const bound = problem.objective.sense === 'maximise' ? floorOf(num, den) : -floorOf(-num, den);
    if (best !== null && !better(bound, best.objective)) continue;
    const broken = values.findIndex((value) => value % denominator !== 0n);
    if (broken < 0) {
      const whole = values.map((value) => value / denominator);
      const { num: objective } = objectiveAt(problem, { values: whole, denominator: 1n });
      best = { values: whole, objective };
      continue;
    }
    const below = Number(floorOf(values[broken]!, denominator));
    open.push(
      withBounds(node, broken, (column) => ({ ...column, upper: below })),
      withBounds(node, broken, (column) => ({ ...column, lower: below + 1 })),
    );
  }
  return best;
}

function withBounds(problem: Problem, index: number, change: (column: Column) => Column): Problem {
  return {
    ...problem,
    columns: problem.columns.map((column, at) => (at === index ? change(column) : column)),
  };
}

function floorOf(num: bigint, den: bigint): bigint {
  const quotient = num / den;
  return num % den !== 0n && num < 0n !== den < 0n ? quotient - 1n : quotient;
}
