// What stands in front of the declarators: storage, qualifiers and the type, with the structs, unions and enumerations that are declared on the way.

import type { Token } from '../../cpp/token.ts';
import type { Span } from '../../source/source.ts';
import type {
  Declaration,
  Declarator,
  Expression,
  FieldDeclaration,
  StaticAssertion,
  TypeSpec,
} from './ast.ts';
import { type Attributes, noAttributes, parseAttributes, withMode } from './attributes.ts';
import { type Cursor, isWord } from './cursor.ts';
import { parseDeclarator, parseTypeName } from './declarators.ts';
import { parseConditional, parseExpression } from './expressions.ts';
import {
  ATTRIBUTES,
  IGNORED,
  QUALIFIERS,
  STORAGE,
  startsType,
  TYPE_KEYWORDS,
  TYPE_WORDS,
} from './type-words.ts';

export interface Specifiers {
  readonly type: TypeSpec;
  readonly storage: Declaration['storage'];
  readonly threadLocal: boolean;
  readonly inline: boolean;
  readonly constant: boolean;
  readonly volatile: boolean;
  readonly attributes: Attributes;
  readonly start: Token;
}

export function parseSpecifiers(cursor: Cursor): Specifiers {
  const start = cursor.token;
  const words: string[] = [];
  let type: TypeSpec | null = null;
  let storage: Declaration['storage'] = null;
  let threadLocal = false;
  let inline = false;
  const qualifiers = new Set<string>();
  const attributes = noAttributes();
  for (;;) {
    const { token } = cursor;
    if (token.kind !== 'name') {
      if (cursor.is('[') && isWord(cursor.peek(1), '[')) {
        parseAttributes(cursor, attributes);
        continue;
      }
      break;
    }
    const { text } = token;
    if (TYPE_WORDS.has(text)) words.push(cursor.next().text.replace(/^__signed(__)?$/, 'signed'));
    else if (STORAGE.has(text)) {
      cursor.next();
      if (text === 'typedef' || text === 'static' || text === 'extern') storage = text;
      else if (text === '_Thread_local' || text === '__thread') threadLocal = true;
    } else if (text === '_Atomic' && isWord(cursor.peek(1), '(')) {
      cursor.next();
      cursor.next();
      const inner = parseTypeName(cursor);
      cursor.expect(')');
      type = { kind: 'typeof', of: inner, span: cursor.spanFrom(token) };
      qualifiers.add('_Atomic');
    } else if (QUALIFIERS.has(text))
      qualifiers.add(cursor.next().text.replace(/^__(const|volatile)(__)?$/, '$1'));
    else if (IGNORED.has(text)) {
      const word = cursor.next().text;
      if (word === '_Noreturn') attributes.noreturn = true;
      if (/inline/.test(word)) inline = true;
    } else if (ATTRIBUTES.has(text)) parseAttributes(cursor, attributes);
    else if (TYPE_KEYWORDS.has(text) && type === null) type = parseTypeKeyword(cursor);
    else if (type === null && words.length === 0 && cursor.isTypeName(text)) {
      cursor.next();
      type = { kind: 'typedef', name: text, span: token.span };
    } else break;
  }
  const span = cursor.spanFrom(start);
  // C before 1999: int, where nothing is said.
  const plain: TypeSpec = type ?? { kind: 'words', words: words.length === 0 ? ['int'] : words, span };
  const whole: TypeSpec = qualifiers.has('_Atomic') ? { kind: 'atomic', of: plain, span } : plain;
  return {
    type: qualifiers.size === 0 ? whole : { ...whole, qualifiers: [...qualifiers].join(' ') },
    storage,
    threadLocal,
    inline,
    constant: qualifiers.has('const'),
    volatile: qualifiers.has('volatile'),
    attributes,
    start,
  };
}

function parseTypeKeyword(cursor: Cursor): TypeSpec {
  const start = cursor.next();
  if (start.text === 'struct' || start.text === 'union') return parseRecord(cursor, start);
  if (start.text === 'enum') return parseEnum(cursor, start);
  if (start.text === '__auto_type') return { kind: 'auto', span: start.span };
  cursor.expect('(');
  const of = startsType(cursor, cursor.token) ? parseTypeName(cursor) : parseExpression(cursor);
  cursor.expect(')');
  return { kind: 'typeof', of, span: cursor.spanFrom(start) };
}

