// Functions that end without a value though their type promises one: their closing brace is reached, or `return;`. C allows it as long as nobody uses the value
// (C11 6.9.1p12). So the call holds any value then, a flag says that it is none, and whoever uses it does what is undefined.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import type { Cell } from '../program/program.ts';
import { isScalar, UCHAR, widthOf } from '../program/types.ts';
import type { Expression, FunctionDefinition, Statement } from '../syntax/ast.ts';
import { someNode } from '../syntax/parts.ts';
import { write } from './access.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import { at, type Value } from './places.ts';
import type { FunctionEntity } from './scope.ts';

/** What a call gives. `isThere`: it is a value at all, where that is in doubt. */
export type Returned = Value & { readonly isThere?: Expr };

/** A function that begins; null where it gives nothing, or surely a value. */
export function flagFor(context: Context, { name, type, definition }: FunctionEntity): Cell | null {
  // What main's end gives is 0.
  if (type.result.kind === 'void' || name === 'main' || !mayLackValue(definition!)) return null;
  return context.temporary('result', UCHAR, 'no value');
}

export const setFlag = (context: Context, flag: Cell, value: bigint, span: Span): void =>
  context.emit({ kind: 'assign', cell: flag, value: context.pool.const(value, 8) }, span);

/** The function that is read ends here, and says no value. */
export function endWithoutValue(context: Context, span: Span): void {
  const { frame, pool, here } = context;
  if (here === null || frame.result === null) return;
  if (frame.function === 'main' && frame.resultType.kind === 'int') {
    const zero = { type: frame.resultType, expr: pool.const(0n, frame.resultType.width) };
    write(context, at(context, frame.resultType, frame.result.address), zero, span);
  }
  if (frame.noValue === null) return;
  context.forget(frame.result, 'a function ended without a value', span);
  setFlag(context, frame.noValue, 1n, span);
  context.withoutValue.add(frame.noValue);
}

/** Somebody wants the value of the call. */
export function mustBeThere(context: Context, { isThere }: Returned, name: string, span: Span): void {
  if (isThere === undefined || context.here === null) return;
  const why = `the value of '${name}', which may end without one, is used: that is undefined`;
  context.emit({ kind: 'defined', test: isThere, why }, span);
}

/** What a thread returns, for whoever waits for it; where that is nothing, nobody has written what he reads. */
export function keepResult(
  context: Context,
  cell: Cell,
  { type, expr, isThere }: Returned,
  span: Span,
): void {
  const nothing = {
    kind: 'havoc',
    cells: [cell],
    why: 'a thread ended without a value',
    exact: true,
  } as const;
  // Of a number that is shorter than a pointer the rest is any.
  if (!isScalar(type) || widthOf(type) !== context.sizes.ulong.width) {
    context.emit(nothing, span);
    return;
  }
  const kept = { kind: 'assign', cell, value: context.pool.resize(expr, 64, false) } as const;
  if (isThere === undefined) {
    context.emit(kept, span);
    return;
  }
  const [some, none, join] = [0, 1, 2].map(() => context.location(span)) as [number, number, number];
  fork(context, isThere, some, none, span, false);
  context.here = none;
  context.emit(nothing, span);
  context.jump(join, span);
  context.here = some;
  context.emit(kept, span);
  context.jump(join, span);
  context.here = join;
}

/** Nobody asks for the value of the expression, so that nobody asks for those it takes its value from. */
export function markUnused(context: Context, node: Expression): void {
  if (node.kind === 'call') context.unused.add(node);
  else if (node.kind === 'comma') markUnused(context, node.right);
  else if (node.kind === 'conditional') {
    if (node.yes !== null) markUnused(context, node.yes);
    markUnused(context, node.no);
  }
}

const known = new WeakMap<FunctionDefinition, boolean>();

function mayLackValue(definition: FunctionDefinition): boolean {
  let may = known.get(definition);
  if (may === undefined) {
    const isBare = (node: object) => {
      const { kind, value } = node as { readonly kind?: unknown; readonly value?: unknown };
      return kind === 'return' && value === null;
    };
    may = !surelyLeaves(definition.body) || someNode(definition.body, isBare, () => {});
    known.set(definition, may);
  }
  return may;
}

/** Does no run get past the statement? False where that takes more than a look. */
function surelyLeaves(statement: Statement | undefined): boolean {
  switch (statement?.kind) {
    case 'return':
    case 'goto':
      return true;
    case 'block':
      return surelyLeaves(statement.body.at(-1));
    case 'if':
      return (
        statement.otherwise !== null &&
        surelyLeaves(statement.otherwise) &&
        statement.branches.every(({ body }) => surelyLeaves(body))
      );
    default:
      return false;
  }
}
