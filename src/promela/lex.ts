// Text to tokens, before the preprocessor looks at them: comments vanish, lines are remembered by flags on the tokens.
// What is wrong becomes a token of kind 'bad', reported only when it survives the preprocessor.

import type { SourceFile } from '../source/source.ts';
import type { Token, TokenKind } from './token.ts';

const SPACE = 1;
const NEWLINE = 2;
const DIGIT = 3;
const LETTER = 4;

const CLASS = new Uint8Array(128);
for (const c of ' \t\f\v\r') CLASS[c.charCodeAt(0)] = SPACE;
CLASS[10] = NEWLINE;
for (const c of '0123456789') CLASS[c.charCodeAt(0)] = DIGIT;
for (const c of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_') CLASS[c.charCodeAt(0)] = LETTER;

/** Every mark of more than one character, by its first one; longer ones first. */
const LONG_MARKS = new Map<number, readonly string[]>();
for (const mark of '... :: -> -- ++ << >> <= >= == != !! ?? && || .. ##'.split(' ')) {
  const code = mark.charCodeAt(0);
  LONG_MARKS.set(code, [...(LONG_MARKS.get(code) ?? []), mark]);
}
const SHORT_MARKS = new Uint8Array(128);
for (const mark of '{}()[];,:.+-*/%&^|~<>=!?@#$') SHORT_MARKS[mark.charCodeAt(0)] = 1;

/** 0 when no mark stands there. */
function markLength(text: string, at: number, code: number): number {
  for (const mark of LONG_MARKS.get(code) ?? NONE) if (text.startsWith(mark, at)) return mark.length;
  return code < 128 ? SHORT_MARKS[code]! : 0;
}

const NONE: readonly string[] = [];

export function lex(file: SourceFile): Token[] {
  const text = file.text;
  const tokens: Token[] = [];
  let at = 0;
  let newline = true;
  let space = false;

  const add = (kind: TokenKind, end: number, value = 0) => {
    tokens.push({
      kind,
      text: text.slice(at, end),
      value,
      span: { file, start: at, end },
      newline,
      space,
      hidden: null,
      expansion: null,
    });
    at = end;
    newline = false;
    space = false;
  };

  while (at < text.length) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? CLASS[code]! : 0;
    if (kind === SPACE || code === 0xfeff) {
      at++;
      space = true;
    } else if (kind === NEWLINE) {
      at++;
      newline = true;
    } else if (code === 92 && continuation(text, at) > 0) {
      at += continuation(text, at);
      space = true;
    } else if (kind === LETTER) {
      add('name', wordEnd(text, at));
    } else if (kind === DIGIT) {
      add('number', numberEnd(text, at));
    } else if (code === 47 && (text[at + 1] === '*' || text[at + 1] === '/')) {
      const comment = skipComment(text, at);
      if (comment.closed) {
        newline ||= comment.newline;
        space = true;
        at = comment.end;
      } else {
        add('bad', comment.end);
      }
    } else if (code === 34) {
      const end = quoteEnd(text, at, '"');
      add(text[end - 1] === '"' && end > at + 1 ? 'string' : 'bad', end);
    } else if (code === 39) {
      const end = quoteEnd(text, at, "'");
      const value = charValue(text.slice(at, end));
      add(value === null ? 'bad' : 'char', end, value ?? 0);
    } else {
      const length = markLength(text, at, code);
      add(length === 0 ? 'bad' : 'mark', at + Math.max(1, length));
    }
  }
  add('end', at);
  return tokens;
}

/** The length of a backslash and the line break after it, 0 when there is none. */
function continuation(text: string, at: number): number {
  if (text[at + 1] === '\n') return 2;
  return text[at + 1] === '\r' && text[at + 2] === '\n' ? 3 : 0;
}

function wordEnd(text: string, from: number): number {
  let end = from + 1;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code >= 128 || (CLASS[code] !== LETTER && CLASS[code] !== DIGIT)) break;
    end++;
  }
  return end;
}

/** As C has it, `1..N` is one number to the preprocessor: macros in it are not expanded. It is split afterwards. */
function numberEnd(text: string, from: number): number {
  let end = from + 1;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    const word = code < 128 && (CLASS[code] === LETTER || CLASS[code] === DIGIT);
    if (!word && code !== 46) break;
    end++;
  }
  return end;
}

function quoteEnd(text: string, from: number, quote: string): number {
  let end = from + 1;
  while (end < text.length && text[end] !== '\n') {
    if (text[end] === '\\' && end + 1 < text.length) end += text[end + 1] === '\r' ? 3 : 2;
    else if (text[end++] === quote) return end;
  }
  return Math.min(end, text.length);
}

const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12 };

function charValue(quoted: string): number | null {
  if (quoted.length === 3 && quoted[2] === "'") return quoted.charCodeAt(1) & 255;
  if (quoted.length === 4 && quoted[1] === '\\' && quoted[3] === "'") {
    return ESCAPES[quoted[2]!] ?? quoted.charCodeAt(2) & 255;
  }
  return null;
}

function skipComment(text: string, at: number): { end: number; closed: boolean; newline: boolean } {
  if (text[at + 1] === '*') {
    const close = text.indexOf('*/', at + 2);
    const end = close < 0 ? text.length : close + 2;
    return { end, closed: close >= 0, newline: text.slice(at, end).includes('\n') };
  }
  let end = at;
  while (end < text.length && text[end] !== '\n') {
    const joined = text[end] === '\\' ? continuation(text, end) : 0;
    end += Math.max(1, joined);
  }
  return { end, closed: true, newline: false };
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
