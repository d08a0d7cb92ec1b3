// What <math.h> and gcc's builtins for floating-point numbers do, where IEEE 754 says it to the last bit: classification, roots, rounding,
// extremes. The rest (sines, logarithms) depends on the library: any value.

import type { Expr } from '../program/expr.ts';
import type { FloatUnary } from '../program/floats.ts';
import { infinity, notANumber, signBit, zero } from '../program/ieee.ts';
import type { FloatType, IntType } from '../program/types.ts';
import { DOUBLE, FLOAT, INT, LLONG } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { write } from './access.ts';
import { args, givenAway, nothing } from './call-values.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import { convert, intValue } from './conversions.ts';
import {
  commonFloat,
  fits,
  floatArithmetic,
  floatUnary,
  isBounded,
  isInfinite,
  isNan,
  isNegative,
  isNormal,
  isZero,
  magnitude,
  settled,
} from './floats.ts';
import type { Value } from './places.ts';
import { saved } from './values.ts';

type CallNode = Extract<Expression, { kind: 'call' }>;
type Floating = { readonly type: FloatType; readonly expr: Expr };

const ROUNDING: Readonly<Record<string, FloatUnary>> = {
  floor: 'ffloor',
  ceil: 'fceil',
  trunc: 'ftrunc',
  rint: 'feven',
  nearbyint: 'feven',
  roundeven: 'feven',
  round: 'faway',
  sqrt: 'fsqrt',
};
/** They change nothing but errno. */
const UNMODELLED = new Set(
  `acos asin atan atan2 cos sin tan cosh sinh tanh acosh asinh atanh exp exp2 expm1 log log10 log1p log2 pow cbrt hypot
  erf erfc lgamma tgamma fma remainder nextafter ldexp scalbn logb`.split(/\s+/),
);
const TO_WHOLE: Readonly<Record<string, FloatUnary>> = { lround: 'faway', lrint: 'feven' };
const CONSTANTS = new Set(['inf', 'huge_val', 'nan']);
const BINARY = new Set(['modf', 'fmin', 'fmax', 'fdim', 'copysign', 'fmod']);
const COMPARISONS: Readonly<Record<string, string>> = {
  isgreater: '>',
  isgreaterequal: '>=',
  isless: '<',
  islessequal: '<=',
};
const CLASSES = new Set(
  'isnan isinf isinf_sign isfinite finite isnormal signbit isunordered islessgreater fpclassify'.split(' '),
);

/** Null when it is none of these. */
export function mathCall(context: Context, name: string, node: CallNode): Value | null {
  const plain = name.replace(/^__(?:builtin_|CPROVER_)?/, '');
  if (plain === 'fesetround' || plain === 'fesetenv') return otherRounding(context, name, node);
  const isClass = (what: string): boolean => CLASSES.has(what) || what in COMPARISONS;
  const short = plain.replace(/[fl]$/, '');
  if (isClass(plain) || isClass(short))
    return classCall(context, isClass(plain) ? plain : short, plain, node);
  const base = knownBase(plain);
  if (base === null) return null;
  const type = plain === base ? DOUBLE : plain.endsWith('f') ? FLOAT : context.sizes.longDouble;
  if (CONSTANTS.has(base))
    return name.startsWith('__builtin_') || base === 'nan' ? constantCall(context, base, type, node) : null;
  const given = args(context, node);
  if (given.length === 0) return null;
  mayChangeErrno(context, node);
  if (base === 'modf') return partsCall(context, type, given, node);
  const floats = given.map((value, i): Floating => {
    const { expr } = convert(context, value, type, node.span);
    return { type, expr: saved(context, node.args[i], { type, expr }, node.span).expr };
  });
  const [x, y] = floats as [Floating, Floating | undefined];
  if (UNMODELLED.has(base)) {
    const why = `what '${name}' computes is taken as any value`;
    return { type, expr: context.unknown(node, type, why, node.span) };
  }
  const rounding = ROUNDING[base];
  if (rounding !== undefined) return floatUnary(context, rounding, x, node.span, node);
  if (base === 'fabs') return { type, expr: magnitude(context, x.expr) };
  const toWhole = TO_WHOLE[base.replace(/^ll/, 'l')];
  if (toWhole !== undefined) {
    const whole = base.startsWith('ll') ? LLONG : context.sizes.long;
    return toWholeNumber(context, toWhole, x, whole, node);
  }
  return y === undefined ? null : binaryCall(context, base, x, y, node);
}

