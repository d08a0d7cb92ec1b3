// Declarations and definitions of functions: specifiers, then declarators with their initial values or a body.

import type { Token } from '../../cpp/token.ts';
import type {
  Declaration,
  Declarator,
  FunctionDefinition,
  Parameter,
  StaticAssertion,
  TopLevel,
} from './ast.ts';
import { type Attributes, parseAttributes, withMode } from './attributes.ts';
import type { Cursor } from './cursor.ts';
import { functionPart, nameOf, parseDeclarator, withTypes } from './declarators.ts';
import { parseInitializer } from './expressions.ts';
import { parseSpecifiers, type Specifiers, takeStaticAssertion } from './specifiers.ts';
import { parseBlock } from './statements.ts';
import { ASM, isName, startsDeclaration } from './type-words.ts';

export function parseTopLevel(cursor: Cursor): TopLevel | null {
  if (cursor.take(';')) return null;
  const assertion = takeStaticAssertion(cursor);
  if (assertion !== null) return asserted(assertion);
  if (isName(cursor.token, ASM)) {
    cursor.next();
    cursor.skipGroup();
    cursor.take(';');
    return null;
  }
  if (cursor.token.kind !== 'name' && !cursor.is('*') && !cursor.is('(') && !cursor.is('['))
    cursor.fail('this is not C: a declaration is missing here');
  const specifiers = parseSpecifiers(cursor);
  if (cursor.take(';')) return finished(cursor, specifiers, []);
  const first = cursor.token;
  const own = { ...specifiers.attributes };
  const declarator = parseDeclarator(cursor, own);
  const isFunction = functionPart(declarator) !== null;
  if (isFunction && (cursor.is('{') || startsDeclaration(cursor)))
    return parseFunction(cursor, specifiers, declarator, own);
  return parseItems(cursor, specifiers, first, declarator, own);
}

export function parseDeclaration(cursor: Cursor): Declaration {
  const assertion = takeStaticAssertion(cursor);
  if (assertion !== null) return asserted(assertion);
  const specifiers = parseSpecifiers(cursor);
  if (cursor.take(';')) return finished(cursor, specifiers, []);
  const first = cursor.token;
  const own = { ...specifiers.attributes };
  const declarator = parseDeclarator(cursor, own);
  if (functionPart(declarator) !== null && cursor.is('{'))
    cursor.unsupported('a function inside a function', specifiers.start, 'move it outside');
  return parseItems(cursor, specifiers, first, declarator, own);
}

function asserted(assertion: StaticAssertion): Declaration {
  const { span } = assertion;
  const type = { kind: 'words', words: ['int'], span } as const;
  const plain = { storage: null, constant: false, volatile: false } as const;
  return { kind: 'declaration', asserted: assertion, ...plain, type, items: [], span };
}

/** Attributes among the specifiers are those of all declarators, those behind one are its own. */
function parseItems(
  cursor: Cursor,
  specifiers: Specifiers,
  firstToken: Token,
  firstDeclarator: Declarator,
  firstAttributes: Attributes,
): Declaration {
  const items: Declaration['items'][0][] = [];
  let start = firstToken;
  let declarator = firstDeclarator;
  let own = firstAttributes;
  for (;;) {
    const name = nameOf(declarator);
    if (name === null) cursor.fail('a name is missing here');
    parseAttributes(cursor, own);
    cursor.declare(name, specifiers.storage === 'typedef');
    const value = cursor.take('=') ? parseInitializer(cursor) : null;
    items.push({ ...itemOf(specifiers, declarator, own), value, span: cursor.spanFrom(start) });
    if (!cursor.take(',')) break;
    own = { ...specifiers.attributes };
    parseAttributes(cursor, own);
    start = cursor.token;
    declarator = parseDeclarator(cursor, own);
  }
  cursor.expect(';');
  return finished(cursor, specifiers, items);
}

function itemOf(
  { type, attributes }: Specifiers,
  declarator: Declarator,
  { noreturn, weak, alias, isLabel, aligned, mode }: Attributes,
): Omit<Declaration['items'][0], 'value' | 'span'> {
  return {
    declarator,
    ...(mode === attributes.mode ? {} : { type: withMode(type, mode) }),
    noreturn,
    weak,
    alias,
    isLabel,
    aligned,
  };
}

function finished(cursor: Cursor, specifiers: Specifiers, items: Declaration['items']): Declaration {
  const { type, storage, threadLocal, constant, volatile, inline, attributes, start } = specifiers;
  return {
    kind: 'declaration',
    storage,
    threadLocal,
    constant,
    volatile,
    ...(inline && storage !== 'extern' ? { inline: true as const } : {}),
    type: withMode(type, attributes.mode),
    items,
    span: cursor.spanFrom(start),
  };
}

function parseFunction(
  cursor: Cursor,
  specifiers: Specifiers,
  declarator: Declarator,
  { weak, gnuInline }: Attributes,
): FunctionDefinition {
  const name = nameOf(declarator);
  if (name !== null) cursor.declare(name, false);
  const types = new Map<string, Parameter>();
  while (!cursor.is('{')) {
    if (cursor.token.kind !== 'name') cursor.fail("'{' is missing here");
    const declaration = parseDeclaration(cursor);
    for (const item of declaration.items) {
      const parameter = nameOf(item.declarator);
      if (parameter !== null) types.set(parameter, { type: declaration.type, declarator: item.declarator });
    }
  }
  const whole = types.size === 0 ? declarator : withTypes(declarator, types);
  return cursor.inScope(() => {
    for (const parameter of functionPart(whole)!.parameters) {
      const parameterName = nameOf(parameter.declarator);
      if (parameterName !== null) cursor.declare(parameterName, false);
    }
    const body = parseBlock(cursor);
    const { type, storage, start } = specifiers;
    // GNU C before C99 has it the other way round.
    const isOwn = specifiers.inline && (storage === 'extern') === gnuInline;
    return {
      kind: 'function',
      type,
      declarator: whole,
      body,
      static: storage === 'static',
      ...(isOwn ? { inline: gnuInline ? ('gnu' as const) : ('c99' as const) } : {}),
      ...(weak ? { weak: true as const } : {}),
      span: cursor.spanFrom(start),
    };
  });
}
