// Guesses that some execution shows to be wrong: whoever asks the solver about them has lost time. States are those that runs met (affine.ts); a test that cannot be
// computed in one of them is kept.

import { computeBinary, computeCompare } from '../program/compute.ts';
import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Cell } from '../program/program.ts';

/** The tests that are false in none of the states. */
export function unrefuted(
  tests: readonly Expr[],
  cells: readonly Cell[],
  states: readonly (readonly bigint[])[],
): Expr[] {
  const place = new Map(cells.map(({ id }, i) => [id, i]));
  return tests.filter((test) =>
    states.every((state) => {
      const value = (cell: number) => state[place.get(cell) ?? -1] ?? null;
      return valueIn(test, value) !== 0n;
    }),
  );
}

/** Its value where cells have these values; null where it cannot be told. */
export function valueIn(
  expr: Expr,
  read: (cell: number) => bigint | null,
  element: (address: bigint, width: number) => bigint | null = () => null,
): bigint | null {
  const { op, width } = expr;
  if (op === 'const') return expr.value;
  if (op === 'symbol') {
    const value = read(symbolNumber(expr));
    return value === null ? null : BigInt.asUintN(width, value);
  }
  if (op === 'select') {
    const address = valueIn(expr.args[1]!, read, element);
    return address === null ? null : element(address, width);
  }
  const args = expr.args.map((arg) => valueIn(arg, read, element));
  const [a, b] = args as [bigint | null, bigint | null];
  const truth = (value: boolean) => (value ? 1n : 0n);
  switch (op) {
    case 'not':
      return a === null ? null : truth(a === 0n);
    case 'conj':
      return a === 0n || b === 0n ? 0n : a === null || b === null ? null : 1n;
    case 'disj':
      return (a ?? 0n) !== 0n || (b ?? 0n) !== 0n ? 1n : a === null || b === null ? null : 0n;
    case 'zext':
      return a;
    case 'sext':
      return a === null ? null : BigInt.asUintN(width, BigInt.asIntN(expr.args[0]!.width, a));
    case 'trunc':
      return a === null ? null : BigInt.asUintN(width, a);
    case 'eq':
    case 'ult':
    case 'ule':
    case 'slt':
    case 'sle':
      return a === null || b === null ? null : truth(computeCompare(op, a, b, expr.args[0]!.width));
    case 'add':
    case 'sub':
    case 'mul':
    case 'and':
    case 'or':
    case 'xor':
      return a === null || b === null ? null : computeBinary(op, a, b, width);
    default:
      return null;
  }
}
