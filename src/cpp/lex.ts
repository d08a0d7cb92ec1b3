// Text to preprocessing tokens: comments vanish, lines are remembered by flags on the tokens.
// What is wrong becomes a token of kind 'bad', reported only when it survives the preprocessor.

import type { SourceFile } from '../source/source.ts';
import type { Dialect } from './dialect.ts';
import { splice } from './splice.ts';
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

const SHORT_MARKS = new Uint8Array(128);
for (const mark of '{}()[];,:.+-*/%&^|~<>=!?@#$') SHORT_MARKS[mark.charCodeAt(0)] = 1;

const DIGRAPHS: Readonly<Record<string, string>> = {
  '<:': '[',
  ':>': ']',
  '<%': '{',
  '%>': '}',
  '%:': '#',
  '%:%:': '##',
};

/** Every mark of more than one character, by its first one; longer ones first. */
const MARKS_OF = new WeakMap<Dialect, ReadonlyMap<number, readonly string[]>>();

function marksOf(dialect: Dialect): ReadonlyMap<number, readonly string[]> {
  let marks = MARKS_OF.get(dialect);
  if (marks === undefined) {
    const byFirst = new Map<number, string[]>();
    const all = [...dialect.marks.split(' '), ...(dialect.cWords ? Object.keys(DIGRAPHS) : [])];
    for (const mark of all.sort((a, b) => b.length - a.length)) {
      const code = mark.charCodeAt(0);
      byFirst.set(code, [...(byFirst.get(code) ?? []), mark]);
    }
    marks = byFirst;
    MARKS_OF.set(dialect, marks);
  }
  return marks;
}

const NONE: readonly string[] = [];

/** `watch`: called for every token; may throw. */
export function lex(file: SourceFile, dialect: Dialect, watch: () => void = () => {}): Token[] {
  const { text, written } = splice(file.text);
  const longMarks = marksOf(dialect);
  const tokens: Token[] = [];
  let at = 0;
  let first = true;
  let newline = true;
  let space = false;

  const add = (kind: TokenKind, end: number, digraph?: string) => {
    watch();
    const start = written(at);
    const span = { file, start, end: end > at ? written(end - 1) + 1 : start };
    tokens.push({
      kind,
      text: digraph ?? text.slice(at, end),
      value: 0,
      span,
      newline,
      first,
      space,
      painted: false,
      expansion: null,
      ...(digraph === undefined ? {} : { spelling: text.slice(at, end) }),
    });
    at = end;
    first = false;
    newline = false;
    space = false;
  };
  const addQuoted = (from: number, quote: string) => {
    const end = quoteEnd(text, from, quote);
    const closed = text[end - 1] === quote && end > from + 1;
    add(!closed ? 'bad' : quote === '"' ? 'string' : 'char', end);
  };

  while (at < text.length) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? CLASS[code]! : 0;
    if (kind === SPACE || code === 0xfeff) {
      at++;
      space = true;
    } else if (kind === NEWLINE) {
      at++;
      first = true;
      newline = true;
    } else if (kind === LETTER || (dialect.cWords && (code === 36 || code >= 128))) {
      const end = wordEnd(text, at, dialect);
      const quote = text[end];
      if (dialect.cWords && (quote === '"' || quote === "'") && /^(?:u8|[uUL])$/.test(text.slice(at, end)))
        addQuoted(end, quote);
      else add('name', end);
    } else if (kind === DIGIT || (dialect.cWords && code === 46 && isDigit(text, at + 1))) {
      add('number', numberEnd(text, at, dialect));
    } else if (code === 47 && (text[at + 1] === '*' || text[at + 1] === '/')) {
      const comment = skipComment(text, at);
      if (comment.closed) {
        newline ||= comment.newline;
        space = true;
        at = comment.end;
      } else {
        add('bad', comment.end);
      }
    } else if (code === 34 || code === 39) {
      addQuoted(at, text[at]!);
    } else {
      const mark = (longMarks.get(code) ?? NONE).find((candidate) => text.startsWith(candidate, at));
      if (mark !== undefined) add('mark', at + mark.length, DIGRAPHS[mark]);
      else add(code < 128 && SHORT_MARKS[code] === 1 ? 'mark' : 'bad', at + 1);
    }
  }
  first = true;
  add('end', at);
  return tokens;
}

const isDigit = (text: string, at: number): boolean => /[0-9]/.test(text[at] ?? '');

function wordEnd(text: string, from: number, dialect: Dialect): number {
  let end = from + 1;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    const more =
      code < 128
        ? CLASS[code] === LETTER || CLASS[code] === DIGIT || (code === 36 && dialect.cWords)
        : dialect.cWords;
    if (!more) break;
    end++;
  }
  return end;
}

/** As C has it, `1..N` is one number to the preprocessor: macros in it are not expanded. Promela splits it afterwards. */
function numberEnd(text: string, from: number, dialect: Dialect): number {
  let end = from + 1;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    const sign = dialect.cWords && (code === 43 || code === 45) && /[eEpP]/.test(text[end - 1]!);
    const word = code < 128 && (CLASS[code] === LETTER || CLASS[code] === DIGIT);
    // C23: `1'000'000`. A character would be of no use there.
    const apart = dialect.cWords && code === 39 && /[\da-fA-F]'[\da-fA-F]/.test(text.slice(end - 1, end + 2));
    if (!word && code !== 46 && !sign && !apart) break;
    end++;
  }
  return end;
}

function quoteEnd(text: string, from: number, quote: string): number {
  let end = from + 1;
  while (end < text.length && text[end] !== '\n') {
    if (text[end] === '\\' && end + 1 < text.length) end += 2;
    else if (text[end++] === quote) return end;
  }
  return Math.min(end, text.length);
}

function skipComment(text: string, at: number): { end: number; closed: boolean; newline: boolean } {
  if (text[at + 1] === '*') {
    const close = text.indexOf('*/', at + 2);
    const end = close < 0 ? text.length : close + 2;
    return { end, closed: close >= 0, newline: text.slice(at, end).includes('\n') };
  }
  const end = text.indexOf('\n', at);
  return { end: end < 0 ? text.length : end, closed: true, newline: false };
}
