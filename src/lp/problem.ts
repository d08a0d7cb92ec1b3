// The one problem type of the house: minimise or maximise a linear function of columns within bounds, subject to rows within bounds.
//
// Everything is an integer that a double represents exactly (a row with rational coefficients is scaled by its writer), so that
// the floating-point solver and the exact layer see the same problem. `null` as a bound means there is none.

export interface Problem {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly objective: Objective;
}

export interface Column {
  readonly lower: number | null;
  readonly upper: number | null;
  readonly integer?: boolean;
  readonly name?: string;
}

export interface Row {
  /** Sparse, each column at most once. */
  readonly terms: readonly Term[];
  readonly lower: number | null;
  readonly upper: number | null;
  readonly name?: string;
}

export interface Term {
  readonly column: number;
  readonly coefficient: number;
}

export interface Objective {
  readonly sense: 'minimise' | 'maximise';
  readonly terms: readonly Term[];
}

/** A vector of rationals over one denominator, which is positive. */
export interface ExactVector {
  readonly values: readonly bigint[];
  readonly denominator: bigint;
}

/**
 * Exact answers, each verified in integers before it is given.
 *
 * optimal: `primal` is feasible, `dual` (one multiplier per row) proves that nothing is better.
 * infeasible: `dual` is a combination of the rows that no point within the column bounds satisfies.
 * unbounded: `primal` is feasible and `ray` keeps it feasible while the objective improves for ever.
 * unknown: no answer within the limits, and no verdict may be drawn from it.
 */
export type Outcome =
  | {
      readonly kind: 'optimal';
      readonly primal: ExactVector;
      readonly dual: ExactVector;
      readonly objective: { readonly num: bigint; readonly den: bigint };
    }
  | { readonly kind: 'infeasible'; readonly dual: ExactVector }
  | { readonly kind: 'unbounded'; readonly primal: ExactVector; readonly ray: ExactVector }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason };

export type UnknownReason = 'time' | 'size' | 'numerics';

/** Collects columns and rows; merges repeated columns of a row and drops zeros. */
export class ProblemBuilder {
  readonly columns: Column[] = [];
  readonly rows: Row[] = [];

  column(lower: number | null = 0, upper: number | null = null, name?: string): number {
    this.columns.push(name === undefined ? { lower, upper } : { lower, upper, name });
    return this.columns.length - 1;
  }

  row(terms: Iterable<Term>, lower: number | null, upper: number | null, name?: string): number {
    const row = { terms: merge(terms), lower, upper };
    this.rows.push(name === undefined ? row : { ...row, name });
    return this.rows.length - 1;
  }

  /** The same so far, to go on differently. */
  copy(): ProblemBuilder {
    const copy = new ProblemBuilder();
    copy.columns.push(...this.columns);
    copy.rows.push(...this.rows);
    return copy;
  }

  build(sense: 'minimise' | 'maximise', terms: Iterable<Term>): Problem {
    return { columns: this.columns, rows: this.rows, objective: { sense, terms: merge(terms) } };
  }
}

function merge(terms: Iterable<Term>): Term[] {
  const sums = new Map<number, number>();
  for (const { column, coefficient } of terms) {
    const sum = (sums.get(column) ?? 0) + coefficient;
    if (!Number.isSafeInteger(sum)) throw new Error('impossible: a coefficient that is not a safe integer');
    sums.set(column, sum);
  }
  const merged: Term[] = [];
  for (const [column, coefficient] of sums) if (coefficient !== 0) merged.push({ column, coefficient });
  return merged;
}
