// Expressions that compute only part of themselves: `a ? b : c`, `a ?: c`, `&&`, `||`. Branches of the graph, or one formula where both sides are defined
// on every run.

import { plain, qualified, qualifiersOf } from '../program/compatible.ts';
import type { CType } from '../program/types.ts';
import { commonType, INT, isScalar, VOID } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { write } from './access.ts';
import { branch, fork } from './conditions.ts';
import { isNullConstant } from './constant-expressions.ts';
import type { Context } from './context.ts';
import { convert, intValue } from './conversions.ts';
import { decayed } from './declare.ts';
import { isTotal } from './effects.ts';
import { commonFloat } from './floats.ts';
import type { Value } from './places.ts';
import { at } from './places.ts';
import { saved, truth, typeOf, value } from './values.ts';

/** `a ? b : c` and `a ?: c`. */
export function conditional(context: Context, node: Extract<Expression, { kind: 'conditional' }>): Value {
  if (node.yes === null) return orElse(context, node, node.no);
  return choice(context, node, node.yes);
}

/** `a ?: b`, where a is computed once. */
function orElse(context: Context, node: Extract<Expression, { kind: 'conditional' }>, no: Expression): Value {
  const first = saved(context, node, value(context, node.test), node.span);
  if (!isScalar(first.type)) return context.wrongType('a scalar is needed', first.type, node.span);
  const type = conditionalType(context, node.test, no);
  if (!isScalar(type)) return context.wrongType('a scalar is needed', type, node.span);
  const cell = context.temporary(node, type, 'choice');
  const [yes, other, join] = [
    context.location(node.span),
    context.location(node.span),
    context.location(node.span),
  ];
  fork(context, truth(context, first, node.span), yes, other, node.test.span);
  context.here = yes;
  context.emit({ kind: 'assign', cell, value: convert(context, first, type, node.span).expr }, node.span);
  context.jump(join, node.span);
  context.here = other;
  const second = convert(context, value(context, no), type, node.span).expr;
  context.emit({ kind: 'assign', cell, value: second }, node.span);
  context.jump(join, node.span);
  context.here = join;
  return { type, expr: context.pool.symbol(cell.id, cell.width) };
}

function choice(
  context: Context,
  whole: Extract<Expression, { kind: 'conditional' }>,
  yesNode: Expression,
): Value {
  const node = { ...whole, yes: yesNode };
  const type = conditionalType(context, node.yes, node.no);
  const decided = decidedSide(context, node.test);
  if (decided !== null && isScalar(type)) {
    const side = decided ? node.yes : node.no;
    return convert(context, value(context, side), type, node.span);
  }
  const { findsOverflows } = context;
  const areTotal = isTotal(node.yes, findsOverflows) && isTotal(node.no, findsOverflows);
  if (type.kind === 'int' && areTotal && context.threads === null) {
    const test = truth(context, value(context, node.test), node.test.span);
    const convertTo = (side: Expression) => convert(context, value(context, side), type, node.span).expr;
    return { type, expr: context.pool.ite(test, convertTo(node.yes), convertTo(node.no)) };
  }
  const ends = {
    yes: context.location(node.span),
    no: context.location(node.span),
    join: context.location(node.span),
  };
  const target = isScalar(type) ? context.temporary(whole, type) : null;
  const copy =
    type.kind === 'record'
      ? context.frameObject(whole, 'choice', () => context.memory.object('(choice)', 'temporary', type))
      : null;
  const chosen: Value = {
    type,
    expr:
      copy !== null
        ? context.pool.const(copy.address, 64)
        : target === null
          ? context.pool.const(0n, 32)
          : context.pool.symbol(target.id, target.width),
  };
  // The types of both sides are all that was asked for.
  if (context.isTrial) return chosen;
  branch(context, node.test, ends.yes, ends.no);
  for (const side of ['yes', 'no'] as const) {
    context.here = ends[side];
    const result = value(context, node[side]);
    if (target !== null && isScalar(target.type))
      context.emit(
        { kind: 'assign', cell: target, value: convert(context, result, target.type, node.span).expr },
        node.span,
      );
    else if (copy !== null && type.kind === 'record')
      write(context, at(context, type, copy.address), result, node.span);
    context.jump(ends.join, node.span);
  }
  context.here = ends.join;
  return chosen;
}

/** In a constant expression only the side that is chosen is computed, and nothing branches. Null elsewhere. */
function decidedSide(context: Context, test: Expression): boolean | null {
  if (!context.constantMode) return null;
  const { expr } = intValue(context, truth(context, value(context, test), test.span));
  return expr.op === 'const' ? expr.value !== 0n : null;
}

/** The type of a choice between two expressions. */
function conditionalType(context: Context, yes: Expression, no: Expression): CType {
  const [a, b] = [yes, no].map((node) => plain(decayed(typeOf(context, node), context.sizes))) as [
    CType,
    CType,
  ];
  // GNU C: one of them may be a number that nobody looks at.
  if (a.kind === 'void' || b.kind === 'void') return VOID;
  if (a.kind === 'int' && b.kind === 'int') return commonType(a, b);
  if (a.kind === 'pointer' && b.kind === 'pointer') {
    if (isNullConstant(context, yes)) return b;
    return isNullConstant(context, no) ? a : commonPointer(a, b);
  }
  if (a.kind === 'pointer') return a;
  if (b.kind === 'pointer') return b;
  return a.kind === 'float' || b.kind === 'float' ? commonFloat(a, b) : a;
}

type Pointer = Extract<CType, { kind: 'pointer' }>;

/** To void where one of them points there, with the qualifiers of both. */
function commonPointer(a: Pointer, b: Pointer): Pointer {
  const open = (type: CType): boolean =>
    (type.kind === 'array' && type.length === null) ||
    (type.kind === 'function' && type.variadic && type.parameters.length === 0);
  const to = a.to.kind === 'void' || b.to.kind === 'void' ? VOID : open(a.to) ? b.to : a.to;
  const qualifiers = `${qualifiersOf(a.to)} ${qualifiersOf(b.to)}`.trim();
  return { ...a, to: qualified(to, qualifiers) };
}

/** `&&` and `||`. */
export function logical(context: Context, node: Extract<Expression, { kind: 'binary' }>): Value {
  const { pool } = context;
  const decided = decidedSide(context, node.left);
  if (decided !== null) {
    if (decided === (node.op === '||')) return intValue(context, pool.bool(decided));
    return intValue(context, truth(context, value(context, node.right), node.span));
  }
  if (isTotal(node.right, context.findsOverflows) && context.threads === null) {
    const left = truth(context, value(context, node.left), node.span);
    const right = truth(context, value(context, node.right), node.span);
    return intValue(context, node.op === '&&' ? pool.and(left, right) : pool.or(left, right));
  }
  const ends = {
    yes: context.location(node.span),
    no: context.location(node.span),
    join: context.location(node.span),
  };
  branch(context, node, ends.yes, ends.no);
  const cell = context.temporary(node, INT);
  for (const side of ['yes', 'no'] as const) {
    context.here = ends[side];
    context.emit({ kind: 'assign', cell, value: pool.const(side === 'yes' ? 1n : 0n, 32) }, node.span);
    context.jump(ends.join, node.span);
  }
  context.here = ends.join;
  return { type: INT, expr: pool.symbol(cell.id, 32) };
}
