// A simplex in exact integers: the fallback when the floating-point solver's answer cannot be made exact, and the judge in tests.
//
// The classical two phases on the standard form (standard-form.ts) with one artificial variable per equation, by a dense tableau (tableau.ts):
// meant for small problems. It begins with floats; the first product that is too large for them starts the work again in big integers.

import type { ExactVector, Objective, Outcome, Problem } from './problem.ts';
import { costsIn, pointOf, rayOf, type StandardForm, standardForm } from './standard-form.ts';
import { BIG_INTEGERS, FLOATS, Tableau, TOO_LARGE } from './tableau.ts';
import { isImprovingRay, isOptimal, provesInfeasible } from './verify.ts';

export interface ExactOptions {
  /** Cells of the tableau above which we do not even begin. */
  readonly maxCells?: number;
  readonly timeLeft?: () => boolean;
}

export const solveExactly = (problem: Problem, options: ExactOptions = {}): Outcome =>
  new ExactSimplex(problem, options).solve(problem.objective);

/** One set of constraints, several objectives: each begins where the one before ended, at a point that is known to be possible. */
export class ExactSimplex {
  private readonly constraints: Problem;
  private readonly standard: StandardForm;
  private readonly isTooLarge: boolean;
  private readonly timeLeft: () => boolean;
  private arithmetic = FLOATS;
  /** At a feasible point; null before the first objective, and where the last one was given up. */
  private tableau: Tableau | null = null;

  constructor(constraints: Problem, options: ExactOptions = {}) {
    this.constraints = constraints;
    this.standard = standardForm(constraints);
    this.timeLeft = options.timeLeft ?? (() => true);
    const height = this.standard.equations.length;
    const width = this.standard.variables + height + 1;
    this.isTooLarge = height * width > (options.maxCells ?? 4_000_000);
  }

  solve(objective: Objective): Outcome {
    if (this.isTooLarge) return { kind: 'unknown', reason: 'size' };
    const problem = { ...this.constraints, objective };
    try {
      return this.solveIn(problem);
    } catch (error) {
      if (error !== TOO_LARGE) throw error;
      this.tableau = null;
      this.arithmetic = BIG_INTEGERS;
      return this.solveIn(problem);
    }
  }

  private solveIn(problem: Problem): Outcome {
    const { standard } = this;
    const tableau = this.tableau ?? new Tableau(standard, this.arithmetic, this.timeLeft);
    if (this.tableau === null) {
      const feasibility = tableau.minimise(tableau.artificialCosts());
      if (feasibility === 'time') return { kind: 'unknown', reason: 'time' };
      if (tableau.value() < 0) return confirmInfeasible(problem, dualOf(problem, standard, tableau));
      tableau.forbidArtificials();
    }
    this.tableau = null;
    const end = tableau.minimise(costsIn(standard, problem));
    if (end === 'time') return { kind: 'unknown', reason: 'time' };
    this.tableau = tableau;
    const primal = pointOf(standard, tableau.solution());
    if (end !== 'optimal') {
      const ray = rayOf(standard, tableau.ray(end.column));
      if (!isImprovingRay(problem, ray)) throw new Error('impossible: the exact simplex gave a wrong ray');
      return { kind: 'unbounded', primal, ray };
    }
    const dual = dualOf(problem, standard, tableau);
    if (!isOptimal(problem, primal, dual))
      throw new Error('impossible: the exact simplex gave a wrong optimum');
    return { kind: 'optimal', primal, dual, objective: objectiveAt(problem, primal) };
  }
}

export function objectiveAt(problem: Problem, primal: ExactVector): { num: bigint; den: bigint } {
  let num = 0n;
  for (const { column, coefficient } of problem.objective.terms)
    num += BigInt(coefficient) * primal.values[column]!;
  return { num, den: primal.denominator };
}

function confirmInfeasible(problem: Problem, dual: ExactVector): Outcome {
  if (!provesInfeasible(problem, dual))
    throw new Error('impossible: the exact simplex gave a wrong proof of infeasibility');
  return { kind: 'infeasible', dual };
}

/** Multipliers per row of the problem; a row with two bounds has two equations, whose multipliers add up. */
function dualOf(problem: Problem, standard: StandardForm, tableau: Tableau): ExactVector {
  const values: bigint[] = problem.rows.map(() => 0n);
  const multipliers = tableau.multipliers();
  standard.equations.forEach((equation, index) => {
    if (equation.row !== null) values[equation.row]! += multipliers.values[index]!;
  });
  return { values, denominator: multipliers.denominator };
}
