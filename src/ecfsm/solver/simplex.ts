// Linear sums that are not differences: is there a rational solution of `sum <= 0` for all of these?
//
// The general simplex of Dutertre and de Moura (2006) with Bland's rule, so that it ends. Every row is `den · basic = Σ coefficient · nonbasic` in whole
// numbers; variables outside the basis stand at whole bounds, so their values are whole, and values of basic ones are worked out when they are asked
// for. Numbers that get too large to be exact end the attempt. "Infeasible" is therefore always right, over the rationals and all the more over
// the integers; a solution is reported only when it is whole.

import type { Sum } from './linear.ts';

export type Feasibility =
  | { readonly kind: 'infeasible' }
  | { readonly kind: 'solution'; readonly values: readonly number[] }
  /** A solution that is not whole, or numbers that are too large. */
  | { readonly kind: 'perhaps' };

const PERHAPS: Feasibility = { kind: 'perhaps' };
const EXACT = 2 ** 50;
const MOST_PIVOTS = 200;

class TooLarge extends Error {}

/** Solves for variables 1..variables-1; variable 0 is the number zero. */
export function solveSums(sums: readonly Sum[], variables: number): Feasibility {
  try {
    return new Tableau(sums, variables).solve();
  } catch (error) {
    if (error instanceof TooLarge) return PERHAPS;
    throw error;
  }
}

interface Row {
  den: number;
  coefficients: number[];
}

class Tableau {
  private readonly variables: number;
  private readonly lower: number[] = [];
  private readonly upper: number[] = [];
  /** Of those outside the basis. */
  private readonly value: number[] = [];
  private readonly rows = new Map<number, Row>();
  private contradiction = false;

  constructor(sums: readonly Sum[], variables: number) {
    this.variables = variables;
    for (let i = 0; i < variables; i++) this.grow();
    const known = new Map<string, number>();
    for (const { variables: terms, coefficients, constant } of sums) {
      if (terms.length === 0) continue;
      const sign = coefficients[0]! < 0 ? -1 : 1;
      const factors = coefficients.map((factor) => sign * factor);
      let column = terms.length === 1 && factors[0] === 1 ? terms[0]! : undefined;
      const key = `${terms.join()}:${factors.join()}`;
      column ??= known.get(key) ?? this.addRow(terms, factors);
      known.set(key, column);
      if (sign > 0) this.upper[column] = Math.min(this.upper[column]!, -constant);
      else this.lower[column] = Math.max(this.lower[column]!, constant);
      if (this.lower[column]! > this.upper[column]!) this.contradiction = true;
    }
    for (let i = 0; i < this.value.length; i++)
      if (!this.rows.has(i)) this.value[i] = Math.max(this.lower[i]!, Math.min(this.upper[i]!, 0));
    const width = this.value.length;
    for (const row of this.rows.values()) while (row.coefficients.length < width) row.coefficients.push(0);
  }

  private grow(): number {
    this.lower.push(Number.NEGATIVE_INFINITY);
    this.upper.push(Number.POSITIVE_INFINITY);
    return this.value.push(0) - 1;
  }

  private addRow(terms: readonly number[], factors: readonly number[]): number {
    const coefficients = Array.from({ length: this.variables }, () => 0);
    terms.forEach((variable, i) => {
      coefficients[variable] = factors[i]!;
    });
    const column = this.grow();
    this.rows.set(column, { den: 1, coefficients });
    return column;
  }

  solve(): Feasibility {
    if (this.contradiction) return { kind: 'infeasible' };
    for (let pivots = 0; pivots < MOST_PIVOTS; pivots++) {
      const broken = this.broken();
      if (broken === null) return this.solution();
      const entering = this.entering(broken.basic, broken.rises);
      if (entering === null) return { kind: 'infeasible' };
      this.pivot(broken.basic, entering);
      this.value[broken.basic] = (broken.rises ? this.lower : this.upper)[broken.basic]!;
    }
    return PERHAPS;
  }

  /** den · value of a basic variable. */
  private scaled({ coefficients }: Row): number {
    let total = 0;
    for (let i = 0; i < coefficients.length; i++)
      if (coefficients[i] !== 0) total += exact(coefficients[i]! * this.value[i]!);
    return exact(total);
  }

  private broken(): { basic: number; rises: boolean } | null {
    let least: { basic: number; rises: boolean } | null = null;
    for (const [basic, row] of this.rows) {
      if (least !== null && basic > least.basic) continue;
      const value = this.scaled(row);
      if (value < this.lower[basic]! * row.den) least = { basic, rises: true };
      else if (value > this.upper[basic]! * row.den) least = { basic, rises: false };
    }
    return least;
  }

  private entering(basic: number, rises: boolean): number | null {
    const { coefficients } = this.rows.get(basic)!;
    for (let i = 0; i < coefficients.length; i++) {
      const factor = rises ? coefficients[i]! : -coefficients[i]!;
      if (factor > 0 && this.value[i]! < this.upper[i]!) return i;
      if (factor < 0 && this.value[i]! > this.lower[i]!) return i;
    }
    return null;
  }

  /** `leaving` gets out of the basis, `entering` gets into it. */
  private pivot(leaving: number, entering: number): void {
    const { den, coefficients } = this.rows.get(leaving)!;
    this.rows.delete(leaving);
    const factor = coefficients[entering]!;
    const sign = factor < 0 ? -1 : 1;
    const solved = coefficients.map((one, i) => (i === entering ? 0 : -sign * one + 0));
    solved[leaving] = sign * den;
    const row: Row = { den: Math.abs(factor), coefficients: solved };
    shorten(row);
    for (const other of this.rows.values()) {
      const share = other.coefficients[entering]!;
      if (share === 0) continue;
      other.coefficients[entering] = 0;
      for (let i = 0; i < solved.length; i++)
        other.coefficients[i] = exact(exact(other.coefficients[i]! * row.den) + exact(share * solved[i]!));
      other.den = exact(other.den * row.den);
      shorten(other);
    }
    this.rows.set(entering, row);
  }

  private solution(): Feasibility {
    const values: number[] = [0];
    for (let i = 1; i < this.variables; i++) {
      const row = this.rows.get(i);
      const value = row === undefined ? this.value[i]! : this.scaled(row) / row.den;
      if (!Number.isSafeInteger(value)) return PERHAPS;
      values.push(value + 0);
    }
    return { kind: 'solution', values };
  }
}

function exact(value: number): number {
  if (Math.abs(value) > EXACT) throw new TooLarge();
  return value;
}

const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b));

function shorten(row: Row): void {
  const divisor = row.coefficients.reduce(gcd, row.den);
  if (divisor <= 1) return;
  row.den /= divisor;
  row.coefficients = row.coefficients.map((one) => one / divisor);
}
