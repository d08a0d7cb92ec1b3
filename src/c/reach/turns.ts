// Preconditions of a loop's condition, turn by turn, differ only in constants: `i + 1 <= n`, `i + 2 <= n`, … A few of them are worth having;
// when more come the loop needs another kind of predicate.

import type { Expr } from '../program/expr.ts';

const ENOUGH = 3;

export class Turns {
  private readonly counts = new Map<string, number>();

  constructor(known: Iterable<Expr>) {
    for (const predicate of known) this.count(predicate);
  }

  count(predicate: Expr): void {
    const shape = shapeOf(predicate);
    if (shape !== null) this.counts.set(shape, (this.counts.get(shape) ?? 0) + 1);
  }

  tooMany(predicate: Expr): boolean {
    const shape = shapeOf(predicate);
    return shape !== null && (this.counts.get(shape) ?? 0) >= ENOUGH;
  }
}

const shapes = new WeakMap<Expr, { readonly text: string; readonly isSum: boolean }>();

/** The predicate without its constants; null for one without sums, whose constants tell values apart. */
function shapeOf(predicate: Expr): string | null {
  const { text, isSum } = shape(predicate);
  return isSum ? text : null;
}

function shape(expr: Expr): { readonly text: string; readonly isSum: boolean } {
  let known = shapes.get(expr);
  if (known === undefined) {
    const args = expr.args.map(shape);
    // A sum with a constant counts as what it adds to.
    const added = expr.op === 'add' && expr.args[1]!.op === 'const';
    const text =
      expr.op === 'const'
        ? '#'
        : expr.op === 'symbol'
          ? `s${expr.value}`
          : added
            ? args[0]!.text
            : `(${expr.op} ${args.map((arg) => arg.text).join(' ')})`;
    known = { text, isSum: added || args.some((arg) => arg.isSum) };
    shapes.set(expr, known);
  }
  return known;
}
