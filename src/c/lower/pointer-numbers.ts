// Pointers as numbers and numbers as pointers. Where objects lie is nobody's business, so an address is any number, and a number is any pointer. But no object lies in
// the first and the last page, nor, with 64 bits, where x86-64 cannot address: numbers from there are themselves, in both directions. Programs keep small numbers in
// pointers (arguments of threads, contents of lists) and errors in the last page (`ERR_PTR`).

import type { Span } from '../../source/source.ts';
import { type Expr, symbolNumber } from '../program/expr.ts';
import type { Cell, Operation } from '../program/program.ts';
import { bitsType, type IntType, type ScalarType, type WordSizes, widthOf } from '../program/types.ts';
import type { Context } from './context.ts';
import type { Value } from './places.ts';
import { saved } from './values.ts';

type Assume = Extract<Operation, { kind: 'assume' }>;
type Assign = Extract<Operation, { kind: 'assign' }>;

const PAGE = 4096n;
const END_LP64 = 1n << 47n;
const END_ILP32 = (1n << 32n) - PAGE;

/** From here on there is nothing. */
const endOf = ({ name }: WordSizes): bigint => (name === 'LP64' ? END_LP64 : END_ILP32);

export const canLieAt = (sizes: WordSizes, address: bigint): boolean =>
  address >= PAGE && address < endOf(sizes);

/** Elsewhere there may be a device. */
export function isNoAddress(context: Context, { op, value }: Expr): boolean {
  if (op !== 'const') return false;
  return context.constantMode || !canLieAt(context.sizes, value);
}

/** Of 64 bits. */
export function mayBeAddress(context: Context, expr: Expr): Expr {
  const { pool } = context;
  const behind = pool.binary('sub', expr, pool.const(PAGE, 64));
  return pool.compare('ult', behind, pool.const(endOf(context.sizes) - PAGE, 64));
}

export const ANY_POINTER = 'a pointer made from a number is taken as any pointer';

/** `number`: of 64 bits. */
export function pointerOfNumber(context: Context, number: Expr, type: ScalarType, span: Span): Expr {
  const kept = context.temporary({}, bitsType(64), 'number');
  context.noAddresses.add(kept.id);
  const result = context.temporary({}, type, 'pointer');
  const any = context.temporary({}, type, 'unknown');
  const anything = { kind: 'havoc', cells: [any], why: ANY_POINTER, exact: false } as const;
  const { tests, results } = either(context, number, kept, result, span, () => {
    context.note(ANY_POINTER, span);
    context.emit(anything, span);
    return context.pool.symbol(any.id, any.width);
  });
  context.toPointers.push({ number: kept, tests, results, anything, span });
  return context.pool.symbol(result.id, result.width);
}

/** Whoever gets the number may make the pointer again: what it points to can be reached from outside. */
export function numberOfPointer(context: Context, pointer: Value, type: IntType, span: Span): Expr {
  const { pool } = context;
  context.asNumbers.push(pointer.expr);
  const kept = context.temporary({}, pointer.type as ScalarType, 'address');
  const result = context.temporary({}, bitsType(64), 'number');
  context.lookedAt.add(result.id);
  context.toNumbers.push({ pointer: kept, number: result });
  either(context, pointer.expr, kept, result, span, () => {
    const why = 'a number made from a pointer is taken as any number';
    const any = context.unknown({}, bitsType(64), why, span);
    // No test of its own: where nobody uses the number nothing is left of it.
    return pool.ite(mayBeAddress(context, any), any, pool.const(PAGE, 64));
  });
  return inWidth(context, pool.symbol(result.id, 64), pointer.type as ScalarType, type);
}

/** gcc: where the type is wider than pointers are, their highest bit is a sign. */
const inWidth = ({ pool }: Context, number: Expr, from: ScalarType, { width }: IntType): Expr =>
  pool.resize(pool.resize(number, widthOf(from), false), width, true);

/** What was given itself, kept in a cell of its own, where it is no address; else the other. */
function either(
  context: Context,
  given: Expr,
  kept: Cell,
  result: Cell,
  span: Span,
  other: () => Expr,
): { readonly tests: readonly Assume[]; readonly results: readonly Assign[] } {
  const { pool } = context;
  const join = context.location(span);
  const [yes, no] = [context.location(span), context.location(span)];
  context.emit({ kind: 'assign', cell: kept, value: given }, span);
  const itself = pool.symbol(kept.id, 64);
  const isAddress = mayBeAddress(context, itself);
  const tests = [isAddress, pool.not(isAddress)].map(
    (test): Assume => ({ kind: 'assume', test, branch: null }),
  );
  const before = context.here;
  const results = [other, () => itself].map((value, i): Assign => {
    const start = [yes, no][i]!;
    if (before !== null) context.edge(before, start, tests[i]!, span);
    context.here = before === null ? null : start;
    const made: Assign = { kind: 'assign', cell: result, value: value() };
    context.emit(made, span);
    context.jump(join, span);
    return made;
  });
  context.here = before === null ? null : join;
  return { tests, results };
}

/** Among threads: exact where it is no address. */
export function numberAmongThreads(
  context: Context,
  { expr: written, type: from }: Value,
  type: IntType,
  span: Span,
): Value {
  const { pool } = context;
  const { expr } = saved(context, span, { type: from, expr: written }, span);
  const isAddress = pool.compare('ule', pool.const(context.memory.space.first, 64), expr);
  const start = context.here;
  if (start !== null && isAddress !== pool.false) {
    context.emit({ kind: 'assume', test: isAddress, branch: null }, span);
    context.stop('cut', 'a number made from an address is not modelled', span);
    context.here = start;
    context.emit({ kind: 'assume', test: pool.not(isAddress), branch: null }, span);
  }
  for (const symbol of expr.symbols) context.plainNumbers.add(symbolNumber(symbol));
  return { type, expr: inWidth(context, expr, from as ScalarType, type) };
}
