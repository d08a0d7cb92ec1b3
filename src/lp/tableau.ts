// The fraction-free tableau of Edmonds and Bareiss: every entry is an integer over one common denominator, each pivot divides exactly.
// The steepest column enters (Dantzig), and Bland's rule takes over where that stands still, so it always ends.
//
// The entries are floats as long as every product stays below 2^52, where floats are exact integers; JavaScript's operators mean the same for
// big integers, so one tableau serves both.

import type { ExactVector } from './problem.ts';
import type { StandardForm } from './standard-form.ts';

/** A float or, behind the type, a big integer: never mixed in one tableau. */
export type Entry = number;

export interface Arithmetic {
  readonly of: (value: bigint) => Entry;
  /** No product may be larger. */
  readonly limit: number;
}

export const FLOATS: Arithmetic = {
  of: (value) => {
    const float = Number(value);
    if (Math.abs(float) > FLOATS.limit) throw TOO_LARGE;
    return float;
  },
  limit: 2 ** 52,
};
export const BIG_INTEGERS: Arithmetic = {
  of: (value) => value as unknown as Entry,
  limit: Number.POSITIVE_INFINITY,
};

export const TOO_LARGE = new Error('a product is too large for floats');

/** Pivots between two looks at the clock. */
const PIVOTS_PER_LOOK = 16;

/** Pivots without a step before Bland's rule is trusted alone, until there is one. */
const STILL_PIVOTS = 20;

/** Rows are equations with right sides ≥ 0 and one artificial each; the last row is the objective. */
export class Tableau {
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