function parseRecord(cursor: Cursor, start: Token): TypeSpec {
  const attributes = parseAttributes(cursor);
  // Attributes behind the tag belong to what is declared.
  const tag = cursor.token.kind === 'name' ? cursor.next().text : null;
  if (!cursor.is('{') && tag === null) cursor.fail('the name of a struct is missing here');
  let fields: FieldDeclaration[] | null = null;
  const asserted: StaticAssertion[] = [];
  if (cursor.take('{')) {
    fields = [];
    while (!cursor.is('}')) {
      if (cursor.take(';')) continue;
      const assertion = takeStaticAssertion(cursor);
      if (assertion === null) fields.push(parseField(cursor));
      else asserted.push(assertion);
    }
    cursor.expect('}');
    parseAttributes(cursor, attributes);
  }
  const { packed, aligned } = attributes;
  return {
    kind: 'record',
    union: start.text === 'union',
    tag,
    asserted,
    fields,
    packed,
    // Of a type the last one counts.
    aligned: aligned.at(-1) ?? null,
    pack: cursor.pack(),
    span: cursor.spanFrom(start),
  };
}

function parseField(cursor: Cursor): FieldDeclaration {
  if (cursor.token.kind !== 'name') cursor.fail('a field is missing here');
  const { attributes: ofAll, type: ofSpecifiers } = parseSpecifiers(cursor);
  const type = withMode(ofSpecifiers, ofAll.mode);
  const declarators: FieldDeclaration['declarators'][number][] = [];
  while (!cursor.is(';') && !cursor.is('}')) {
    const at = cursor.token;
    const attributes = { ...ofAll };
    const declarator: Declarator = cursor.is(':')
      ? { kind: 'name', name: null, span: at.span }
      : parseDeclarator(cursor, attributes);
    const bits = cursor.take(':') ? parseConditional(cursor) : null;
    const { packed, aligned, mode } = parseAttributes(cursor, attributes);
    const own = mode === ofAll.mode ? {} : { type: withMode(ofSpecifiers, mode) };
    declarators.push({ declarator, bits, packed, aligned, ...own });
    if (!cursor.take(',')) break;
  }
  cursor.expect(';');
  return { type, declarators, aligned: ofAll.aligned };
}

function parseEnum(cursor: Cursor, start: Token): TypeSpec {
  const attributes = parseAttributes(cursor);
  const tag = cursor.token.kind === 'name' ? cursor.next().text : null;
  // Behind a tag this may be the width of a bit-field.
  if (cursor.is(':') && (tag === null || startsType(cursor, cursor.peek(1))))
    cursor.unsupported(
      'an enumeration with a type of its own',
      start,
      'leave the type out here, and declare variables with it',
    );
  if (!cursor.take('{'))
    return { kind: 'enum', tag, items: null, packed: false, span: cursor.spanFrom(start) };
  const items: { name: string; value: Expression | null; span: Span }[] = [];
  while (!cursor.is('}')) {
    const name = cursor.name('the name of a constant');
    parseAttributes(cursor);
    const value = cursor.take('=') ? parseConditional(cursor) : null;
    cursor.declare(name.text, false);
    items.push({ name: name.text, value, span: cursor.spanFrom(name) });
    if (!cursor.take(',')) break;
  }
  cursor.expect('}');
  const { packed } = parseAttributes(cursor, attributes);
  return { kind: 'enum', tag, items, packed, span: cursor.spanFrom(start) };
}

/** Null where there is none. */
export function takeStaticAssertion(cursor: Cursor): StaticAssertion | null {
  if (!cursor.is('_Static_assert') && !(cursor.is('static_assert') && isWord(cursor.peek(1), '(')))
    return null;
  const start = cursor.next();
  cursor.expect('(');
  const test = parseConditional(cursor);
  const text = cursor.take(',') ? cursor.token.text : null;
  while (cursor.token.kind === 'string') cursor.next();
  cursor.expect(')');
  const span = cursor.spanFrom(start);
  cursor.take(';');
  return { test, text, span };
}
