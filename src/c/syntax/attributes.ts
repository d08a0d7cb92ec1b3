// Attributes, `_Alignas` and assembler names: of those that change a layout or an end the meaning is kept, the others are passed over.

import type { Expression, TypeSpec } from './ast.ts';
import { type Cursor, isWord } from './cursor.ts';
import { parseTypeName } from './declarators.ts';
import { parseConditional } from './expressions.ts';
import { ASM, ATTRIBUTES, isName, startsType } from './type-words.ts';

export interface Attributes {
  packed: boolean;
  noreturn: boolean;
  weak: boolean;
  /** By `alias`, or in the assembler. */
  alias: string | null;
  isLabel: boolean;
  gnuInline: boolean;
  /** What each `aligned` and `_Alignas` says. */
  aligned: readonly Expression[];
  mode: string | null;
}

export const noAttributes = (): Attributes => ({
  packed: false,
  noreturn: false,
  weak: false,
  alias: null,
  isLabel: false,
  gnuInline: false,
  aligned: [],
  mode: null,
});

/** Attributes here, if any: of those that change a layout or an end the meaning is kept. */
export function parseAttributes(cursor: Cursor, into: Attributes = noAttributes()): Attributes {
  for (;;) {
    if (isName(cursor.token, ASM) && isWord(cursor.peek(1), '(')) {
      cursor.next();
      into.alias = stringsInGroup(cursor);
      into.isLabel = true;
    } else if (cursor.is('[') && isWord(cursor.peek(1), '[')) {
      const mark = cursor.mark();
      while (!cursor.take(']')) if (cursor.next().kind === 'end') cursor.fail("']]' is missing here");
      cursor.expect(']');
      const end = cursor.mark();
      cursor.reset(mark);
      readAttributes(cursor, end, into);
      cursor.reset(end);
    } else if (isName(cursor.token, ATTRIBUTES)) {
      const word = cursor.next().text;
      if (!cursor.is('(')) cursor.fail("'(' is missing here");
      const mark = cursor.mark();
      cursor.skipGroup();
      const end = cursor.mark();
      cursor.reset(mark);
      if (word === '__attribute__' || word === '__attribute') readAttributes(cursor, end, into);
      else if (word !== '__declspec') into.aligned = [...into.aligned, alignment(cursor)];
      cursor.reset(end);
    } else return into;
  }
}

/** `("" "name")` */
function stringsInGroup(cursor: Cursor): string {
  const mark = cursor.mark();
  cursor.skipGroup();
  const end = cursor.mark();
  cursor.reset(mark);
  let text = '';
  while (cursor.mark() < end) {
    const token = cursor.next();
    if (token.kind === 'string') text += token.text.slice(1, -1);
  }
  return text;
}

/** What `_Alignas` says: a number, or the type that has the alignment. */
function alignment(cursor: Cursor): Expression {
  const start = cursor.next();
  if (!startsType(cursor, cursor.token)) return parseConditional(cursor);
  const of = parseTypeName(cursor);
  return { kind: 'alignof', of, least: true, span: cursor.spanFrom(start) };
}

/** Attributes without which a program means something else. */
const MEANT: Readonly<Record<string, string>> = {
  cleanup: 'call the function where the block of the variable ends, and before each jump out of it',
  constructor: 'call the function at the start of main',
  destructor: 'give the function to atexit at the start of main',
  hardbool: 'use _Bool',
  ifunc: 'call the function that is chosen',
  ms_struct: 'write the padding that is meant as members',
  scalar_storage_order: 'swap the bytes with __builtin_bswap16, 32 or 64',
  vector_size: 'use an array, and loops over its elements',
};

function readAttributes(cursor: Cursor, end: number, into: Attributes): void {
  while (cursor.mark() < end) {
    const first = cursor.token;
    const { text, kind } = cursor.next();
    const name = text.replace(/^__(.*)__$/, '$1');
    if (kind === 'name' && Object.hasOwn(MEANT, name))
      cursor.unsupported(`the attribute '${name}'`, first, MEANT[name]);
    if (name === 'weak') into.weak = true;
    if (name === 'gnu_inline') into.gnuInline = true;
    if (name === 'packed') into.packed = true;
    if (name === 'noreturn') into.noreturn = true;
    if (name === 'aligned' && cursor.is('(') && !isWord(cursor.peek(1), ')')) {
      cursor.next();
      into.aligned = [...into.aligned, parseConditional(cursor)];
    } else if (name === 'aligned') {
      // The largest that any type needs.
      into.aligned = [...into.aligned, { kind: 'number', text: '16', span: cursor.token.span }];
      if (cursor.is('(')) cursor.skipGroup();
    } else if ((name === 'alias' || name === 'weakref') && cursor.is('('))
      into.alias = stringsInGroup(cursor);
    else if (name === 'mode' && cursor.is('(')) {
      cursor.next();
      into.mode = cursor.next().text.replace(/^__(.*)__$/, '$1');
    } else if (kind === 'name' && cursor.is('(')) cursor.skipGroup();
  }
}

export const withMode = (type: TypeSpec, mode: string | null): TypeSpec =>
  mode === null ? type : { kind: 'mode', mode, of: type, span: type.span };
