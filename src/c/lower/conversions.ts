// Values as values of another scalar type. Between pointers and numbers nothing is known in general; what is lost there is noted.

import type { Span } from '../../source/source.ts';
import { type Expr, symbolNumber } from '../program/expr.ts';
import { ownerAt } from '../program/program.ts';
import {
  holdsFloats,
  INT,
  type IntType,
  isScalar,
  type ScalarType,
  sameType,
  widthOf,
} from '../program/types.ts';
import type { Context } from './context.ts';
import { convertFloat } from './floats.ts';
import type { Value } from './places.ts';
import { saved } from './values.ts';

/** A value as another scalar type: cut, extended, or made a truth value. */
export function convert(context: Context, source: Value, type: ScalarType, span: Span): Value {
  const from = source.type;
  const { pool } = context;
  if (from.kind === 'record' || from.kind === 'void')
    return context.wrongType('a scalar value is needed', from, span);
  if (!isScalar(from)) return context.wrongType('a scalar value is needed', from, span);
  if (from.kind === 'float' || type.kind === 'float') {
    if (sameType(from, type)) return { type, expr: source.expr };
    return convertFloat(context, source, type, span);
  }
  if (type.kind === 'int' && type.name === '_Bool')
    return { type, expr: pool.number(pool.test(source.expr), 8) };
  if (type.kind === 'pointer' && from.kind === 'int') {
    // A number that was no address is given to a thread and comes back as a number: the machine of threads computes with addresses.
    const address = pool.zext(pool.resize(source.expr, widthOf(type), from.signed), 64);
    if (isNoAddress(context, address) || context.threads !== null) return { type, expr: address };
    return {
      type,
      expr: context.unknown(span, type, 'a pointer made from a number is taken as any pointer', span),
    };
  }
  if (type.kind === 'int' && from.kind === 'pointer') {
    // No object lies there: `&((struct S *)0)->member`.
    if (source.expr.op === 'const' && source.expr.value < context.memory.space.first)
      return { type, expr: pool.const(source.expr.value, type.width) };
    if (context.threads !== null && !context.constantMode)
      return numberOfPointer(context, source, type, span);
    if (context.constantMode) return initialNumber(context, source, type);
    const expr = context.unknown(span, type, 'a number made from a pointer is taken as any number', span);
    // Whoever gets the number may make the pointer again: what it points to can be reached from outside.
    const cell = context.temporary(span, from, 'address');
    context.emit({ kind: 'assign', cell, value: source.expr }, span);
    context.asNumbers.push(source.expr);
    return { type, expr };
  }
  if (from.kind === 'pointer') {
    if (type.kind === 'pointer' && holdsFloats(from.to) && !sameType(from.to, type.to))
      context.seesFloatBits();
    return { type, expr: source.expr };
  }
  return { type, expr: pool.resize(source.expr, widthOf(type), from.signed) };
}

/** No memory lies in the first and the last page, nor, with 64 bits, outside of what x86-64 can address. Elsewhere there may be a device. */
function isNoAddress({ sizes, constantMode }: Context, { op, value }: Expr): boolean {
  if (op !== 'const') return false;
  if (constantMode || value < PAGE) return true;
  return sizes.name === 'LP64' ? value >= 1n << 47n : value >= (1n << 32n) - PAGE;
}

const PAGE = 4096n;

/** The same of pointers that have such a value from the start. */
export function forgetFixedAddresses(context: Context, span: Span): void {
  const { initial, memory } = context;
  for (const [id, value] of initial) {
    const cell = memory.cells[id]!;
    if (cell.type.kind !== 'pointer' || isNoAddress(context, value)) continue;
    if (ownerAt(memory.objects, value.value) !== null) continue;
    initial.delete(id);
    const why = `'${cell.name}' is a pointer made from a number: it is taken as any pointer`;
    context.note(why, span);
    context.emit({ kind: 'havoc', cells: [cell], why, exact: false }, span);
  }
}

/** Of a variable outside of functions, which holds any number at the start (initial.ts). */
function initialNumber(context: Context, source: Value, type: IntType): Value {
  const cell = context.temporary({}, type, 'address');
  context.addressNumbers.add(cell.id);
  context.asNumbers.push(source.expr);
  return { type, expr: context.pool.symbol(cell.id, cell.width) };
}

/** Among threads: exact where it is no address. */
function numberOfPointer(
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
  return { type, expr: pool.resize(expr, type.width, false) };
}

export const intValue = (context: Context, test: Expr): Value => ({
  type: INT,
  expr: context.pool.number(test, 32),
});
