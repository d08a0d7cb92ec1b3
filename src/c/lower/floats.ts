// Floating-point numbers, in their bits: arithmetic as IEEE 754 has it, rounding to nearest, every operation in the type that C names (as on
// x86-64; FLT_EVAL_METHOD is 0). `__float128` is not computed with: any value.
//
// Which bits a NaN gets that an operation makes is left open (gcc and the processor do not agree among themselves). As long as a program looks at
// numbers only, nobody can tell. When one looks at bits (members of a union, casts of pointers, signbit), it is read again with
// `nanBitsMatter`: then such a NaN has unknown bits, and only those.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import type { FloatUnary } from '../program/floats.ts';
import { decode, formatOf, infinity, nearest, parseFloating, signBit, zero } from '../program/ieee.ts';
import { extendedFloat } from '../program/type-words.ts';
import type { CType, FloatType, IntType, ScalarType, WordSizes } from '../program/types.ts';
import { DOUBLE, FLOAT } from '../program/types.ts';
import { refuse } from '../text/codes.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import type { Value } from './places.ts';

export const QUAD_NOTE = 'numbers of 128 bits (__float128) are taken as any value';

/** The type and bits of a literal; null when it is none. */
export function floatLiteral(
  text: string,
  span: Span,
  sizes: WordSizes,
): { readonly type: FloatType; readonly bits: bigint } | null {
  const match = /^(0[xX][\da-fA-F.']*[pP][+-]?\d+|[\d.']+(?:[eE][+-]?\d+)?)(\w*)$/.exec(text);
  if (match === null) return null;
  const suffix = match[2]!.toLowerCase();
  const type = /^f(32|32x|64|64x)$/.test(suffix)
    ? extendedFloat(`_Float${suffix.slice(1)}`, sizes)
    : { '': DOUBLE, f: FLOAT, l: sizes.longDouble }[suffix];
  if (type === undefined)
    return refuse('SPW5012', `numbers with the suffix '${match[2]}' are not supported`, span);
  const bits = parseFloating(match[1]!.replaceAll("'", ''), type.width);
  return bits === null ? null : { type, bits };
}

// ---- tests on bits ----

const withoutSign = (width: number): bigint => (1n << BigInt(signBit(width))) - 1n;

/** The magnitude, as a number to compare with that of infinity. */
export const magnitude = ({ pool }: Context, expr: Expr): Expr =>
  pool.binary('and', expr, pool.const(withoutSign(expr.width), expr.width));

const infinite = ({ pool }: Context, width: number): Expr => pool.const(infinity(false, width), width);

export const isNan = (context: Context, expr: Expr): Expr =>
  context.pool.compare('ult', infinite(context, expr.width), magnitude(context, expr));
export const isInfinite = (context: Context, expr: Expr): Expr =>
  context.pool.eq(magnitude(context, expr), infinite(context, expr.width));
export const isBounded = (context: Context, expr: Expr): Expr =>
  context.pool.compare('ult', magnitude(context, expr), infinite(context, expr.width));
/** Not zero, and with the full precision. */
export function isNormal(context: Context, expr: Expr): Expr {
  const { pool } = context;
  const { precision, explicit } = formatOf(expr.width);
  const leading = 1n << BigInt(precision - 1);
  const least = pool.const(explicit ? leading + (leading << 1n) : leading, expr.width);
  return pool.and(pool.compare('ule', least, magnitude(context, expr)), isBounded(context, expr));
}
export const isZero = ({ pool }: Context, expr: Expr): Expr =>
  pool.floatCompare('feq', expr, pool.const(zero(false, expr.width), expr.width));
export function isNegative(context: Context, expr: Expr): Expr {
  context.seesFloatBits();
  const bit = context.pool.binary('lshr', expr, context.pool.const(signBit(expr.width), expr.width));
  return context.pool.test(context.pool.trunc(bit, 1));
}

/** The result of an operation. Where bits are looked at, a NaN that it makes has unknown ones. */
export function settled(context: Context, key: unknown, type: FloatType, expr: Expr, span: Span): Expr {
  const isSafe = expr.op === 'const' && decode(expr.value, expr.width).kind !== 'nan';
  if (!context.nanBitsMatter || isSafe || context.here === null) return expr;
  const { pool } = context;
  const cell = context.temporary(key, type, 'result');
  const symbol = pool.symbol(cell.id, cell.width);
  const [number, nan, join] = [context.location(span), context.location(span), context.location(span)];
  context.emit({ kind: 'assign', cell, value: expr }, span);
  fork(context, isNan(context, symbol), nan, number, span);
  context.here = nan;
  context.emit(
    { kind: 'havoc', cells: [cell], why: 'C leaves open which bits a NaN has', exact: false },
    span,
  );
  context.emit({ kind: 'assume', test: isNan(context, symbol), branch: null }, span);
  context.jump(join, span);
  context.here = number;
  context.jump(join, span);
  context.here = join;
  return symbol;
}

