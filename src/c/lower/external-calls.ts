// Calls of functions that nobody defines here: what they may return, change, keep and call.

import type { Span } from '../../source/source.ts';
import type { CType } from '../program/types.ts';
import { isScalar } from '../program/types.ts';
import { mayCallOurs, mayExit } from './call-backs.ts';
import { type CallNode, nothing, unreachableResult } from './call-values.ts';
import type { Context } from './context.ts';
import { isAllocator } from './endings.ts';
import { readFirstBytes } from './first-bytes.ts';
import { release } from './heap.ts';
import type { Value } from './places.ts';
import { functionAddress } from './places.ts';
import { staysWithin } from './room.ts';
import { readElsewhere } from './scanning.ts';
import type { FunctionEntity } from './scope.ts';

/** By its name or through a pointer: with what is known of the memory that the library's functions use. */
export function callElsewhere(
  context: Context,
  entity: Elsewhere,
  given: readonly Value[],
  node: CallNode,
): Value {
  readFirstBytes(context, entity.name, node, given);
  staysWithin(context, entity.name, node, given);
  return externalCall(context, entity, given, node);
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
