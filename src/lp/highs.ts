// The adaptor to HiGHS (WebAssembly): the only file that knows the solver.
//
// Traps this file takes care of: the status is what counts (an infeasible result still carries an objective value); models own native
// memory and must be disposed; a time limit is cumulative per model; "unknown" is never a verdict. HiGHS writes a basis over
// [A I]: a basic row r is the unit column e_r, its variable is minus the row's activity.

import type { Highs, Model, ModelData } from 'highs';
import type { Objective, Problem } from './problem.ts';

export type FloatStatus = 'optimal' | 'infeasible' | 'unbounded' | 'time' | 'failed';

export interface FloatSolution {
  readonly columns: Float64Array;
  /** Row multipliers in the sense of minimisation. */
  readonly duals: Float64Array;
}

/** Which variables are basic, and at which bound the others stand. Rows are −1 − index in `basic`. */
export interface BasisView {
  readonly basic: Int32Array;
  readonly columnStatus: Int32Array;
  readonly rowStatus: Int32Array;
  readonly solve: (right: Float64Array) => Float64Array;
  readonly transposeSolve: (right: Float64Array) => Float64Array;
}

export const BASIS_UPPER = 2;
/** Seconds; HiGHS refuses an infinite limit. */
const FOREVER = 1e9;
const PRIMAL_SIMPLEX = 4;
const DUAL_SIMPLEX = 1;

let loading: Promise<Highs> | null = null;

/** Loads the solver once; later calls give the same instance. */
export function loadHighs(): Promise<Highs> {
  // The package's types describe its CommonJS entry; the ES module's default export is the loader itself.
  loading ??= import('highs').then((module) => (module.default as unknown as () => Promise<Highs>)());
  return loading;
}

export const isHighsLoaded = (): boolean => loading !== null;

/** A problem held by the solver: solve, change the objective or bounds, solve again from the last basis. */
export class HighsModel {
  private readonly highs: Highs;
  private readonly model: Model;
  private readonly integer: boolean;
  private solved = false;

  constructor(highs: Highs, problem: Problem) {
    this.highs = highs;
    this.integer = problem.columns.some((column) => column.integer === true);
    this.model = highs.createModel(modelData(highs, problem));
    this.model.options.set({ output_flag: false, ...(this.integer ? {} : { solver: 'simplex' }) });
    // The bound of an integer program must be the optimum, not something near it.
    if (this.integer) this.model.options.set({ mip_rel_gap: 0, mip_abs_gap: 0.5 });
  }

  setObjective(objective: Objective, columns: number): void {
    const costs = costArray(objective, columns);
    // The last basis stays feasible when only costs change: the primal simplex goes on from there, the dual would begin again.
    if (this.solved) this.model.options.set('simplex_strategy', PRIMAL_SIMPLEX);
    this.model.changeColsCost({ kind: 'range', from: 0, to: columns - 1 }, costs);
  }

  setColumnBounds(column: number, lower: number | null, upper: number | null): void {
    this.model.options.set('simplex_strategy', DUAL_SIMPLEX);
    this.model.changeColBounds(column, lower ?? -this.highs.infinity, upper ?? this.highs.infinity);
  }

  setRowBounds(row: number, lower: number | null, upper: number | null): void {
    this.model.options.set('simplex_strategy', DUAL_SIMPLEX);
    this.model.changeRowBounds(row, lower ?? -this.highs.infinity, upper ?? this.highs.infinity);
  }

  run(milliseconds: number): FloatStatus {
    this.model.zeroAllClocks();
    const seconds = Math.min(FOREVER, Math.max(0.01, milliseconds / 1000));
    this.model.options.set('time_limit', seconds);
    try {
      const status = statusOf(this.model.run().modelStatus);
      this.solved = true;
      return status;
    } catch {
      return 'failed';
    }
  }

  /** Unbounded or infeasible, which is it? HiGHS answers when presolve is off. */
  runWithoutPresolve(milliseconds: number): FloatStatus {
    this.model.options.set('presolve', 'off');
    const status = this.run(milliseconds);
    this.model.options.set('presolve', 'choose');
    return status;
  }

  solution(): FloatSolution {
    const { colValue, rowDual } = this.model.getSolution();
    return { columns: colValue, duals: rowDual };
  }

  /** After `infeasible`: row multipliers that prove it, in floats and up to their sign; null when HiGHS kept none. */
  dualRay(): Float64Array | null {
    try {
      const ray = this.model.getDualRay();
      return ray === undefined ? null : Float64Array.from(ray.values);
    } catch {
      return null;
    }
  }

  objectiveValue(): number {
    return this.model.getObjectiveValue();
  }

  basis(): BasisView | null {
    try {
      const { colStatus, rowStatus } = this.model.getBasis();
      return {
        basic: this.model.getBasicVariables(),
        columnStatus: colStatus,
        rowStatus,
        solve: (right) => orNothing(right, () => this.model.getBasisSolve(right).values),
        transposeSolve: (right) => orNothing(right, () => this.model.getBasisTransposeSolve(right).values),
      };
    } catch {
      return null;
    }
  }

  dispose(): void {
    this.model.dispose();
  }
}

/** A basis that HiGHS did not factorise gives no numbers, which the caller notices. */
function orNothing(right: Float64Array, solve: () => Float64Array): Float64Array {
  try {
    return solve();
  } catch {
    return new Float64Array(right.length).fill(Number.NaN);
  }
}

function statusOf(code: number): FloatStatus {
  switch (code) {
    case 6: // empty: no columns and no rows
    case 7:
      return 'optimal';
    case 8:
      return 'infeasible';
    case 10:
      return 'unbounded';
    case 13:
      return 'time';
    default:
      return 'failed';
  }
}

/** Always minimisation: a maximum is the minimum of the negated costs. */
function costArray(objective: Objective, columns: number): Float64Array {
  const costs = new Float64Array(columns);
  const sign = objective.sense === 'minimise' ? 1 : -1;
  for (const { column, coefficient } of objective.terms) costs[column] = sign * coefficient;
  return costs;
}

function modelData(highs: Highs, problem: Problem): ModelData {
  const numCols = problem.columns.length;
  const numRows = problem.rows.length;
  const entries = problem.rows.reduce((sum, row) => sum + row.terms.length, 0);
  const starts = new Int32Array(numRows + 1);
  const indices = new Int32Array(entries);
  const values = new Float64Array(entries);
  let at = 0;
  problem.rows.forEach((row, index) => {
    starts[index] = at;
    for (const { column, coefficient } of row.terms) {
      indices[at] = column;
      values[at++] = coefficient;
    }
  });
  starts[numRows] = at;
  const low = (bound: number | null): number => bound ?? -highs.infinity;
  const high = (bound: number | null): number => bound ?? highs.infinity;
  const data: ModelData = {
    numCols,
    numRows,
    sense: highs.constants.objectiveSense.minimize,
    colCost: costArray(problem.objective, numCols),
    colLower: Float64Array.from(problem.columns, (column) => low(column.lower)),
    colUpper: Float64Array.from(problem.columns, (column) => high(column.upper)),
    rowLower: Float64Array.from(problem.rows, (row) => low(row.lower)),
    rowUpper: Float64Array.from(problem.rows, (row) => high(row.upper)),
    matrix: { format: 'csr', numRows, numCols, starts, indices, values },
  };
  if (!problem.columns.some((column) => column.integer === true)) return data;
  return { ...data, integrality: Int32Array.from(problem.columns, (column) => (column.integer ? 1 : 0)) };
}
