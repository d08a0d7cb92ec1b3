// Preprocessing tokens: what a line of text consists of before anybody asks for its grammar.

import type { Span } from '../source/source.ts';

export type TokenKind = 'name' | 'number' | 'char' | 'string' | 'mark' | 'bad' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** As written, without line splices; strings and characters with their quotes. */
  readonly text: string;
  /** For the language's own reading of numbers and characters; 0 here. */
  readonly value: number;
  readonly span: Span;
  /** A line break stands between the token before and this one, be it inside a comment. */
  readonly newline: boolean;
  /** It is the first of its line, where a comment does not end a line: a `#` here starts a directive. */
  readonly first: boolean;
  /** White space or a comment stands before it. */
  readonly space: boolean;
  /** The name of a macro that was met inside its own expansion: never expanded again. */
  readonly painted: boolean;
  readonly expansion: Expansion | null;
  /** Of a token from a macro: where the user wrote the name of the macro that brought it. */
  readonly written?: Span;
  /** What `#pragma pack` allows where it stands; nothing where it allows everything. */
  readonly pack?: number;
  /** As written where that is not `text`: a digraph, which `#` keeps. */
  readonly spelling?: string | undefined;
}

/** Where a token came from, when the user did not write it at its place. */
export interface Expansion {
  /** Inlines are Promela's: they expand as macros do, later. */
  readonly what: 'macro' | 'inline';
  readonly name: string;
  /** For macros the place in the macro's body, for inlines the call. */
  readonly span: Span;
  readonly outer: Expansion | null;
}

/** A copy with another origin, written out because it is made for every token of every expansion. */
export function copyOf(
  token: Token,
  newline: boolean,
  space: boolean,
  span: Span,
  expansion: Expansion | null,
  written: Span = placeOf(token),
): Token {
  const { kind, text, value, painted, spelling } = token;
  const copy = { kind, text, value, span, newline, first: false, space, painted, expansion, written };
  return spelling === undefined ? copy : { ...copy, spelling };
}

/** Where a line number counts for it. */
export const placeOf = (token: Token): Span => token.written ?? token.span;

/** Tokens as text, with blanks where blanks were. */
export const textOf = (tokens: readonly Token[]): string =>
  tokens
    .map((token, i) => (i > 0 && (token.space || token.newline) ? ` ${spelled(token)}` : spelled(token)))
    .join('');

export const spelled = ({ text, spelling }: Token): string => spelling ?? text;
