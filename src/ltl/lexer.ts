// Words and symbols of formulas, in the spellings of SPIN, LTL2BA, Spot, NuSMV and of the textbooks.

import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile, Span } from '../source/source.ts';
import type { BinaryOperator, UnaryOperator } from './syntax.ts';

export type Token = { readonly span: Span; readonly text: string } & (
  | { readonly kind: 'open' | 'close' | 'end' }
  | { readonly kind: 'constant'; readonly value: boolean }
  /** `only`: written with `state:` or `event:` in front. */
  | { readonly kind: 'name'; readonly name: string; readonly only: 'proposition' | 'event' | null }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator }
);

const UNARY: Readonly<Record<string, UnaryOperator>> = {
  '!': 'not',
  '~': 'not',
  '¬': 'not',
  not: 'not',
  X: 'next',
  '○': 'next',
  next: 'next',
  G: 'always',
  '[]': 'always',
  '□': 'always',
  always: 'always',
  F: 'eventually',
  '<>': 'eventually',
  '◇': 'eventually',
  eventually: 'eventually',
};

const BINARY: Readonly<Record<string, BinaryOperator>> = {
  '&&': 'and',
  '&': 'and',
  '/\\': 'and',
  '∧': 'and',
  and: 'and',
  '||': 'or',
  '|': 'or',
  '\\/': 'or',
  '∨': 'or',
  or: 'or',
  '^': 'xor',
  xor: 'xor',
  '->': 'implies',
  '=>': 'implies',
  '→': 'implies',
  implies: 'implies',
  '<->': 'equivalent',
  '<=>': 'equivalent',
  '↔': 'equivalent',
  equivalent: 'equivalent',
  U: 'until',
  until: 'until',
  stronguntil: 'until',
  W: 'weak-until',
  weakuntil: 'weak-until',
  R: 'release',
  V: 'release',
  release: 'release',
  M: 'strong-release',
};

const CONSTANTS: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false };

/** Longest first, so that `<->` is not read as `<` and `->`. */
const SYMBOLS = [...Object.keys(UNARY), ...Object.keys(BINARY), '(', ')']
  .filter((symbol) => !/^\w/.test(symbol))
  .sort((a, b) => b.length - a.length);

/** Words with dots, indices and `=value`: `left.get`, `fork[1][2]`, `m=2`. */
const WORD = /[A-Za-z_]\w*(?:\.\w+|\[\w+\])*(?:=\w+)?|[01](?!\w)/y;
const PREFIX = /(state|event):(?=["A-Za-z_])/y;
/** `\"` and `\\` stand for a quote and a backslash; other backslashes for themselves. */
const QUOTED = /"((?:[^"\\\n]|\\.)*)"/y;
const BLANK = /\s+/y;

export function tokenize(
  file: SourceFile,
  from: number,
  to: number,
): { tokens: Token[]; diagnostics: Diagnostic[] } {
  const tokens: Token[] = [];
  const diagnostics: Diagnostic[] = [];
  const text = file.text.slice(0, to);
  const match = (pattern: RegExp, at: number): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  let at = from;
  while (at < to) {
    const blank = match(BLANK, at);
    if (blank !== null) {
      at += blank[0].length;
      continue;
    }
    const start = at;
    const prefix = match(PREFIX, at);
    const only = prefix === null ? null : prefix[1] === 'event' ? 'event' : 'proposition';
    if (prefix !== null) at += prefix[0].length;
    const span = (end: number): Span => ({ file, start, end });

    const quoted = match(QUOTED, at);
    const word = match(WORD, at);
    if (quoted !== null || word !== null) {
      const whole = (quoted ?? word)![0];
      at += whole.length;
      const isName = quoted !== null || only !== null;
      const name = quoted === null ? whole : quoted[1]!.replace(/\\(["\\])/g, '$1');
      if (isName) tokens.push({ kind: 'name', name, only, span: span(at), text: whole });
      else tokens.push(...wordTokens(whole, span(at)));
      continue;
    }
    const symbol = SYMBOLS.find((candidate) => text.startsWith(candidate, at));
    if (symbol !== undefined) {
      at += symbol.length;
      tokens.push(symbolToken(symbol, span(at)));
      continue;
    }
    // What follows would only confuse: one problem at a time.
    diagnostics.push(text[at] === '"' ? unterminated({ file, start: at, end: to }) : strange(file, at));
    break;
  }
  tokens.push({ kind: 'end', span: { file, start: to, end: to }, text: 'the end of the formula' });
  return { tokens, diagnostics };
}

/** One token; several for operators written together, `GF p`. */
function wordTokens(word: string, span: Span): Token[] {
  if (!/^[GFX]{2,}$/.test(word)) return [wordToken(word, span)];
  return [...word].map((letter, index) => {
    const start = span.start + index;
    return wordToken(letter, { file: span.file, start, end: start + 1 });
  });
}

function wordToken(word: string, span: Span): Token {
  if (Object.hasOwn(CONSTANTS, word)) return { kind: 'constant', value: CONSTANTS[word]!, span, text: word };
  if (Object.hasOwn(UNARY, word)) return { kind: 'unary', operator: UNARY[word]!, span, text: word };
  if (Object.hasOwn(BINARY, word)) return { kind: 'binary', operator: BINARY[word]!, span, text: word };
  return { kind: 'name', name: word, only: null, span, text: word };
}

function symbolToken(symbol: string, span: Span): Token {
  if (symbol === '(') return { kind: 'open', span, text: symbol };
  if (symbol === ')') return { kind: 'close', span, text: symbol };
  if (Object.hasOwn(UNARY, symbol)) return { kind: 'unary', operator: UNARY[symbol]!, span, text: symbol };
  return { kind: 'binary', operator: BINARY[symbol]!, span, text: symbol };
}

function strange(file: SourceFile, at: number): Diagnostic {
  const character = String.fromCodePoint(file.text.codePointAt(at)!);
  return {
    code: 'SPW3201',
    severity: 'error',
    message: `'${character}' is no part of a formula`,
    span: { file, start: at, end: at + character.length },
    help: /[<>=+*%?@{}-]/.test(character)
      ? 'comparisons and other expressions are names of propositions: put them in double quotes, "x > 3"'
      : 'names with other characters go in double quotes',
  };
}

function unterminated(span: Span): Diagnostic {
  return {
    code: 'SPW3209',
    severity: 'error',
    message: 'this quoted name does not end',
    span,
    help: 'close it with a double quote on the same line',
  };
}
