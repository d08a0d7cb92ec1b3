// Builtins that look at the bits of a number: how many are set, where the first and the last one stand, bytes in the other order.

import type { Expr } from '../program/expr.ts';
import { INT, type IntType, UINT, UINT128, ULLONG, USHORT } from '../program/types.ts';
import type { CallNode } from './builtins.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import type { Value } from './places.ts';
import { saved, value } from './values.ts';

const SWAPPED: Readonly<Record<string, IntType>> = { 16: USHORT, 32: UINT, 128: UINT128 };
const SUFFIXES: Readonly<Record<string, IntType>> = { '': UINT, ll: ULLONG };

export function bitsCall(context: Context, name: string, node: CallNode): Value | null {
  const [, what, suffix] = /^__builtin_(popcount|parity|ffs|clz|ctz|clrsb)(l|ll|)$/.exec(name) ?? [];
  const swap = /^__builtin_bswap(16|32|64|128)$/.exec(name)?.[1];
  const { pool } = context;
  const given = node.args[0];
  if (given === undefined || (what === undefined && swap === undefined)) return null;
  const word = suffix === 'l' ? context.sizes.ulong : SUFFIXES[suffix ?? '']!;
  // Of 64 bits: gcc's uint64_t.
  const { ulong } = context.sizes;
  const type = swap === undefined ? word : (SWAPPED[swap] ?? (ulong.width === 64 ? ulong : ULLONG));
  const x = saved(context, node, convert(context, value(context, given), type, node.span), node.span).expr;
  if (swap !== undefined) return { type, expr: swapped(context, x) };
  const zero = pool.const(0n, x.width);
  const isNull = pool.eq(x, zero);
  const number = (expr: Expr): Value => ({ type: INT, expr });
  switch (what) {
    case 'popcount':
      return number(ones(context, x));
    case 'parity':
      return number(pool.binary('and', ones(context, x), pool.const(1n, 32)));
    case 'ffs':
      return number(
        pool.ite(isNull, pool.const(0n, 32), pool.binary('add', lowest(context, x), pool.const(1n, 32))),
      );
    case 'clrsb': {
      const sign = pool.compare('slt', x, zero);
      const same = pool.ite(sign, pool.binary('xor', x, pool.const(-1n, x.width)), x);
      const leading = pool.ite(pool.eq(same, zero), pool.const(x.width, 32), highest(context, same));
      return number(pool.binary('sub', leading, pool.const(1n, 32)));
    }
    default:
      context.emit({ kind: 'defined', test: pool.not(isNull), why: `${name}(0) is undefined` }, node.span);
      return number(what === 'clz' ? highest(context, x) : lowest(context, x));
  }
}

const bit = (context: Context, x: Expr, i: number): Expr =>
  context.pool.trunc(context.pool.binary('lshr', x, context.pool.const(i, x.width)), 1);

/** Added in pairs, then pairs of those, in as many bits as each sum needs: little for a solver to do. */
function ones(context: Context, x: Expr): Expr {
  const { pool } = context;
  let sums = Array.from({ length: x.width }, (_, i) => bit(context, x, i));
  for (let width = 2; sums.length > 1; width++)
    sums = Array.from({ length: sums.length / 2 }, (_, i) =>
      pool.binary('add', pool.zext(sums[2 * i]!, width), pool.zext(sums[2 * i + 1]!, width)),
    );
  return pool.zext(sums[0]!, 32);
}

/** The number of zeros below the lowest one. */
function lowest(context: Context, x: Expr): Expr {
  const { pool } = context;
  let result: Expr = pool.const(x.width, 32);
  for (let i = x.width - 1; i >= 0; i--)
    result = pool.ite(pool.eq(bit(context, x, i), pool.const(1n, 1)), pool.const(i, 32), result);
  return result;
}

/** The number of zeros above the highest one. */
function highest(context: Context, x: Expr): Expr {
  const { pool } = context;
  let result: Expr = pool.const(x.width, 32);
  for (let i = 0; i < x.width; i++)
    result = pool.ite(
      pool.eq(bit(context, x, i), pool.const(1n, 1)),
      pool.const(x.width - 1 - i, 32),
      result,
    );
  return result;
}

function swapped(context: Context, x: Expr): Expr {
  const { pool } = context;
  const bytes = x.width / 8;
  let result: Expr = pool.const(0n, x.width);
  for (let i = 0; i < bytes; i++) {
    const byte = pool.zext(pool.trunc(pool.binary('lshr', x, pool.const(8 * i, x.width)), 8), x.width);
    result = pool.binary('or', result, pool.binary('shl', byte, pool.const(8 * (bytes - 1 - i), x.width)));
  }
  return result;
}

// ---- arithmetic that tells whether it overflowed ----
