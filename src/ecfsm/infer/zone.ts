// Zones: sets of values given by bounds on differences, as closed matrices over named variables. '0' is the number zero.
// Everything here may only lose information; what `infer` finds is proved afterwards by the induction.

const ZERO = '0';

export class Zone {
  readonly names: readonly string[];
  /** bound[i][j] >= x_i - x_j. Closed under shortest paths, except after widening. */
  private readonly bound: number[][];

  private constructor(names: readonly string[], bound: number[][]) {
    this.names = names;
    this.bound = bound;
  }

  static top(): Zone {
    return new Zone([ZERO], [[0]]);
  }

  private at(name: string): number {
    const index = this.names.indexOf(name);
    if (index < 0) throw new Error(`impossible: no variable '${name}' in the zone`);
    return index;
  }

  has(name: string): boolean {
    return this.names.includes(name);
  }

  /** The greatest x - y. */
  difference(x: string, y: string): number {
    return this.bound[this.at(x)]![this.at(y)]!;
  }

  private copy(): number[][] {
    return this.bound.map((row) => [...row]);
  }

  /** With a new natural number. */
  withNatural(name: string): Zone {
    const bound = this.copy();
    const size = bound.length;
    // y - x <= y - 0 + (0 - x) <= y - 0
    for (let i = 0; i < size; i++) bound[i]!.push(Number.POSITIVE_INFINITY);
    bound.push(Array.from({ length: size + 1 }, () => Number.POSITIVE_INFINITY));
    bound[size]![size] = 0;
    for (let i = 0; i < size; i++) bound[i]![size] = bound[i]![0]!;
    return new Zone([...this.names, name], bound);
  }

  without(name: string): Zone {
    const gone = this.at(name);
    return new Zone(
      this.names.filter((_, i) => i !== gone),
      this.bound.filter((_, i) => i !== gone).map((row) => row.filter((_, j) => j !== gone)),
    );
  }

  renamed(from: string, to: string): Zone {
    return new Zone(
      this.names.map((name) => (name === from ? to : name)),
      this.bound,
    );
  }

  /** With x - y <= c; null when nothing is left. */
  limited(x: string, y: string, c: number): Zone | null {
    const i = this.at(x);
    const j = this.at(y);
    if (this.bound[i]![j]! <= c) return this;
    if (this.bound[j]![i]! + c < 0) return null;
    const bound = this.copy();
    const size = bound.length;
    for (let a = 0; a < size; a++) {
      const toX = this.bound[a]![i]!;
      if (toX === Number.POSITIVE_INFINITY) continue;
      for (let b = 0; b < size; b++) {
        const through = toX + c + this.bound[j]![b]!;
        if (through < bound[a]![b]!) bound[a]![b] = through;
      }
    }
    return new Zone(this.names, bound);
  }

  equated(x: string, y: string, c: number): Zone | null {
    return this.limited(x, y, c)?.limited(y, x, -c) ?? null;
  }

  /** With a new variable x = y + c, as far as that is a natural number. */
  withEqual(x: string, y: string, c: number): Zone | null {
    return this.withNatural(x).equated(x, y, c);
  }

  /** The least zone that contains both; they have the same variables, perhaps in another order. */
  joined(other: Zone): Zone {
    return this.combined(other, Math.max);
  }

  /** Like `joined`, but a bound that grows goes on to the next threshold at once, or away. */
  widened(other: Zone, thresholds: readonly number[]): Zone {
    return this.combined(other, (mine, theirs) => {
      if (theirs <= mine) return mine;
      return thresholds.find((threshold) => threshold >= theirs) ?? Number.POSITIVE_INFINITY;
    });
  }

  private combined(other: Zone, choose: (mine: number, theirs: number) => number): Zone {
    const order = this.names.map((name) => other.at(name));
    const bound = this.bound.map((row, i) =>
      row.map((mine, j) => choose(mine, other.bound[order[i]!]![order[j]!]!)),
    );
    return new Zone(this.names, bound);
  }

  /** The same set with its tightest bounds. Widened zones are kept as they are (or widening need not end) and closed for use. */
  closed(): Zone {
    const bound = this.copy();
    const size = bound.length;
    for (let k = 0; k < size; k++)
      for (let i = 0; i < size; i++)
        for (let j = 0; j < size; j++) {
          const through = bound[i]![k]! + bound[k]![j]!;
          if (through < bound[i]![j]!) bound[i]![j] = through;
        }
    return new Zone(this.names, bound);
  }

  contains(other: Zone): boolean {
    const order = this.names.map((name) => other.at(name));
    return this.bound.every((row, i) => row.every((mine, j) => other.bound[order[i]!]![order[j]!]! <= mine));
  }

  /** A small set of bounds x - y <= c from which all others follow; equalities are kept whole. */
  essential(): { x: string; y: string; c: number }[] {
    const size = this.names.length;
    const all: { i: number; j: number; c: number; equality: boolean }[] = [];
    for (let i = 0; i < size; i++)
      for (let j = 0; j < size; j++) {
        const c = this.bound[i]![j]!;
        if (i === j || c === Number.POSITIVE_INFINITY) continue;
        all.push({ i, j, c, equality: this.bound[j]![i] === -c });
      }
    // Drop inequalities before equalities, and bounds against zero before the others.
    const rank = (edge: (typeof all)[number]): number =>
      (edge.equality ? 2 : 0) + (edge.i === 0 || edge.j === 0 ? 0 : 1);
    let kept = all;
    for (const edge of [...all].sort((a, b) => rank(a) - rank(b) || b.i + b.j - a.i - a.j)) {
      const rest = kept.filter((candidate) => candidate !== edge);
      if (follows(edge, rest, size)) kept = rest;
    }
    return kept.map(({ i, j, c }) => ({ x: this.names[i]!, y: this.names[j]!, c }));
  }
}

/** Is there a path through these bounds that is at least as tight? Natural numbers come for free: 0 - x <= 0. */
function follows(
  edge: { i: number; j: number; c: number },
  rest: readonly { i: number; j: number; c: number }[],
  size: number,
): boolean {
  const distance = Array.from({ length: size }, () => Number.POSITIVE_INFINITY);
  distance[edge.i] = 0;
  const relax = (i: number, j: number, c: number): boolean => {
    if (distance[i]! + c >= distance[j]!) return false;
    distance[j] = distance[i]! + c;
    return true;
  };
  for (let round = 0, changed = true; changed && round <= size; round++) {
    changed = false;
    for (const { i, j, c } of rest) if (relax(i, j, c)) changed = true;
    for (let j = 1; j < size; j++) if (relax(0, j, 0)) changed = true;
  }
  return distance[edge.j]! <= edge.c;
}
