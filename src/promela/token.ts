import type { Span } from '../source/source.ts';
import type { Expansion } from './codes.ts';

export type TokenKind = 'name' | 'number' | 'char' | 'string' | 'mark' | 'bad' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** As written; strings and characters with their quotes. */
  readonly text: string;
  /** Of numbers and characters. */
  readonly value: number;
  readonly span: Span;
  /** A line break stands between the token before and this one. */
  readonly newline: boolean;
  /** White space or a comment stands before it. */
  readonly space: boolean;
  /** Macros that must not be expanded in it any more. */
  readonly hidden: HideSet | null;
  readonly expansion: Expansion | null;
}

/** A copy with another origin, written out because it is made for every token of every expansion. */
export function copyOf(
  token: Token,
  newline: boolean,
  space: boolean,
  span: Span,
  hidden: HideSet | null,
  expansion: Expansion | null,
): Token {
  const { kind, text, value } = token;
  return { kind, text, value, span, newline, space, hidden, expansion };
}

export interface HideSet {
  readonly name: string;
  readonly next: HideSet | null;
}

export function hides(set: HideSet | null, name: string): boolean {
  for (let at = set; at !== null; at = at.next) if (at.name === name) return true;
  return false;
}

export const KEYWORDS: ReadonlySet<string> = new Set(
  `active assert atomic bit bool break byte c_code c_decl c_expr c_state c_track D_proctype do chan else empty enabled eval
   false fi for full get_priority goto hidden if init inline int len local ltl mtype nempty never nfull notrace np_ od of
   pc_value pid printf printm priority proctype provided return run d_step select set_priority short skip timeout trace true
   show typedef unless unsigned xr xs`
    .trim()
    .split(/\s+/),
);

export const TYPE_WORDS: ReadonlySet<string> = new Set([
  'bit',
  'bool',
  'byte',
  'pid',
  'short',
  'int',
  'unsigned',
  'mtype',
  'chan',
]);
