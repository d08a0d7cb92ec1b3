// The words that types and declarations begin with. Which names are types is known to the cursor, so that `(T)(x)` and `a * b;` mean what C says.

import type { Token } from '../../cpp/token.ts';
import { type Cursor, isWord } from './cursor.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

export const TYPE_WORDS = set(`void char short int long float double signed unsigned _Bool __signed__ __signed
  __int128 __int128_t __uint128_t _Float128 __float128 _Float64 _Float32 _Float32x _Float64x _Complex __complex__`);

export const TYPE_KEYWORDS = set('struct union enum typeof __typeof__ __typeof typeof_unqual __auto_type');

export const STORAGE = set('typedef static extern register auto _Thread_local __thread');

export const IGNORED =
  set(`inline __inline __inline__ _Noreturn restrict __restrict __restrict__ __extension__
  constexpr thread_local`);

export const QUALIFIERS = set('const volatile __const __const__ __volatile __volatile__ _Atomic');

export const ATTRIBUTES = set('__attribute__ __attribute __declspec _Alignas alignas');

export const ASM = set('asm __asm __asm__');

export const isName = (token: Token, words: ReadonlySet<string>): boolean =>
  token.kind === 'name' && words.has(token.text);

/** Does a type begin with this token? */
export function startsType(cursor: Cursor, token: Token): boolean {
  if (token.kind !== 'name') return false;
  const { text } = token;
  return (
    TYPE_WORDS.has(text) ||
    TYPE_KEYWORDS.has(text) ||
    QUALIFIERS.has(text) ||
    cursor.isTypeName(text) ||
    (text === '__extension__' && token === cursor.token && startsType(cursor, cursor.peek(1)))
  );
}

export function startsDeclaration(cursor: Cursor): boolean {
  const { token } = cursor;
  if (isName(token, STORAGE) || isName(token, IGNORED) || isName(token, ATTRIBUTES)) {
    // `__extension__ (expression)` and an attribute before a `;` are statements.
    if (token.text === '__extension__') return !isWord(cursor.peek(1), '(');
    return true;
  }
  return startsType(cursor, token) && !(cursor.isTypeName(token.text) && isWord(cursor.peek(1), ':'));
}
