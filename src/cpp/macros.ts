// Macros: their definitions and the replacement of one use, as C and gcc define it: arguments are expanded first unless they meet
// # or ##; `args...` and `...` take all the rest, commas included; `, ## rest` drops the comma when there is no rest;
// `__VA_OPT__(x)` stands for x when there is one.
//
// Spans: a token of the macro's body gets the place of the use, and so does one of an argument unless the dialect keeps its place.

import { SourceFile } from '../source/source.ts';
import type { Dialect, Reporter } from './dialect.ts';
import { lex } from './lex.ts';
import type { Expansion, Token } from './token.ts';
import { copyOf, placeOf, spelled, textOf } from './token.ts';

export interface Macro {
  readonly name: string;
  /** Null for a macro without parentheses. */
  readonly parameters: readonly string[] | null;
  /** The last parameter takes all the rest, commas included. */
  readonly variadic: boolean;
  readonly body: readonly Token[];
  /** Where it and its parameters are named. */
  readonly at: Token;
  readonly parameterNames: readonly Token[];
  /** How many expansions of it are being read: it is not expanded inside itself. */
  active: number;
}

/** Reads what follows `#define`. Null (after a diagnostic) when it is no definition. */
export function parseDefinition(line: readonly Token[], reporter: Reporter): Macro | null {
  const name = line[0];
  const bad = (span: Token['span'] | null, message: string, help?: string) => {
    reporter.report('macro', 'error', span, message, help);
    return null;
  };
  if (name === undefined || name.kind !== 'name' || name.text === 'defined')
    return bad(name?.span ?? null, 'a macro needs a name');
  const finished = (macro: Macro): Macro | null => {
    const wrong = misplaced(macro);
    return wrong === null ? macro : bad(wrong.at.span, wrong.message);
  };
  if (line[1]?.text !== '(' || line[1].space)
    return finished({
      name: name.text,
      parameters: null,
      variadic: false,
      body: line.slice(1),
      at: name,
      parameterNames: [],
      active: 0,
    });
  const parameters: string[] = [];
  const parameterNames: Token[] = [];
  let variadic = false;
  let at = 2;
  while (at < line.length && line[at]!.text !== ')') {
    const token = line[at++]!;
    if (token.text === '...') {
      variadic = true;
      parameters.push('__VA_ARGS__');
    } else if (token.kind === 'name') {
      parameters.push(token.text);
      parameterNames.push(token);
      if (line[at]?.text === '...') {
        variadic = true;
        at++;
      }
    } else return bad(token.span, `'${token.text}' cannot be a parameter of the macro '${name.text}'`);
    if (line[at]?.text === ',') at++;
  }
  if (at >= line.length)
    return bad(name.span, `the parameters of the macro '${name.text}' are not closed`, "add ')'");
  const body = line.slice(at + 1);
  return finished({ name: name.text, parameters, variadic, body, at: name, parameterNames, active: 0 });
}

/** What stands in a body where it means nothing. */
function misplaced({
  body,
  parameters,
  variadic,
}: Macro): { readonly at: Token; readonly message: string } | null {
  for (const at of [body[0], body.at(-1)])
    if (at?.text === '##') return { at, message: "'##' needs something on both sides" };
  if (parameters === null) return null;
  const at = body.find(
    ({ text }, i) =>
      text === '#' &&
      !(variadic && body[i + 1]?.text === '__VA_OPT__') &&
      !parameters.includes(body[i + 1]?.text ?? ''),
  );
  return at === undefined ? null : { at, message: "'#' needs a parameter of the macro behind it" };
}

export interface Use {
  readonly macro: Macro;
  /** The macro's name where it is used. */
  readonly at: Token;
  /** The name with its arguments. */
  readonly span: Token['span'];
  /** One for each parameter; the rest of a variadic macro is null when not even its comma is there. */
  readonly args: readonly (readonly Token[] | null)[];
}

