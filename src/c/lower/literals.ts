// Number, character and string literals with the types C gives them.

import { characterValue, unitsOf } from '../../cpp/character.ts';
import type { Span } from '../../source/source.ts';
import type { IntType, WordSizes } from '../program/types.ts';
import { CHAR, INT, LLONG, UINT, ULLONG, USHORT } from '../program/types.ts';
import { refuse } from '../text/codes.ts';

export function integerLiteral(
  text: string,
  span: Span,
  { long: LONG, ulong: ULONG }: WordSizes,
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
  return { value, type: type ?? ULLONG };
}

/** An int: several characters make one number, as gcc has it. */
export function characterLiteral(text: string, span: Span): bigint {
  return characterValue(text) ?? refuse('SPW5001', `${text} is no character`, span);
}

/** The units of a string (bytes, or whole characters of a wide one), or of several in a row, with the final zero. */
export function stringLiteral(text: string, span: Span): number[] {
  const parts = [...text.matchAll(/(u8|[uUL])?"((?:\\[\s\S]|[^"\\])*)"/g)];
  const wide = isWide(text);
  const units = parts.flatMap(
    (part) => unitsOf(part[2]!, wide) ?? refuse('SPW5001', 'this is no string', span),
  );
  return [...units, 0];
}

/** The type of a string's elements: char, wchar_t, char16_t, char32_t. */
export function elementOfString(text: string): IntType {
  const prefix = /^(?:[^"]*")?/.exec(text)![0];
  return prefix.startsWith('L')
    ? INT
    : prefix.startsWith('U')
      ? UINT
      : prefix.startsWith('u"')
        ? USHORT
        : CHAR;
}

const isWide = (text: string): boolean => elementOfString(text) !== CHAR;
