// Calls: inlined where the function is defined, events and routines of the specification, the library, the outside.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import type { MemoryObject } from '../program/program.ts';
import type { CType, ScalarType } from '../program/types.ts';
import { INT, isScalar, pointerTo, VOID } from '../program/types.ts';
import type { Declarator, Expression, Parameter } from '../syntax/ast.ts';
import { functionPart } from '../syntax/declarators.ts';
import { libraryName } from '../text/builtins.ts';
import { refuse } from '../text/codes.ts';
import { read, write } from './access.ts';
import { changedIn } from './address-taken.ts';
import { unaliased } from './aliases.ts';
import { checkCall } from './builtins.ts';
import { mayCallOurs, mayExit } from './call-backs.ts';
import { isCallable } from './callable.ts';
import type { Context } from './context.ts';
import { NeedsContract } from './contracts.ts';
import { convert } from './conversions.ts';
import { asPointer, decayed, declared, hasVariableSizes, specified } from './declare.ts';
import { dropped } from './dropped.ts';
import { hasEffects } from './effects.ts';
import { isAllocator, throughPointer } from './endings.ts';
import { eventCall, routineCall } from './events.ts';
import { readFirstBytes } from './first-bytes.ts';
import { newBlock } from './frames.ts';
import { release } from './heap.ts';
import { finishLabels } from './labels.ts';
import { libraryCall } from './library.ts';
import { endWithoutValue, flagFor, mustBeThere, type Returned, setFlag } from './missing-values.ts';
import type { Value } from './places.ts';
import { at, functionAddress } from './places.ts';
import { recursionCut } from './recursion.ts';
import { staysWithin } from './room.ts';
import { readElsewhere } from './scanning.ts';
import type { FunctionEntity } from './scope.ts';
import { Scope } from './scope.ts';
import { statement } from './statements.ts';
import { undeclared } from './undeclared.ts';
import { discard, saved, value } from './values.ts';
import { bindMore } from './variable-arguments.ts';

type CallNode = Extract<Expression, { kind: 'call' }>;

export const nothing = (context: Context): Value => ({ type: VOID, expr: context.pool.const(0n, 32) });

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
    const values = args(context, node);
    const result = () => inlineHere(context, entity, values, node);
    return name.startsWith('__VERIFIER_atomic_') ? aloneIn(context, node.span, result) : result();
  }
  return callElsewhere(context, entity ?? { name, type: { result: INT } }, givenAway(context, node), node);
}

/** By its name or through a pointer: with what is known of the memory that the library's functions use. */
function callElsewhere(context: Context, entity: Elsewhere, given: readonly Value[], node: CallNode): Value {
  readFirstBytes(context, entity.name, node, given);
  staysWithin(context, entity.name, node, given);
  return externalCall(context, entity, given, node);
}

const isVoidPointer = (type: CType): boolean => type.kind === 'pointer' && type.to.kind === 'void';

/** The convention of the verification community: no other thread goes on until such a function has returned. */
function aloneIn(context: Context, span: Span, work: () => Value): Value {
  const { threads, pool } = context;
  if (threads === null) return work();
  const hold = (by: number) => {
    const held = { kind: 'assign', cell: threads.holder, value: pool.const(by, 32) } as const;
    context.atomically(span, () => context.emit(held, span));
  };
  hold(threads.current.number);
  const result = work();
  hold(0);
  return result;
}

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

/** The value of a call, if somebody asks for it. */
function wanted(context: Context, { name }: FunctionEntity, node: CallNode, result: Returned): Value {
  if (!context.unused.has(node)) mustBeThere(context, result, name, node.span);
  // What is not there is not even read.
  else if (result.isThere !== undefined && isScalar(result.type))
    return unreachableResult(context, result.type);
  return result;
}

/** The arguments from left to right; each is saved while later ones can still change things. `types`: those of a prototype. */
export function args(context: Context, node: CallNode, types: readonly (ScalarType | null)[] = []): Value[] {
  return node.args.map((arg, i) => {
    const [given, type] = [value(context, arg), types[i] ?? null];
    const result = type === null ? given : convert(context, given, type, arg.span);
    if (!node.args.slice(i + 1).some(hasEffects)) return result;
    // What a call returned nobody changes.
    const isLasting = result.type.kind !== 'record' || arg.kind === 'call';
    return isLasting ? saved(context, arg, result, arg.span) : copied(context, arg, result, arg.span);
  });
}

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

