// Atomic accesses (`__atomic_…`, `__sync_…`): each reads, computes and writes in one piece. Where a call asks for a weaker order than the strongest one
// that is noted, because the search of interleavings knows only that one.

import type { Expr } from '../program/expr.ts';
import { BOOL, type CType, computedWidth, INT, isScalar, LLONG, type ScalarType } from '../program/types.ts';
import { read, write } from './access.ts';
import type { CallNode } from './builtins.ts';
import { args, nothing } from './call-values.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import type { Place, Value } from './places.ts';
import { saved } from './values.ts';

const ARITHMETIC: Readonly<Record<string, 'add' | 'sub' | 'and' | 'or' | 'xor'>> = {
  add: 'add',
  sub: 'sub',
  and: 'and',
  or: 'or',
  xor: 'xor',
};

export function atomicCall(context: Context, name: string, node: CallNode): Value | null {
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
  // What is only written is not read.
  const writesOnly = what === 'store' || what === 'store_n' || what === 'clear';
  const old = writesOnly
    ? nothing(context)
    : saved(context, node.callee, read(context, place, node.span), node.span);
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