/** The replacement of one use. `expandFully` expands an argument on its own. */
export function substitute(
  use: Use,
  expandFully: (tokens: readonly Token[]) => Token[],
  dialect: Dialect,
  reporter: Reporter,
): Token[] {
  const replaced = new Replacement(use, expandFully, dialect, reporter).all();
  const result = replaced.filter((token) => token.kind !== 'mark' || token.text !== '');
  const first = result[0];
  if (first !== undefined) result[0] = { ...first, newline: use.at.newline, space: use.at.space };
  return result;
}

class Replacement {
  private readonly use: Use;
  private readonly expandFully: (tokens: readonly Token[]) => Token[];
  private readonly dialect: Dialect;
  private readonly reporter: Reporter;
  private readonly expanded: (readonly Token[])[] = [];

  constructor(
    use: Use,
    expandFully: (tokens: readonly Token[]) => Token[],
    dialect: Dialect,
    reporter: Reporter,
  ) {
    this.use = use;
    this.expandFully = expandFully;
    this.dialect = dialect;
    this.reporter = reporter;
  }

  private argument(token: Token | undefined): number {
    if (token === undefined || token.kind !== 'name') return -1;
    return this.use.macro.parameters?.indexOf(token.text) ?? -1;
  }

  /** As in gcc arguments are expanded before anything is replaced, which `__COUNTER__` shows, and what is wrong in those that `__VA_OPT__` leaves out is wrong. */
  all(): Token[] {
    const { body } = this.use.macro;
    body.forEach((token, i) => {
      const index = this.argument(token);
      const before = body[i - 1]?.text;
      if (index < 0 || before === '#' || before === '##' || body[i + 1]?.text === '##') return;
      this.expanded[index] ??= this.expandFully(this.use.args[index] ?? []);
    });
    return this.of(body);
  }

  /** With empty marks where an argument of ## is empty. */
  private of(body: readonly Token[]): Token[] {
    const { macro, args } = this.use;
    const functionLike = macro.parameters !== null;
    const result: Token[] = [];
    for (let i = 0; i < body.length; i++) {
      const token = body[i]!;
      const next = body[i + 1];
      const index = this.argument(token);
      if (token.text === '#' && functionLike && this.argument(next) >= 0) {
        result.push(this.placed(stringise(token, args[this.argument(next)] ?? [])));
        i++;
      } else if (token.text === '#' && next !== undefined && this.isOptional(next, body[i + 2])) {
        const end = closing(body, i + 2);
        const inside: Token[] = [];
        this.optional(body.slice(i + 3, end), next, false, inside);
        const kept = inside.filter(({ text }) => text !== '');
        result.push(this.placed(stringise(token, kept)));
        i = end;
      } else if (token.text === '##' && next !== undefined && result.length > 0) {
        i = this.pasteNext(body, i, result);
      } else if (this.isOptional(token, next)) {
        const end = closing(body, i + 1);
        this.optional(body.slice(i + 2, end), token, body[end + 1]?.text === '##', result);
        i = end;
      } else if (index >= 0) {
        this.pushArgument(index, token, next?.text === '##', result);
      } else {
        result.push(this.placed(token));
      }
    }
    return result;
  }

  private pushArgument(index: number, parameter: Token, pasted: boolean, result: Token[]): void {
    const raw = this.use.args[index] ?? [];
    const tokens = pasted ? raw : (this.expanded[index] ??= this.expandFully(raw));
    if (pasted && raw.length === 0) result.push({ ...this.placed(parameter), kind: 'mark', text: '' });
    for (const [j, item] of tokens.entries())
      result.push(this.moved(item, j === 0 ? parameter.space : item.space || item.newline));
  }

  private isOptional(token: Token, next: Token | undefined): boolean {
    return token.text === '__VA_OPT__' && this.use.macro.variadic && next?.text === '(';
  }

