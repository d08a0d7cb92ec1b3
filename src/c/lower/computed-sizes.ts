// Operands of `sizeof` and `typeof` whose type is of a size that is not constant: C evaluates them (C11 6.5.3.4), and what casts in them say of sizes is known only then.

import { type CType, isVariable } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { typeOfPlace } from './access.ts';
import type { Context } from './context.ts';
import { hasCasts, hasEffects } from './effects.ts';
import { place } from './places.ts';
import { isPlace, typeOf, value } from './values.ts';

/** What `typeof` gives: also a pointer to such a type is one whose expression is evaluated. */
export function typeOfEvaluated(context: Context, node: Expression): CType {
  const type = typeOf(context, node);
  return hasSizes(type) ? withSizes(context, node, type) : type;
}

function hasSizes(type: CType): boolean {
  if (type.kind === 'pointer') return hasSizes(type.to);
  return isVariable(type) || (type.kind === 'array' && hasSizes(type.of));
}

/**
 * The type with the sizes that it has now; `type` is what is known of it without an evaluation. Nothing is read of what is only a place; where no type is named, and
 * nothing changed, there is nothing to do.
 */
export function withSizes(context: Context, node: Expression, type: CType): CType {
  if (!hasEffects(node) && !hasCasts(node)) return type;
  return isPlace(context, node) ? typeOfPlace(place(context, node)) : value(context, node).type;
}