function knownBase(plain: string): string | null {
  const isKnown = (base: string): boolean =>
    base in ROUNDING ||
    UNMODELLED.has(base) ||
    CONSTANTS.has(base) ||
    BINARY.has(base) ||
    base === 'fabs' ||
    base.replace(/^ll/, 'l') in TO_WHOLE;
  if (isKnown(plain)) return plain;
  const base = plain.replace(/[fl]$/, '');
  return isKnown(base) ? base : null;
}

function otherRounding(context: Context, name: string, node: CallNode): Value {
  givenAway(context, node);
  context.stop('cut', `'${name}' changes how numbers are rounded, which is not modelled`, node.span);
  return nothing(context);
}

/** Functions of <math.h> may report errors there. */
function mayChangeErrno(context: Context, node: CallNode): void {
  const entity = context.scope.find('errno');
  if (entity?.kind !== 'object') return;
  const why = 'whether functions of <math.h> set errno is not modelled';
  context.emit({ kind: 'havoc', cells: [...entity.object.cells.values()], why, exact: false }, node.span);
}

function constantCall(context: Context, base: string, type: FloatType, node: CallNode): Value | null {
  const { width } = type;
  const bits = base === 'nan' ? notANumber(width) : infinity(false, width);
  const [text] = node.args;
  // Another text gives a NaN with other bits.
  if (base === 'nan' && !(text?.kind === 'string' && /^"0?"$/.test(text.text))) {
    givenAway(context, node);
    return { type, expr: settled(context, node, type, context.pool.const(bits, width), node.span) };
  }
  return { type, expr: context.pool.const(bits, width) };
}

function classCall(context: Context, what: string, plain: string, node: CallNode): Value | null {
  const { pool } = context;
  const given = args(context, node);
  const parts = what === 'fpclassify' && given.length === 6 ? given.slice(5) : given;
  if (parts.length === 0 || parts.some(({ type }) => type.kind !== 'float' && type.kind !== 'int'))
    return null;
  const fixed = what === plain ? null : plain.endsWith('f') ? FLOAT : context.sizes.longDouble;
  const type =
    fixed ??
    parts.reduce<FloatType>(
      (so, { type: t }) => (t.kind === 'float' ? commonFloat(so, t) : DOUBLE),
      narrowest(parts),
    );
  const floats = parts.map(
    (part, i) => saved(context, node.args[i], convert(context, part, type, node.span), node.span).expr,
  );
  const [x, y] = floats as [Expr, Expr | undefined];
  const order = COMPARISONS[what];
  if (y !== undefined && order !== undefined) {
    const result = floatArithmetic(context, order, type, x, y, node.span, node);
    return 'test' in result ? intValue(context, result.test) : result.value;
  }
  const unordered = y === undefined ? null : pool.or(isNan(context, x), isNan(context, y));
  switch (what) {
    case 'isunordered':
      return unordered === null ? null : intValue(context, unordered);
    case 'islessgreater':
      return unordered === null
        ? null
        : intValue(context, pool.or(pool.floatCompare('flt', x, y!), pool.floatCompare('flt', y!, x)));
    case 'isnan':
      return intValue(context, isNan(context, x));
    case 'isfinite':
    case 'finite':
      return intValue(context, isBounded(context, x));
    case 'isnormal':
      return intValue(context, isNormal(context, x));
    case 'signbit':
      return signOf(context, x, node);
    case 'isinf':
    case 'isinf_sign': {
      // Of an infinity the sign is known whatever bits a NaN has.
      const below = pool.floatCompare('flt', x, pool.const(zero(false, x.width), x.width));
      const sign = pool.ite(below, pool.const(-1n, 32), pool.const(1n, 32));
      return { type: INT, expr: pool.ite(isInfinite(context, x), sign, pool.const(0n, 32)) };
    }
    default:
      return classOf(context, x, given.length === 6 ? given.slice(0, 5) : null, node);
  }
}

const narrowest = (parts: readonly Value[]): FloatType =>
  parts.every(({ type }) => type.kind === 'float' && type.width === 32)
    ? FLOAT
    : parts.some(({ type }) => type.kind === 'float' && type.width > 64)
      ? (parts.find(({ type }) => type.kind === 'float' && type.width > 64)!.type as FloatType)
      : DOUBLE;

/** C says only that it is not zero. gcc gives the bit where it lies in memory or in the register. */
function signOf(context: Context, x: Expr, node: CallNode): Value {
  const { pool } = context;
  const why = 'which number signbit gives, where it is not 0, is left open';
  const test = isNegative(context, x);
  const cell = context.temporary(node, INT, 'sign');
  const [yes, no, join] = [
    context.location(node.span),
    context.location(node.span),
    context.location(node.span),
  ];
  const symbol = pool.symbol(cell.id, 32);
  fork(context, test, yes, no, node.span);
  context.here = yes;
  context.emit({ kind: 'havoc', cells: [cell], why, exact: false }, node.span);
  context.emit({ kind: 'assume', test: pool.test(symbol), branch: null }, node.span);
  context.jump(join, node.span);
  context.here = no;
  context.emit({ kind: 'assign', cell, value: pool.const(0n, 32) }, node.span);
  context.jump(join, node.span);
  context.here = join;
  return { type: INT, expr: symbol };
}

