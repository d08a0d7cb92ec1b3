// Walking over tokens, with errors as diagnostics. A syntax error stops the current statement (`Stop`); the caller of `attempt` goes on
// behind the next semicolon or closing brace, so that one mistake gives one message.

import type { Diagnostic } from '../../source/diagnostic.ts';
import type { SourceFile, Span } from '../../source/source.ts';
import { join } from '../../source/source.ts';
import { problem } from '../codes.ts';
import type { Name } from './ast.ts';
import type { Token } from './token.ts';
import { endToken } from './token.ts';

class Stop extends Error {}

/** Words with a meaning of their own. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  'protocol machine like states registers init initial where send receive when do invariant goal macro predicate function lemma if and or e true false every'.split(
    ' ',
  ),
);
const MAX_DEPTH = 200;

export class Cursor {
  private readonly tokens: readonly Token[];
  private readonly diagnostics: Diagnostic[];
  private readonly end: Token;
  private at = 0;
  private depth = 0;

  constructor(tokens: readonly Token[], file: SourceFile, diagnostics: Diagnostic[]) {
    this.tokens = tokens;
    this.diagnostics = diagnostics;
    this.end = endToken(file);
  }

  peek(ahead = 0): Token {
    return this.tokens[this.at + ahead] ?? this.end;
  }

  is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.text === text && token.kind !== 'end';
  }

  get atEnd(): boolean {
    return this.peek().kind === 'end';
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.at++;
    return token;
  }

  /** Takes the token if it is this one. */
  take(text: string): boolean {
    if (!this.is(text)) return false;
    this.at++;
    return true;
  }

  expect(text: string, why: string): Token {
    if (this.is(text)) return this.next();
    return this.fail(`'${text}' was expected ${why}`);
  }

  name(what: string): Name {
    const token = this.peek();
    if (token.kind !== 'word') return this.fail(`${what} was expected`);
    if (KEYWORDS.has(token.text)) {
      this.diagnostics.push(
        problem('SPW4113', token.span, `'${token.text}' is a word of the language, not ${what}`),
      );
      throw new Stop();
    }
    this.at++;
    return { text: token.text, span: token.span };
  }

  names(what: string): Name[] {
    const result = [this.name(what)];
    while (this.take(',')) result.push(this.name(what));
    return result;
  }

  /** One name, or several in braces. */
  nameOrSet(what: string): Name[] {
    if (!this.take('{')) return [this.name(what)];
    const result = this.names(what);
    this.expect('}', `after the set of ${what}s`);
    return result;
  }

  fail(message: string): never {
    const token = this.peek();
    const found = token.kind === 'end' ? 'the file ends here' : `'${token.text}' stands here`;
    const related =
      token.from === undefined ? [] : [{ span: token.from, message: 'brought here by this macro' }];
    const before = this.tokens[this.at - 1];
    const help =
      before?.parameters === undefined
        ? {}
        : {
            help: `the macro '${before.text}' has ${before.parameters} parameter${before.parameters === 1 ? '' : 's'}: write ${before.text}(…)`,
          };
    this.diagnostics.push(problem('SPW4002', token.span, `${message}, but ${found}`, { related, ...help }));
    throw new Stop();
  }

  /** Runs a parser for one statement; after a syntax error goes on behind it. */
  attempt<T>(parse: () => T): T | null {
    const start = this.at;
    const depth = this.depth;
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      this.depth = depth;
      this.recover(start);
      return null;
    }
  }

  /** Statements up to the closing brace; a broken one is left out. */
  block(what: string, statement: () => void): void {
    this.expect('{', `before ${what}`);
    while (!this.atEnd && !this.is('}')) {
      if (!this.take(';')) this.attempt(statement);
    }
    this.expect('}', `after ${what}`);
  }

  private recover(start: number): void {
    if (this.at === start) this.next();
    for (let open = 0; !this.atEnd; ) {
      const { text } = this.peek();
      if (text === '}' && open === 0) return;
      this.next();
      if (text === '{') open++;
      else if (text === '}') open--;
      else if (text === ';' && open === 0) return;
    }
  }

  /** Guards recursive descent against texts nested without end. */
  nested<T>(parse: () => T): T {
    if (++this.depth > MAX_DEPTH) {
      this.diagnostics.push(problem('SPW4005', this.peek().span, 'this is nested too deeply'));
      throw new Stop();
    }
    const result = parse();
    this.depth--;
    return result;
  }

  spanFrom(start: Token): Span {
    return join(start.span, (this.tokens[this.at - 1] ?? start).span);
  }

  report(diagnostic: Diagnostic): void {
    this.diagnostics.push(diagnostic);
  }
}
