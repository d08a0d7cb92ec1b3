// What a program asserts and assumes by calls of functions, which take an int, and by the macro assert, which takes any scalar.

import type { Expr } from '../program/expr.ts';
import { BOOL, INT, isScalar, type ScalarType } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { args, nothing } from './call-values.ts';
import { branch, fork } from './conditions.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import type { Value } from './places.ts';
import type { FunctionEntity } from './scope.ts';
import { truth } from './values.ts';

type CallNode = Extract<Expression, { kind: 'call' }>;

/** What the only number that a function is given becomes, where a prototype says it. */
function parameterOf(entity: FunctionEntity | null): ScalarType | null {
  const type = entity?.type.parameters[0];
  return type !== undefined && isScalar(type) ? type : null;
}

/** Is the first argument not 0, once it is of this type? The part of an address that an int holds is taken to be 0 for null alone. */
function isGiven(context: Context, node: CallNode, type: ScalarType): Expr {
  const [given] = args(context, node) as [Value];
  const passed = given.type.kind === 'pointer' ? given : convert(context, given, type, node.span);
  return truth(context, passed, node.span);
}

export function assertion(
  context: Context,
  name: string,
  node: CallNode,
  entity: FunctionEntity | null,
): Value {
  const test = node.args[0];
  if (test === undefined) return nothing(context);
  // Null for the macro, which asks the expression itself.
  const type = parameterOf(entity) ?? (name === '__VERIFIER_assert' ? INT : null);
  context.statesProperty = true;
  const [yes, no] = [context.location(node.span), context.location(node.span)];
  if (type === null) branch(context, test, yes, no);
  else fork(context, isGiven(context, node, type), yes, no, test.span);
  context.here = no;
  context.stop('error', 'an assertion fails', node.span);
  context.here = yes;
  return nothing(context);
}

export function assumption(
  context: Context,
  name: string,
  node: CallNode,
  entity: FunctionEntity | null,
): Value {
  // The one of clang's takes a truth value.
  const type = parameterOf(entity) ?? (name === '__builtin_assume' ? BOOL : INT);
  const test = node.args.length === 0 ? context.pool.true : isGiven(context, node, type);
  context.emit({ kind: 'assume', test, branch: null }, node.span);
  return nothing(context);
}
