// scanf and its like: what they read is any value of the type that the pointer has, and they may stop after any number of values.
// Only formats that are written out and consist of numbers and single characters; strings are left to the rule for functions nobody defines.

import type { ScalarType } from '../program/types.ts';
import { INT, isScalar } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { write } from './access.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import type { Value } from './places.ts';
import { touchArguments } from './touches.ts';
import { saved, typeOf, value } from './values.ts';

type CallNode = Extract<Expression, { kind: 'call' }>;

/** Where the format stands among the arguments. */
const FORMATS: Readonly<Record<string, number>> = {
  scanf: 0,
  __isoc99_scanf: 0,
  fscanf: 1,
  __isoc99_fscanf: 1,
  sscanf: 1,
  __isoc99_sscanf: 1,
};

const NUMBER = /%(?:hh|h|ll|l|j|z|t|L)?[diouxXc]/g;

/** Null when the call is none of these, or reads something else. */
export function scanCall(context: Context, name: string, node: CallNode): Value | null {
  const at = FORMATS[name];
  const format = at === undefined ? undefined : node.args[at];
  if (at === undefined || format?.kind !== 'string') return null;
  const text = format.text.replaceAll('%%', '');
  const targets = node.args.slice(at + 1);
  const conversions = text.match(/%/g)?.length ?? 0;
  if (conversions !== targets.length || (text.match(NUMBER)?.length ?? 0) !== conversions) return null;
  const types = targets.map((target) => pointedTo(context, target));
  if (types.some((type) => type === null || type.kind !== 'int')) return null;
  if (context.threads !== null)
    touchArguments(
      context,
      name,
      node,
      node.args.slice(0, at).map((arg) => value(context, arg)),
    );
  const pointers = targets.map((target) => saved(context, target, value(context, target), target.span));
  const { pool } = context;
  const why = `'${name}' reads any value`;
  const fresh = (key: unknown, type: ScalarType) => {
    const cell = context.temporary(key, type, 'read');
    context.emit({ kind: 'havoc', cells: [cell], why, exact: true }, node.span);
    return pool.symbol(cell.id, cell.width);
  };
  const count = fresh(node, INT);
  const atLeast = pool.compare('sle', pool.const(-1n, 32), count);
  const atMost = pool.compare('sle', count, pool.const(targets.length, 32));
  context.emit({ kind: 'assume', test: pool.and(atLeast, atMost), branch: null }, node.span);
  const end = context.location(node.span);
  targets.forEach((target, i) => {
    const read = context.location(node.span);
    fork(context, pool.compare('slt', pool.const(i, 32), count), read, end, node.span);
    context.here = read;
    const type = types[i] as ScalarType;
    const place = { type, address: pointers[i]!.expr, bits: null };
    write(context, place, { type, expr: fresh(target, type) }, target.span);
  });
  context.jump(end, node.span);
  context.here = end;
  return { type: INT, expr: count };
}

function pointedTo(context: Context, node: Expression): ScalarType | null {
  const type = typeOf(context, node);
  const to = type.kind === 'pointer' ? type.to : type.kind === 'array' ? type.of : null;
  return to !== null && isScalar(to) ? to : null;
}
