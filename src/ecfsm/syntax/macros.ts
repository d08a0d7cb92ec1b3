// Macros: `macro NAME(p, q) { tokens }`, replaced wherever NAME(a, b) stands. A body of several tokens stands in parentheses where it is
// used, so that `or` inside it cannot escape; a body that begins with a brace (a set of states or types) stands as it is.

import type { Diagnostic } from '../../source/diagnostic.ts';
import type { Span } from '../../source/source.ts';
import { problem } from '../codes.ts';
import type { Token } from './token.ts';

interface Macro {
  readonly name: Token;
  readonly parameters: readonly string[];
  readonly body: readonly Token[];
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const OPENING = new Set(Object.keys(CLOSING));
const CLOSERS = new Set(Object.values(CLOSING));
const MAX_TOKENS = 200_000;

export function expandMacros(tokens: readonly Token[], diagnostics: Diagnostic[]): Token[] {
  const macros = new Map<string, Macro>();
  const rest = collect(tokens, macros, diagnostics);
  if (macros.size === 0) return rest;
  const expansion = new Expansion(macros, diagnostics);
  expansion.run(rest, null, []);
  return expansion.overflow ? [] : expansion.out;
}

/** Takes the macro definitions out of the text. */
function collect(tokens: readonly Token[], macros: Map<string, Macro>, diagnostics: Diagnostic[]): Token[] {
  const rest: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i]!.text !== 'macro' || tokens[i]!.kind !== 'word') {
      rest.push(tokens[i]!);
      continue;
    }
    const found = definition(tokens, i, diagnostics);
    if (found.macro !== null) {
      const earlier = macros.get(found.macro.name.text);
      if (earlier !== undefined) {
        diagnostics.push(
          problem('SPW4014', found.macro.name.span, `the macro '${found.macro.name.text}' is defined twice`, {
            related: [{ span: earlier.name.span, message: 'first here' }],
          }),
        );
      }
      macros.set(found.macro.name.text, found.macro);
    }
    i = found.next - 1;
  }
  return rest;
}

function definition(
  tokens: readonly Token[],
  start: number,
  diagnostics: Diagnostic[],
): { macro: Macro | null; next: number } {
  const name = tokens[start + 1];
  let at = start + 2;
  if (name === undefined || name.kind !== 'word') {
    diagnostics.push(problem('SPW4002', (name ?? tokens[start]!).span, 'a macro needs a name'));
    return { macro: null, next: start + 1 };
  }
  const parameters: string[] = [];
  if (tokens[at]?.text === '(') {
    for (at++; at < tokens.length && tokens[at]!.text !== ')' && tokens[at]!.text !== '{'; at++) {
      if (tokens[at]!.kind === 'word') parameters.push(tokens[at]!.text);
    }
    if (tokens[at]?.text === ')') at++;
  }
  if (tokens[at]?.text === '=') at++;
  if (tokens[at]?.text !== '{') {
    diagnostics.push(
      problem('SPW4002', (tokens[at] ?? name).span, `the body of the macro '${name.text}' stands in braces`),
    );
    return { macro: null, next: at };
  }
  const end = closing(tokens, at);
  if (end.kind !== 'ok') {
    const culprit = end.kind === 'open' ? tokens[at]! : tokens[end.at]!;
    diagnostics.push(
      problem('SPW4010', culprit.span, `the brackets of the macro '${name.text}' do not balance`, {
        help:
          end.kind === 'open' ? 'its body is never closed' : `'${culprit.text}' closes nothing that is open`,
      }),
    );
    return { macro: null, next: end.kind === 'open' ? tokens.length : end.at + 1 };
  }
  return { macro: { name, parameters, body: tokens.slice(at + 1, end.at) }, next: end.at + 1 };
}

type Closing =
  | { readonly kind: 'ok'; readonly at: number }
  | { readonly kind: 'wrong'; readonly at: number }
  | { readonly kind: 'open' };

/** The bracket that closes the one at `start`. */
function closing(tokens: readonly Token[], start: number): Closing {
  const open: string[] = [];
  for (let at = start; at < tokens.length; at++) {
    const { text, kind } = tokens[at]!;
    if (kind !== 'symbol') continue;
    if (OPENING.has(text)) open.push(CLOSING[text]!);
    else if (CLOSERS.has(text)) {
      if (open.pop() !== text) return { kind: 'wrong', at };
      if (open.length === 0) return { kind: 'ok', at };
    }
  }
  return { kind: 'open' };
}

