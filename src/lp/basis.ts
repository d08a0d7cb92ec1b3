// From the basis at which the floating-point solver ended to exact numbers: the square system is solved in floats again and again for what is still missing
// (rationalise.ts), until rational numbers solve it exactly.

import { BASIS_UPPER, type BasisView } from './highs.ts';
import type { ExactVector, Problem, Term } from './problem.ts';
import type { SquareSystem } from './rationalise.ts';
import { refine } from './rationalise.ts';
import { columnsOf, costsOf } from './verify.ts';

/** The vertex and the multipliers that the basis stands for, solved exactly. */
export function fromBasis(
  problem: Problem,
  basis: BasisView,
): { primal: ExactVector; dual: ExactVector } | null {
  const size = problem.rows.length;
  const matrix = columnsOf(problem);
  const unit = (row: number): readonly Term[] => [{ column: row, coefficient: 1 }];
  const basic = Array.from(basis.basic, (index) => (index >= 0 ? matrix[index]! : unit(-1 - index)));
  if (basic.length !== size) return null;

  const resting = restingValues(problem, basis);
  const right: bigint[] = new Array(size).fill(0n);
  const subtract = (terms: readonly Term[], value: bigint): void => {
    if (value === 0n) return;
    for (const { column, coefficient } of terms) right[column]! -= BigInt(coefficient) * value;
  };
  resting.columns.forEach((value, index) => {
    subtract(matrix[index]!, value);
  });
  resting.rows.forEach((value, index) => {
    subtract(unit(index), value);
  });

  const forward: SquareSystem = {
    multiply: (vector) => {
      const product: bigint[] = new Array(size).fill(0n);
      vector.forEach((value, index) => {
        if (value === 0n) return;
        for (const { column, coefficient } of basic[index]!) product[column]! += BigInt(coefficient) * value;
      });
      return product;
    },
    solve: basis.solve,
  };
  const backward: SquareSystem = {
    multiply: (vector) =>
      basic.map((terms) => terms.reduce((sum, t) => sum + BigInt(t.coefficient) * vector[t.column]!, 0n)),
    solve: basis.transposeSolve,
  };
  const solves = (system: SquareSystem, target: readonly bigint[]) => (candidate: ExactVector) =>
    system
      .multiply(candidate.values)
      .every((value, index) => value === target[index]! * candidate.denominator);

  const costs = costsOf(problem);
  const basicCosts = Array.from(basis.basic, (index) => (index >= 0 ? costs[index]! : 0n));
  const inner = refine(forward, right, solves(forward, right));
  const dual = inner && refine(backward, basicCosts, solves(backward, basicCosts));
  if (!inner || !dual) return null;

  const values = resting.columns.map((value) => value * inner.denominator);
  basis.basic.forEach((index, position) => {
    if (index >= 0) values[index] = inner.values[position]!;
  });
  return { primal: { values, denominator: inner.denominator }, dual };
}

/** Where the variables outside the basis stand; a row's variable is minus its activity. */
function restingValues(problem: Problem, basis: BasisView): { columns: bigint[]; rows: bigint[] } {
  const basicColumns = new Set(basis.basic);
  const at = (status: number, lower: number | null, upper: number | null): bigint => {
    const value = status === BASIS_UPPER ? (upper ?? lower) : (lower ?? upper);
    return BigInt(value ?? 0);
  };
  return {
    columns: problem.columns.map((column, index) =>
      basicColumns.has(index) ? 0n : at(basis.columnStatus[index]!, column.lower, column.upper),
    ),
    rows: problem.rows.map((row, index) =>
      basicColumns.has(-1 - index) ? 0n : -at(basis.rowStatus[index]!, row.lower, row.upper),
    ),
  };
}
