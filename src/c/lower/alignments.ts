// What `aligned` and `_Alignas` ask for, and what `_Alignof` says.

import { findField } from '../program/type-parts.ts';
import type { CType } from '../program/types.ts';
import { alignOf, ownAlignOf } from '../program/types.ts';
import type { Expression, TypeName } from '../syntax/ast.ts';
import { refuse } from '../text/codes.ts';
import type { Context } from './context.ts';
import { typeNamed } from './declare.ts';
import { constant, genericChoice, typeOf } from './values.ts';

/** The largest of what is asked for; 0 for nothing. */
export const alignedTo = (context: Context, aligned: readonly Expression[]): number =>
  Math.max(0, ...aligned.map((one) => Number(constant(context, one))));

/** Of a variable, which may have been declared before: at least what it was given then. */
export function alignedAs(
  context: Context,
  aligned: readonly Expression[],
  before = 0,
): { readonly aligned?: number } {
  if (aligned.length === 0) return before === 0 ? {} : { aligned: before };
  return { aligned: Math.max(before, alignedTo(context, aligned)) };
}

/** What `_Alignof` and its like say, as gcc has it. */
export function alignment(context: Context, node: Extract<Expression, { kind: 'alignof' }>): number {
  if ('kind' in node.of) return ofExpression(context, node.of as Expression);
  const type = typeNamed(context, node.of as TypeName);
  return node.least ? alignOf(type) : ownAlignOf(type);
}

/** Of a variable or a member that is named: what it was given. Of others: what their type needs. */
function ofExpression(context: Context, node: Expression): number {
  switch (node.kind) {
    case 'name': {
      const entity = context.scope.find(node.name);
      if (entity?.kind === 'object' && entity.aligned !== undefined) return entity.aligned;
      break;
    }
    case 'member': {
      const object = typeOf(context, node.object);
      const record = object.kind === 'pointer' || object.kind === 'array' ? pointee(object) : object;
      const field = record.kind === 'record' ? findField(record.record, node.name) : null;
      if (field?.bits != null) refuse('SPW5011', 'a bit-field has no alignment', node.span);
      if (field !== null) return field.align;
      break;
    }
    case 'unary':
      if (node.op === '*') return ofPointee(context, node.arg);
      break;
    // The name of a variable stands for its value there.
    case 'comma':
      return ownAlignOf(typeOf(context, node.right));
    case 'generic':
      return ofExpression(context, genericChoice(context, node));
    default:
  }
  return ownAlignOf(typeOf(context, node));
}

const pointee = (type: Extract<CType, { kind: 'pointer' | 'array' }>): CType =>
  type.kind === 'pointer' ? type.to : type.of;

/** gcc: the most that a pointer promised before it was cast. */
function ofPointee(context: Context, node: Expression): number {
  if (node.kind === 'unary' && node.op === '&') return ofExpression(context, node.arg);
  const type = typeOf(context, node);
  if (type.kind !== 'pointer' && type.kind !== 'array') return 1;
  const own = ownAlignOf(pointee(type));
  return node.kind === 'cast' ? Math.max(own, ofPointee(context, node.arg)) : own;
}
