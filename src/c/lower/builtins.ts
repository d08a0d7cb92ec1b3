// Functions that gcc knows without a header: bits of numbers, arithmetic that tells whether it overflowed, atomic accesses (which one
// thread by itself cannot tell from plain ones).

import type { Expr } from '../program/expr.ts';
import type { CType, IntType, ScalarType } from '../program/types.ts';
import { BOOL, computedWidth, INT, isScalar, LLONG, UINT, ULLONG, USHORT } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { refuse } from '../text/codes.ts';
import { args, nothing } from './calls.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import type { Place, Value } from './places.ts';
import { convert, intValue, read, write } from './places.ts';
import { saved, typeOf, value } from './values.ts';

type CallNode = Extract<Expression, { kind: 'call' }>;

/** Null when it is none of these. */
export function builtinCall(context: Context, name: string, node: CallNode): Value | null {
  const [first, second, third] = node.args;
  switch (name) {
    case '__builtin_expect':
    case '__builtin_expect_with_probability':
    case '__builtin_assume_aligned':
      return first === undefined ? null : value(context, first);
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

const SUFFIXES: Readonly<Record<string, IntType>> = { '': UINT, ll: ULLONG };

function bitsCall(context: Context, name: string, node: CallNode): Value | null {
  const [, what, suffix] = /^__builtin_(popcount|parity|ffs|clz|ctz|clrsb)(l|ll|)$/.exec(name) ?? [];
  const swap = /^__builtin_bswap(16|32|64)$/.exec(name)?.[1];
  const { pool } = context;
  const given = node.args[0];
  if (given === undefined || (what === undefined && swap === undefined)) return null;
  const word = suffix === 'l' ? context.sizes.ulong : SUFFIXES[suffix ?? '']!;
  const type = swap === undefined ? word : swap === '16' ? USHORT : swap === '32' ? UINT : ULLONG;
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

function ones(context: Context, x: Expr): Expr {
  const { pool } = context;
  let sum: Expr = pool.const(0n, 32);
  for (let i = 0; i < x.width; i++) sum = pool.binary('add', sum, pool.zext(bit(context, x, i), 32));
  return sum;
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
  const [left, right] = [saved(context, a, value(context, a), a.span), value(context, b)];
  const held = saved(context, b, right, b.span);
  const pointer = asks === undefined ? saved(context, target, value(context, target), target.span) : null;
  const result: CType | null =
    fixed ??
    (pointer === null ? typeOf(context, target) : pointer.type.kind === 'pointer' ? pointer.type.to : null);
  if (result?.kind !== 'int' || left.type.kind !== 'int' || held.type.kind !== 'int')
    return context.wrongType('whole numbers are needed', result ?? left.type, node.span);
  // Wide enough for the exact result of any operands.
  const wide = 2 * Math.max(left.type.width, held.type.width, result.width) + 2;
  const exactOf = ({ expr, type }: Value): Expr => {
    const given = fixed === null ? { expr, type } : convert(context, { expr, type }, fixed, node.span);
    return pool.resize(given.expr, wide, given.type.kind === 'int' && given.type.signed);
  };
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

const ARITHMETIC: Readonly<Record<string, 'add' | 'sub' | 'and' | 'or' | 'xor'>> = {
  add: 'add',
  sub: 'sub',
  and: 'and',
  or: 'or',
  xor: 'xor',
};

function atomicCall(context: Context, name: string, node: CallNode): Value | null {
  const plain = name
    .replace(/^__sync_lock_test_and_set$/, '__atomic_exchange_n')
    .replace(/^__sync_lock_release$/, '__atomic_clear')
    .replace(/^__sync_(val|bool)_compare_and_swap$/, '__sync_$1_swap')
    .replace(/^__sync_(\w+_and_\w+)$/, (_, words: string) => {
      const [x, y] = words.split('_and_');
      return `__atomic_${x}_${y}`;
    });
  if (!plain.startsWith('__atomic_') && !plain.startsWith('__sync_')) return null;
  const what = plain.replace(/^__(atomic|sync)_/, '');
  const known =
    /^(load_n|store_n|load|store|exchange|compare_exchange|exchange_n|clear|test_and_set|(val|bool)_swap|compare_exchange_n|fetch_(add|sub|and|or|xor|nand)|(add|sub|and|or|xor|nand)_fetch)$/;
  if (!known.test(what)) return null;
  const [pointer, ...rest] = args(context, node).map((arg, i) =>
    saved(context, node.args[i], arg, node.span),
  );
  if (pointer?.type.kind !== 'pointer') return null;
  // A flag is a byte, whatever struct it lies in.
  const isFlag = name === '__atomic_test_and_set' || name === '__atomic_clear';
  const type: CType = isFlag || pointer.type.to.kind === 'void' ? BOOL : pointer.type.to;
  if (!isScalar(type)) return null;
  if (!isSequential(name, rest)) context.weakOrder ??= node.span;
  return throughPointers(context, what, rest, type, node, (given) =>
    context.atomically(node.span, () => accessAtomically(context, what, node, pointer, given, type)),
  );
}

const SEQ_CST = 5n;

/** Every order that the call names is the strongest one. */
function isSequential(name: string, rest: readonly Value[]): boolean {
  if (name.startsWith('__sync_')) return !name.startsWith('__sync_lock_');
  const orders = name.includes('compare_exchange') ? rest.slice(-2) : rest.slice(-1);
  return orders.every(({ expr }) => expr.op === 'const' && expr.value === SEQ_CST);
}

/** Arguments that are pointers to values: those are read before and written after what is atomic, as plain memory. */
function throughPointers(
  context: Context,
  what: string,
  rest: readonly Value[],
  type: ScalarType,
  node: CallNode,
  access: (given: readonly Value[]) => { readonly result: Value; readonly old: Value },
): Value {
  const at = ({ expr }: Value): Place => ({ type, address: expr, bits: null });
  const count = POINTERS_READ[what] ?? 0;
  const given = rest.map((value, i) =>
    i < count ? saved(context, node.args[i + 1], read(context, at(value), node.span), node.span) : value,
  );
  const { result, old } = access(given);
  if (what === 'load' || what === 'exchange')
    write(context, at(rest[what === 'load' ? 0 : 1]!), old, node.span);
  if (what.startsWith('compare_exchange')) {
    const [join, no] = [context.location(node.span), context.location(node.span)];
    fork(context, context.pool.test(result.expr), join, no, node.span);
    context.here = no;
    write(context, at(rest[0]!), old, node.span);
    context.jump(join, node.span);
    context.here = join;
  }
  return result;
}

/** How many of the arguments after the first are read through. */
const POINTERS_READ: Readonly<Record<string, number>> = {
  store: 1,
  exchange: 1,
  compare_exchange_n: 1,
  compare_exchange: 2,
};

function accessAtomically(
  context: Context,
  what: string,
  node: CallNode,
  pointer: Value,
  rest: readonly Value[],
  type: ScalarType,
): { readonly result: Value; readonly old: Value } {
  const place: Place = { type, address: pointer.expr, bits: null };
  const old = saved(context, node.callee, read(context, place, node.span), node.span);
  return { result: changeOf(context, what, node, place, old, rest, type), old };
}

/** What the access writes and gives, when it has read the old value. */
function changeOf(
  context: Context,
  what: string,
  node: CallNode,
  place: Place,
  old: Value,
  rest: readonly Value[],
  type: ScalarType,
): Value {
  const { pool } = context;
  const put = (source: Value): Value => write(context, place, source, node.span);
  switch (what) {
    case 'load_n':
      return old;
    case 'store':
    case 'store_n':
      put(rest[0]!);
      return nothing(context);
    case 'exchange_n':
      put(rest[0]!);
      return old;
    case 'exchange':
      put(rest[0]!);
      return nothing(context);
    case 'clear':
      put({ type: INT, expr: pool.const(0n, 32) });
      return nothing(context);
    case 'test_and_set':
      put({ type: INT, expr: pool.const(1n, 32) });
      return { type: BOOL, expr: pool.number(pool.test(old.expr), 8) };
    case 'load':
      return nothing(context);
    default:
  }
  if (what === 'val_swap' || what === 'bool_swap') {
    const same = swapIf(context, place, old, rest[0]!, rest[1]!, node);
    return what === 'val_swap' ? old : same;
  }
  if (what.startsWith('compare_exchange'))
    return swapIf(context, place, old, rest[0]!, rest[1]!, node, luck(context, rest[2]!, node));
  const [op, after] = what.startsWith('fetch_') ? [what.slice(6), false] : [what.slice(0, -6), true];
  const by = convert(context, rest[0]!, type.kind === 'pointer' ? LLONG : type, node.span).expr;
  const width = computedWidth(type);
  const sum = op === 'nand' ? pool.binary('and', old.expr, by) : pool.binary(ARITHMETIC[op]!, old.expr, by);
  const changed = op === 'nand' ? pool.binary('xor', sum, pool.const(-1n, width)) : sum;
  put({ type, expr: changed });
  return after ? { type, expr: changed } : old;
}

/** A weak exchange may fail though the values are equal: false then. */
function luck(context: Context, weak: Value, { callee, span }: CallNode): Expr {
  const { pool, here } = context;
  if (context.threads === null || here === null || (weak.expr.op === 'const' && weak.expr.value === 0n))
    return pool.true;
  const cell = context.temporary(callee, INT, 'luck');
  const after = context.location(span);
  for (const value of [1n, 0n])
    context.edge(here, after, { kind: 'assign', cell, value: pool.const(value, 32) }, span);
  context.here = after;
  return pool.test(pool.symbol(cell.id, 32));
}

/** Writes the new value where the old one is the expected one; tells whether it was. */
function swapIf(
  context: Context,
  place: Place,
  old: Value,
  expected: Value,
  wanted: Value,
  node: CallNode,
  luck: Expr = context.pool.true,
): Value {
  const { pool } = context;
  if (!isScalar(place.type)) return nothing(context);
  const isEqual = pool.eq(old.expr, convert(context, expected, place.type, node.span).expr);
  const same = pool.and(isEqual, luck);
  const flag = saved(context, node.args, { type: BOOL, expr: pool.number(same, 8) }, node.span);
  const [yes, join] = [context.location(node.span), context.location(node.span)];
  fork(context, pool.test(flag.expr), yes, join, node.span);
  context.here = yes;
  write(context, place, wanted, node.span);
  context.jump(join, node.span);
  context.here = join;
  return flag;
}
