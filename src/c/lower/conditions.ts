// Conditions as control flow: && and || are branches, so each atom is a test of its own on the path.

import type { Span } from '../../source/source.ts';
import type { Expression } from '../syntax/ast.ts';
import { oneLine } from '../syntax/one-line.ts';
import type { Context } from './context.ts';
import { truth, value } from './values.ts';

export function branch(context: Context, node: Expression, yes: number, no: number): void {
  if (node.kind === 'unary' && node.op === '!') {
    branch(context, node.arg, no, yes);
    return;
  }
  if (node.kind === 'binary' && (node.op === '&&' || node.op === '||')) {
    const second = context.location(node.right.span);
    if (node.op === '&&') branch(context, node.left, second, no);
    else branch(context, node.left, yes, second);
    context.here = second;
    branch(context, node.right, yes, no);
    return;
  }
  const test = truth(context, value(context, node), node.span);
  fork(context, test, yes, no, node.span);
}

/** `isWritten`: the test is one of the program's text. */
export function fork(
  context: Context,
  test: import('../program/expr.ts').Expr,
  yes: number,
  no: number,
  span: Span,
  isWritten = true,
): void {
  const { pool, here } = context;
  if (here === null) return;
  const text = oneLine(span);
  const [isSo, isNot] = isWritten && context.modelled === null ? [`[${text}]`, `[!(${text})]`] : [null, null];
  if (test !== pool.false) context.edge(here, yes, { kind: 'assume', test, branch: isSo }, span);
  if (test !== pool.true)
    context.edge(here, no, { kind: 'assume', test: pool.not(test), branch: isNot }, span);
  context.here = null;
}
