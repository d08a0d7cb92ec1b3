// Sizes and offsets as numbers of a program.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import { findField } from '../program/type-parts.ts';
import type { CType } from '../program/types.ts';
import { elementsOf, isVariable, sizeOf } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { refuse } from '../text/codes.ts';
import type { Context } from './context.ts';
import type { Value } from './places.ts';
import { value } from './values.ts';

/** In 64 bits, also where it is known only at run time; null for types without a size. */
export function bytesOf({ pool }: Context, type: CType): Expr | null {
  if (type.kind === 'array' && type.variable !== undefined)
    return pool.binary('mul', type.variable, pool.const(sizeOf(elementsOf(type)) ?? 1, 64));
  const bytes = sizeOf(type);
  return bytes === null ? null : pool.const(bytes, 64);
}

/** What sizeof says. */
export function size(context: Context, type: CType, span: Span): Value {
  if (isVariable(type)) return sizeValue(context, bytesOf(context, type)!);
  // What is computed from a bit-field of 40 bits has 40 bits, and takes as much room as 64.
  const whole = type.kind === 'int' ? 2 ** Math.ceil(Math.log2(type.width / 8)) : sizeOf(type);
  const bytes = type.kind === 'void' || type.kind === 'function' ? 1 : whole;
  if (bytes === null) return refuse('SPW5011', 'this type has no size', span);
  return sizeValue(context, context.pool.const(bytesIn(context, type, bytes), 64));
}

export const sizeValue = (context: Context, bytes: Expr): Value => ({
  type: context.sizes.size,
  expr: context.pool.trunc(bytes, context.sizes.size.width),
});

/** Pointers are kept in 8 bytes, whatever the data model says; what a program is told is what it says. */
function bytesIn({ sizes }: Context, type: CType, bytes: number): number {
  if (sizes.name === 'LP64') return bytes;
  if (type.kind === 'pointer') return 4;
  return bytes;
}

/** What offsetof says. */
export function offset(
  context: Context,
  start: CType,
  path: readonly (string | Expression)[],
  span: Span,
): Value {
  const { pool } = context;
  let type = start;
  let result = pool.const(0n, 64);
  for (const step of path) {
    if (typeof step === 'string') {
      const field = type.kind === 'record' ? findField(type.record, step) : null;
      if (field === null || field.bits !== null)
        return refuse('SPW5011', `there is no offset of '${step}'`, span);
      result = pool.binary('add', result, pool.const(field.offset, 64));
      type = field.type;
    } else {
      const index = value(context, step);
      if (type.kind !== 'array' || index.type.kind !== 'int')
        return refuse('SPW5011', 'only arrays have elements', span);
      const wide = pool.resize(index.expr, 64, index.type.signed);
      result = pool.binary(
        'add',
        result,
        pool.binary('mul', wide, bytesOf(context, type.of) ?? pool.const(1n, 64)),
      );
      type = type.of;
    }
  }
  return sizeValue(context, result);
}
