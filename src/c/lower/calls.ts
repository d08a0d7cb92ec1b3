// Calls by name: inlined where the function is defined, events and routines of the specification, the library, the outside. What is called through a
// pointer stands in indirect-calls.ts.

import type { CType } from '../program/types.ts';
import { INT, VOID } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { libraryName } from '../text/builtins.ts';
import { libraryFunction } from '../text/headers/results.ts';
import { read, write } from './access.ts';
import { unaliased } from './aliases.ts';
import { checkCall } from './builtins.ts';
import { args, type CallNode, givenAway, scalars, unreachableResult, wanted } from './call-values.ts';
import { isCallable } from './callable.ts';
import type { Context } from './context.ts';
import { type FunctionType, isOpen } from './declared-types.ts';
import { eventCall, routineCall } from './events.ts';
import { callElsewhere } from './external-calls.ts';
import { indirectCall } from './indirect-calls.ts';
import { inline } from './inlining.ts';
import { libraryCall } from './library.ts';
import type { Value } from './places.ts';
import { at } from './places.ts';
import type { FunctionEntity } from './scope.ts';
import { undeclared } from './undeclared.ts';

export function call(context: Context, node: CallNode): Value {
  const callee = calledName(context, node.callee);
  if (callee.kind !== 'name') return indirectCall(context, node);
  const own = context.scope.find(callee.name);
  if (own === null || (own.kind === 'function' && own.definition === null)) checkCall(callee.name, own, node);
  const found = own ?? context.scope.find(libraryName(callee.name));
  if (found !== null && found.kind !== 'function') return indirectCall(context, node);
  const entity = found === null ? undeclared(context, callee.name, node.span) : unaliased(found);
  const name = entity?.name ?? libraryName(callee.name);
  const event = context.calls.events.get(name);
  if (event !== undefined)
    return eventCall(context, node, event, givenAway(context, node), entity?.type.result ?? VOID);
  const routine = context.calls.routines.get(name);
  if (routine !== undefined)
    return routineCall(context, node, routine, givenAway(context, node), entity?.type.result ?? INT);
  const known = libraryCall(context, name, node, entity);
  if (known !== null) return known;
  // What `void *` functions of the program allocate is what the caller takes it for.
  const isOwnAllocator = entity?.definition != null && isVoidPointer(entity.type.result);
  if (!isOwnAllocator) context.takePointee();
  if (entity?.definition != null) {
    const called = callee.name === name ? typeCalled(context, entity) : entity.type;
    const values = args(context, node, called === entity.type ? [] : scalars(called.parameters));
    if (called !== entity.type && !isWellCalled(context, called, entity, values, node))
      return calledWrongly(context, entity, node);
    return signedAs(called.result, inlineHere(context, entity, values, node));
  }
  return callElsewhere(context, entity ?? { name, type: { result: INT } }, givenAway(context, node), node);
}

/** As what the function is called, by what the file says before; its own type where that is a prototype of the same file, or nobody knows. */
function typeCalled(context: Context, { name, type, definition }: FunctionEntity): FunctionType {
  const { frame, declaredTypes } = context;
  const seen = declaredTypes.seenFrom(frame.definition, name);
  if (seen === undefined) return type;
  // gcc declares what it has built in by itself.
  if (seen === null && libraryFunction(name)?.builtIn === true) return type;
  const isBeside = declaredTypes.isBeside(frame.definition, definition);
  // What it returns the compiler looks at itself, where it sees both.
  if (isBeside && (seen === null || isOpen(seen))) return { ...OPEN, result: type.result };
  // A function in the old style takes less than a prototype beside it may say.
  if (isBeside) return type.old === true ? seen! : type;
  return seen ?? OPEN;
}

const OPEN: FunctionType = { kind: 'function', result: INT, parameters: [], variadic: true };

/** Its value counts as what the function says that it returns, but for the sign (signedAs). */
function isWellCalled(
  context: Context,
  called: FunctionType,
  entity: FunctionEntity,
  values: readonly Value[],
  node: CallNode,
): boolean {
  if (context.unused.has(node)) return isCallable({ ...called, result: VOID }, entity, values);
  return isCallable(called, entity, values);
}

/** Whether a number has a sign is for those who call to say. */
const signedAs = (said: CType, result: Value): Value =>
  said.kind === 'int' && result.type.kind === 'int' && said.width === result.type.width
    ? { ...result, type: said }
    : result;

function calledWrongly(context: Context, { name, type }: FunctionEntity, { span }: CallNode): Value {
  const why = `'${name}' is called as if it were another function (by its arguments, or its result), which is undefined`;
  context.emit({ kind: 'defined', test: context.pool.false, why }, span);
  return unreachableResult(context, type.result);
}

const isVoidPointer = (type: CType): boolean => type.kind === 'pointer' && type.to.kind === 'void';

/** `(*f)(x)` and `(&f)(x)` call f. */
function calledName(context: Context, node: Expression): Expression {
  if (node.kind !== 'unary' || (node.op !== '*' && node.op !== '&')) return node;
  const inner = calledName(context, node.arg);
  const isFunction = inner.kind === 'name' && context.scope.find(inner.name)?.kind === 'function';
  return isFunction ? inner : node;
}

/** Structs that one function returns to two calls live beside each other: `f(g(1), g(2))`. */
function inlineHere(
  context: Context,
  entity: FunctionEntity,
  values: readonly Value[],
  node: CallNode,
): Value {
  const type = entity.type.result;
  if (type.kind !== 'record')
    return wanted(context, entity, node, inline(context, entity, values, node.span));
  const own = context.frameObject(node, 'result', () =>
    context.memory.object(`${entity.name}()`, 'temporary', type),
  );
  const result = wanted(context, entity, node, inline(context, entity, values, node.span, own));
  const here = at(context, type, own.address);
  if (context.here !== null) write(context, here, result, node.span);
  return read(context, here, node.span);
}
