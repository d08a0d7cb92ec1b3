// Reads and writes of arrays as far as their addresses decide them: a read behind a write at the same address is what was written, at one that is never the same it is
// what was there before.

import type { Expr, Pool } from './expr.ts';
import { apart } from './simplify.ts';

/** Writes that a read looks behind. */
const FARTHEST = 20_000;

export function selected(pool: Pool, array: Expr, address: Expr): Expr {
  let from = array;
  for (let passed = 0; passed < FARTHEST; passed++) {
    if (from.op === 'everywhere') return from.args[0]!;
    if (from.op === 'ite')
      return pool.intoChoice(`select${address.id}`, from, (part) => selected(pool, part, address));
    if (from.op !== 'store') break;
    const [before, at, value] = from.args as [Expr, Expr, Expr];
    if (at === address) return value;
    if (!areApart(at, address)) break;
    from = before;
  }
  return pool.node('select', -array.width, [from, address]);
}

export function stored(pool: Pool, array: Expr, address: Expr, value: Expr): Expr {
  if (array.op === 'store' && array.args[1] === address) return stored(pool, array.args[0]!, address, value);
  if (value.op === 'select' && value.args[0] === array && value.args[1] === address) return array;
  if (array.op === 'everywhere' && array.args[0] === value) return array;
  return pool.node('store', array.width, [array, address, value]);
}

/** Two sums of the same with different constants are never equal. */
function areApart(a: Expr, b: Expr): boolean {
  if (a.op === 'const' && b.op === 'const') return a.value !== b.value;
  const [left, byLeft] = apart(a);
  const [right, byRight] = apart(b);
  return left === right && byLeft !== byRight;
}
