// Forms of statements that the reduction looks for.

import type { Expression } from '../../process/expression.ts';
import type { Statement } from '../../process/program.ts';

/** The receives with which the statement can be the second half of a handshake. */
export function handshakeReceives(statement: Statement): (Statement & { kind: 'receive' })[] {
  if (statement.kind === 'receive') return statement.copy ? [] : [statement];
  if (statement.kind !== 'dstep') return [];
  const { body } = statement;
  return body.locations[body.initial]!.edges.flatMap((id) => handshakeReceives(body.edges[id]!.statement));
}

/** `timeout`, or a conjunction with it: true only when nothing else can move. */
export function waitsForTimeout(expression: Expression): boolean {
  if (expression.kind === 'timeout') return true;
  return (
    expression.kind === 'binary' &&
    expression.operator === '&&' &&
    (waitsForTimeout(expression.left) || waitsForTimeout(expression.right))
  );
}