export function inline(
  context: Context,
  entity: FunctionEntity,
  values: readonly Value[],
  span: Span,
  into: MemoryObject | null = null,
): Returned {
  const { contracts } = context;
  if (context.constantMode) refuse('SPW5015', 'a call is no constant', span);
  if (context.here === null || context.isTrial) return unreachableResult(context, entity.type.result);
  if (contracts?.has(entity)) return contracts.call(context, entity, values, span);
  if (contracts !== null && context.copies.depthOf(context.ownName(entity)) > 0)
    throw new NeedsContract(contracts.withFunction(entity.name));
  return expand(context, entity, values, span, into);
}

/** Whatever contract it has. `into`: where its result may be put. */
export function expand(
  context: Context,
  entity: FunctionEntity,
  values: readonly Value[],
  span: Span,
  into: MemoryObject | null = null,
): Returned {
  const { definition } = entity;
  if (definition === null) throw new Error(`impossible: '${entity.name}' has no body`);
  const { copies } = context;
  const own = context.ownName(entity);
  const depth = copies.depthOf(own);
  if (copies.isTooDeep(depth, context.edges.length)) {
    context.stop('cut', recursionCut(entity.name, depth - 1), span);
    return unreachableResult(context, entity.type.result);
  }
  const outer = { scope: context.scope, frame: context.frame, block: context.block };
  const end = context.location(span);
  const { result } = entity.type;
  context.scope = new Scope(entity.scope);
  context.block = newBlock(outer.block);
  context.frame = context.newFrame(entity.name, depth, end, null, result, own);
  // Threads stop and go on inside of functions, each in copies of its own.
  const isShared = depth > 0 && context.threads === null;
  const resultObject =
    result.kind === 'void'
      ? null
      : into !== null && !isShared
        ? into
        : context.frameObject('result', '', () =>
            context.memory.object(`${entity.name}()`, 'temporary', result),
          );
  const noValue = flagFor(context, entity);
  context.frame = { ...context.frame, result: resultObject, definition, noValue };
  const constants = bindParameters(context, entity, definition.declarator, values, span, isShared);
  const body = (to: number) => {
    context.frame = { ...context.frame, end: to };
    if (noValue !== null) setFlag(context, noValue, 0n, span);
    copies.within(own, () => statement(context, definition.body));
    finishLabels(context);
    endWithoutValue(context, span);
    context.jump(to, span);
  };
  if (isShared) copies.call(context, entity, span, body);
  else {
    body(end);
    context.here = end;
  }
  for (const cell of [...constants, ...context.frame.constants]) context.constantParameters.delete(cell);
  Object.assign(context, outer);
  if (resultObject === null) return nothing(context);
  const returned = read(context, at(context, result, resultObject.address), span);
  const { pool } = context;
  return noValue === null || !context.withoutValue.has(noValue)
    ? returned
    : { ...returned, isThere: pool.eq(pool.symbol(noValue.id, 8), pool.const(0n, 8)) };
}

function unreachableResult(context: Context, type: CType): Value {
  return {
    type,
    expr: isScalar(type)
      ? context.pool.const(0n, type.kind === 'pointer' ? 64 : type.width)
      : context.pool.const(0n, 64),
  };
}

