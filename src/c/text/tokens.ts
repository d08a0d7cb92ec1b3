// Preprocessing tokens with their place in the user's text.

import type { SourceFile, Span } from '../../source/source.ts';

export interface Token {
  readonly kind: 'name' | 'number' | 'string' | 'punct' | 'space' | 'newline';
  readonly text: string;
  /** Where the user wrote it; for the expansion of a macro, where the macro is used. */
  readonly span: Span;
  /** Macros that may not expand in this token again. */
  readonly hidden?: ReadonlySet<string>;
}

const TOKEN =
  /(?<space>(?:[ \t\f\v\r]|\\\r?\n|\/\*[\s\S]*?\*\/|\/\/(?:\\\r?\n|[^\n])*)+)|(?<newline>\n)|(?<name>[A-Za-z_$][\w$]*)|(?<number>\.?\d(?:[eEpP][+-]|[\w.])*)|(?<string>(?:u8|[uUL])?(?:"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'))|(?<punct>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|##|[\s\S])/gy;

export function tokenize(file: SourceFile): Token[] {
  const tokens: Token[] = [];
  for (const match of file.text.matchAll(TOKEN)) {
    const groups = match.groups!;
    const kind = (Object.keys(groups) as Token['kind'][]).find((key) => groups[key] !== undefined)!;
    const text = match[0];
    const span = { file, start: match.index, end: match.index + text.length };
    tokens.push({ kind, text: kind === 'space' ? ' ' : text, span });
  }
  return tokens;
}

export const isPunct = (token: Token | undefined, text: string): boolean =>
  token !== undefined && token.kind === 'punct' && token.text === text;
export const isBlank = (token: Token | undefined): boolean =>
  token !== undefined && (token.kind === 'space' || token.kind === 'newline');
export const withoutBlanks = (tokens: readonly Token[]): Token[] => tokens.filter((token) => !isBlank(token));

export function trimBlanks(tokens: readonly Token[]): Token[] {
  let start = 0;
  let end = tokens.length;
  while (start < end && isBlank(tokens[start])) start++;
  while (end > start && isBlank(tokens[end - 1])) end--;
  return tokens.slice(start, end);
}
