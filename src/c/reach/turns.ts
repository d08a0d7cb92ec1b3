// Preconditions of a loop's condition, turn by turn, differ only in constants: `i + 1 <= n`, `i + 2 <= n`, … A few of them are worth having;
// when more come the loop needs another kind of predicate.

import type { Expr } from '../program/expr.ts';

const ENOUGH = 3;

export class Turns {
  private readonly counts = new Map<number, number>();

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

interface Shape {
  /** The same for predicates that differ in constants only. */
  readonly number: number;
  readonly isSum: boolean;
}

const shapes = new WeakMap<Expr, Shape>();
/** What is written of a shape names those inside by their numbers: with shared parts it would be as long as a tree. */
const numbers = new Map<string, number>();

/** The predicate without its constants; null for one without sums, whose constants tell values apart. */
function shapeOf(predicate: Expr): number | null {
  const { number, isSum } = shape(predicate);
  return isSum ? number : null;
}

function shape(expr: Expr): Shape {
  let known = shapes.get(expr);
  if (known === undefined) {
    const args = expr.args.map(shape);
    // A sum with a constant counts as what it adds to.
    const added = expr.op === 'add' && expr.args[1]!.op === 'const';
    const number = added ? args[0]!.number : numbered(textOf(expr, args));
    known = { number, isSum: added || args.some((arg) => arg.isSum) };
    shapes.set(expr, known);
  }
  return known;
}

function textOf({ op, value }: Expr, args: readonly Shape[]): string {
  if (op === 'const') return '#';
  return op === 'symbol' ? `s${value}` : `${op} ${args.map(({ number }) => number).join(' ')}`;
}

function numbered(text: string): number {
  let number = numbers.get(text);
  if (number === undefined) numbers.set(text, (number = numbers.size));
  return number;
}
