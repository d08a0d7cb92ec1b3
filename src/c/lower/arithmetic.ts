// Operators on values: whole numbers after the usual conversions, floating-point numbers, pointers.

import type { Span } from '../../source/source.ts';
import type { BinaryOp, CompareOp } from '../program/compute.ts';
import type { Expr } from '../program/expr.ts';
import { ownerAt } from '../program/program.ts';
import type { IntType } from '../program/types.ts';
import { commonType, pointerIn, promote, showType, VOID } from '../program/types.ts';
import { refuse } from '../text/codes.ts';
import type { Context } from './context.ts';
import { asHeld, convert, intValue } from './conversions.ts';
import { commonFloat, floatArithmetic } from './floats.ts';
import { isLabelAddress } from './labels.ts';
import { areSame } from './literals-of-files.ts';
import { distanceBetween, ordered } from './orders.ts';
import { requireFit, requireThat } from './overflow.ts';
import type { Value } from './places.ts';
import { bytesOf } from './sizes.ts';

const COMPARISONS: Readonly<
  Record<string, readonly [signed: CompareOp, unsigned: CompareOp, swapped: boolean]>
> = {
  '<': ['slt', 'ult', false],
  '<=': ['sle', 'ule', false],
  '>': ['slt', 'ult', true],
  '>=': ['sle', 'ule', true],
};

const OPERATORS: Readonly<Record<string, readonly [signed: BinaryOp, unsigned: BinaryOp]>> = {
  '+': ['add', 'add'],
  '-': ['sub', 'sub'],
  '*': ['mul', 'mul'],
  '/': ['sdiv', 'udiv'],
  '%': ['srem', 'urem'],
  '&': ['and', 'and'],
  '|': ['or', 'or'],
  '^': ['xor', 'xor'],
  '<<': ['shl', 'shl'],
  '>>': ['ashr', 'lshr'],
};

/** A binary operator on two values, but for && and ||. */
export function arithmetic(
  context: Context,
  op: string,
  left: Value,
  right: Value,
  span: Span,
  key: unknown,
): Value {
  const { pool } = context;
  if (left.type.kind === 'pointer' || right.type.kind === 'pointer')
    return onPointers(context, op, left, right, span);
  if (left.type.kind === 'float' || right.type.kind === 'float') {
    const type = commonFloat(left.type, right.type);
    const a = convert(context, left, type, span).expr;
    const b = convert(context, right, type, span).expr;
    const result = floatArithmetic(context, op, type, a, b, span, key);
    return 'test' in result ? intValue(context, result.test) : result.value;
  }
  if (left.type.kind !== 'int') return context.wrongType('a number is needed', left.type, span);
  if (right.type.kind !== 'int') return context.wrongType('a number is needed', right.type, span);
  const shift = op === '<<' || op === '>>';
  const type: IntType = shift ? promote(left.type) : commonType(left.type, right.type);
  const a = convert(context, left, type, span).expr;
  const b = shift
    ? pool.resize(right.expr, type.width, right.type.signed)
    : convert(context, right, type, span).expr;
  if (op === '==' || op === '!=')
    return intValue(context, op === '==' ? pool.eq(a, b) : pool.not(pool.eq(a, b)));
  const comparison = COMPARISONS[op];
  if (comparison !== undefined) {
    const compare = comparison[type.signed ? 0 : 1];
    return intValue(context, comparison[2] ? pool.compare(compare, b, a) : pool.compare(compare, a, b));
  }
  const operator = OPERATORS[op]?.[type.signed ? 0 : 1];
  if (operator === undefined) return refuse('SPW5012', `the operator '${op}' is not supported`, span);
  if (op === '/' || op === '%') requireDivisor(context, op, a, b, type, span);
  if (shift) {
    // In the count's own width: cut to the other's, 2^32 would be 0.
    const count = convert(context, right, promote(right.type), span).expr;
    const fits = pool.compare('ult', count, pool.const(type.width, count.width));
    require(context, fits, 'a shift by its width or more', span);
  }
  requireFit(context, op, type, a, b, span);
  return { type, expr: pool.binary(operator, a, b) };
}

