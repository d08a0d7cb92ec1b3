// Macro expansion with hide sets (a macro does not expand inside its own expansion), stringising and pasting.

import type { Diagnostic } from '../../source/diagnostic.ts';
import { SourceFile, type Span } from '../../source/source.ts';
import { problem } from '../codes.ts';
import type { Token } from './tokens.ts';
import { isBlank, isPunct, tokenize, trimBlanks } from './tokens.ts';

export interface Macro {
  readonly name: string;
  /** Null for an object-like macro. */
  readonly parameters: readonly string[] | null;
  readonly variadic: boolean;
  readonly body: readonly Token[];
}

export type Macros = Map<string, Macro>;

/** How many tokens one file may expand to: past it the macros are taken to be an attack. */
const LIMIT = 4_000_000;

export function expand(tokens: readonly Token[], macros: Macros, report: (d: Diagnostic) => void): Token[] {
  const output: Token[] = [];
  // A stack, top at the end: expansions are pushed back and scanned again.
  const input = [...tokens].reverse();
  let steps = 0;
  while (input.length > 0) {
    const token = input.pop()!;
    const macro =
      token.kind === 'name' && !token.hidden?.has(token.text) ? macros.get(token.text) : undefined;
    if (macro === undefined || ++steps > LIMIT) {
      output.push(token);
      continue;
    }
    const hidden = new Set([...(token.hidden ?? []), macro.name]);
    if (macro.parameters === null) {
      pushBack(input, substitute(macro, [], token.span, hidden, macros, report));
      continue;
    }
    const call = takeArguments(input, macro);
    if (call === null) {
      output.push(token);
    } else if (call === 'wrong') {
      report(
        problem(
          'SPW5002',
          `the macro '${macro.name}' takes ${macro.parameters.length} arguments`,
          token.span,
        ),
      );
      output.push(token);
    } else pushBack(input, substitute(macro, call, token.span, hidden, macros, report));
  }
  return output;
}

function pushBack(input: Token[], tokens: readonly Token[]): void {
  for (let i = tokens.length - 1; i >= 0; i--) input.push(tokens[i]!);
}

/** The arguments after a function-like macro's name; null (and nothing taken) when no parenthesis follows. */
function takeArguments(input: Token[], macro: Macro): Token[][] | null | 'wrong' {
  let at = input.length - 1;
  while (at >= 0 && isBlank(input[at])) at--;
  if (!isPunct(input[at], '(')) return null;
  const args: Token[][] = [[]];
  let depth = 1;
  let i = at - 1;
  for (; i >= 0; i--) {
    const token = input[i]!;
    if (isPunct(token, '(')) depth++;
    if (isPunct(token, ')') && --depth === 0) break;
    const collecting = macro.variadic && args.length > macro.parameters!.length;
    if (depth === 1 && isPunct(token, ',') && !collecting) args.push([]);
    else
      args[args.length - 1]!.push(token.kind === 'newline' ? { ...token, kind: 'space', text: ' ' } : token);
  }
  if (i < 0) return 'wrong';
  input.length = i;
  const wanted = macro.parameters!.length + (macro.variadic ? 1 : 0);
  if (wanted === 0 && args.length === 1 && trimBlanks(args[0]!).length === 0) return [];
  if (macro.variadic && args.length === wanted - 1) args.push([]);
  return args.length === wanted ? args.map(trimBlanks) : 'wrong';
}

function substitute(
  macro: Macro,
  args: readonly Token[][],
  span: Span,
  hidden: ReadonlySet<string>,
  macros: Macros,
  report: (d: Diagnostic) => void,
): Token[] {
  const names = [...(macro.parameters ?? []), ...(macro.variadic ? ['__VA_ARGS__'] : [])];
  const argument = (token: Token | undefined): Token[] | null => {
    const index = token?.kind === 'name' ? names.indexOf(token.text) : -1;
    return index < 0 ? null : args[index]!;
  };
  const body = macro.body;
  const result: Token[] = [];
  for (let i = 0; i < body.length; i++) {
    const token = body[i]!;
    if (isPunct(token, '#') && macro.parameters !== null) {
      const next = nextSolid(body, i + 1);
      const value = argument(body[next]);
      if (value !== null) {
        result.push({ kind: 'string', text: JSON.stringify(value.map((t) => t.text).join('')), span });
        i = next;
        continue;
      }
    }
    if (isPunct(token, '##')) {
      const next = nextSolid(body, i + 1);
      const right = argument(body[next]) ?? (body[next] === undefined ? [] : [body[next]!]);
      while (isBlank(result[result.length - 1])) result.pop();
      const left = result.pop();
      result.push(...paste(left, right, span));
      i = next;
      continue;
    }
    const value = argument(token);
    if (value === null) result.push(token);
    else if (isPunct(body[nextSolid(body, i + 1)], '##')) result.push(...value);
    else result.push(...expand(value, macros, report));
  }
  return result.map((token) => ({
    ...token,
    span,
    hidden: token.hidden === undefined ? hidden : new Set([...token.hidden, ...hidden]),
  }));
}

function nextSolid(tokens: readonly Token[], from: number): number {
  let i = from;
  while (isBlank(tokens[i])) i++;
  return i;
}

function paste(left: Token | undefined, right: readonly Token[], span: Span): Token[] {
  const [first, ...rest] = right;
  const text = (left?.text ?? '') + (first?.text ?? '');
  return [...tokenize(new SourceFile('macro', text)).map((token) => ({ ...token, span })), ...rest];
}
