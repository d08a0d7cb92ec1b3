// Exact answers to linear programs, fast: HiGHS finds them, integers confirm them.
//
// An optimum is accepted when a rational point and rational row multipliers pass the exact check of verify.ts. They are read off the
// floats; if that fails, computed from the optimal basis by refinement; if that fails, the exact simplex solves the problem again.
// Infeasible and unbounded problems are turned into ones with an optimum (the elastic problem, the problem of rays), so the same
// three steps prove them. No answer is given that was not checked.
//
// Small problems need no HiGHS at all, which takes longer to load than the exact simplex to solve them: `loadSolver` is told the size.

import type { Highs } from 'highs';
import type { Budget } from '../base/budget.ts';
import { UNLIMITED } from '../base/budget.ts';
import { rational } from '../base/rational.ts';
import { fromBasis } from './basis.ts';
import { elastic, rayProblem } from './derived.ts';
import { ExactSimplex, objectiveAt } from './exact-simplex.ts';
import { HighsModel, isHighsLoaded, loadHighs } from './highs.ts';
import { integerPointExactly } from './integer-points.ts';
import type { Column, ExactVector, Objective, Outcome, Problem, Row, Term } from './problem.ts';
import { nearby } from './rationalise.ts';
import { columnsOf, isImprovingRay, isOptimal, provesInfeasible } from './verify.ts';

/** How the exact answers came about: for statistics and tests. */
export interface SolverStats {
  lps: number;
  integerPrograms: number;
  byRounding: number;
  byBasis: number;
  byExactSimplex: number;
}

export interface SolveOptions {
  readonly budget?: Budget;
  /** For tests: skip the cheaper ways. */
  readonly way?: 'basis' | 'exact';
}

export class Solver {
  readonly stats: SolverStats = { lps: 0, integerPrograms: 0, byRounding: 0, byBasis: 0, byExactSimplex: 0 };
  /** Null: only small problems are expected, and solved exactly at once. */
  readonly highs: Highs | null;

  constructor(highs: Highs | null) {
    this.highs = highs;
  }

  solve(problem: Problem, options: SolveOptions = {}): Outcome {
    const session = this.open(problem, options);
    try {
      return session.solve();
    } finally {
      session.close();
    }
  }

  /** Keeps the problem in the solver, for several objectives from one warm basis. Close it. */
  open(problem: Problem, options: SolveOptions = {}): Session {
    return new Session(this, problem, options);
  }

  /**
   * An integer program's best point, as HiGHS claims it: feasible for certain (checked in integers), optimal only by its word. Null
   * when it found none within the budget.
   */
  integerPoint(
    problem: Problem,
    options: SolveOptions = {},
  ): { readonly values: bigint[]; readonly objective: bigint } | null {
    if (problem.columns.length === 0) return null;
    this.stats.integerPrograms++;
    if (this.highs === null) return integerPointExactly(problem, (options.budget ?? UNLIMITED).timeLeft);
    const integral = { ...problem, columns: problem.columns.map((column) => ({ ...column, integer: true })) };
    const model = new HighsModel(this.highs, integral);
    try {
      if (model.run((options.budget ?? UNLIMITED).remaining()) !== 'optimal') return null;
      const values = Array.from(model.solution().columns, (value) => BigInt(Math.round(value)));
      const point = { values, denominator: 1n };
      if (!withinBounds(problem, point)) return null;
      return { values, objective: objectiveAt(problem, point).num };
    } finally {
      model.dispose();
    }
  }
}

/** Cells of a problem up to which the exact simplex is faster than loading HiGHS and asking it. */
const SMALL = 2_500;

/** A solver with statistics of its own. HiGHS is loaded, once per process, unless the problems are known to be small. */
export async function loadSolver(size?: {
  readonly rows: number;
  readonly columns: number;
}): Promise<Solver> {
  const isSmall = size !== undefined && size.rows * size.columns <= SMALL && !isHighsLoaded();
  return new Solver(isSmall ? null : await loadHighs());
}

/** One set of constraints, several objectives. */
export class Session {
  private readonly solver: Solver;
  private readonly options: SolveOptions;
  /** Null without HiGHS, and without columns: then there is nothing to solve, and it does not like that. */
  private readonly model: HighsModel | null;
  private problem: Problem;
  /** Of the constraints as they are; null while nothing asked for it. */
  private simplex: ExactSimplex | null = null;

