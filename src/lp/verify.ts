// Exact verification of what a solver claims, in integers: the last word on every answer of this room.
//
// Optimality is checked by weak duality alone: a feasible point and multipliers whose dual bound equals its objective. Nothing is
// assumed about where they came from.

import type { ExactVector, Problem, Term } from './problem.ts';

/** The columns of the matrix, for products with row multipliers. */
export function columnsOf(problem: Problem): readonly (readonly Term[])[] {
  const columns: Term[][] = problem.columns.map(() => []);
  problem.rows.forEach((row, index) => {
    for (const { column, coefficient } of row.terms) columns[column]!.push({ column: index, coefficient });
  });
  return columns;
}

export function dot(terms: readonly Term[], vector: readonly bigint[]): bigint {
  let sum = 0n;
  for (const { column, coefficient } of terms) {
    const value = vector[column]!;
    if (value !== 0n) sum += coefficient === 1 ? value : BigInt(coefficient) * value;
  }
  return sum;
}

function isFeasible(problem: Problem, point: ExactVector): boolean {
  const { values, denominator } = point;
  const within = (value: bigint, lower: number | null, upper: number | null): boolean =>
    (lower === null || value >= BigInt(lower) * denominator) &&
    (upper === null || value <= BigInt(upper) * denominator);
  return (
    problem.columns.every((column, index) => within(values[index]!, column.lower, column.upper)) &&
    problem.rows.every((row) => within(dot(row.terms, values), row.lower, row.upper))
  );
}

/**
 * The bound that row multipliers give on the objective in the sense of minimisation, over the dual's denominator; null when they
 * give none. Every feasible point satisfies objective ≥ bound.
 */
function dualBound(problem: Problem, dual: ExactVector, costs: readonly bigint[]): bigint | null {
  let bound = 0n;
  const take = (multiplier: bigint, lower: number | null, upper: number | null): boolean => {
    if (multiplier === 0n) return true;
    const limit = multiplier > 0n ? lower : upper;
    if (limit === null) return false;
    bound += multiplier * BigInt(limit);
    return true;
  };
  for (const [index, row] of problem.rows.entries()) {
    if (!take(dual.values[index]!, row.lower, row.upper)) return null;
  }
  const reduced = costs.map((cost) => cost * dual.denominator);
  for (const [index, row] of problem.rows.entries()) {
    const multiplier = dual.values[index]!;
    if (multiplier === 0n) continue;
    for (const { column, coefficient } of row.terms) reduced[column]! -= multiplier * BigInt(coefficient);
  }
  for (const [index, column] of problem.columns.entries()) {
    if (!take(reduced[index]!, column.lower, column.upper)) return null;
  }
  return bound;
}

/** Costs in the sense of minimisation. */
export function costsOf(problem: Problem): bigint[] {
  const costs = problem.columns.map(() => 0n);
  const sign = problem.objective.sense === 'minimise' ? 1n : -1n;
  for (const { column, coefficient } of problem.objective.terms) costs[column]! += sign * BigInt(coefficient);
  return costs;
}

/** Does the dual prove that no point is better than this one, and is this one a point? */
export function isOptimal(problem: Problem, primal: ExactVector, dual: ExactVector): boolean {
  if (!isFeasible(problem, primal)) return false;
  const costs = costsOf(problem);
  const bound = dualBound(problem, dual, costs);
  if (bound === null) return false;
  let objective = 0n;
  costs.forEach((cost, index) => {
    if (cost !== 0n) objective += cost * primal.values[index]!;
  });
  return objective * dual.denominator === bound * primal.denominator;
}

/** Does the combination of rows exclude every point within the column bounds? */
export function provesInfeasible(problem: Problem, dual: ExactVector): boolean {
  const bound = dualBound(
    problem,
    dual,
    problem.columns.map(() => 0n),
  );
  return bound !== null && bound > 0n;
}

/** Does moving along the ray keep every constraint, and improve the objective? */
export function isImprovingRay(problem: Problem, ray: ExactVector): boolean {
  const within = (value: bigint, lower: number | null, upper: number | null): boolean =>
    (lower === null || value >= 0n) && (upper === null || value <= 0n);
  if (!problem.columns.every((column, index) => within(ray.values[index]!, column.lower, column.upper)))
    return false;
  if (!problem.rows.every((row) => within(dot(row.terms, ray.values), row.lower, row.upper))) return false;
  const gain = dot(problem.objective.terms, ray.values);
  return problem.objective.sense === 'maximise' ? gain > 0n : gain < 0n;
}
