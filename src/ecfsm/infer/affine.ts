// The affine hull of points with whole coordinates: all linear equations that hold for every one of them, by elimination in exact rationals.

export interface Equation {
  /** Σ factors[i] · x[i] + constant = 0, whole numbers without a common factor. */
  readonly factors: readonly number[];
  readonly constant: number;
}

/** Equations with larger factors are accidents. */
const LARGEST_FACTOR = 8;

export function affineHull(points: readonly (readonly number[])[]): Equation[] {
  const width = points[0]?.length ?? 0;
  // A row (1, x): an equation is a vector that is orthogonal to all of them.
  const pivots: { readonly column: number; readonly row: number[] }[] = [];
  for (const point of points) {
    const row = [1, ...point];
    for (const { column, row: pivot } of pivots) eliminate(row, pivot, column);
    const column = row.findIndex((value) => value !== 0);
    if (column < 0) continue;
    shorten(row);
    if (row.some((value) => Math.abs(value) > 2 ** 26)) return [];
    for (const pivot of pivots) {
      eliminate(pivot.row, row, column);
      shorten(pivot.row);
    }
    pivots.push({ column, row });
    if (pivots.length > width) return [];
  }
  const fixed = new Map(pivots.map(({ column, row }) => [column, row]));
  const equations: Equation[] = [];
  for (let free = 0; free <= width; free++) {
    if (fixed.has(free)) continue;
    const equation = solutionFor(free, fixed, width);
    if (equation !== null) equations.push(equation);
  }
  return equations;
}

/** row := row · pivot[column] − pivot · row[column]: zero in the column. */
function eliminate(row: number[], pivot: readonly number[], column: number): void {
  const [factor, own] = [pivot[column]!, row[column]!];
  if (own === 0) return;
  for (let i = 0; i < row.length; i++) row[i] = row[i]! * factor - pivot[i]! * own;
  shorten(row);
}

function shorten(row: number[]): void {
  const divisor = row.reduce(gcd, 0);
  if (divisor > 1) for (let i = 0; i < row.length; i++) row[i] = row[i]! / divisor;
}

const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b));

/** The vector of the null space with the free column set, the other free columns 0. */
function solutionFor(
  free: number,
  fixed: ReadonlyMap<number, readonly number[]>,
  width: number,
): Equation | null {
  const used = [...fixed].filter(([, row]) => row[free] !== 0);
  const scale = used.reduce((product, [column, row]) => lcm(product, row[column]!), 1);
  const vector = Array.from({ length: width + 1 }, () => 0);
  vector[free] = scale;
  for (const [column, row] of used) vector[column] = (-row[free]! * scale) / row[column]!;
  shorten(vector);
  if (vector.some((value) => !Number.isSafeInteger(value) || Math.abs(value) > 2 ** 20)) return null;
  const factors = vector.slice(1);
  if (factors.some((factor) => Math.abs(factor) > LARGEST_FACTOR)) return null;
  return { factors: factors.map((factor) => factor + 0), constant: vector[0]! + 0 };
}

const lcm = (a: number, b: number): number => Math.abs((a / gcd(a, b)) * b);
