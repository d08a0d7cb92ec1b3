// Problems made from a problem so that what is asked about it becomes an optimum: how far it misses being feasible, and in which directions it goes on for ever.

import type { Column, Problem, Row, Term } from './problem.ts';

/** Every row may be missed, at a price: the least price is above zero exactly where the problem is infeasible. */
export function elastic(problem: Problem): Problem {
  const columns: Column[] = [...problem.columns];
  const costs: Term[] = [];
  const miss = (coefficient: number): Term => {
    columns.push({ lower: 0, upper: null });
    costs.push({ column: columns.length - 1, coefficient: 1 });
    return { column: columns.length - 1, coefficient };
  };
  const rows = problem.rows.map((row) => ({
    ...row,
    terms: [
      ...row.terms,
      ...(row.lower === null ? [] : [miss(1)]),
      ...(row.upper === null ? [] : [miss(-1)]),
    ],
  }));
  return { columns, rows, objective: { sense: 'minimise', terms: costs } };
}

/** Directions in which nothing is lost, with the gain capped at one. */
export function rayProblem(problem: Problem): Problem {
  const zero = (bound: number | null): 0 | null => (bound === null ? null : 0);
  const still = <T extends Column | Row>(item: T): T => ({
    ...item,
    lower: zero(item.lower),
    upper: zero(item.upper),
  });
  const cap: Row =
    problem.objective.sense === 'maximise'
      ? { terms: problem.objective.terms, lower: null, upper: 1 }
      : { terms: problem.objective.terms, lower: -1, upper: null };
  return {
    columns: problem.columns.map(still),
    rows: [...problem.rows.map(still), cap],
    objective: problem.objective,
  };
}