/** Gives the cells of those that hold constants. */
function bindParameters(
  context: Context,
  entity: FunctionEntity,
  declarator: Declarator,
  values: readonly Value[],
  span: Span,
  isShared: boolean,
): number[] {
  const constants: number[] = [];
  const changed = changedIn(entity.definition!);
  const { parameterNames } = declared(context, specified(context, entity.definition!.type), declarator);
  const { parameters } = entity.type;
  const written = functionPart(declarator)?.parameters ?? [];
  if (values.length < parameters.length)
    refuse('SPW5011', `'${entity.name}' takes ${parameters.length} arguments, not ${values.length}`, span);
  parameters.forEach((type, i) => {
    const name = parameterNames[i] ?? `(parameter ${i})`;
    const object = context.frameObject(`parameter ${i}`, '', () =>
      context.memory.object(name, 'local', type),
    );
    const shown = sizedParameter(context, written[i]) ?? type;
    context.scope.names.set(name, { kind: 'object', object, type: shown });
    context.block.objects.add(object);
    write(context, at(context, type, object.address), values[i]!, span);
    const [cell] = object.cells.values();
    if (cell === undefined || isShared || context.threads !== null) return;
    if (type.kind !== 'int' || changed.has(name)) return;
    const { expr } = convert(context, values[i]!, type, span);
    if (expr.op !== 'const') return;
    context.constantParameters.set(cell.id, expr);
    constants.push(cell.id);
  });
  for (const { declarator: of } of written) {
    const size = outerSize(of);
    if (size !== null) discard(context, size);
  }
  bindMore(context, entity.definition!, values.slice(parameters.length), span);
  // Where it is not followed `va_arg` gives anything that can be reached, to the function itself and to where it hands its list.
  values.slice(parameters.length).forEach(({ type, expr }, i) => {
    if (type.kind !== 'pointer') return;
    const cell = context.temporary(entity.definition, type, `more ${i}`);
    context.emit({ kind: 'assign', cell, value: expr }, span);
    context.asNumbers.push(context.pool.symbol(cell.id, cell.width));
  });
  return constants;
}

/** `int a[n][m]`: the size of its rows is computed from the parameters before it. Null where all sizes are known. */
function sizedParameter(context: Context, parameter: Parameter | undefined): CType | null {
  if (parameter === undefined) return null;
  const pointer = asPointer(parameter.declarator);
  if (!hasVariableSizes(context, pointer)) return null;
  return decayed(declared(context, specified(context, parameter.type), pointer).type, context.sizes);
}

/** How long an array is that a parameter names is computed, though it does not matter. */
function outerSize(declarator: Declarator): Expression | null {
  if (declarator.kind === 'name') return null;
  if (declarator.kind === 'array' && declarator.inner.kind === 'name') return declarator.size;
  return outerSize(declarator.inner);
}

/** A call through a pointer: one branch for each function it can be, and one for functions that are not in the files. */
function indirectCall(context: Context, node: CallNode): Value {
  const { pool } = context;
  const pointer = saved(context, node, value(context, node.callee), node.span);
  const type = pointer.type.kind === 'pointer' ? pointer.type.to : pointer.type;
  if (type.kind !== 'function') return context.wrongType('a function is needed', pointer.type, node.span);
  const values = args(context, node).map((arg, i) => saved(context, node.args[i], arg, node.span));
  if (context.here === null || context.isTrial) return unreachableResult(context, type.result);
  const join = context.location(node.span);
  const target = isScalar(type.result) ? context.temporary(node, type.result, 'result') : null;
  const copy =
    type.result.kind === 'record'
      ? context.frameObject(node, 'result', () => context.memory.object('(result)', 'temporary', type.result))
      : null;
  let other = pool.not(pool.eq(pointer.expr, pool.const(0n, 64)));
  const isFunction = {
    kind: 'defined',
    test: other,
    why: 'a call of what is no such function is undefined',
  } as const;
  context.emit(isFunction, node.span);
  const start = context.here;
  let called = pool.false;
  const covered = new Set<bigint>();
  for (const entity of context.addressTaken) {
    const address = functionAddress(context, entity);
    covered.add(address.value);
    if (!isCallable(type, entity, values.length)) continue;
    const test: Expr = pool.eq(pointer.expr, address);
    if (test === pool.false) continue;
    other = pool.and(other, pool.not(test));
    called = pool.or(called, test);
    context.here = start;
    context.emit({ kind: 'assume', test, branch: `[calls ${entity.name}]` }, node.span);
    throughPointer(context, entity, node.span);
    if (context.here === null) continue;
    const result =
      entity.definition === null
        ? callElsewhere(context, entity, values, node)
        : wanted(context, entity, node, inline(context, entity, values, node.span));
    if (target !== null && isScalar(result.type))
      write(context, at(context, target.type, target.address), result, node.span);
    if (copy !== null && result.type.kind === 'record')
      write(context, at(context, type.result, copy.address), result, node.span);
    context.jump(join, node.span);
  }
  if (other !== pool.false) {
    context.here = start;
    // The points-to analysis takes it away again where the pointer comes from these files alone.
    const otherCallee = { kind: 'assume', test: other, branch: '[calls another function]' } as const;
    context.otherCallees.push({ operation: otherCallee, pointer: pointer.expr, covered, isFunction, called });
    context.emit(otherCallee, node.span);
    context.stop('cut', 'a call through a pointer to a function that is in none of the files', node.span);
  }
  context.here = join;
  if (copy !== null) return { type: type.result, expr: pool.const(copy.address, 64) };
  return target === null
    ? nothing(context)
    : { type: type.result, expr: pool.symbol(target.id, target.width) };
}

