// Bytes of memory out of cells of other widths, little-endian: what a read of any width sees, and what a write of any width leaves of the
// cells that it touches. Members of a union and arrays of characters read as numbers stay exact this way.

import { mask } from './compute.ts';
import type { Expr, Pool } from './expr.ts';
import type { Cell, MemoryObject } from './program.ts';
import { objectAt } from './program.ts';
import { isLongDouble, X87_BYTES } from './types.ts';

/** The object that holds all of these bytes, when it is taken apart into cells. */
function cellsOf(objects: readonly MemoryObject[], address: bigint, width: number): MemoryObject | null {
  const object = objectAt(objects, address);
  if (object === null || object.wide || object.kind === 'function') return null;
  return Number(address - object.address) + width / 8 <= object.size ? object : null;
}

/** The contents of `width` bits at an address; null where some byte belongs to no cell, or lies behind the number in a long double. */
export function bytesAt(
  pool: Pool,
  objects: readonly MemoryObject[],
  address: bigint,
  width: number,
  contents: (cell: Cell) => Expr,
): Expr | null {
  const object = cellsOf(objects, address, width);
  if (object === null) return null;
  const start = Number(address - object.address);
  const end = start + width / 8;
  let result = pool.const(0n, width);
  for (let at = start; at < end; ) {
    // Members of a union agree on the bytes they share: any cell will do, and the widest needs the fewest pieces.
    const here = [...object.cells.values()].filter((c) => c.offset <= at && at < c.offset + c.width / 8);
    const [cell] = here.sort((a, b) => b.offset + b.width / 8 - (a.offset + a.width / 8));
    if (cell === undefined) return null;
    const upTo = Math.min(end, cell.offset + cell.width / 8);
    if (isLongDouble(cell.type) && upTo > cell.offset + X87_BYTES) return null;
    const shifted = pool.binary('lshr', contents(cell), pool.const((at - cell.offset) * 8, cell.width));
    const piece = pool.zext(pool.trunc(shifted, Math.min((upTo - at) * 8, cell.width)), width);
    result = pool.binary('or', result, pool.binary('shl', piece, pool.const((at - start) * 8, width)));
    at = upTo;
  }
  return result;
}

/** The cells that a write of `width` bits touches. */
export function touchedCells(
  objects: readonly MemoryObject[],
  address: bigint,
  width: number,
): Cell[] | null {
  const object = cellsOf(objects, address, width);
  if (object === null) return null;
  const start = Number(address - object.address);
  return [...object.cells.values()].filter(
    (cell) => cell.offset < start + width / 8 && start < cell.offset + cell.width / 8,
  );
}

/** What a cell holds after `value` was written at an address that touches it. */
export function spliced(pool: Pool, cell: Cell, old: Expr, address: bigint, value: Expr): Expr {
  const from = Number(address - cell.address) * 8;
  // The value cut to what lies inside the cell, and where it starts there.
  const low = from < 0 ? pool.binary('lshr', value, pool.const(-from, value.width)) : value;
  const start = Math.max(0, from);
  const bits = Math.min(value.width - Math.max(0, -from), cell.width - start);
  const piece = pool.zext(pool.trunc(low, bits), cell.width);
  if (bits === cell.width) return piece;
  const kept = pool.binary('and', old, pool.const(~(mask(bits) << BigInt(start)), cell.width));
  return pool.binary('or', kept, pool.binary('shl', piece, pool.const(start, cell.width)));
}
