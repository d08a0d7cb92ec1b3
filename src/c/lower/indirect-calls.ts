// Calls through pointers: all functions whose addresses are used can be meant, and some that are in none of the files.

import type { Expr } from '../program/expr.ts';
import { isScalar } from '../program/types.ts';
import { refuse } from '../text/codes.ts';
import { write } from './access.ts';
import { args, type CallNode, nothing, scalars, unreachableResult, wanted } from './call-values.ts';
import { isCallable } from './callable.ts';
import type { Context } from './context.ts';
import { throughPointer } from './endings.ts';
import { callElsewhere } from './external-calls.ts';
import { inline } from './inlining.ts';
import type { Value } from './places.ts';
import { at, functionAddress } from './places.ts';
import { saved, value } from './values.ts';

/** A call through a pointer: one branch for each function it can be, and one for functions that are not in the files. */
export function indirectCall(context: Context, node: CallNode): Value {
  const { pool } = context;
  if (context.asksForConstant) refuse('SPW5015', 'a call is no constant', node.span);
  const pointer = saved(context, node, value(context, node.callee), node.span);
  const type = pointer.type.kind === 'pointer' ? pointer.type.to : pointer.type;
  if (type.kind !== 'function') return context.wrongType('a function is needed', pointer.type, node.span);
  const values = args(context, node, scalars(type.parameters)).map((arg, i) =>
    saved(context, node.args[i], arg, node.span),
  );
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
    if (!isCallable(type, entity, values)) continue;
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