// ---- arithmetic ----

export function commonFloat(a: CType, b: CType): FloatType {
  if (a.kind !== 'float') return b as FloatType;
  if (b.kind !== 'float') return a;
  if (a.quad || b.quad) return a.quad ? a : b;
  if (a.width !== b.width) return a.width > b.width ? a : b;
  // `_Float64` before `_Float32x`, and both before `double`.
  return (a.extended ?? '') >= (b.extended ?? '') ? a : b;
}

const OPERATORS = { '+': 'fadd', '-': 'fsub', '*': 'fmul', '/': 'fdiv' } as const;

/** Both operands have the type. The result of a comparison is a test. */
export function floatArithmetic(
  context: Context,
  op: string,
  type: FloatType,
  a: Expr,
  b: Expr,
  span: Span,
  key: unknown,
): { readonly test: Expr } | { readonly value: Value } {
  const { pool } = context;
  const isTest = ['==', '!=', '<', '<=', '>', '>='].includes(op);
  if (type.quad) {
    const any = (kind: ScalarType) => context.unknown(key, kind, QUAD_NOTE, span);
    return isTest
      ? { test: pool.floatCompare('feq', any(FLOAT), any(FLOAT)) }
      : { value: { type, expr: any(type) } };
  }
  switch (op) {
    case '==':
      return { test: pool.floatCompare('feq', a, b) };
    case '!=':
      return { test: pool.not(pool.floatCompare('feq', a, b)) };
    case '<':
      return { test: pool.floatCompare('flt', a, b) };
    case '<=':
      return { test: pool.floatCompare('fle', a, b) };
    case '>':
      return { test: pool.floatCompare('flt', b, a) };
    case '>=':
      return { test: pool.floatCompare('fle', b, a) };
  }
  const operator = OPERATORS[op as '+'];
  if (operator === undefined)
    return refuse('SPW5011', `'${op}' does not work on floating-point numbers`, span);
  const expr = settled(context, key, type, pool.float(operator, type.width, [a, b]), span);
  return { value: { type, expr } };
}

export const negated = ({ pool }: Context, expr: Expr): Expr =>
  pool.binary('xor', expr, pool.const(1n << BigInt(signBit(expr.width)), expr.width));

export const floatUnary = (
  context: Context,
  op: FloatUnary,
  { type, expr }: { readonly type: FloatType; readonly expr: Expr },
  span: Span,
  key: unknown,
): Value => ({ type, expr: settled(context, key, type, context.pool.float(op, type.width, [expr]), span) });

// ---- conversions ----

/** From or to a floating-point number. */
export function convertFloat(context: Context, source: Value, type: ScalarType, span: Span): Value {
  const { pool } = context;
  const from = source.type;
  if ((from.kind === 'float' && from.quad) || (type.kind === 'float' && type.quad))
    return { type, expr: context.unknown(span, type, QUAD_NOTE, span) };
  if (type.kind === 'float') {
    if (from.kind === 'float') {
      const expr = pool.float('ftof', type.width, [source.expr]);
      return { type, expr: expr === source.expr ? expr : settled(context, span, type, expr, span) };
    }
    if (from.kind !== 'int') return context.wrongType('a number is needed', from, span);
    return { type, expr: pool.float(from.signed ? 'sitof' : 'uitof', type.width, [source.expr]) };
  }
  if (type.kind === 'pointer') return context.wrongType('a pointer or whole number is needed', from, span);
  if (type.name === '_Bool') return { type, expr: pool.number(pool.not(isZero(context, source.expr)), 8) };
  const test = fits(context, source.expr, type);
  if (test !== pool.true)
    context.emit(
      { kind: 'defined', test, why: `a conversion to ${type.name} that does not fit is undefined` },
      span,
    );
  return { type, expr: pool.float(type.signed ? 'ftosi' : 'ftoui', type.width, [source.expr]) };
}

/** Is the number, without its fraction, one of the type? */
export function fits({ pool }: Context, expr: Expr, { width: bits, signed }: IntType): Expr {
  const { width } = expr;
  const number = (negative: boolean, value: bigint): Expr =>
    pool.const(nearest(negative, value, 1n, width), width);
  const above = 1n << BigInt(signed ? bits - 1 : bits);
  const below = signed ? above : 0n;
  // The next number below the least one, where the format has it; else there is nothing between the least one and it.
  const isExact = bits < formatOf(width).precision;
  const low =
    !signed || isExact
      ? pool.floatCompare('flt', number(true, below + 1n), expr)
      : pool.floatCompare('fle', number(true, below), expr);
  return pool.and(low, pool.floatCompare('flt', expr, number(false, above)));
}
