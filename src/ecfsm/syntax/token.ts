// Text to tokens. `st-inc` is one word, as in the paper; elsewhere a hyphen is a minus sign.

import type { Diagnostic } from '../../source/diagnostic.ts';
import type { SourceFile, Span } from '../../source/source.ts';
import { problem } from '../codes.ts';

export interface Token {
  readonly kind: 'word' | 'number' | 'symbol' | 'end';
  readonly text: string;
  readonly span: Span;
  /** Where the token really stands, when a macro brought it to `span`. */
  readonly from?: Span;
  /** A word that is also the name of a macro with this many parameters, and stands without any. */
  readonly parameters?: number;
}

const PATTERN =
  /(?<blank>[\s\uFEFF]+|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)|(?<word>st-inc(?![\w])|[A-Za-z_][A-Za-z0-9_']*)|(?<number>\d+)|(?<symbol>:=|->|=>|<=|>=|!=|==|[{}()[\],;:.<>=+\-*|?@&])/y;

export function tokenize(file: SourceFile, diagnostics: Diagnostic[]): Token[] {
  const tokens: Token[] = [];
  const { text } = file;
  let at = 0;
  while (at < text.length) {
    PATTERN.lastIndex = at;
    const match = PATTERN.exec(text);
    if (match === null) {
      const span = { file, start: at, end: at + 1 };
      if (text.startsWith('/*', at)) {
        diagnostics.push(problem('SPW4003', { ...span, end: at + 2 }, 'this comment is never closed'));
        break;
      }
      diagnostics.push(problem('SPW4001', span, `the character '${text[at]}' does not belong here`));
      at++;
      continue;
    }
    const span = { file, start: at, end: at + match[0].length };
    const groups = match.groups!;
    if (groups['word'] !== undefined) tokens.push({ kind: 'word', text: match[0], span });
    else if (groups['symbol'] !== undefined) tokens.push({ kind: 'symbol', text: match[0], span });
    else if (groups['number'] !== undefined) {
      tokens.push({ kind: 'number', text: match[0], span });
      if (Number(match[0]) > MAX_CONSTANT)
        diagnostics.push(problem('SPW4004', span, `numbers above ${MAX_CONSTANT} are not exact here`));
    }
    at = span.end;
  }
  return tokens;
}

/** Sums of fewer than 2^22 such constants stay below 2^53. */
export const MAX_CONSTANT = 1_000_000_000;

export const endToken = (file: SourceFile): Token => ({
  kind: 'end',
  text: '',
  span: { file, start: file.text.length, end: file.text.length },
});
