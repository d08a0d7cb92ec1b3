// Values as values of another scalar type. Between pointers and numbers nothing is known in general; what is lost there is noted.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import { ownerAt } from '../program/program.ts';
import { holdsFloats } from '../program/type-parts.ts';
import { INT, type IntType, isScalar, type ScalarType, sameType, widthOf } from '../program/types.ts';
import type { Context } from './context.ts';
import { convertFloat } from './floats.ts';
import type { Value } from './places.ts';
import { isNoAddress, numberAmongThreads, numberOfPointer, pointerOfNumber } from './pointer-numbers.ts';

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
    return { type, expr: pool.number(pool.test(asHeld(context, source)), 8) };
  if (type.kind === 'pointer' && from.kind === 'int') {
    // A number that was no address is given to a thread and comes back as a number: the machine of threads computes with addresses.
    const address = pool.zext(pool.resize(source.expr, widthOf(type), from.signed), 64);
    if (isNoAddress(context, address) || context.threads !== null) return { type, expr: address };
    return { type, expr: pointerOfNumber(context, address, type, span) };
  }
  if (type.kind === 'int' && from.kind === 'pointer') {
    // No object lies there: `&((struct S *)0)->member`.
    if (source.expr.op === 'const' && source.expr.value < context.memory.space.first)
      return { type, expr: pool.const(source.expr.value, type.width) };
    if (context.threads !== null && !context.constantMode)
      return numberAmongThreads(context, source, type, span);
    if (context.constantMode) return initialNumber(context, source, type);
    return { type, expr: numberOfPointer(context, source, type, span) };
  }
  if (from.kind === 'pointer') {
    if (type.kind === 'pointer' && holdsFloats(from.to) && !sameType(from.to, type.to))
      context.seesFloatBits();
    return { type, expr: source.expr };
  }
  return { type, expr: pool.resize(source.expr, widthOf(type), from.signed) };
}

/** As a variable of its type would hold it: pointers are computed with in 64 bits, and one that is a number may leave the 32 that it has. */
export function asHeld({ pool }: Context, { type, expr }: Value): Expr {
  if (type.kind !== 'pointer' || !type.narrow) return expr;
  return pool.zext(pool.resize(expr, widthOf(type), false), 64);
}

/** Pointers that have such a number from the start are any pointers. */
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

export const intValue = (context: Context, test: Expr): Value => ({
  type: INT,
  expr: context.pool.number(test, 32),
});
