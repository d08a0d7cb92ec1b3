// Number, character and string literals with the types C gives them.

import type { Span } from '../../source/source.ts';
import { refuse } from '../codes.ts';
import type { IntType } from '../types.ts';
import { INT, LONG, UINT, ULONG } from '../types.ts';

export function integerLiteral(text: string, span: Span): { value: bigint; type: IntType } | null {
  const match = /^(0[xX][\da-fA-F']+|0[bB][01']+|[\d']+)([uUlL]*)$/.exec(text);
  if (match === null) return null;
  const digits = match[1]!.replaceAll("'", '');
  const suffix = match[2]!.toLowerCase();
  const decimal = !/^0[xXbB\d]/.test(digits);
  if (/^0[0-9]/.test(digits) && /[89]/.test(digits)) refuse('SPW5001', 'a digit is not octal', span);
  const value = BigInt(digits.replace(/^0(?=\d)/, '0o'));
  const long = suffix.includes('l');
  const candidates = suffix.includes('u') ? [UINT, ULONG] : decimal ? [INT, LONG] : [INT, UINT, LONG, ULONG];
  const type = candidates.find(
    (candidate) =>
      (!long || candidate.width === 64) && value < 1n << BigInt(candidate.width - (candidate.signed ? 1 : 0)),
  );
  return { value, type: type ?? ULONG };
}

const SIMPLE: Readonly<Record<string, number>> = {
  n: 10,
  t: 9,
  r: 13,
  0: 0,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
  e: 27,
  '\\': 92,
  "'": 39,
  '"': 34,
  '?': 63,
};

/** The bytes between the quotes. */
function bytesOf(body: string, span: Span): number[] {
  const bytes: number[] = [];
  for (const [part] of body.matchAll(/\\x[\da-fA-F]+|\\[0-7]{1,3}|\\[\s\S]|[^\\]+/g)) {
    if (!part.startsWith('\\')) bytes.push(...new TextEncoder().encode(part));
    else if (part.startsWith('\\x')) bytes.push(Number.parseInt(part.slice(2), 16) & 255);
    else if (/^\\[0-7]/.test(part)) bytes.push(Number.parseInt(part.slice(1), 8) & 255);
    else bytes.push(SIMPLE[part[1]!] ?? refuse('SPW5001', `there is no escape '${part}'`, span));
  }
  return bytes;
}

export function characterLiteral(text: string, span: Span): bigint {
  const bytes = bytesOf(text.slice(text.indexOf("'") + 1, -1), span);
  if (bytes.length !== 1) refuse('SPW5012', 'a character of several bytes is not supported', span);
  return BigInt.asIntN(8, BigInt(bytes[0]!));
}

/** The bytes of a string, or of several in a row, with the final zero. */
export function stringLiteral(text: string, span: Span): number[] {
  const parts = [...text.matchAll(/"((?:\\[\s\S]|[^"\\])*)"/g)];
  return [...parts.flatMap((part) => bytesOf(part[1]!, span)), 0];
}
