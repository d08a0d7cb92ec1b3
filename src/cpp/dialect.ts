// What the languages with C's preprocessor do differently, and how they are told about problems.

import type { Severity } from '../source/diagnostic.ts';
import type { Span } from '../source/source.ts';
import type { Token } from './token.ts';

export interface Dialect {
  /** Marks of more than one character, with blanks between them. */
  readonly marks: string;
  /** C's words: `$` and letters beyond ASCII in names, prefixes of strings, exponents and a leading dot in numbers, digraphs. */
  readonly cWords: boolean;
  /** `#include <file>` looks beside the including file, too. */
  readonly anglesLookBeside: boolean;
  /** A token of a macro's argument keeps the place where the user wrote it; else all of an expansion stands where the macro is used. */
  readonly argumentsKeepPlace: boolean;
  /** How many tokens macros may make: past it the text is taken to be an attack. */
  readonly mostTokens: number;
  /** Names that `defined` knows beside the macros, and what `__has_attribute(x)` and its like say: null for no such test. */
  readonly has?: (test: string, name: string) => number | null;
}

export type ProblemKind =
  | 'file'
  | 'directive'
  | 'unbalanced'
  | 'condition'
  | 'macro'
  | 'message'
  | 'too large';

/** Whoever asked for the text gives the problem its code, and may want to know about macros. */
export interface Reporter {
  defined?(name: Token, parameters: readonly Token[], body: readonly Token[]): void;
  /** Expanded, asked for by a condition, or undefined. */
  used?(name: Token): void;
  /** What stands in a part that does not count. */
  inactive?(tokens: readonly Token[]): void;
  report(kind: ProblemKind, severity: Severity, span: Span | null, message: string, help?: string): void;
}
