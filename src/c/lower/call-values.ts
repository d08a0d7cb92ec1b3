// The values of calls. What goes in: the arguments, each kept as it was when it was computed. What comes out: nothing, something of the type where no run
// gets that far, or what the function returned, if somebody asks for it.

import type { Span } from '../../source/source.ts';
import type { CType, ScalarType } from '../program/types.ts';
import { isScalar, VOID } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { write } from './access.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import { dropped } from './dropped.ts';
import { comesBetween } from './effects.ts';
import { mustBeThere, type Returned } from './missing-values.ts';
import type { Value } from './places.ts';
import { at } from './places.ts';
import type { FunctionEntity } from './scope.ts';
import { saved, value } from './values.ts';

export type CallNode = Extract<Expression, { kind: 'call' }>;

/** The arguments from left to right; each is saved while later ones can still change things. `types`: those of a prototype. */
export function args(context: Context, node: CallNode, types: readonly (ScalarType | null)[] = []): Value[] {
  return node.args.map((arg, i) => {
    const [given, type] = [value(context, arg), types[i] ?? null];
    const result = type === null ? given : convert(context, given, type, arg.span);
    const isLater = (later: Expression) => comesBetween(later, context.threads !== null);
    if (!node.args.slice(i + 1).some(isLater)) return result;
    // What a call returned nobody changes.
    const isLasting = result.type.kind !== 'record' || arg.kind === 'call';
    return isLasting ? saved(context, arg, result, arg.span) : copied(context, arg, result, arg.span);
  });
}

/** Of parameters; what is no scalar is handed over as it is. */
export const scalars = (types: readonly CType[]): (ScalarType | null)[] =>
  types.map((type) => (isScalar(type) ? type : null));

/** The arguments of a function that nobody shows: they are read, whatever is done with them. */
export function givenAway(
  context: Context,
  node: CallNode,
  types: readonly (ScalarType | null)[] = [],
): Value[] {
  const values = args(context, node, types);
  node.args.forEach((arg, i) => void dropped(context, arg, values[i]!));
  return values;
}

/** A struct, in an object that nobody else has. */
export function copied(context: Context, key: unknown, { type, expr }: Value, span: Span): Value {
  const object = context.frameObject(key, 'copy', () => context.memory.object('(copy)', 'temporary', type));
  write(context, at(context, type, object.address), { type, expr }, span);
  return { type, expr: context.pool.const(object.address, 64) };
}

export const nothing = (context: Context): Value => ({ type: VOID, expr: context.pool.const(0n, 32) });

export function unreachableResult(context: Context, type: CType): Value {
  return {
    type,
    expr: isScalar(type)
      ? context.pool.const(0n, type.kind === 'pointer' ? 64 : type.width)
      : context.pool.const(0n, 64),
  };
}

/** The value of a call, if somebody asks for it. */
export function wanted(context: Context, { name }: FunctionEntity, node: CallNode, result: Returned): Value {
  if (!context.unused.has(node)) mustBeThere(context, result, name, node.span);
  // What is not there is not even read.
  else if (result.isThere !== undefined && isScalar(result.type))
    return unreachableResult(context, result.type);
  return result;
}
