// Expressions and initialisers, by recursive descent and precedence.

import type { Token } from '../../cpp/token.ts';
import type { Span } from '../../source/source.ts';
import type { Expression, InitializerItem, Step } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { isWord } from './cursor.ts';
import { parseTypeName } from './declarators.ts';
import { parseBlock } from './statements.ts';
import { ATTRIBUTES, isName, startsType } from './type-words.ts';

export function parseExpression(cursor: Cursor): Expression {
  const start = cursor.token;
  let left = parseAssignment(cursor);
  while (cursor.take(',')) {
    const right = parseAssignment(cursor);
    left = { kind: 'comma', left, right, span: cursor.spanFrom(start) };
  }
  return left;
}

const ASSIGNMENTS = new Set('= += -= *= /= %= <<= >>= &= ^= |='.split(' '));

export function parseAssignment(cursor: Cursor): Expression {
  const start = cursor.token;
  const left = parseConditional(cursor);
  if (cursor.token.kind !== 'mark' || !ASSIGNMENTS.has(cursor.token.text)) return left;
  const op = cursor.next().text;
  const right = parseAssignment(cursor);
  return { kind: 'assign', op, left, right, span: cursor.spanFrom(start) };
}

/** Also a constant expression. */
export function parseConditional(cursor: Cursor): Expression {
  const start = cursor.token;
  const test = parseBinary(cursor, 0);
  if (!cursor.take('?')) return test;
  const yes = cursor.is(':') ? null : parseExpression(cursor);
  cursor.expect(':');
  const no = parseConditional(cursor);
  return { kind: 'conditional', test, yes, no, span: cursor.spanFrom(start) };
}

const PRECEDENCE: ReadonlyMap<string, number> = new Map(
  ['||', '&&', '|', '^', '&', '== !=', '< > <= >=', '<< >>', '+ -', '* / %'].flatMap((operators, level) =>
    operators.split(' ').map((operator) => [operator, level] as const),
  ),
);

function parseBinary(cursor: Cursor, least: number): Expression {
  const start = cursor.token;
  let left = parseCast(cursor);
  for (;;) {
    const level = cursor.token.kind === 'mark' ? PRECEDENCE.get(cursor.token.text) : undefined;
    if (level === undefined || level < least) return left;
    const op = cursor.next().text;
    const right = parseBinary(cursor, level + 1);
    left = { kind: 'binary', op, left, right, span: cursor.spanFrom(start) };
  }
}

function parseCast(cursor: Cursor): Expression {
  const start = cursor.token;
  const next = cursor.peek(1);
  if (!cursor.is('(') || !(startsType(cursor, next) || isName(next, ATTRIBUTES))) return parseUnary(cursor);
  cursor.next();
  const type = parseTypeName(cursor);
  cursor.expect(')');
  if (cursor.is('{')) {
    const value = parseInitializer(cursor);
    return parsePostfix(cursor, { kind: 'literal', type, value, span: cursor.spanFrom(start) }, start);
  }
  const arg = parseCast(cursor);
  return { kind: 'cast', type, arg, span: cursor.spanFrom(start) };
}

const ALIGNOF = new Set(['_Alignof', '__alignof__', '__alignof', 'alignof']);

function parseUnary(cursor: Cursor): Expression {
  const start = cursor.token;
  const { text, kind } = start;
  if (kind === 'mark') {
    if (text === '++' || text === '--') {
      cursor.next();
      const arg = parseUnary(cursor);
      return { kind: 'update', op: text, prefix: true, arg, span: cursor.spanFrom(start) };
    }
    if (/^[-+!~*&]$/.test(text)) {
      cursor.next();
      const arg = parseCast(cursor);
      return { kind: 'unary', op: text as '-', arg, span: cursor.spanFrom(start) };
    }
    if (text === '&&') {
      cursor.next();
      const label = cursor.name('a label').text;
      return { kind: 'label-address', label, span: cursor.spanFrom(start) };
    }
  }
  if (kind === 'name') {
    if (text === 'sizeof' || ALIGNOF.has(text)) return parseSize(cursor, start);
    if (text === '__extension__') {
      cursor.next();
      return parseCast(cursor);
    }
    if (text === '__real__' || text === '__imag__')
      return cursor.unsupported('complex arithmetic', cursor.next());
  }
  return parsePostfix(cursor, parsePrimary(cursor), start);
}

function parseSize(cursor: Cursor, start: Token): Expression {
  cursor.next();
  const isSize = start.text === 'sizeof';
  if (cursor.is('(') && startsType(cursor, cursor.peek(1))) {
    cursor.next();
    const type = parseTypeName(cursor);
    cursor.expect(')');
    if (!cursor.is('{')) {
      const span = cursor.spanFrom(start);
      const least = !start.text.startsWith('__');
      return isSize ? { kind: 'sizeof-type', type, span } : { kind: 'alignof', of: type, least, span };
    }
    const literal: Expression = {
      kind: 'literal',
      type,
      value: parseInitializer(cursor),
      span: cursor.spanFrom(start),
    };
    const arg = parsePostfix(cursor, literal, start);
    return sizeOrAlignment(arg, isSize, cursor.spanFrom(start));
  }
  const arg = parseUnary(cursor);
  return sizeOrAlignment(arg, isSize, cursor.spanFrom(start));
}

const sizeOrAlignment = (arg: Expression, isSize: boolean, span: Span): Expression =>
  isSize ? { kind: 'sizeof', arg, span } : { kind: 'alignof', of: arg, least: false, span };

