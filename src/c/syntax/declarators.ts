// Declarators (pointers, arrays, parameters around a name) and names of types, which are declarators without a name.

import type { Declarator, Parameter, TypeName } from './ast.ts';
import { type Attributes, noAttributes, parseAttributes, withMode } from './attributes.ts';
import { type Cursor, isWord } from './cursor.ts';
import { parseAssignment } from './expressions.ts';
import { parseSpecifiers } from './specifiers.ts';
import { ASM, ATTRIBUTES, IGNORED, isName, QUALIFIERS, STORAGE, startsType } from './type-words.ts';

export function parseTypeName(cursor: Cursor): TypeName {
  cursor.take('__extension__');
  if (!startsType(cursor, cursor.token) && !isName(cursor.token, ATTRIBUTES))
    cursor.fail('a type is missing here');
  return typeAndDeclarator(cursor);
}

/** A type with its declarator, of which attributes on either may change the mode. */
function typeAndDeclarator(cursor: Cursor): TypeName {
  const { type, attributes } = parseSpecifiers(cursor);
  const declarator = parseDeclarator(cursor, attributes);
  return { type: withMode(type, attributes.mode), declarator };
}

/** With or without a name; attributes on the way go to `into`. */
export function parseDeclarator(cursor: Cursor, into: Attributes = noAttributes()): Declarator {
  parseAttributes(cursor, into);
  if (cursor.take('*')) {
    const words: string[] = [];
    while (isName(cursor.token, QUALIFIERS) || isName(cursor.token, IGNORED))
      words.push(cursor.next().text.replace(/^__(const|volatile|restrict)(__)?$/, '$1'));
    return {
      kind: 'pointer',
      ...(words.includes('_Atomic') ? { atomic: true as const } : {}),
      qualifiers: words.join(' '),
      inner: parseDeclarator(cursor, into),
    };
  }
  if (cursor.is('^')) cursor.unsupported('a block', cursor.next());
  return parseDirect(cursor, into);
}

function parseDirect(cursor: Cursor, into: Attributes): Declarator {
  const start = cursor.token;
  let inner: Declarator;
  if (cursor.is('(') && !isParameterList(cursor)) {
    cursor.next();
    inner = parseDeclarator(cursor, into);
    cursor.expect(')');
  } else if (start.kind === 'name' && !isName(start, ASM) && !isName(start, ATTRIBUTES)) {
    cursor.next();
    inner = { kind: 'name', name: start.text, span: start.span };
  } else inner = { kind: 'name', name: null, span: start.span };
  for (;;) {
    if (cursor.is('[') && !isWord(cursor.peek(1), '[')) {
      cursor.next();
      while (isName(cursor.token, QUALIFIERS) || isName(cursor.token, IGNORED) || cursor.is('static'))
        cursor.next();
      if (cursor.is('*') && isWord(cursor.peek(1), ']')) cursor.next();
      const size = cursor.is(']') ? null : parseAssignment(cursor);
      cursor.expect(']');
      inner = { kind: 'array', inner, size };
    } else if (cursor.is('(')) {
      inner = parseParameters(cursor, inner);
    } else {
      parseAttributes(cursor, into);
      return inner;
    }
  }
}

/** `(` opens parameters, not a declarator in brackets: a type or nothing follows. */
function isParameterList(cursor: Cursor): boolean {
  const next = cursor.peek(1);
  if (isWord(next, ')')) return true;
  return startsType(cursor, next) || isName(next, STORAGE);
}

function parseParameters(cursor: Cursor, inner: Declarator): Declarator {
  cursor.expect('(');
  return cursor.inScope(() => {
    const parameters: Parameter[] = [];
    let variadic = false;
    // Names only: the types follow before the body (C before 1989).
    const first = cursor.token;
    const old =
      cursor.token.kind === 'name' &&
      !startsType(cursor, cursor.token) &&
      !isName(cursor.token, STORAGE) &&
      !isName(cursor.token, IGNORED) &&
      !isName(cursor.token, ATTRIBUTES);
    while (!cursor.is(')')) {
      if (cursor.take('...')) {
        variadic = true;
        break;
      }
      if (old) {
        // A type among them: the first one was meant as a type, too.
        if (startsType(cursor, cursor.token)) cursor.refuseType(first);
        const name = cursor.name('a parameter');
        parameters.push({
          type: { kind: 'words', words: ['int'], span: name.span },
          declarator: { kind: 'name', name: name.text, span: name.span },
        });
      } else {
        if (cursor.token.kind !== 'name' && !cursor.is('[')) cursor.fail('a parameter is missing here');
        const parameter = typeAndDeclarator(cursor);
        const name = nameOf(parameter.declarator);
        if (name !== null) cursor.declare(name, false);
        parameters.push(parameter);
      }
      if (!cursor.take(',')) break;
    }
    cursor.expect(')');
    return { kind: 'function', inner, parameters, variadic, ...(old ? { old } : {}) };
  });
}

export function nameOf(declarator: Declarator): string | null {
  return declarator.kind === 'name' ? declarator.name : nameOf(declarator.inner);
}

type FunctionDeclarator = Extract<Declarator, { kind: 'function' }>;

/** The function step next to the name, through brackets: what a definition defines. */
export function functionPart(declarator: Declarator): FunctionDeclarator | null {
  if (declarator.kind === 'name') return null;
  if (declarator.kind === 'function' && declarator.inner.kind === 'name') return declarator;
  return functionPart(declarator.inner);
}

export function withTypes(declarator: Declarator, types: ReadonlyMap<string, Parameter>): Declarator {
  if (declarator.kind === 'name') return declarator;
  if (declarator.kind === 'function' && declarator.inner.kind === 'name')
    return {
      ...declarator,
      parameters: declarator.parameters.map(
        (parameter) => types.get(nameOf(parameter.declarator) ?? '') ?? parameter,
      ),
    };
  return { ...declarator, inner: withTypes(declarator.inner, types) };
}
