// Calls by name: inlined where the function is defined, events and routines of the specification, the library, the outside. What is called through a
// pointer stands in indirect-calls.ts.

import type { CType } from '../program/types.ts';
import { INT, isScalar, VOID } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { libraryName } from '../text/builtins.ts';
import { read, write } from './access.ts';
import { unaliased } from './aliases.ts';
import { checkCall } from './builtins.ts';
import { args, type CallNode, givenAway, scalars, unreachableResult, wanted } from './call-values.ts';
import { isCallable } from './callable.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import { type FunctionType, typeSaid } from './declared-types.ts';
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
  const entity =
    found === null ? undeclared(context, callee.name, node.span) : saidHere(context, found, node);
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
    const called = callee.name === name ? typeSaid(context, entity) : entity.type;
    const values = args(context, node, called === entity.type ? [] : scalars(called.parameters));
    if (called !== entity.type && !isWellCalled(context, called, entity, values, node))
      return calledWrongly(context, entity.name, called.result, node);
    return asSaid(context, called.result, inlineHere(context, entity, values, node), node);
  }
  return callElsewhere(context, entity ?? { name, type: { result: INT } }, givenAway(context, node), node);
}

/** Of a function that nobody defines there is only what each file says of it. */
function saidHere(context: Context, found: FunctionEntity, { span }: CallNode): FunctionEntity | null {
  const entity = unaliased(found);
  if (entity !== found || entity.definition !== null) return entity;
  const { frame, declaredTypes } = context;
  if (declaredTypes.isUnsaid(frame.definition, entity.name) && context.fileNumbers.size > 1)
    return undeclared(context, entity.name, span);
  const seen = declaredTypes.seenFrom(frame.definition, entity.name);
  return seen == null ? entity : { ...entity, type: seen };
}

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

/** What a value is that lies alike (its sign, its members, what it points to) is for those who call to say. */
function asSaid(context: Context, said: CType, result: Value, node: CallNode): Value {
  const { kind } = result.type;
  if (context.unused.has(node) || said.kind === 'void' || said.kind === 'float') return result;
  if (said.kind === kind) return { ...result, type: said };
  return isScalar(said) ? convert(context, result, said, node.span) : result;
}

/** `said`: what it returns, to the file with the call. */
function calledWrongly(context: Context, name: string, said: CType, { span }: CallNode): Value {
  const why = `'${name}' is called as if it were another function (by its arguments, or its result), which is undefined`;
  context.emit({ kind: 'defined', test: context.pool.false, why }, span);
  return unreachableResult(context, said);
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