/** `named`: what the five classes are called; else as glibc numbers them. */
function classOf(context: Context, x: Expr, named: readonly Value[] | null, node: CallNode): Value {
  const { pool } = context;
  const number = (i: number): Expr => {
    const order = [0, 1, 4, 3, 2];
    return named === null ? pool.const(order[i]!, 32) : convert(context, named[i]!, INT, node.span).expr;
  };
  const rest = pool.ite(isNormal(context, x), number(2), pool.ite(isZero(context, x), number(4), number(3)));
  return {
    type: INT,
    expr: pool.ite(isNan(context, x), number(0), pool.ite(isInfinite(context, x), number(1), rest)),
  };
}

function binaryCall(context: Context, base: string, x: Floating, y: Floating, node: CallNode): Value {
  const { pool } = context;
  const { type } = x;
  const { width } = type;
  const less = (a: Floating, b: Floating): Expr => pool.floatCompare('flt', a.expr, b.expr);
  const unlessNan = (chosen: Expr): Expr =>
    pool.ite(isNan(context, y.expr), x.expr, pool.ite(isNan(context, x.expr), y.expr, chosen));
  switch (base) {
    // Of two zeros the second, as the processor's minimum and maximum have it.
    case 'fmin':
      return { type, expr: unlessNan(pool.ite(less(x, y), x.expr, y.expr)) };
    case 'fmax':
      return { type, expr: unlessNan(pool.ite(less(y, x), x.expr, y.expr)) };
    case 'fdim': {
      const difference = settled(context, node, type, pool.float('fsub', width, [x.expr, y.expr]), node.span);
      const none = pool.floatCompare('fle', x.expr, y.expr);
      return { type, expr: pool.ite(none, pool.const(zero(false, width), width), difference) };
    }
    case 'copysign': {
      context.seesFloatBits();
      const sign = pool.binary('and', y.expr, pool.const(1n << BigInt(signBit(width)), width));
      return { type, expr: pool.binary('or', magnitude(context, x.expr), sign) };
    }
    default:
      return {
        type,
        expr: settled(context, node, type, pool.float('frem', width, [x.expr, y.expr]), node.span),
      };
  }
}

/** The whole part goes where the pointer says, the rest is the result; both have the sign of the number. */
function partsCall(context: Context, type: FloatType, given: readonly Value[], node: CallNode): Value | null {
  const { pool } = context;
  const [number, pointer] = given;
  if (number === undefined || pointer?.type.kind !== 'pointer') return null;
  const { width } = type;
  const x = saved(context, node, convert(context, number, type, node.span), node.span).expr;
  const whole = pool.float('ftrunc', width, [x]);
  const place = { type, address: pointer.expr, bits: null };
  write(context, place, { type, expr: settled(context, node.callee, type, whole, node.span) }, node.span);
  const rest = pool.ite(
    isInfinite(context, x),
    pool.const(zero(false, width), width),
    pool.float('fsub', width, [x, whole]),
  );
  const sign = pool.binary('and', x, pool.const(1n << BigInt(signBit(width)), width));
  const withSign = pool.binary('or', magnitude(context, rest), sign);
  const expr = pool.ite(isNan(context, x), pool.const(notANumber(width), width), withSign);
  return { type, expr: settled(context, node.args, type, expr, node.span) };
}

/** A number that does not fit gives an unspecified one. */
function toWholeNumber(context: Context, op: FloatUnary, x: Floating, type: IntType, node: CallNode): Value {
  const { pool } = context;
  const rounded = pool.float(op, x.type.width, [x.expr]);
  const cell = context.temporary(node, type, 'whole');
  const [yes, no, join] = [
    context.location(node.span),
    context.location(node.span),
    context.location(node.span),
  ];
  fork(context, fits(context, rounded, type), yes, no, node.span);
  context.here = yes;
  context.emit({ kind: 'assign', cell, value: pool.float('ftosi', type.width, [rounded]) }, node.span);
  context.jump(join, node.span);
  context.here = no;
  const why = 'rounding a number that does not fit is taken as any value';
  context.emit({ kind: 'havoc', cells: [cell], why, exact: false }, node.span);
  context.jump(join, node.span);
  context.here = join;
  return { type, expr: pool.symbol(cell.id, cell.width) };
}
