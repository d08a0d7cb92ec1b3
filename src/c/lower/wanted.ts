// What an allocation is for, read from its size (`n * sizeof(T)`) and from the type that its address is given.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import type { CType } from '../program/types.ts';
import { CHAR, elementsOf, sizeOf, ULONG } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import { typeNamed } from './declare.ts';
import { hasEffects } from './effects.ts';
import type { Value } from './places.ts';
import { typeOf, value } from './values.ts';

export interface Elements {
  readonly element: CType;
  /** How many, as 64 bits. */
  readonly count: Expr;
}

export interface Wanted extends Elements {
  /** What bytes are for: where they are as many as some of these take, it is these. */
  readonly hint: CType | null;
  /** Where it is more than any number says: there is none (`calloc`). */
  readonly overflows: Expr;
}

/** A number of bytes or of elements, as the size_t that functions take. */
export const wide = (context: Context, given: Value, span: Span): Expr =>
  context.pool.zext(convert(context, given, context.sizes.size, span).expr, 64);

/** `sizeof(T)`, `n * sizeof(T)`, a struct with more behind it, or bytes; `times`: so often (`calloc`). */
export function wantedOf(
  context: Context,
  size: Expression,
  hint: CType | null,
  times: Expr | null = null,
): Wanted {
  const { pool } = context;
  const written = elementOf(context, size);
  const { element, count } = written ?? {
    element: CHAR as CType,
    count: wide(context, value(context, size), size.span),
  };
  const one = { element, count: readOnce(context, size, count, 'elements') };
  const kept = written === null ? hint : null;
  if (times === null) return { ...one, hint: kept, overflows: pool.false };
  const often = readOnce(context, size, times, 'times');
  return {
    element,
    count: pool.binary('mul', one.count, often),
    hint: kept,
    overflows: overflows(context, bytesOfAll(context, one), often),
  };
}

/** The number is looked at several times; among threads it may have changed in between. */
function readOnce(context: Context, key: Expression, number: Expr, purpose: string): Expr {
  if (context.threads === null || number.op === 'const') return number;
  const cell = context.temporary(key, ULONG, purpose);
  context.emit({ kind: 'assign', cell, value: number }, key.span);
  return context.pool.symbol(cell.id, 64);
}

/** In bytes, as the size_t that a program computes: it may have wrapped around. */
export function bytesOfAll({ pool, sizes }: Context, { element, count }: Elements): Expr {
  const bytes = pool.binary('mul', count, pool.const(sizeOf(element) ?? 1, 64));
  return pool.zext(pool.trunc(bytes, sizes.size.width), 64);
}

/** Is the product more than a size_t holds? */
function overflows({ pool, sizes }: Context, bytes: Expr, times: Expr): Expr {
  const { width } = sizes.size;
  const most = pool.const((1n << BigInt(width)) - 1n, 64);
  if (width < 64) return pool.compare('ult', most, pool.binary('mul', bytes, times));
  const quotient = pool.binary('udiv', most, pool.ite(pool.test(bytes), bytes, pool.const(1n, 64)));
  return pool.compare('ult', quotient, times);
}

/** So many of what is wanted. */
export function contentOf({ element, hint }: Wanted, count: number): CType {
  const one = hint === null ? null : sizeOf(hint);
  const times = (of: CType, length: number): CType => (length === 1 ? of : { kind: 'array', of, length });
  if (hint === null || one === null || one === 0 || count === 0) return times(element, count);
  if (count % one === 0) return times(hint, count / one);
  const extended = hint.kind === 'record' ? withTail(hint, count - one) : null;
  return extended ?? times(element, count);
}

/** A struct whose last member is an array without a length, with room for some of its elements. */
function withTail(type: Extract<CType, { kind: 'record' }>, extra: number): CType | null {
  const { record } = type;
  const last = record.fields?.at(-1);
  if (last === undefined || last.type.kind !== 'array' || (last.type.length ?? 0) !== 0 || extra <= 0)
    return null;
  const bytes = sizeOf(last.type.of);
  if (bytes === null || bytes === 0) return null;
  const length = Math.floor((record.size + extra - last.offset) / bytes);
  const fields = [...record.fields!.slice(0, -1), { ...last, type: { ...last.type, length } }];
  return { kind: 'record', record: { ...record, fields, size: record.size + extra } };
}

function elementOf(context: Context, size: Expression): Elements | null {
  const { pool } = context;
  if (size.kind === 'cast') {
    const type = typeNamed(context, size.type);
    const keepsAll = type.kind === 'int' && type.width >= context.sizes.size.width;
    return keepsAll ? elementOf(context, size.arg) : null;
  }
  const one = (type: CType): Elements | null => {
    if (type.kind === 'array' && type.variable !== undefined)
      return { element: elementsOf(type), count: type.variable };
    return sizeOf(type) === null ? null : { element: type, count: pool.const(1n, 64) };
  };
  if (size.kind === 'sizeof-type') return one(typeNamed(context, size.type));
  if (size.kind === 'sizeof') return hasEffects(size.arg) ? null : one(typeOf(context, size.arg));
  if (size.kind !== 'binary' || size.op !== '*') return null;
  for (const [a, b] of [
    [size.left, size.right],
    [size.right, size.left],
  ] as const) {
    const element = elementOf(context, b);
    // A product with a broken number is one.
    if (element === null || typeOf(context, a).kind !== 'int') continue;
    return {
      element: element.element,
      count: pool.binary('mul', wide(context, value(context, a), a.span), element.count),
    };
  }
  return null;
}