class Expansion {
  readonly out: Token[] = [];
  private readonly macros: ReadonlyMap<string, Macro>;
  private readonly diagnostics: Diagnostic[];
  overflow = false;

  constructor(macros: ReadonlyMap<string, Macro>, diagnostics: Diagnostic[]) {
    this.macros = macros;
    this.diagnostics = diagnostics;
  }

  /** Copies tokens to the output; `use` is the place of the outermost macro use, if inside one. */
  run(tokens: readonly Token[], use: Span | null, active: readonly string[]): void {
    for (let i = 0; i < tokens.length && !this.overflow; i++) {
      const token = tokens[i]!;
      const macro =
        token.kind === 'word' && !isQualified(tokens, i) ? this.macros.get(token.text) : undefined;
      if (macro === undefined) this.put(token, use);
      // As in C, a macro with parameters is used only where a parenthesis follows: states and actions may have the same names.
      else if (macro.parameters.length > 0 && tokens[i + 1]?.text !== '(')
        this.put({ ...token, parameters: macro.parameters.length }, use);
      else i = this.use(macro, tokens, i, use ?? token.span, active);
    }
  }

  private put(token: Token, use: Span | null): void {
    this.out.push(use === null ? token : { ...token, span: use, from: token.from ?? token.span });
    if (this.out.length <= MAX_TOKENS || this.overflow) return;
    this.overflow = true;
    this.diagnostics.push(problem('SPW4013', use ?? token.span, 'the macros grow beyond all measure here'));
  }

  private use(
    macro: Macro,
    tokens: readonly Token[],
    at: number,
    span: Span,
    active: readonly string[],
  ): number {
    const name = macro.name.text;
    if (active.includes(name)) {
      const path = [...active.slice(active.indexOf(name)), name].join(' uses ');
      this.diagnostics.push(problem('SPW4012', span, `the macro '${name}' uses itself: ${path}`));
      return at;
    }
    const { args, end } = this.arguments(macro, tokens, at);
    if (args.length !== macro.parameters.length) {
      const wants = `${macro.parameters.length} argument${macro.parameters.length === 1 ? '' : 's'}`;
      this.diagnostics.push(
        problem('SPW4011', span, `the macro '${name}' takes ${wants}, not ${args.length}`, {
          related: [{ span: macro.name.span, message: 'defined here' }],
        }),
      );
      return end;
    }
    const body = substitute(macro, args);
    const wrap = body.length > 1 && body[0]!.text !== '{';
    if (wrap) this.put({ ...macro.name, kind: 'symbol', text: '(' }, span);
    this.run(body, span, [...active, name]);
    if (wrap) this.put({ ...macro.name, kind: 'symbol', text: ')' }, span);
    return end;
  }

  private arguments(macro: Macro, tokens: readonly Token[], at: number): { args: Token[][]; end: number } {
    if (macro.parameters.length === 0) return { args: [], end: at };
    const end = closing(tokens, at + 1);
    if (end.kind !== 'ok') return { args: [], end: at };
    const args: Token[][] = [[]];
    let depth = 0;
    for (const token of tokens.slice(at + 2, end.at)) {
      if (OPENING.has(token.text)) depth++;
      else if (CLOSERS.has(token.text)) depth--;
      if (token.text === ',' && depth === 0) args.push([]);
      else args.at(-1)!.push(token);
    }
    return { args: args.length === 1 && args[0]!.length === 0 ? [] : args, end: end.at };
  }
}

/** `A.name` is a register, `goal name` declares something: neither is a use. */
function isQualified(tokens: readonly Token[], at: number): boolean {
  return tokens[at - 1]?.text === '.' || tokens[at - 1]?.text === 'goal';
}

function substitute(macro: Macro, args: readonly Token[][]): Token[] {
  return macro.body.flatMap((token) => {
    const index = token.kind === 'word' ? macro.parameters.indexOf(token.text) : -1;
    return index < 0 ? [token] : args[index]!;
  });
}
