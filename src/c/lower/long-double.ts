// The bytes behind the ten of an x87 `long double`: C leaves open what an assignment leaves in them, and members of a union may look at them.

import type { Span } from '../../source/source.ts';
import { spliced, touchedCells } from '../program/bytes.ts';
import type { Expr } from '../program/expr.ts';
import type { Cell } from '../program/program.ts';
import { isLongDouble, X87_BYTES } from '../program/types.ts';
import type { Context } from './context.ts';

const WHY = 'C leaves open what is in the bytes behind a long double';

/** To be called after `value` was written as a long double: other members that share those bytes hold any value there. */
export function openTail(context: Context, address: Expr, value: Expr, span: Span): void {
  const { pool } = context;
  if (address.op !== 'const') {
    const cells = longDoubles(context).flatMap(({ address: start, width }) => tailOf(context, start, width));
    if (cells.length > 0) context.emit({ kind: 'havoc', cells, why: WHY, exact: false }, span);
    return;
  }
  const cells = tailOf(context, address.value, value.width);
  if (cells.length === 0) return;
  context.emit({ kind: 'havoc', cells, why: WHY, exact: false }, span);
  const number = pool.trunc(value, 8 * X87_BYTES);
  for (const cell of cells) {
    if (cell.address >= address.value + BigInt(X87_BYTES)) continue;
    const after = spliced(pool, cell, pool.symbol(cell.id, cell.width), address.value, number);
    context.emit({ kind: 'assign', cell, value: after }, span);
  }
}

const longDoubles = ({ memory }: Context): Cell[] =>
  memory.objects.flatMap(({ cells }) => [...cells.values()].filter(({ type }) => isLongDouble(type)));

function tailOf({ memory }: Context, start: bigint, width: number): Cell[] {
  const touched = touchedCells(memory.objects, start + BigInt(X87_BYTES), width - 8 * X87_BYTES) ?? [];
  return touched.filter(({ type }) => !isLongDouble(type));
}
