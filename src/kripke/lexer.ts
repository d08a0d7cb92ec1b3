// Tokens of .lks files. A formula keeps its own language: the lexer only finds where it ends.

import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile, Span } from '../source/source.ts';
import type { KripkeCode } from './codes.ts';

export interface Token {
  readonly kind: 'name' | 'number' | 'sign' | 'end';
  /** For a quoted name what it stands for, without quotes. */
  readonly text: string;
  /** A name in quotes is never a word of the language. */
  readonly quoted?: true;
  readonly span: Span;
}

export const problem = (code: KripkeCode, message: string, span: Span | null, help?: string): Diagnostic => ({
  code,
  severity: 'error',
  message,
  span,
  ...(help === undefined ? {} : { help }),
});

// Dots inside a name join its parts (left.get); a dot before anything else ends a state.
const NAME = /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*/y;
/** Labels from elsewhere: any text, with \\" and \\\\ for quotes and backslashes in it. */
const QUOTED = /"(?:[^"\\\n]|\\["\\])+"/y;
const NUMBER = /[0-9]+/y;
const SIGN = /->|\|\||&&|\.\.|==|!=|<=|>=|[(){}[\],;:.=|<>+\-*/%!]/y;
const BLANK = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;

/** The tokens from start to end, then an end token. */
export function tokenize(
  file: SourceFile,
  start: number,
  end: number,
  diagnostics: Diagnostic[],
): readonly Token[] {
  const tokens: Token[] = [];
  const text = file.text.slice(0, end);
  let at = start;
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? null;
  };
  while (at < end) {
    const blank = match(BLANK);
    if (blank !== null) {
      at += blank.length;
      continue;
    }
    if (text.startsWith('/*', at)) {
      diagnostics.push(problem('SPW3003', 'this comment is never closed', { file, start: at, end: at + 2 }));
      break;
    }
    const quoted = match(QUOTED);
    if (quoted !== null) {
      const content = quoted.slice(1, -1).replace(/\\(.)/g, '$1');
      tokens.push({
        kind: 'name',
        text: content,
        quoted: true,
        span: { file, start: at, end: at + quoted.length },
      });
      at += quoted.length;
      continue;
    }
    const name = match(NAME);
    const number = name === null ? match(NUMBER) : null;
    const found = name ?? number ?? match(SIGN);
    if (found === null) {
      const shown = String.fromCodePoint(text.codePointAt(at)!);
      const span = { file, start: at, end: at + shown.length };
      diagnostics.push(problem('SPW3001', `'${shown}' has no meaning here`, span));
      at += shown.length;
      continue;
    }
    const kind = name !== null ? 'name' : number !== null ? 'number' : 'sign';
    tokens.push({ kind, text: found, span: { file, start: at, end: at + found.length } });
    at += found.length;
    // The text of a formula is not ours: skip it, the parser cuts it out.
    if (found === '{' && isFormulaStart(tokens)) {
      const close = closingBrace(text, at);
      if (close < 0) {
        diagnostics.push(
          problem('SPW3003', 'this formula is never closed', { file, start: at - 1, end: at }, 'add a }'),
        );
        break;
      }
      at = close;
    }
  }
  tokens.push({ kind: 'end', text: 'the end of the file', span: { file, start: end, end } });
  return tokens;
}

/** `ltl NAME {` */
function isFormulaStart(tokens: readonly Token[]): boolean {
  return tokens.at(-3)?.text === 'ltl' && tokens.at(-2)?.kind === 'name';
}

function closingBrace(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '"') {
      QUOTED.lastIndex = at;
      at += (QUOTED.exec(text)?.[0].length ?? 1) - 1;
    } else if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  return -1;
}
