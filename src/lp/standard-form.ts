// A linear program as equations over variables that are not negative: columns are shifted to their lower bound (free columns are split), upper bounds and rows
// become equations with slacks. And the way back: points and rays of the problem.

import type { ExactVector, Problem } from './problem.ts';
import { costsOf } from './verify.ts';

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
export interface StandardForm {
  readonly images: readonly Image[];
  readonly variables: number;
  readonly equations: readonly Equation[];
}

export function standardForm(problem: Problem): StandardForm {
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
export function costsIn({ images, variables }: StandardForm, problem: Problem): readonly bigint[] {
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

export function pointOf(standard: StandardForm, solution: ExactVector): ExactVector {
  const { denominator } = solution;
  const values = standard.images.map((image) =>
    image.parts.reduce(
      (sum, { variable, sign }) => sum + sign * solution.values[variable]!,
      image.offset * denominator,
    ),
  );
  return { values, denominator };
}

export const rayOf = (standard: StandardForm, ray: ExactVector): ExactVector => ({
  values: standard.images.map((image) =>
    image.parts.reduce((sum, { variable, sign }) => sum + sign * ray.values[variable]!, 0n),
  ),
  denominator: ray.denominator,
});
