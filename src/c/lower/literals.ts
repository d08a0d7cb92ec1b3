// Number, character and string literals with the types C gives them.

import { characterValue, type UnitWidth, unitsOf } from '../../cpp/character.ts';
import type { Span } from '../../source/source.ts';
import type { IntType, WordSizes } from '../program/types.ts';
import { CHAR, INT, INT128, LLONG, UINT, ULLONG, USHORT } from '../program/types.ts';
import { refuse } from '../text/codes.ts';

export function integerLiteral(
  text: string,
  span: Span,
  { name, long: LONG, ulong: ULONG }: WordSizes,
): { value: bigint; type: IntType } | null {
  const match = /^(0[xX][\da-fA-F']+|0[bB][01']+|[\d']+)([uUlL]*)$/.exec(text);
  if (match === null) return null;
  const digits = match[1]!.replaceAll("'", '');
  const suffix = match[2]!.toLowerCase();
  const decimal = !/^0[xXbB\d]/.test(digits);
  if (/^0[0-9]/.test(digits) && /[89]/.test(digits)) refuse('SPW5001', 'a digit is not octal', span);
  const value = BigInt(digits.replace(/^0(?=\d)/, '0o'));
  const long = suffix.includes('l');
  const signed = [INT, LONG, LLONG];
  const unsigned = [UINT, ULONG, ULLONG];
  const both = [INT, UINT, LONG, ULONG, LLONG, ULLONG];
  const candidates = suffix.includes('u') ? unsigned : decimal ? signed : both;
  const least = suffix.includes('ll') ? LLONG.rank : LONG.rank;
  const type = candidates.find(
    (candidate) =>
      (!long || candidate.rank >= least) &&
      value < 1n << BigInt(candidate.width - (candidate.signed ? 1 : 0)),
  );
  if (type !== undefined) return { value, type };
  // gcc: on to the next wider type, with a warning.
  if (value >= 1n << 64n) refuse('SPW5001', `the number ${text} is too large for every type`, span);
  return name === 'LP64' ? { value, type: INT128 } : { value: BigInt.asIntN(64, value), type: LLONG };
}

/** Several characters make one number, as gcc has it. */
export function characterLiteral(
  text: string,
  span: Span,
  sizes: WordSizes,
): { value: bigint; type: IntType } {
  const value = characterValue(text) ?? refuse('SPW5001', `${text} is no character`, span);
  const prefix = /^(u8|[uUL])'/.exec(text)?.[1];
  return { value, type: prefix === undefined || prefix === 'u8' ? INT : elementFor(prefix, sizes) };
}

/** The units of a string (bytes, or whole characters of a wide one), or of several in a row, with the final zero. */
export function stringLiteral(text: string, span: Span, sizes: WordSizes): number[] {
  const width = elementOfString(text, span, sizes).width as UnitWidth;
  const units = partsOf(text).flatMap(
    (part) => unitsOf(part[2]!, width) ?? refuse('SPW5001', 'this is no string', span),
  );
  return [...units, 0];
}

const partsOf = (text: string): RegExpMatchArray[] => [
  ...text.matchAll(/(u8|[uUL])?"((?:\\[\s\S]|[^"\\])*)"/g),
];

/** The type of a string's elements: char, wchar_t, char16_t, char32_t. Of several in a row one with a prefix says it for all. */
export function elementOfString(text: string, span: Span, sizes: WordSizes): IntType {
  const prefixes = new Set(partsOf(text).flatMap((part) => part[1] ?? []));
  if (prefixes.size > 1)
    refuse(
      'SPW5001',
      'strings with different prefixes do not make one',
      span,
      'give them all the same prefix',
    );
  const [prefix] = prefixes;
  return elementFor(prefix, sizes);
}

/** On i386 wchar_t is a long. */
function elementFor(prefix: string | undefined, { name, long }: WordSizes): IntType {
  if (prefix === 'L') return name === 'ILP32' ? long : INT;
  return prefix === 'U' ? UINT : prefix === 'u' ? USHORT : CHAR;
}