  private optional(inside: readonly Token[], at: Token, pasted: boolean, result: Token[]): void {
    const rest = this.use.args.length - 1;
    this.expanded[rest] ??= this.expandFully(this.use.args[rest] ?? []);
    const missing = this.expanded[rest]!.length === 0;
    const tokens = missing ? [] : this.of(inside);
    if (tokens.length === 0 && pasted) result.push({ ...this.placed(at), kind: 'mark', text: '' });
    for (const [j, item] of tokens.entries()) result.push(j === 0 ? { ...item, space: at.space } : item);
  }

  /** `##` at i and what follows it; gives the index of the last token used. */
  private pasteNext(body: readonly Token[], i: number, result: Token[]): number {
    const next = body[i + 1]!;
    const index = this.argument(next);
    if (next.text === '#' && this.argument(body[i + 2]) >= 0) {
      this.paste(result, [stringise(next, this.use.args[this.argument(body[i + 2])] ?? [])]);
      return i + 2;
    }
    if (this.isOptional(next, body[i + 2])) {
      const end = closing(body, i + 2);
      const inside: Token[] = [];
      this.optional(body.slice(i + 3, end), next, true, inside);
      this.paste(result, inside);
      return end;
    }
    const { macro, args } = this.use;
    const left = result.at(-1)!;
    const isRest = macro.variadic && index === macro.parameters!.length - 1;
    if (isRest && left.text === ',') {
      // gcc: the comma goes when there is no rest, and stays, not pasted, when there is one.
      const rest = args[index] ?? null;
      if (rest === null) result.pop();
      else for (const item of rest) result.push(this.moved(item, item.space || item.newline));
      if (result.length === 0) result.push({ ...this.placed(next), kind: 'mark', text: '' });
      return i + 1;
    }
    this.paste(
      result,
      index >= 0 ? (args[index] ?? []).map((item) => this.moved(item, item.space)) : [this.placed(next)],
    );
    return i + 1;
  }

  private paste(result: Token[], right: readonly Token[]): void {
    const first = right.find((token) => token.text !== '');
    if (first === undefined) return;
    const left = result.pop()!;
    const glued = lex(new SourceFile(left.span.file.path, spelled(left) + spelled(first)), this.dialect);
    if (glued.length === 2) {
      const { kind, text, spelling } = glued[0]!;
      result.push({ ...left, kind, text, spelling, painted: false });
    } else {
      this.reporter.report(
        'macro',
        'error',
        left.span,
        `'${left.text}' and '${first.text}' do not paste to one word`,
      );
      result.push(left, first);
    }
    result.push(...right.slice(right.indexOf(first) + 1));
  }

  /** A token of the body, at the place of the use. */
  private placed(token: Token): Token {
    const { macro, at, span } = this.use;
    const expansion: Expansion = { what: 'macro', name: macro.name, span: token.span, outer: at.expansion };
    return copyOf(token, false, token.space, span, expansion, placeOf(at));
  }

  /** A token of an argument. */
  private moved(item: Token, space: boolean): Token {
    const span = this.dialect.argumentsKeepPlace ? item.span : this.use.span;
    return copyOf(item, false, space, span, item.expansion, placeOf(this.use.at));
  }
}

function closing(body: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < body.length; i++) {
    if (body[i]!.text === '(') depth++;
    if (body[i]!.text === ')' && --depth === 0) return i;
  }
  return body.length;
}

/** Quotes and backslashes are escaped where they belong to a string or a character. As in gcc, a backslash at the end that would escape the quote goes. */
function stringise(at: Token, tokens: readonly Token[]): Token {
  const quoted = tokens.map((token) =>
    token.kind === 'string' || token.kind === 'char'
      ? { ...token, text: token.text.replace(/["\\]/g, '\\$&') }
      : token,
  );
  const text = textOf(quoted).replace(/(?<!\\)((?:\\\\)*)\\$/, '$1');
  return { ...at, kind: 'string', text: `"${text}"`, spelling: undefined };
}
