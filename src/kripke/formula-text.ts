// Formulas in .lks files may speak of families: `forall i in 1..N: G (hungry[i] -> F eating[i])`, `exists`, and indices that
// are expressions. This pass unrolls them into plain SE-LTL for the ltl room, and remembers for every character of the
// result where it came from, so that messages about the result point into the user's text.

import type { Diagnostic } from '../source/diagnostic.ts';
import type { Span } from '../source/source.ts';
import { SourceFile } from '../source/source.ts';
import { Cursor } from './cursor.ts';
import type { Constants } from './evaluate.ts';
import { Allowance, evaluate } from './evaluate.ts';
import type { Token } from './lexer.ts';
import { tokenize } from './lexer.ts';
import type { Expression, Replication } from './syntax.ts';

export interface FormulaText {
  /** The unrolled formula, as a file of its own. */
  readonly file: SourceFile;
  /** A span of the unrolled text, back in the user's file. */
  readonly origin: (span: Span) => Span;
}

const QUANTIFIER = /\b(?:forall|exists)\b/y;
const INDEXED = /[A-Za-z0-9_\]]\[/y;

/** The span is the text of the formula; throws the problems of `evaluate` and of the cursor. */
export function unrollFormula(text: Span, scope: Constants): FormulaText {
  const writer = new Writer(text);
  writer.stretch(text.start, text.end, scope);
  const file = new SourceFile(text.file.path, writer.output);
  const { origins } = writer;
  const at = (offset: number): number => origins[Math.min(offset, origins.length - 1)] ?? text.start;
  const origin = (span: Span): Span => {
    if (span.file !== file) return span;
    const start = at(span.start);
    return { file: text.file, start, end: Math.max(start + 1, at(Math.max(span.start, span.end - 1)) + 1) };
  };
  return { file, origin };
}

class Writer {
  output = '';
  readonly origins: number[] = [];
  private readonly span: Span;
  private readonly source: string;
  private readonly allowance = new Allowance(2_000_000);

  constructor(span: Span) {
    this.span = span;
    this.source = span.file.text;
  }

  /** Writes the source from start to end, unrolled. */
  stretch(start: number, end: number, scope: Constants): void {
    let at = start;
    while (at < end) {
      if (this.matches(QUANTIFIER, at) && (at === start || !/[\w.]/.test(this.source[at - 1]!))) {
        at = this.quantifier(at, end, scope);
        continue;
      }
      this.write(this.source[at]!, at);
      if (this.matches(INDEXED, at) && this.source[at + 2] !== ']') at = this.index(at + 1, end, scope);
      else at++;
    }
  }

  private matches(pattern: RegExp, at: number): boolean {
    pattern.lastIndex = at;
    return pattern.test(this.source);
  }

  private write(text: string, origin: number): void {
    this.allowance.spend(this.span, text.length);
    this.output += text;
    for (let i = 0; i < text.length; i++) this.origins.push(origin);
  }

  /** `[i + 1]` becomes `[4]`. Returns where the source goes on. */
  private index(open: number, end: number, scope: Constants): number {
    const cursor = this.cursor(open, endOfBracket(this.source, open + 1, end, '[', ']') + 1);
    cursor.expect('[');
    const value = evaluate(cursor.expression(), scope);
    const close = cursor.expect(']');
    this.write(`[${value}`, open);
    this.write(']', close.span.start);
    return close.span.end;
  }

  /** `forall i in 1..3: f` becomes ((f1) && (f2) && (f3)); f reaches to the end of the bracket it stands in. */
  private quantifier(at: number, end: number, scope: Constants): number {
    const colon = this.source.indexOf(':', at);
    const cursor = this.cursor(at, colon < 0 ? end : Math.min(end, colon + 1));
    const forall = cursor.next().text === 'forall';
    const { variable, low, high, guard } = this.range(cursor);
    const body = cursor.expect(':', 'a quantifier is followed by a colon: forall i in 1..N: …').span.end;
    const bodyEnd = endOfBracket(this.source, body, end, '(', ')');
    const inner = new Map(scope);
    let first = true;
    this.write('(', at);
    const last = evaluate(high, scope);
    for (let value = evaluate(low, scope); value <= last; value++) {
      inner.set(variable, value);
      if (guard !== null && evaluate(guard, inner) === 0) continue;
      this.write(first ? '(' : forall ? ' && (' : ' || (', at);
      this.stretch(body, bodyEnd, inner);
      this.write(')', at);
      first = false;
    }
    if (first) this.write(forall ? 'true' : 'false', at);
    this.write(')', at);
    return bodyEnd;
  }

  private range(cursor: Cursor): Omit<Replication, 'span'> {
    const variable = cursor.name('the variable of the quantifier').text;
    cursor.expect('in');
    const low: Expression = cursor.expression();
    cursor.expect('..', 'a range is written 1..N');
    const high = cursor.expression();
    return { variable, low, high, guard: cursor.guard() };
  }

  private cursor(start: number, end: number): Cursor {
    // Signs of the temporal language (<>, ~) may follow: what is no token here is not an error here.
    const ignored: Diagnostic[] = [];
    const tokens: readonly Token[] = tokenize(this.span.file, start, end, ignored);
    return new Cursor(this.span.file, tokens);
  }
}

/** Where the bracket closes that is open at `from`; the end when it is not closed. */
function endOfBracket(text: string, from: number, end: number, open: string, close: string): number {
  let depth = 0;
  for (let at = from; at < end; at++) {
    if (text[at] === open) depth++;
    else if (text[at] === close && --depth < 0) return at;
  }
  return end;
}
