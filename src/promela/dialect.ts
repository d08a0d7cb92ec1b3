// What Promela does differently with C's preprocessor: its own marks, and SPIN's reading of the numbers and characters that are left.

import type { Dialect } from '../cpp/dialect.ts';
import type { Token } from '../cpp/token.ts';

export const PROMELA: Dialect = {
  marks: '... :: -> -- ++ << >> <= >= == != !! ?? && || .. ##',
  cWords: false,
  anglesLookBeside: true,
  argumentsKeepPlace: true,
  mostTokens: 500_000,
};

const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12 };

/** A character as SPIN reads it; what it cannot read is bad. */
export function characterOf(token: Token): Token {
  const value = charValue(token.text);
  return value === null ? { ...token, kind: 'bad' } : { ...token, value };
}

function charValue(quoted: string): number | null {
  if (quoted.length === 3 && quoted[2] === "'") return quoted.charCodeAt(1) & 255;
  if (quoted.length === 4 && quoted[1] === '\\' && quoted[3] === "'") {
    return ESCAPES[quoted[2]!] ?? quoted.charCodeAt(2) & 255;
  }
  return null;
}

/** Splits the preprocessor's numbers (`1..N`, `3x`) into what Promela's own lexer sees in them. */
export function splitNumber(token: Token): Token[] {
  if (/^[0-9]+$/.test(token.text)) return [{ ...token, value: wrap(token.text) }];
  const parts: Token[] = [];
  const pattern = /[0-9]+|[A-Za-z_]\w*|\.\.|\./g;
  for (let match = pattern.exec(token.text); match !== null; match = pattern.exec(token.text)) {
    const part = match[0];
    const kind = /^[0-9]/.test(part) ? 'number' : part[0] === '.' ? 'mark' : 'name';
    const start = token.span.start + match.index;
    const inside = token.expansion === null || token.span.end - token.span.start === token.text.length;
    parts.push({
      ...token,
      kind,
      text: part,
      value: kind === 'number' ? wrap(part) : 0,
      span: inside ? { file: token.span.file, start, end: start + part.length } : token.span,
      newline: token.newline && match.index === 0,
      space: token.space && match.index === 0,
    });
  }
  return parts;
}

/** SPIN reads a long and keeps an int. */
function wrap(digits: string): number {
  if (digits.length < 10) return Number(digits);
  if (digits.startsWith('0')) return wrap(digits.replace(/^0+(?=\d)/, ''));
  const most = '9223372036854775807';
  const tooLong = digits.length > most.length || (digits.length === most.length && digits > most);
  return Number(BigInt.asIntN(32, BigInt(tooLong ? most : digits)));
}
