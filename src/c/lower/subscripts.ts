// An index of an array that is part of something larger: a member of a struct, a row of an array. One that leaves the part is undefined, though the place may lie
// in the whole (C11 J.2: `a[1][7]` of `int a[4][5]`). That arrays which are objects themselves are not left is seen where memory is used.
//
// At the end of a struct an array of at most one element stands for as many as there is room for, as programs older than C99 write it.

import { type CType, findField } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import type { Context } from './context.ts';
import type { Value } from './places.ts';
import { saved, typeOf } from './values.ts';

type Index = Extract<Expression, { kind: 'index' }>;

/** The index, with a test that it lies inside; one behind the end where only the address is asked for. */
export function insidePart(context: Context, node: Index, index: Value, isSigned: boolean): Value {
  if (context.constantMode || context.isTrial || context.here === null) return index;
  const length = partLength(context, node.array);
  if (length === null) return index;
  const { pool } = context;
  const end = pool.const(context.unused.has(node) ? length + 1 : length, 64);
  const isInside = ({ expr }: Value) => pool.compare('ult', pool.resize(expr, 64, isSigned), end);
  if (isInside(index) === pool.true) return index;
  // Among threads a second look might see another value.
  const looked = context.threads === null ? index : saved(context, node.index, index, node.span);
  const why = `an index outside of an array of ${length}, which is part of something, is undefined`;
  context.emit({ kind: 'defined', test: isInside(looked), why }, node.span);
  return looked;
}

/** Null where it is no part, or nobody tells how long it is. */
function partLength(context: Context, node: Expression): number | null {
  const isRow = node.kind === 'index' || (node.kind === 'unary' && node.op === '*');
  if (!isRow && node.kind !== 'member') return null;
  const type = typeOf(context, node);
  if (type.kind !== 'array' || type.length === null) return null;
  return node.kind === 'member' && type.length <= 1 && isLast(context, node) ? null : type.length;
}

function isLast(context: Context, node: Extract<Expression, { kind: 'member' }>): boolean {
  const object = typeOf(context, node.object);
  const of: CType = node.arrow && object.kind === 'pointer' ? object.to : object;
  if (of.kind !== 'record') return false;
  const field = findField(of.record, node.name);
  return field !== null && !(of.record.fields ?? []).some(({ offset }) => offset > field.offset);
}
