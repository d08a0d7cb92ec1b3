// `printf` and `fprintf` change nothing, `snprintf` its target, unless `%n` has them write how much they have printed.

import { LP64 } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { stringLiteral } from './literals.ts';

type CallNode = Extract<Expression, { kind: 'call' }>;

const FORMAT_AT: Readonly<Record<string, number>> = { printf: 0, fprintf: 1, snprintf: 2 };
const COUNT = /%[-+ #0'I]*[\d*$]*(?:\.[-\d*$]*)?[hlqjztLwf\d]*n/;

/** A format that nobody knows counts wherever something follows it. */
export function mayCount(name: string, { args, span }: CallNode): boolean {
  const at = FORMAT_AT[name];
  const format = at === undefined ? undefined : args[at];
  if (at === undefined || format === undefined || args.length <= at + 1) return false;
  if (format.kind !== 'string') return true;
  const text = String.fromCharCode(...stringLiteral(format.text, span, LP64));
  return COUNT.test(text.replaceAll('%%', ''));
}