function parsePostfix(cursor: Cursor, primary: Expression, start: Token): Expression {
  let left = primary;
  for (;;) {
    if (cursor.token.kind !== 'mark') return left;
    if (cursor.take('[')) {
      const index = parseExpression(cursor);
      cursor.expect(']');
      left = { kind: 'index', array: left, index, span: cursor.spanFrom(start) };
    } else if (cursor.take('(')) {
      const args = parseArguments(cursor);
      left = { kind: 'call', callee: left, args, span: cursor.spanFrom(start) };
    } else if (cursor.is('.') || cursor.is('->')) {
      const arrow = cursor.next().text === '->';
      const name = cursor.name('the name of a field').text;
      left = { kind: 'member', object: left, name, arrow, span: cursor.spanFrom(start) };
    } else if (cursor.is('++') || cursor.is('--')) {
      const op = cursor.next().text as '++';
      left = { kind: 'update', op, prefix: false, arg: left, span: cursor.spanFrom(start) };
    } else return left;
  }
}

function parseArguments(cursor: Cursor): Expression[] {
  const args: Expression[] = [];
  if (cursor.take(')')) return args;
  do args.push(parseAssignment(cursor));
  while (cursor.take(','));
  cursor.expect(')');
  return args;
}

function parsePrimary(cursor: Cursor): Expression {
  const start = cursor.token;
  switch (start.kind) {
    case 'number':
      cursor.next();
      return { kind: 'number', text: start.text, span: start.span };
    case 'char':
      cursor.next();
      return { kind: 'character', text: start.text, span: start.span };
    case 'string': {
      const parts: string[] = [];
      while (cursor.token.kind === 'string') parts.push(cursor.next().text);
      return { kind: 'string', text: parts.join(' '), span: cursor.spanFrom(start) };
    }
    case 'name':
      return parseWord(cursor, start);
    default:
  }
  if (!cursor.take('(')) return cursor.fail('this is not C: an expression is missing here');
  if (cursor.is('{')) {
    const body = parseBlock(cursor);
    cursor.expect(')');
    return { kind: 'statements', body, span: cursor.spanFrom(start) };
  }
  const inner = parseExpression(cursor);
  cursor.expect(')');
  return inner;
}

function parseWord(cursor: Cursor, start: Token): Expression {
  cursor.next();
  switch (start.text) {
    case '_Generic':
      return parseGeneric(cursor, start);
    case '__builtin_offsetof':
    case 'offsetof': {
      if (start.text === 'offsetof' && !cursor.is('(')) break;
      cursor.expect('(');
      const type = parseTypeName(cursor);
      cursor.expect(',');
      const path: (string | Expression)[] = [cursor.name('the name of a field').text];
      while (!cursor.is(')')) {
        if (cursor.take('.') || cursor.take('->')) path.push(cursor.name('the name of a field').text);
        else {
          cursor.expect('[');
          path.push(parseExpression(cursor));
          cursor.expect(']');
        }
      }
      cursor.expect(')');
      return { kind: 'offsetof', type, path, span: cursor.spanFrom(start) };
    }
    case '__builtin_va_arg': {
      cursor.expect('(');
      const list = parseAssignment(cursor);
      cursor.expect(',');
      const type = parseTypeName(cursor);
      cursor.expect(')');
      return { kind: 'va-arg', list, type, span: cursor.spanFrom(start) };
    }
    case '__builtin_types_compatible_p': {
      cursor.expect('(');
      const left = parseTypeName(cursor);
      cursor.expect(',');
      const right = parseTypeName(cursor);
      cursor.expect(')');
      return { kind: 'types-compatible', left, right, span: cursor.spanFrom(start) };
    }
    default:
  }
  return { kind: 'name', name: start.text, span: start.span };
}

function parseGeneric(cursor: Cursor, start: Token): Expression {
  cursor.expect('(');
  const control = parseAssignment(cursor);
  const choices: { type: ReturnType<typeof parseTypeName> | null; value: Expression }[] = [];
  while (cursor.take(',')) {
    const type = cursor.take('default') ? null : parseTypeName(cursor);
    cursor.expect(':');
    choices.push({ type, value: parseAssignment(cursor) });
  }
  cursor.expect(')');
  return { kind: 'generic', control, choices, span: cursor.spanFrom(start) };
}

// Initialisers

export function parseInitializer(cursor: Cursor): Expression {
  const start = cursor.token;
  if (!cursor.take('{')) return parseAssignment(cursor);
  const items: InitializerItem[] = [];
  while (!cursor.is('}')) {
    const path = parseDesignators(cursor);
    items.push({ path, value: parseInitializer(cursor) });
    if (!cursor.take(',')) break;
  }
  cursor.expect('}');
  return { kind: 'list', items, span: cursor.spanFrom(start) };
}

function parseDesignators(cursor: Cursor): Step[] {
  const path: Step[] = [];
  // GNU, old: `name: value`.
  if (cursor.token.kind === 'name' && isWord(cursor.peek(1), ':')) {
    path.push(cursor.next().text);
    cursor.next();
    return path;
  }
  for (;;) {
    if (cursor.take('.')) path.push(cursor.name('the name of a field').text);
    else if (cursor.take('[')) {
      const first = parseConditional(cursor);
      path.push(cursor.take('...') ? { kind: 'range', first, last: parseConditional(cursor) } : first);
      cursor.expect(']');
    } else break;
  }
  if (path.length > 0) cursor.take('=');
  return path;
}
