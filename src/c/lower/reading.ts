// getchar and its like: one character of the standard input, which is any, or its end. What is known from before decides whether it is really any (scanning.ts):
// behind a number comes no digit, and where something could not be read it is still there. The end stays the end.

import { INT } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import type { Value } from './places.ts';
import { ENDED, isStdin, LOST, OPEN, stateOf } from './scanning.ts';

type CallNode = Extract<Expression, { kind: 'call' }>;

/** How many arguments they take: a stream, or none. */
const READERS: Readonly<Record<string, number>> = { getchar: 0, getchar_unlocked: 0, fgetc: 1, getc: 1 };

/** Null when it is none of these, or reads something else. */
export function readCall(context: Context, name: string, node: CallNode): Value | null {
  const count = Object.hasOwn(READERS, name) ? READERS[name]! : null;
  if (count === null || count !== node.args.length || context.threads !== null) return null;
  if (!context.keepsStandardInput || (count === 1 && !isStdin(context, node.args[0]!))) return null;
  const { pool } = context;
  const { span } = node;
  const state = stateOf(context);
  const cell = context.temporary(node, INT, 'character');
  const read = pool.symbol(cell.id, 32);
  const end = pool.const(-1n, 32);
  const isIn = (what: bigint) => pool.eq(pool.symbol(state.id, 32), pool.const(what, 32));
  const [over, more, free, bound, known, join] = Array.from({ length: 6 }, () => context.location(span)) as [
    ...[number, number, number, number, number, number],
  ];
  fork(context, isIn(ENDED), over, more, span, false);
  context.here = over;
  context.emit({ kind: 'assign', cell, value: end }, span);
  context.jump(join, span);
  context.here = more;
  fork(context, isIn(OPEN), free, bound, span, false);
  context.here = free;
  context.emit({ kind: 'input', cell, source: name }, span);
  context.jump(known, span);
  context.here = bound;
  context.emit({ kind: 'havoc', cells: [cell], why: `'${name}' reads any character`, exact: false }, span);
  context.jump(known, span);
  context.here = known;
  const isCharacter = pool.compare('ule', pool.binary('add', read, pool.const(1n, 32)), pool.const(256n, 32));
  context.emit({ kind: 'assume', test: isCharacter, branch: null }, span);
  const next = pool.ite(pool.eq(read, end), pool.const(ENDED, 32), pool.const(OPEN, 32));
  const kept = pool.ite(isIn(LOST), pool.const(LOST, 32), next);
  context.emit({ kind: 'assign', cell: state, value: kept }, span);
  context.jump(join, span);
  context.here = join;
  return { type: INT, expr: read };
}
