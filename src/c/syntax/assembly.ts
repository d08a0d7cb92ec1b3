// `asm`: without an instruction it only keeps the compiler from moving things, and perhaps hands a value on. What instructions do is not known.

import type { Token } from '../../cpp/token.ts';
import type { Expression, Statement } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { parseExpression } from './expressions.ts';

interface Operand {
  readonly constraint: string;
  readonly expression: Expression;
}

export function parseAssembly(cursor: Cursor, start: Token): Statement {
  let jumps = false;
  while (/^(volatile|__volatile__|__volatile|goto|inline|__inline__|__inline)$/.test(cursor.token.text))
    jumps ||= cursor.next().text === 'goto';
  const mark = cursor.mark();
  const effects = jumps ? null : effectsOfNothing(cursor);
  cursor.reset(mark);
  cursor.skipGroup();
  cursor.take(';');
  const span = cursor.spanFrom(start);
  if (effects === null) return { kind: 'asm', span };
  const all = effects.reduce<Expression | null>(
    (left, right) => (left === null ? right : { kind: 'comma', left, right, span }),
    null,
  );
  return { kind: 'expression', expression: all, span };
}

/** What is evaluated where there is no instruction; null where there is one, or an operand gets any value. */
function effectsOfNothing(cursor: Cursor): Expression[] | null {
  cursor.expect('(');
  while (cursor.token.kind === 'string') if (!/^"\s*"$/.test(cursor.next().text)) return null;
  const [outputs, inputs] = [operands(cursor), operands(cursor)];
  if (!cursor.is(':') && !cursor.is(')')) return null;
  const [output] = outputs;
  const handedOn = inputs.filter(({ constraint }) => /^%?[\d[]/.test(constraint));
  const isKept = outputs.every(({ constraint }) => constraint.startsWith('+'));
  const expressions = (list: readonly Operand[]) => list.map(({ expression }) => expression);
  if (isKept && handedOn.length === 0) return expressions([...outputs, ...inputs]);
  // `asm("" : "=r"(y) : "0"(x))` is y = x.
  const isOne = outputs.length === 1 && inputs.length === 1 && inputs[0]!.constraint === '0';
  if (output === undefined || !isOne || !/^=&?r$/.test(output.constraint)) return null;
  const [left, right] = [output.expression, inputs[0]!.expression];
  return [{ kind: 'assign', op: '=', left, right, span: right.span }];
}

/** Behind a colon: `[name] "constraint" (expression), …`. */
function operands(cursor: Cursor): Operand[] {
  if (!cursor.take(':')) return [];
  const list: Operand[] = [];
  while (cursor.is('[') || cursor.token.kind === 'string') {
    if (cursor.take('[')) {
      cursor.next();
      cursor.expect(']');
    }
    let constraint = '';
    while (cursor.token.kind === 'string') constraint += cursor.next().text.slice(1, -1);
    // Those that are clobbered have no value.
    if (!cursor.take('(')) break;
    list.push({ constraint, expression: parseExpression(cursor) });
    cursor.expect(')');
    if (!cursor.take(',')) break;
  }
  return list;
}
