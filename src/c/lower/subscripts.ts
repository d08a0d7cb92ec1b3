// An index of an array that is part of something larger: a member of a struct, a row of an array. One that leaves the part is undefined, though the place may lie
// in the whole (C11 J.2: `a[1][7]` of `int a[4][5]`). That arrays which are objects themselves are not left is seen where memory is used.
//
// At the end of a struct an array of at most one element stands for as many as there is room for, as programs older than C99 write it.

import type { Expr } from '../program/expr.ts';
import { findField } from '../program/type-parts.ts';
import type { CType } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import type { Context } from './context.ts';
import type { Value } from './places.ts';
import { saved, typeOf } from './values.ts';

type Index = Extract<Expression, { kind: 'index' }>;

interface Tested {
  readonly index: Value;
  /** How many elements there are, where the index is one of them for sure. */
  readonly length: bigint | null;
}

/** The index, with a test that it lies inside; one behind the end where only the address is asked for. */
export function insidePart(context: Context, node: Index, index: Value, isSigned: boolean): Tested {
  const untested = { index, length: null };
  if (context.constantMode || context.isTrial || context.here === null) return untested;
  const length = partLength(context, node.array);
  if (length === null) return untested;
  const { pool } = context;
  const compare = context.unused.has(node) ? 'ule' : 'ult';
  const isInside = ({ expr }: Value) => pool.compare(compare, pool.resize(expr, 64, isSigned), length);
  const known = length.op === 'const' && compare === 'ult' ? length.value : null;
  if (isInside(index) === pool.true) return { index, length: known };
  // Among threads a second look might see another value.
  const looked = context.threads === null ? index : saved(context, node.index, index, node.span);
  const many = length.op === 'const' ? `${length.value}` : 'variable length';
  const why = `an index outside of an array of ${many}, which is part of something, is undefined`;
  context.emit({ kind: 'defined', test: isInside(looked), why }, node.span);
  return { index: looked, length: known };
}

/** In 64 bits; null where it is no part, or nobody tells how long it is. */
function partLength(context: Context, node: Expression): Expr | null {
  const isRow = node.kind === 'index' || (node.kind === 'unary' && node.op === '*');
  if (!isRow && node.kind !== 'member') return null;
  const type = typeOf(context, node);
  if (type.kind !== 'array') return null;
  if (type.variable !== undefined) return variableLength(context, type.variable, type.of);
  if (type.length === null) return null;
  if (node.kind === 'member' && type.length <= 1 && isLast(context, node)) return null;
  return context.pool.const(type.length, 64);
}

/** Of so many elements of a known size, in rows whose length may be variable, too. */
function variableLength({ pool }: Context, elements: Expr, row: CType): Expr {
  if (row.kind !== 'array' || row.variable === undefined) return elements;
  const each = pool.ite(pool.test(row.variable), row.variable, pool.const(1n, 64));
  return pool.binary('udiv', elements, each);
}

function isLast(context: Context, node: Extract<Expression, { kind: 'member' }>): boolean {
  const object = typeOf(context, node.object);
  const of: CType = node.arrow && object.kind === 'pointer' ? object.to : object;
  if (of.kind !== 'record') return false;
  const field = findField(of.record, node.name);
  return field !== null && !(of.record.fields ?? []).some(({ offset }) => offset > field.offset);
}
