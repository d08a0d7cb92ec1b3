// Statements.

import type { Token } from '../../cpp/token.ts';
import { parseAssembly } from './assembly.ts';
import type { Expression, Statement } from './ast.ts';
import { parseAttributes } from './attributes.ts';
import type { Cursor } from './cursor.ts';
import { isWord } from './cursor.ts';
import { parseDeclaration } from './declarations.ts';
import { parseConditional, parseExpression } from './expressions.ts';
import { startsDeclaration } from './type-words.ts';

export function parseBlock(cursor: Cursor): Statement {
  const start = cursor.expect('{');
  return cursor.inScope(() => {
    const body: Statement[] = [];
    while (!cursor.is('}')) {
      if (cursor.atEnd) cursor.fail("'}' is missing here");
      body.push(parseItem(cursor));
    }
    cursor.expect('}');
    return { kind: 'block', body, span: cursor.spanFrom(start) };
  });
}

/** A declaration or a statement. */
function parseItem(cursor: Cursor): Statement {
  const start = cursor.token;
  if (cursor.take('__label__')) {
    const names: string[] = [];
    do names.push(cursor.name('the name of a label').text);
    while (cursor.take(','));
    cursor.expect(';');
    return { kind: 'labels', names, span: cursor.spanFrom(start) };
  }
  const isBracket = cursor.is('[') && isWord(cursor.peek(1), '[');
  if (startsLabel(cursor) || !(startsDeclaration(cursor) || isBracket)) {
    if (!cursor.is('_Static_assert') && !cursor.is('static_assert')) return parseStatement(cursor);
  }
  if (isBracket || start.text === '__attribute__' || start.text === '__attribute') {
    const mark = cursor.mark();
    parseAttributes(cursor);
    if (cursor.is(';') || !startsDeclaration(cursor)) return parseStatement(cursor);
    cursor.reset(mark);
  }
  const declaration = parseDeclaration(cursor);
  return { kind: 'declare', declaration, span: cursor.spanFrom(start) };
}

const startsLabel = (cursor: Cursor): boolean =>
  cursor.token.kind === 'name' && isWord(cursor.peek(1), ':') && cursor.token.text !== 'default';

function condition(cursor: Cursor): Expression {
  cursor.expect('(');
  const test = parseExpression(cursor);
  cursor.expect(')');
  return test;
}

function parseStatement(cursor: Cursor): Statement {
  const start = cursor.token;
  const span = () => cursor.spanFrom(start);
  if (cursor.is('{')) return parseBlock(cursor);
  if (cursor.take(';')) return { kind: 'expression', expression: null, span: span() };
  if (startsLabel(cursor)) return parseLabel(cursor);
  if (start.kind === 'name') {
    const known = KEYWORDS[start.text];
    if (known !== undefined && Object.hasOwn(KEYWORDS, start.text)) {
      cursor.next();
      return known(cursor, start);
    }
  }
  if (cursor.is('[') && isWord(cursor.peek(1), '[')) {
    parseAttributes(cursor);
    return parseStatement(cursor);
  }
  const expression = parseExpression(cursor);
  cursor.expect(';');
  return { kind: 'expression', expression, span: span() };
}

function parseLabel(cursor: Cursor): Statement {
  const label = cursor.next();
  cursor.expect(':');
  parseAttributes(cursor);
  const bare = cursor.is('}') || startsDeclaration(cursor);
  const body = bare && !startsLabel(cursor) ? null : parseStatement(cursor);
  return { kind: 'label', name: label.text, body, span: label.span };
}

const KEYWORDS: Readonly<Record<string, (cursor: Cursor, start: Token) => Statement>> = {
  if: (cursor, start) => {
    const branch = () => ({ test: condition(cursor), body: parseStatement(cursor) });
    const branches = [branch()];
    while (cursor.take('else')) {
      if (cursor.take('if')) branches.push(branch());
      else return { kind: 'if', branches, otherwise: parseStatement(cursor), span: cursor.spanFrom(start) };
    }
    return { kind: 'if', branches, otherwise: null, span: cursor.spanFrom(start) };
  },
  while: (cursor, start) => {
    const test = condition(cursor);
    const body = parseStatement(cursor);
    return { kind: 'while', test, body, span: cursor.spanFrom(start) };
  },
  do: (cursor, start) => {
    const body = parseStatement(cursor);
    cursor.expect('while');
    const test = condition(cursor);
    cursor.expect(';');
    return { kind: 'do', test, body, span: cursor.spanFrom(start) };
  },
  for: (cursor, start) => {
    cursor.expect('(');
    return cursor.inScope(() => {
      let first: Statement | null = null;
      if (startsDeclaration(cursor)) {
        const at = cursor.token;
        const declaration = parseDeclaration(cursor);
        first = { kind: 'declare', declaration, span: cursor.spanFrom(at) };
      } else if (!cursor.take(';')) {
        const expression = parseExpression(cursor);
        first = { kind: 'expression', expression, span: expression.span };
        cursor.expect(';');
      }
      const test = cursor.is(';') ? null : parseExpression(cursor);
      cursor.expect(';');
      const step = cursor.is(')') ? null : parseExpression(cursor);
      cursor.expect(')');
      const body = parseStatement(cursor);
      return { kind: 'for', start: first, test, step, body, span: cursor.spanFrom(start) };
    });
  },
  switch: (cursor, start) => {
    const value = condition(cursor);
    const body = parseStatement(cursor);
    return { kind: 'switch', value, body, span: cursor.spanFrom(start) };
  },
  case: (cursor) => {
    const value = parseConditional(cursor);
    const upTo = cursor.take('...') ? parseConditional(cursor) : null;
    cursor.expect(':');
    return { kind: 'case', value, upTo, body: afterCase(cursor), span: value.span };
  },
  default: (cursor, start) => {
    cursor.expect(':');
    return { kind: 'case', value: null, upTo: null, body: afterCase(cursor), span: start.span };
  },
  goto: (cursor, start) => {
    if (cursor.take('*')) {
      const to = parseExpression(cursor);
      cursor.expect(';');
      return { kind: 'computed-goto', to, span: cursor.spanFrom(start) };
    }
    const label = cursor.name('a label').text;
    cursor.expect(';');
    return { kind: 'goto', label, span: cursor.spanFrom(start) };
  },
  break: (cursor, start) => {
    cursor.expect(';');
    return { kind: 'break', span: start.span };
  },
  continue: (cursor, start) => {
    cursor.expect(';');
    return { kind: 'continue', span: start.span };
  },
  return: (cursor, start) => {
    const value = cursor.is(';') ? null : parseExpression(cursor);
    cursor.expect(';');
    return { kind: 'return', value, span: cursor.spanFrom(start) };
  },
  asm: parseAssembly,
  __asm: parseAssembly,
  __asm__: parseAssembly,
};

/** The statement after a case; a declaration or a closing brace may follow, too. */
function afterCase(cursor: Cursor): Statement[] {
  parseAttributes(cursor);
  if (cursor.is('}') || (startsDeclaration(cursor) && !startsLabel(cursor))) return [];
  return [parseStatement(cursor)];
}