type Elsewhere = Pick<FunctionEntity, 'name' | 'noreturn' | 'alias'> & {
  readonly type: { readonly result: CType };
};

function isDefined(context: Context, name: string): boolean {
  const entity = context.scope.find(name);
  return entity?.kind === 'function' && entity.definition !== null;
}

/** These keep memory of the program's as a buffer, by the number of the argument: `printf` and its like write there later. */
const BUFFERS: Readonly<Record<string, number>> = {
  ...{ setvbuf: 1, setbuf: 1, setbuffer: 1 },
  ...{ fmemopen: 0, open_memstream: 0, open_wmemstream: 0 },
};

function isKept({ pool }: Context, name: string, values: readonly Value[]): boolean {
  const buffer = values[BUFFERS[name] ?? values.length];
  return buffer !== undefined && pool.resize(buffer.expr, 64, false) !== pool.const(0n, 64);
}

/** A function nobody defines: it may return anything and change whatever it can reach. */
function externalCall(
  context: Context,
  { name, type: { result }, noreturn, alias }: Elsewhere,
  values: readonly Value[],
  node: CallNode,
): Value {
  if (alias !== undefined && isDefined(context, alias)) {
    context.stop('cut', `'${name}' is another name of '${alias}', which is not modelled`, node.span);
    return unreachableResult(context, result);
  }
  if (isKept(context, name, values)) {
    context.stop(
      'cut',
      `what is written later to the memory that '${name}' is given is not modelled`,
      node.span,
    );
    return unreachableResult(context, result);
  }
  if (name === 'free' && values[0] !== undefined) release(context, values[0], node);
  const why = `'${name}' has no definition: it may return anything, change every variable and call every function whose address it can reach, but none by its name`;
  context.note(why, node.span);
  const allocates = isAllocator(name) ? { allocates: true as const } : {};
  const clobber = { kind: 'havoc', cells: [], why, exact: false, outside: true, ...allocates } as const;
  context.clobbers.push(clobber);
  mayCallBack(context, name, values, node.span);
  mayCallOurs(context, name, values, node.span);
  // What it is given the address of, it can reach.
  values.forEach(({ type, expr }, i) => {
    if (type.kind !== 'pointer') return;
    const cell = context.temporary(node, type, `argument ${i}`);
    context.emit({ kind: 'assign', cell, value: expr }, node.span);
  });
  context.emit(clobber, node.span);
  readElsewhere(context, name, node.span);
  mayExit(context, name, node.span);
  if (noreturn === true) {
    context.stop('end', `${name}() does not return`, node.span);
    return unreachableResult(context, result);
  }
  if (result.kind === 'void') return nothing(context);
  if (isScalar(result)) return { type: result, expr: context.unknown(node, result, why, node.span) };
  return { type: result, expr: context.unknownObject(node, result, why, node.span) };
}

/** Functions of ours that it is given, whatever decides which: when it calls them, and with what, nobody knows. */
function mayCallBack(context: Context, name: string, values: readonly Value[], span: Span): void {
  const { pool, here } = context;
  if (here === null) return;
  for (const entity of new Set([...context.functionObjects.keys(), ...context.addressTaken])) {
    if (entity.definition === null) continue;
    const isGiven = values.reduce((so, { type, expr }) => {
      const isFunction = type.kind === 'pointer' && type.to.kind === 'function';
      if (expr.width !== 64 || (expr.op !== 'const' && !isFunction)) return so;
      return pool.or(so, pool.eq(expr, functionAddress(context, entity)));
    }, pool.false);
    if (isGiven === pool.false) continue;
    const why = name.startsWith('pthread_')
      ? `threads that '${name}' starts are not modelled: describe them in a .spec (thread T = ${entity.name}();)`
      : `'${name}' has no definition and may call '${entity.name}' at any time`;
    context.here = here;
    context.emit({ kind: 'assume', test: isGiven, branch: `[gives ${entity.name}]` }, span);
    context.stop('cut', why, span);
  }
  context.here = here;
}

export { pointerTo };
