// Macros: their definitions and the replacement of one use, as C defines it (arguments expanded first unless they meet # or ##,
// no macro expanded inside its own expansion: every token carries the set of macros hidden in it).
//
// Spans: a token of an argument keeps the place where the user wrote it; a token of the macro's body gets the place of the use.

import { SourceFile } from '../source/source.ts';
import type { Diagnostics, Expansion } from './codes.ts';
import { lex } from './lex.ts';
import type { HideSet, Token } from './token.ts';
import { copyOf, hides } from './token.ts';

export interface Macro {
  readonly name: string;
  /** Null for a macro without parentheses. */
  readonly parameters: readonly string[] | null;
  /** The last parameter takes all the rest, commas included. */
  readonly variadic: boolean;
  readonly body: readonly Token[];
}

/** Reads what follows `#define`. Null (after a diagnostic) when it is no definition. */
export function parseDefinition(line: readonly Token[], diagnostics: Diagnostics): Macro | null {
  const name = line[0];
  if (name === undefined || name.kind !== 'name' || name.text === 'defined') {
    diagnostics.error('SPW1205', name?.span ?? null, 'a macro needs a name');
    return null;
  }
  if (line[1]?.text !== '(' || line[1].space) {
    return { name: name.text, parameters: null, variadic: false, body: line.slice(1) };
  }
  const parameters: string[] = [];
  let variadic = false;
  let at = 2;
  while (at < line.length && line[at]!.text !== ')') {
    const token = line[at++]!;
    if (token.text === '...') {
      variadic = true;
      parameters.push('__VA_ARGS__');
    } else if (token.kind === 'name') {
      parameters.push(token.text);
      if (line[at]?.text === '...') {
        variadic = true;
        at++;
      }
    } else {
      diagnostics.error(
        'SPW1205',
        token.span,
        `'${token.text}' cannot be a parameter of the macro '${name.text}'`,
      );
      return null;
    }
    if (line[at]?.text === ',') at++;
  }
  if (at >= line.length) {
    diagnostics.error('SPW1205', name.span, `the parameters of the macro '${name.text}' are not closed`, {
      help: "add ')'",
    });
    return null;
  }
  return { name: name.text, parameters, variadic, body: line.slice(at + 1) };
}

export interface Use {
  readonly macro: Macro;
  /** The macro's name where it is used. */
  readonly at: Token;
  readonly args: readonly (readonly Token[])[];
  readonly hidden: HideSet | null;
}

/** The replacement of one use. `expandFully` expands an argument on its own. */
export function substitute(
  use: Use,
  expandFully: (tokens: readonly Token[]) => Token[],
  diagnostics: Diagnostics,
): Token[] {
  const { macro, args } = use;
  const result: Token[] = [];
  const expanded: (Token[] | undefined)[] = [];
  const argument = (token: Token): number =>
    token.kind === 'name' && macro.parameters !== null ? macro.parameters.indexOf(token.text) : -1;

  const body = macro.body;
  for (let i = 0; i < body.length; i++) {
    const token = body[i]!;
    const next = body[i + 1];
    const index = argument(token);
    if (token.text === '#' && macro.parameters !== null && next !== undefined && argument(next) >= 0) {
      result.push(place(stringise(token, args[argument(next)]!), use));
      i++;
    } else if (token.text === '##' && next !== undefined && result.length > 0) {
      // What stands left of it was pushed unexpanded, or as an empty mark.
      const right = argument(next) >= 0 ? args[argument(next)]! : [place(next, use)];
      paste(result, right, diagnostics);
      i++;
    } else if (index >= 0) {
      const raw = args[index]!;
      const pasted = next?.text === '##';
      const tokens = pasted ? raw : (expanded[index] ??= expandFully(raw));
      if (pasted && raw.length === 0) result.push({ ...token, kind: 'mark', text: '' });
      for (const [j, item] of tokens.entries())
        result.push(
          copyOf(item, false, j === 0 ? token.space : item.space, item.span, item.hidden, item.expansion),
        );
    } else {
      result.push(place(token, use));
    }
  }
  return finish(
    result.filter((token) => token.text !== ''),
    use,
  );
}

function finish(result: Token[], use: Use): Token[] {
  const first = result[0];
  if (first !== undefined) result[0] = { ...first, newline: use.at.newline, space: use.at.space };
  return result.map((token) =>
    copyOf(token, token.newline, token.space, token.span, union(token.hidden, use.hidden), token.expansion),
  );
}

function place(token: Token, use: Use): Token {
  const expansion: Expansion = {
    what: 'macro',
    name: use.macro.name,
    span: token.span,
    outer: use.at.expansion,
  };
  return copyOf(token, false, token.space, use.at.span, token.hidden, expansion);
}

function stringise(at: Token, tokens: readonly Token[]): Token {
  const text = tokens.map((token, i) => (i > 0 && token.space ? ` ${token.text}` : token.text)).join('');
  return { ...at, kind: 'string', text: `"${text.replace(/["\\]/g, '\\$&')}"` };
}

function paste(result: Token[], right: readonly Token[], diagnostics: Diagnostics): void {
  const first = right[0];
  if (first === undefined) return;
  const left = result.pop()!;
  const glued = lex(new SourceFile(left.span.file.path, left.text + first.text));
  if (glued.length === 2) {
    const { kind, text, value } = glued[0]!;
    result.push({ ...left, kind, text, value, hidden: null });
  } else {
    diagnostics.error('SPW1205', left.span, `'${left.text}' and '${first.text}' do not paste to one word`);
    result.push(left, first);
  }
  result.push(...right.slice(1));
}

function union(a: HideSet | null, b: HideSet | null): HideSet | null {
  if (a === null) return b;
  let result = a;
  for (let at = b; at !== null; at = at.next)
    if (!hides(result, at.name)) result = { name: at.name, next: result };
  return result;
}

export function intersection(a: HideSet | null, b: HideSet | null): HideSet | null {
  let result: HideSet | null = null;
  for (let at = a; at !== null; at = at.next) if (hides(b, at.name)) result = { name: at.name, next: result };
  return result;
}