  constructor(solver: Solver, problem: Problem, options: SolveOptions) {
    this.solver = solver;
    this.options = options;
    this.problem = { ...problem, columns: [...problem.columns], rows: [...problem.rows] };
    this.model =
      problem.columns.length === 0 || solver.highs === null ? null : new HighsModel(solver.highs, problem);
  }

  setObjective(sense: Objective['sense'], terms: readonly Term[]): void {
    this.problem = { ...this.problem, objective: { sense, terms } };
    this.model?.setObjective(this.problem.objective, this.problem.columns.length);
  }

  setRowBounds(row: number, lower: number | null, upper: number | null): void {
    const rows = this.problem.rows as Row[];
    rows[row] = { ...rows[row]!, lower, upper };
    this.simplex = null;
    this.model?.setRowBounds(row, lower, upper);
  }

  setColumnBounds(column: number, lower: number | null, upper: number | null): void {
    const columns = this.problem.columns as Column[];
    columns[column] = { ...columns[column]!, lower, upper };
    this.simplex = null;
    this.model?.setColumnBounds(column, lower, upper);
  }

  solve(): Outcome {
    const budget = this.options.budget ?? UNLIMITED;
    if (!budget.timeLeft()) return { kind: 'unknown', reason: 'time' };
    this.solver.stats.lps++;
    if (this.options.way === 'exact' || this.model === null) return this.exactly();
    let status = this.model.run(budget.remaining());
    if (status === 'failed') status = this.model.runWithoutPresolve(budget.remaining());
    switch (status) {
      case 'optimal':
        return this.confirmOptimal(this.model) ?? this.exactly();
      case 'infeasible':
        return this.confirmInfeasible() ?? this.exactly();
      case 'unbounded':
        return this.confirmUnbounded() ?? this.exactly();
      case 'time':
        return { kind: 'unknown', reason: 'time' };
      case 'failed':
        return this.exactly();
    }
  }

  rows(): readonly Row[] {
    return this.problem.rows;
  }

  /** The matrix by columns: terms over the rows. */
  columnTerms(): readonly (readonly Term[])[] {
    return columnsOf(this.problem);
  }

  close(): void {
    this.model?.dispose();
  }

  private exactly(): Outcome {
    this.solver.stats.byExactSimplex++;
    this.simplex ??= new ExactSimplex(this.problem, {
      timeLeft: (this.options.budget ?? UNLIMITED).timeLeft,
    });
    return this.simplex.solve(this.problem.objective);
  }

  private confirmOptimal(model: HighsModel): Outcome | null {
    const { problem } = this;
    const accept = (primal: ExactVector, dual: ExactVector): Outcome => {
      const { num, den } = objectiveAt(problem, primal);
      return { kind: 'optimal', primal, dual, objective: rational(num, den) };
    };
    if (this.options.way !== 'basis') {
      const solution = model.solution();
      const primal = nearby(solution.columns);
      const dual = primal && nearby(solution.duals);
      if (primal !== null && dual !== null && isOptimal(problem, primal, dual)) {
        this.solver.stats.byRounding++;
        return accept(primal, dual);
      }
    }
    const basis = model.basis();
    const exact = basis && fromBasis(problem, basis);
    if (!exact || !isOptimal(problem, exact.primal, exact.dual)) return null;
    this.solver.stats.byBasis++;
    return accept(exact.primal, exact.dual);
  }

  /** The elastic problem lets every row be missed at a cost: its optimum is positive exactly when the rows cannot be met. */
  private confirmInfeasible(): Outcome | null {
    const outcome = this.solver.solve(elastic(this.problem), { ...this.options });
    if (outcome.kind !== 'optimal' || outcome.objective.num <= 0n) return null;
    return provesInfeasible(this.problem, outcome.dual) ? { kind: 'infeasible', dual: outcome.dual } : null;
  }

  private confirmUnbounded(): Outcome | null {
    const feasible = this.solver.solve(
      { ...this.problem, objective: { sense: 'minimise', terms: [] } },
      this.options,
    );
    if (feasible.kind !== 'optimal') return null;
    const rays = this.solver.solve(rayProblem(this.problem), this.options);
    if (rays.kind !== 'optimal' || !isImprovingRay(this.problem, rays.primal)) return null;
    return { kind: 'unbounded', primal: feasible.primal, ray: rays.primal };
  }
}

function withinBounds(problem: Problem, point: ExactVector): boolean {
  return isOptimal({ ...problem, objective: { sense: 'minimise', terms: [] } }, point, {
    values: problem.rows.map(() => 0n),
    denominator: 1n,
  });
}
