// Values that are read and thrown away.

import type { Expr } from '../program/expr.ts';
import { CHAR, type CType, isScalar, pointerIn, sizeOf } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { read } from './access.ts';
import type { Context } from './context.ts';
import type { Value } from './places.ts';
import { touch } from './touches.ts';
import { saved } from './values.ts';

/** What is read is read, though nobody uses it: it may be undefined, or seen by other threads. */
export function dropped(context: Context, node: Expression, { type, expr }: Value): void {
  if (isScalar(type) && (expr.hasLoad || (context.threads !== null && expr.symbols.length > 0)))
    saved(context, {}, { type, expr }, node.span);
  else if (type.kind === 'record' && context.here !== null) droppedRecord(context, node, type, expr);
}

/** A struct by where it lies: its first byte tells whether it is there, and other threads see that all of it is read. One without bytes is not read. */
function droppedRecord(context: Context, node: Expression, type: CType, address: Expr): void {
  const bytes = sizeOf(type) ?? 0;
  if (bytes === 0) return;
  const pointer = { type: pointerIn(context.sizes, type), expr: address };
  const from = context.threads === null ? address : saved(context, {}, pointer, node.span).expr;
  if (from.op !== 'const')
    dropped(context, node, read(context, { type: CHAR, address: from, bits: null }, node.span));
  touch(context, from, context.pool.const(bytes, 64), false, node.span);
}
