// A simplex in exact integers: the fallback when the floating-point solver's answer cannot be made exact, and the judge in tests.
//
// The classical two-phase tableau: the steepest column enters (Dantzig), and Bland's rule takes over where that stands still, so it
// always ends. On the fraction-free tableau of Edmonds and Bareiss: every
// entry is an integer over one common denominator, each pivot divides exactly. Columns are shifted to their lower bound (free columns
// are split), upper bounds and rows become equations with slacks and artificials. Dense: meant for small problems.
//
// The entries are floats as long as every product stays below 2^52, where floats are exact integers; the first one that does not
// starts the work again in big integers. JavaScript's operators mean the same for both, so one tableau serves.

import type { ExactVector, Objective, Outcome, Problem } from './problem.ts';
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

interface StandardForm {
  readonly images: readonly Image[];
  readonly variables: number;
  readonly equations: readonly Equation[];
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
  return { images, variables, equations };
}

/** In the sense of minimisation, per variable. */
function costsIn({ images, variables }: StandardForm, problem: Problem): readonly bigint[] {
  const costs: bigint[] = new Array(variables).fill(0n);
  costsOf(problem).forEach((cost, index) => {
    for (const { variable, sign } of images[index]!.parts) costs[variable]! += cost * sign;
  });
  return costs;
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

/** A float or, behind the type, a big integer: never mixed in one tableau. */
type Entry = number;

interface Arithmetic {
  readonly of: (value: bigint) => Entry;
  /** No product may be larger. */
  readonly limit: number;
}

const FLOATS: Arithmetic = {
  of: (value) => {
    const float = Number(value);
    if (Math.abs(float) > FLOATS.limit) throw TOO_LARGE;
    return float;
  },
  limit: 2 ** 52,
};
const BIG_INTEGERS: Arithmetic = {
  of: (value) => value as unknown as Entry,
  limit: Number.POSITIVE_INFINITY,
};

const TOO_LARGE = new Error('a product is too large for floats');

/** Pivots between two looks at the clock. */
const PIVOTS_PER_LOOK = 16;

/** Pivots without a step before Bland's rule is trusted alone, until there is one. */
const STILL_PIVOTS = 20;

/** Rows are equations with right sides ≥ 0 and one artificial each; the last row is the objective. */
class Tableau {
  private readonly rows: Entry[][];
  private readonly basis: number[];
  private readonly signs: Entry[];
  private readonly variables: number;
  private readonly width: number;
  private readonly timeLeft: () => boolean;
  private readonly arithmetic: Arithmetic;
  private readonly zero: Entry;
  private denominator: Entry;
  private objective: Entry[] = [];
  private costs: readonly Entry[] = [];
  private artificialsAllowed = true;

  constructor({ equations, variables }: StandardForm, arithmetic: Arithmetic, timeLeft: () => boolean) {
    const { of } = arithmetic;
    this.arithmetic = arithmetic;
    this.zero = of(0n);
    this.denominator = of(1n);
    this.variables = variables;
    this.width = variables + equations.length + 1;
    this.timeLeft = timeLeft;
    this.basis = equations.map((_, index) => variables + index);
    this.signs = equations.map((equation) => of(equation.right < 0n ? -1n : 1n));
    this.rows = equations.map((equation, index) => {
      const row: Entry[] = new Array(this.width).fill(this.zero);
      const sign = equation.right < 0n ? -1n : 1n;
      for (const [variable, coefficient] of equation.coefficients) row[variable] = of(sign * coefficient);
      row[variables + index] = of(1n);
      row[this.width - 1] = of(sign * equation.right);
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
      const column = this.rows[index]!.findIndex((entry, at) => at < this.variables && entry !== this.zero);
      if (column >= 0) this.pivot(index, column);
    });
  }

  minimise(costs: readonly bigint[]): 'optimal' | 'time' | { readonly column: number } {
    this.costs = Array.from({ length: this.width - 1 }, (_, column) =>
      this.arithmetic.of(costs[column] ?? 0n),
    );
    this.price();
    for (let pivots = 0, still = 0; ; pivots++) {
      if (pivots % PIVOTS_PER_LOOK === 0 && !this.timeLeft()) return 'time';
      const column = still < STILL_PIVOTS ? this.steepest() : this.first();
      if (column < 0) return 'optimal';
      const row = this.leaving(column);
      if (row < 0) return { column };
      // A basic variable that stands at zero leaves: the point stays where it is.
      still = this.rows[row]![this.width - 1] === this.zero ? still + 1 : 0;
      this.pivot(row, column);
    }
  }

  /** Minus the objective, times the denominator: negative in phase one exactly when the problem is infeasible. */
  value(): Entry {
    return this.objective[this.width - 1]!;
  }

  solution(): ExactVector {
    const values: bigint[] = new Array(this.width - 1).fill(0n);
    this.basis.forEach((variable, index) => {
      values[variable] = BigInt(this.rows[index]![this.width - 1]!);
    });
    return { values, denominator: BigInt(this.denominator) };
  }

  ray(column: number): ExactVector {
    const values: bigint[] = new Array(this.width - 1).fill(0n);
    values[column] = BigInt(this.denominator);
    this.basis.forEach((variable, index) => {
      values[variable] = -BigInt(this.rows[index]![column]!);
    });
    return { values, denominator: BigInt(this.denominator) };
  }

  /** y = c_B · B⁻¹, read off the artificial columns: their reduced cost is c − y. */
  multipliers(): ExactVector {
    const values = this.signs.map((sign, index) => {
      const column = this.variables + index;
      const reduced = BigInt(this.objective[column]!);
      return BigInt(sign) * (BigInt(this.costs[column]!) * BigInt(this.denominator) - reduced);
    });
    return { values, denominator: BigInt(this.denominator) };
  }

  private times(a: Entry, b: Entry): Entry {
    const product = a * b;
    const { limit } = this.arithmetic;
    if (product > limit || product < -limit) throw TOO_LARGE;
    return product;
  }

  /** Reduced costs from scratch: d = c·D − Σ c_B · row. */
  private price(): void {
    const objective: Entry[] = new Array(this.width).fill(this.zero);
    for (let column = 0; column < this.width - 1; column++)
      objective[column] = this.times(this.costs[column]!, this.denominator);
    const one = this.arithmetic.of(1n);
    this.basis.forEach((variable, index) => {
      const cost = this.costs[variable]!;
      if (cost === this.zero) return;
      this.rows[index]!.forEach((entry, column) => {
        // Multiplied by one to be within the limit, too.
        if (entry !== this.zero)
          objective[column] = this.times(objective[column]! - this.times(cost, entry), one);
      });
    });
    this.objective = objective;
  }

  private columnsThatMayEnter(): number {
    return this.artificialsAllowed ? this.width - 1 : this.variables;
  }

  private first(): number {
    const end = this.columnsThatMayEnter();
    for (let column = 0; column < end; column++) if (this.objective[column]! < this.zero) return column;
    return -1;
  }

  private steepest(): number {
    const end = this.columnsThatMayEnter();
    let best = -1;
    let least = this.zero;
    for (let column = 0; column < end; column++) {
      const cost = this.objective[column]!;
      if (cost >= least) continue;
      least = cost;
      best = column;
    }
    return best;
  }

  private leaving(column: number): number {
    const last = this.width - 1;
    const { rows, zero } = this;
    let best = -1;
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!;
      const entry = row[column]!;
      if (entry <= zero) continue;
      if (best < 0) {
        best = index;
        continue;
      }
      const other = rows[best]!;
      const mine = this.times(row[last]!, other[column]!);
      const others = this.times(other[last]!, entry);
      if (mine < others || (mine === others && this.basis[index]! < this.basis[best]!)) best = index;
    }
    return best;
  }

  private pivot(at: number, column: number): void {
    const pivotRow = this.rows[at]!;
    if (pivotRow[column]! < this.zero) {
      for (let index = 0; index < this.width; index++) pivotRow[index] = -pivotRow[index]!;
    }
    this.rows.forEach((row, index) => {
      if (index !== at) this.eliminate(row, pivotRow, column);
    });
    this.eliminate(this.objective, pivotRow, column);
    this.denominator = pivotRow[column]!;
    this.basis[at] = column;
  }

  private eliminate(row: Entry[], pivotRow: readonly Entry[], column: number): void {
    const { zero, width, denominator } = this;
    const { limit } = this.arithmetic;
    const pivot = pivotRow[column]!;
    const factor = row[column]!;
    for (let index = 0; index < width; index++) {
      const entry = row[index]!;
      const other = pivotRow[index]!;
      if (entry === zero && (factor === zero || other === zero)) continue;
      const plus = entry * pivot;
      const minus = factor * other;
      if (plus > limit || plus < -limit || minus > limit || minus < -limit) throw TOO_LARGE;
      row[index] = (plus - minus) / denominator;
    }
  }
}
