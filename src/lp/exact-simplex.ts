// A simplex in exact integers: the fallback when the floating-point solver's answer cannot be made exact, and the judge in tests.
//
// The classical two-phase tableau with Bland's rule, so it always ends, on the fraction-free tableau of Edmonds and Bareiss: every
// entry is an integer over one common denominator, each pivot divides exactly. Columns are shifted to their lower bound (free columns
// are split), upper bounds and rows become equations with slacks and artificials. Dense: meant for small problems.

import type { ExactVector, Outcome, Problem } from './problem.ts';
import { costsOf, isImprovingRay, isOptimal, provesInfeasible } from './verify.ts';

export interface ExactOptions {
  /** Cells of the tableau above which we do not even begin. */
  readonly maxCells?: number;
  readonly timeLeft?: () => boolean;
}

/** x_j = offset + Σ sign · v, over the non-negative variables of the standard form. */
interface Image {
  readonly offset: bigint;
  readonly parts: readonly { readonly variable: number; readonly sign: bigint }[];
}

interface Equation {
  readonly coefficients: Map<number, bigint>;
  right: bigint;
  /** The row of the problem, and the sign its multiplier must be read with; null for an upper bound. */
  readonly row: number | null;
}

export function solveExactly(problem: Problem, options: ExactOptions = {}): Outcome {
  const standard = standardForm(problem);
  const height = standard.equations.length;
  const width = standard.variables + height + 1;
  if (height * width > (options.maxCells ?? 4_000_000)) return { kind: 'unknown', reason: 'size' };
  const tableau = new Tableau(standard.equations, standard.variables, options.timeLeft ?? (() => true));

  const feasibility = tableau.minimise(tableau.artificialCosts());
  if (feasibility === 'time') return { kind: 'unknown', reason: 'time' };
  if (tableau.value() < 0n) return confirmInfeasible(problem, dualOf(problem, standard, tableau));

  tableau.forbidArtificials();
  const end = tableau.minimise(standard.costs);
  if (end === 'time') return { kind: 'unknown', reason: 'time' };
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

interface StandardForm {
  readonly images: readonly Image[];
  readonly variables: number;
  readonly equations: readonly Equation[];
  /** In the sense of minimisation, per variable. */
  readonly costs: readonly bigint[];
}

function standardForm(problem: Problem): StandardForm {
  let variables = 0;
  const images: Image[] = [];
  const equations: Equation[] = [];
  for (const column of problem.columns) {
    if (column.lower !== null) {
      images.push({ offset: BigInt(column.lower), parts: [{ variable: variables++, sign: 1n }] });
    } else if (column.upper !== null) {
      images.push({ offset: BigInt(column.upper), parts: [{ variable: variables++, sign: -1n }] });
    } else {
      const parts = [
        { variable: variables++, sign: 1n },
        { variable: variables++, sign: -1n },
      ];
      images.push({ offset: 0n, parts });
    }
  }
  const bounded = (coefficients: Map<number, bigint>, slack: bigint, right: bigint, row: number | null) => {
    if (slack !== 0n) coefficients.set(variables++, slack);
    equations.push({ coefficients, right, row });
  };
  problem.columns.forEach((column, index) => {
    if (column.lower === null || column.upper === null) return;
    const variable = images[index]!.parts[0]!.variable;
    bounded(new Map([[variable, 1n]]), 1n, BigInt(column.upper - column.lower), null);
  });
  problem.rows.forEach((row, index) => {
    const { coefficients, constant } = substitute(row.terms, images);
    const equal = row.lower !== null && row.lower === row.upper;
    if (row.lower !== null)
      bounded(new Map(coefficients), equal ? 0n : -1n, BigInt(row.lower) - constant, index);
    if (row.upper !== null && !equal) bounded(new Map(coefficients), 1n, BigInt(row.upper) - constant, index);
  });
  const costs: bigint[] = new Array(variables).fill(0n);
  costsOf(problem).forEach((cost, index) => {
    for (const { variable, sign } of images[index]!.parts) costs[variable]! += cost * sign;
  });
  return { images, variables, equations, costs };
}

function substitute(
  terms: Problem['rows'][number]['terms'],
  images: readonly Image[],
): { coefficients: Map<number, bigint>; constant: bigint } {
  const coefficients = new Map<number, bigint>();
  let constant = 0n;
  for (const { column, coefficient } of terms) {
    const image = images[column]!;
    constant += BigInt(coefficient) * image.offset;
    for (const { variable, sign } of image.parts) coefficients.set(variable, BigInt(coefficient) * sign);
  }
  return { coefficients, constant };
}

function pointOf(standard: StandardForm, solution: ExactVector): ExactVector {
  const { denominator } = solution;
  const values = standard.images.map((image) =>
    image.parts.reduce(
      (sum, { variable, sign }) => sum + sign * solution.values[variable]!,
      image.offset * denominator,
    ),
  );
  return { values, denominator };
}

const rayOf = (standard: StandardForm, ray: ExactVector): ExactVector => ({
  values: standard.images.map((image) =>
    image.parts.reduce((sum, { variable, sign }) => sum + sign * ray.values[variable]!, 0n),
  ),
  denominator: ray.denominator,
});

/** Multipliers per row of the problem; a row with two bounds has two equations, whose multipliers add up. */
function dualOf(problem: Problem, standard: StandardForm, tableau: Tableau): ExactVector {
  const values: bigint[] = problem.rows.map(() => 0n);
  const multipliers = tableau.multipliers();
  standard.equations.forEach((equation, index) => {
    if (equation.row !== null) values[equation.row]! += multipliers.values[index]!;
  });
  return { values, denominator: multipliers.denominator };
}

/** Rows are equations with right sides ≥ 0 and one artificial each; the last row is the objective. */
class Tableau {
  private readonly rows: bigint[][];
  private readonly basis: number[];
  private readonly signs: bigint[];
  private readonly variables: number;
  private readonly width: number;
  private readonly timeLeft: () => boolean;
  private denominator = 1n;
  private objective: bigint[] = [];
  private costs: readonly bigint[] = [];
  private artificialsAllowed = true;

  constructor(equations: readonly Equation[], variables: number, timeLeft: () => boolean) {
    this.variables = variables;
    this.width = variables + equations.length + 1;
    this.timeLeft = timeLeft;
    this.basis = equations.map((_, index) => variables + index);
    this.signs = equations.map((equation) => (equation.right < 0n ? -1n : 1n));
    this.rows = equations.map((equation, index) => {
      const row: bigint[] = new Array(this.width).fill(0n);
      const sign = this.signs[index]!;
      for (const [variable, coefficient] of equation.coefficients) row[variable] = sign * coefficient;
      row[variables + index] = 1n;
      row[this.width - 1] = sign * equation.right;
      return row;
    });
  }

  artificialCosts(): readonly bigint[] {
    return Array.from({ length: this.width - 1 }, (_, index) => (index < this.variables ? 0n : 1n));
  }

  forbidArtificials(): void {
    this.artificialsAllowed = false;
    // An artificial that is still basic stands at zero: pivot it out where the row allows, else the row is redundant and harmless.
    this.basis.forEach((variable, index) => {
      if (variable < this.variables) return;
      const column = this.rows[index]!.findIndex((entry, at) => at < this.variables && entry !== 0n);
      if (column >= 0) this.pivot(index, column);
    });
  }

  minimise(costs: readonly bigint[]): 'optimal' | 'time' | { readonly column: number } {
    this.costs = costs;
    this.price();
    for (;;) {
      if (!this.timeLeft()) return 'time';
      const column = this.entering();
      if (column < 0) return 'optimal';
      const row = this.leaving(column);
      if (row < 0) return { column };
      this.pivot(row, column);
    }
  }

  /** Minus the objective, times the denominator: negative in phase one exactly when the problem is infeasible. */
  value(): bigint {
    return this.objective[this.width - 1]!;
  }

  solution(): ExactVector {
    const values: bigint[] = new Array(this.width - 1).fill(0n);
    this.basis.forEach((variable, index) => {
      values[variable] = this.rows[index]![this.width - 1]!;
    });
    return { values, denominator: this.denominator };
  }

  ray(column: number): ExactVector {
    const values: bigint[] = new Array(this.width - 1).fill(0n);
    values[column] = this.denominator;
    this.basis.forEach((variable, index) => {
      values[variable] = -this.rows[index]![column]!;
    });
    return { values, denominator: this.denominator };
  }

  /** y = c_B · B⁻¹, read off the artificial columns: their reduced cost is c − y. */
  multipliers(): ExactVector {
    const values = this.signs.map((sign, index) => {
      const column = this.variables + index;
      return sign * ((this.costs[column] ?? 0n) * this.denominator - this.objective[column]!);
    });
    return { values, denominator: this.denominator };
  }

  /** Reduced costs from scratch: d = c·D − Σ c_B · row. */
  private price(): void {
    const objective: bigint[] = new Array(this.width).fill(0n);
    for (let column = 0; column < this.width - 1; column++)
      objective[column] = (this.costs[column] ?? 0n) * this.denominator;
    this.basis.forEach((variable, index) => {
      const cost = this.costs[variable] ?? 0n;
      if (cost === 0n) return;
      this.rows[index]!.forEach((entry, column) => {
        if (entry !== 0n) objective[column]! -= cost * entry;
      });
    });
    this.objective = objective;
  }

  private entering(): number {
    const end = this.artificialsAllowed ? this.width - 1 : this.variables;
    for (let column = 0; column < end; column++) if (this.objective[column]! < 0n) return column;
    return -1;
  }

  private leaving(column: number): number {
    let best = -1;
    this.rows.forEach((row, index) => {
      const entry = row[column]!;
      if (entry <= 0n) return;
      if (best < 0) {
        best = index;
        return;
      }
      const other = this.rows[best]!;
      const difference = row[this.width - 1]! * other[column]! - other[this.width - 1]! * entry;
      if (difference < 0n || (difference === 0n && this.basis[index]! < this.basis[best]!)) best = index;
    });
    return best;
  }

  private pivot(at: number, column: number): void {
    const pivotRow = this.rows[at]!;
    if (pivotRow[column]! < 0n) {
      for (let index = 0; index < this.width; index++) pivotRow[index] = -pivotRow[index]!;
    }
    const pivot = pivotRow[column]!;
    const eliminate = (row: bigint[]): void => {
      const factor = row[column]!;
      for (let index = 0; index < this.width; index++) {
        const entry = row[index]!;
        const other = pivotRow[index]!;
        if (entry === 0n && (factor === 0n || other === 0n)) continue;
        row[index] = (entry * pivot - factor * other) / this.denominator;
      }
    };
    this.rows.forEach((row, index) => {
      if (index !== at) eliminate(row);
    });
    eliminate(this.objective);
    this.denominator = pivot;
    this.basis[at] = column;
  }
}
