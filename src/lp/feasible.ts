// Is there a point? A proof when there is none, exact; a point in floats when there is one, for whoever goes on from it.
// Most rays of infeasibility that HiGHS gives are exact after rounding; where one is not, the exact solver is asked.

import type { Budget } from '../base/budget.ts';
import { HighsModel } from './highs.ts';
import type { ExactVector, Problem } from './problem.ts';
import { nearby } from './rationalise.ts';
import type { Solver } from './solver.ts';
import { provesInfeasible } from './verify.ts';

export type Feasibility =
  | { readonly kind: 'infeasible'; readonly dual: ExactVector }
  | { readonly kind: 'feasible'; readonly values: Float64Array };

/** Null: no answer within the budget, or none that could be checked. */
export function feasibility(solver: Solver, problem: Problem, budget: Budget): Feasibility | null {
  if (solver.highs === null) return exactly(solver, problem, budget);
  const model = new HighsModel(solver.highs, problem);
  try {
    const status = model.run(budget.remaining());
    if (status === 'optimal') return { kind: 'feasible', values: model.solution().columns };
    if (status !== 'infeasible') return null;
    const dual = exactRay(problem, model.dualRay());
    if (dual !== null) return { kind: 'infeasible', dual };
  } finally {
    model.dispose();
  }
  const found = exactly(solver, problem, budget);
  return found?.kind === 'infeasible' ? found : null;
}

function exactly(solver: Solver, problem: Problem, budget: Budget): Feasibility | null {
  const exact = solver.solve(problem, { budget });
  if (exact.kind === 'infeasible') return { kind: 'infeasible', dual: exact.dual };
  if (exact.kind !== 'optimal') return null;
  const { values, denominator } = exact.primal;
  return {
    kind: 'feasible',
    values: Float64Array.from(values, (value) => Number(value) / Number(denominator)),
  };
}

function exactRay(problem: Problem, ray: Float64Array | null): ExactVector | null {
  if (ray === null) return null;
  for (const sign of [1, -1]) {
    const dual = nearby(ray.map((value) => value * sign));
    if (dual !== null && provesInfeasible(problem, dual)) return dual;
  }
  return null;
}
