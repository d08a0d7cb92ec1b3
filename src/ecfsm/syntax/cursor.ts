// Walking over tokens, with errors as diagnostics. A syntax error stops the current statement (`Stop`); the caller of `attempt` goes on
// behind the next semicolon or closing brace, so that one mistake gives one message.

import { TokenCursor } from '../../source/cursor.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { SourceFile } from '../../source/source.ts';
import { problem } from '../codes.ts';
import type { Name } from './ast.ts';
import type { Token } from './token.ts';
import { endToken } from './token.ts';

class Stop extends Error {}

/** Words with a meaning of their own. */
const KEYWORDS: ReadonlySet<string> = new Set(
  'protocol machine like states registers init initial where send receive when do invariant goal macro predicate function lemma if and or e true false every'.split(
    ' ',
  ),
);

export class Cursor extends TokenCursor<Token> {
  private readonly diagnostics: Diagnostic[];
  constructor(tokens: readonly Token[], file: SourceFile, diagnostics: Diagnostic[]) {
    super([...tokens, endToken(file)]);
    this.diagnostics = diagnostics;
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
    try {
      return this.atDepth(parse);
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
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
  deeper<T>(parse: () => T): T {
    return this.nested(parse, () => {
      this.diagnostics.push(problem('SPW4005', this.peek().span, 'this is nested too deeply'));
      throw new Stop();
    });
  }

  report(diagnostic: Diagnostic): void {
    this.diagnostics.push(diagnostic);
  }
}
