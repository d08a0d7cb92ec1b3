// Functions that gcc knows without a header: bits of numbers, arithmetic that tells whether it overflowed, atomic accesses (which one
// thread by itself cannot tell from plain ones).

import type { Expr } from '../program/expr.ts';
import { BOOL, type CType, INT, type IntType, LLONG, UINT, ULLONG } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { refuse } from '../text/codes.ts';
import { write } from './access.ts';
import { atomicCall } from './builtin-atomics.ts';
import { bitsCall } from './builtin-bits.ts';
import { args, nothing } from './calls.ts';
import type { Context } from './context.ts';
import { convert, intValue } from './conversions.ts';
import type { Place, Value } from './places.ts';
import { saved, typeOf, value } from './values.ts';

export type CallNode = Extract<Expression, { kind: 'call' }>;

/** Null when it is none of these. */
export function builtinCall(context: Context, name: string, node: CallNode): Value | null {
  const [first, second, third] = node.args;
  switch (name) {
    case '__builtin_expect':
    case '__builtin_expect_with_probability':
      return args(context, node, [context.sizes.long, context.sizes.long])[0] ?? null;
    case '__builtin_assume_aligned':
      return args(context, node)[0] ?? null;
    case '__builtin_constant_p':
      return first === undefined ? null : intValue(context, context.pool.bool(isConstant(context, first)));
    case '__builtin_choose_expr':
      if (first === undefined || second === undefined || third === undefined) return null;
      return value(context, isZero(context, first) ? third : second);
    case '__builtin_unreachable':
      context.emit(
        { kind: 'defined', test: context.pool.false, why: '__builtin_unreachable() is undefined' },
        node.span,
      );
      return nothing(context);
    case '__builtin_va_start':
    case '__builtin_va_end':
    case '__builtin_va_copy':
    case '__sync_synchronize':
    case '__atomic_thread_fence':
    case '__atomic_signal_fence':
    case '__builtin_prefetch':
      return nothing(context);
    default:
  }
  return (
    bitsCall(context, name, node) ?? overflowCall(context, name, node) ?? atomicCall(context, name, node)
  );
}

function isConstant(context: Context, node: Expression): boolean {
  const here = context.here;
  context.here = null;
  try {
    return value(context, node).expr.op === 'const';
  } finally {
    context.here = here;
  }
}

function isZero(context: Context, node: Expression): boolean {
  const { expr } = context.constantly(() => value(context, node));
  if (expr.op !== 'const') refuse('SPW5015', 'this must be a constant', node.span);
  return expr.value === 0n;
}

// ---- bits of numbers ----

const FIXED: Readonly<Record<string, IntType>> = { s: INT, sll: LLONG, u: UINT, ull: ULLONG };

const OPERATIONS = { add: 'add', sub: 'sub', mul: 'mul' } as const;

function overflowCall(context: Context, name: string, node: CallNode): Value | null {
  const match = /^__builtin_(?:(s|u)?(add|sub|mul)(l|ll|)_overflow(_p)?)$/.exec(name);
  const [a, b, target] = node.args;
  if (match === null || a === undefined || b === undefined || target === undefined) return null;
  const [, sign, op, size, asks] = match;
  const { pool } = context;
  const { long, ulong } = context.sizes;
  const fixed =
    sign === undefined ? null : size === 'l' ? (sign === 's' ? long : ulong) : FIXED[sign + size!]!;
  const given = (node: Expression): Value => {
    const number = value(context, node);
    return saved(
      context,
      node,
      fixed === null ? number : convert(context, number, fixed, node.span),
      node.span,
    );
  };
  const [left, held] = [given(a), given(b)];
  const pointer = asks === undefined ? saved(context, target, value(context, target), target.span) : null;
  const result: CType | null =
    fixed ??
    (pointer === null ? typeOf(context, target) : pointer.type.kind === 'pointer' ? pointer.type.to : null);
  if (result?.kind !== 'int' || left.type.kind !== 'int' || held.type.kind !== 'int')
    return context.wrongType('whole numbers are needed', result ?? left.type, node.span);
  // Wide enough for the exact result of any operands.
  const wide = 2 * Math.max(left.type.width, held.type.width, result.width) + 2;
  const exactOf = ({ expr, type }: Value): Expr =>
    pool.resize(expr, wide, type.kind === 'int' && type.signed);
  const exact = pool.binary(OPERATIONS[op as 'add'], exactOf(left), exactOf(held));
  const cut = pool.trunc(exact, result.width);
  const overflowed = pool.not(pool.eq(pool.resize(cut, wide, result.signed), exact));
  const flag = saved(context, node, { type: BOOL, expr: pool.number(overflowed, 8) }, node.span);
  if (pointer !== null) {
    const place: Place = { type: result, address: pointer.expr, bits: null };
    write(context, place, { type: result, expr: cut }, node.span);
  }
  return flag;
}

// ---- atomic accesses ----