function requireDivisor(context: Context, op: string, a: Expr, b: Expr, type: IntType, span: Span): void {
  const { pool } = context;
  require(context, pool.not(pool.eq(b, pool.const(0n, type.width))), 'a division by zero', span);
  if (!type.signed) return;
  const least = pool.eq(a, pool.const(1n << BigInt(type.width - 1), type.width));
  const minusOne = pool.eq(b, pool.const(-1n, type.width));
  const fits = pool.not(pool.and(least, minusOne));
  if (context.findsOverflows)
    requireThat(context, fits, `the result of '${op}' does not fit ${showType(type)}`, span);
  else require(context, fits, 'a quotient that does not fit', span);
}

function require(context: Context, test: Expr, what: string, span: Span): void {
  if (test === context.pool.true) return;
  context.emit({ kind: 'defined', test, why: `${what} is undefined` }, span);
}

const isNowhere = ({ memory }: Context, { op, value }: Expr): boolean =>
  op === 'const' && ownerAt(memory.objects, value) === null;

function onPointers(context: Context, op: string, left: Value, right: Value, span: Span): Value {
  const { pool } = context;
  const asAddress = (v: Value): Expr =>
    v.type.kind === 'pointer'
      ? asHeld(context, v)
      : convert(context, v, pointerIn(context.sizes, VOID), span).expr;
  if (op === '==' || op === '!=') {
    const same = areSame(context, asAddress(left), asAddress(right), span);
    return intValue(context, op === '==' ? same : pool.not(same));
  }
  const comparison = COMPARISONS[op];
  if (comparison !== undefined) {
    const [a, b] = comparison[2] ? [right, left] : [left, right];
    return intValue(context, ordered(context, comparison[1], asAddress(a), asAddress(b), span));
  }
  if (op === '-' && left.type.kind === 'pointer' && right.type.kind === 'pointer') {
    const bytes = bytesOf(context, left.type.to) ?? pool.const(1n, 64);
    const { difference } = context.sizes;
    if (context.takesLabels && bytes === pool.const(1n, 64) && left.expr !== right.expr)
      return labelDistance(context, left, right, difference, span);
    // How far something is from a number is a number: `p - (char *)0`.
    const asNumbers = isNowhere(context, left.expr) !== isNowhere(context, right.expr);
    const number = (side: Value): Expr =>
      asNumbers ? pool.resize(convert(context, side, difference, span).expr, 64, true) : side.expr;
    const distanceOf = (a: Expr, b: Expr): Expr => {
      const apart = pool.binary('sub', a, b);
      // Pointers of 32 bits that are numbers may lie on both sides of the last one: `(int *)4 - (int *)-4`.
      const distance = pool.resize(pool.resize(apart, difference.width, false), 64, true);
      return pool.trunc(pool.binary('sdiv', distance, bytes), difference.width);
    };
    const sides = [number(left), number(right)] as const;
    const expr = asNumbers
      ? distanceOf(...sides)
      : distanceBetween(context, difference, sides, span, distanceOf);
    return { type: difference, expr };
  }
  const [pointer, index] = left.type.kind === 'pointer' ? [left, right] : [right, left];
  if (pointer.type.kind !== 'pointer' || index.type.kind !== 'int' || (op !== '+' && op !== '-'))
    return refuse('SPW5011', `'${op}' does not work on pointers like this`, span);
  const bytes = bytesOf(context, pointer.type.to) ?? pool.const(1n, 64);
  const offset = context.farOffset(
    pool.binary('mul', pool.resize(index.expr, 64, index.type.signed), bytes),
    span,
  );
  return { type: pointer.type, expr: pool.binary(op === '+' ? 'add' : 'sub', pointer.expr, offset) };
}

/** Where labels have addresses a distance of bytes may be one of labels, which is not part of the model. */
function labelDistance(context: Context, left: Value, right: Value, type: IntType, span: Span): Value {
  const isBetween = isLabelAddress(context, left.expr) || isLabelAddress(context, right.expr);
  if (isBetween && context.constantMode)
    return refuse('SPW5012', 'the distance of labels is not supported', span, 'use their addresses');
  if (context.constantMode)
    return { type, expr: context.pool.trunc(context.pool.binary('sub', left.expr, right.expr), type.width) };
  const why = 'how far things are apart is taken as any number where labels have addresses';
  return { type, expr: context.unknown(span, type, why, span) };
}
