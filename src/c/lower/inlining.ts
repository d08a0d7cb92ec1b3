// Functions that the program defines: their bodies are read again for every call, in a frame of their own, down to the depth that is tried, or their
// contracts stand for them.

import type { Span } from '../../source/source.ts';
import type { MemoryObject } from '../program/program.ts';
import { refuse } from '../text/codes.ts';
import { read } from './access.ts';
import { nothing, unreachableResult } from './call-values.ts';
import type { Context } from './context.ts';
import { NeedsContract } from './contracts.ts';
import { newBlock } from './frames.ts';
import { finishLabels } from './labels.ts';
import { endWithoutValue, flagFor, type Returned, setFlag } from './missing-values.ts';
import { bindParameters } from './parameters.ts';
import type { Value } from './places.ts';
import { at } from './places.ts';
import { recursionCut } from './recursion.ts';
import type { FunctionEntity } from './scope.ts';
import { Scope } from './scope.ts';
import { inSection } from './sections.ts';
import { statement } from './statements.ts';

export function inline(
  context: Context,
  entity: FunctionEntity,
  values: readonly Value[],
  span: Span,
  into: MemoryObject | null = null,
): Returned {
  const { contracts } = context;
  if (context.asksForConstant) refuse('SPW5015', 'a call is no constant', span);
  if (context.here === null || context.isTrial) return unreachableResult(context, entity.type.result);
  if (contracts?.has(entity)) return contracts.call(context, entity, values, span);
  if (contracts !== null && context.copies.depthOf(context.ownName(entity)) > 0)
    throw new NeedsContract(contracts.withFunction(entity.name));
  return inSection(context, entity, values, span, (given) => expand(context, entity, given, span, into));
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
