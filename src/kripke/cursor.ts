// A cursor over tokens with the expressions that every part of a .lks file shares.
// A syntax error is thrown inside the parser only and caught where parsing can go on.

import { TokenCursor } from '../source/cursor.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile, Span } from '../source/source.ts';
import { join } from '../source/source.ts';
import type { Token } from './lexer.ts';
import { problem } from './lexer.ts';
import type { BinaryOperator, Expression, Reference, Replicated, Replication } from './syntax.ts';

export class SyntaxProblem extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

const LEVELS: readonly (readonly BinaryOperator[])[] = [
  ['||'],
  ['&&'],
  ['==', '!=', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
];

export class Cursor extends TokenCursor<Token> {
  readonly file: SourceFile;
  constructor(file: SourceFile, tokens: readonly Token[]) {
    super(tokens);
    this.file = file;
  }

  get span(): Span {
    return this.token.span;
  }

  protected override isPlain(token: Token): boolean {
    return token.kind !== 'end' && !token.quoted;
  }

  expect(text: string, help?: string): Token {
    if (this.is(text)) return this.next();
    throw this.fail(`expected '${text}', found ${this.found()}`, help);
  }

  name(what: string): Token {
    if (this.token.kind === 'name') return this.next();
    throw this.fail(`expected ${what}, found ${this.found()}`);
  }

  fail(message: string, help?: string): SyntaxProblem {
    return new SyntaxProblem(problem('SPW3002', message, this.span, help));
  }

  found(): string {
    return this.token.kind === 'end' ? this.token.text : `'${this.token.text}'`;
  }

  deeper<T>(parse: () => T): T {
    return this.nested(parse, () => {
      throw this.fail('this is nested too deep');
    });
  }

  expression(level = 0): Expression {
    if (level === LEVELS.length) return this.deeper(() => this.unary());
    let left = this.expression(level + 1);
    for (;;) {
      const operator = LEVELS[level]!.find((candidate) => this.is(candidate));
      if (operator === undefined) return left;
      this.next();
      const right = this.expression(level + 1);
      left = { kind: 'binary', operator, left, right, span: join(left.span, right.span) };
    }
  }

  private unary(): Expression {
    const { token, span } = this;
    if (token.kind === 'number') {
      this.next();
      return { kind: 'number', value: Number(token.text), span };
    }
    if (token.kind === 'name') {
      this.next();
      return { kind: 'name', name: token.text, span };
    }
    if (token.text === '-' || token.text === '!') {
      this.next();
      const operand = this.deeper(() => this.unary());
      return { kind: 'unary', operator: token.text, operand, span: join(span, operand.span) };
    }
    if (this.take('(')) {
      const inner = this.expression();
      this.expect(')');
      return inner;
    }
    throw this.fail(`expected a number, a constant or '(', found ${this.found()}`);
  }

  reference(what: string): Reference {
    const name = this.name(what);
    const indices: Expression[] = [];
    let end = name.span;
    while (this.take('[')) {
      indices.push(this.expression());
      end = this.expect(']').span;
    }
    return { name: name.text, indices, span: join(name.span, end) };
  }

  /** `for i in low..high [when (guard)]`, without what follows it. */
  loop(): Replication {
    const begin = this.expect('for').span;
    const variable = this.name('the variable of the range').text;
    this.expect('in');
    const low = this.expression();
    this.expect('..', 'a range is written 1..N');
    const high = this.expression();
    const guard = this.guard();
    return { variable, low, high, guard, span: join(begin, high.span) };
  }

  guard(): Expression | null {
    if (!this.take('when')) return null;
    this.expect('(');
    const guard = this.expression();
    this.expect(')');
    return guard;
  }

  /** `for … : for … : when (…) item`, or `when (…) for … : item` */
  replicated<T>(item: () => T): Replicated<T> {
    const first = this.guard();
    const loops: Replication[] = [];
    while (this.is('for')) {
      loops.push(this.loop());
      this.expect(':', 'a range is followed by a colon: for i in 1..N: …');
    }
    const second = loops.length === 0 && first !== null ? null : this.guard();
    const guard = first !== null && second !== null ? both(first, second) : (first ?? second);
    return { loops, guard, item: item() };
  }

  list<T>(item: () => T, separator = ','): T[] {
    const items = [item()];
    while (this.take(separator)) items.push(item());
    return items;
  }
}

const both = (left: Expression, right: Expression): Expression => ({
  kind: 'binary',
  operator: '&&',
  left,
  right,
  span: join(left.span, right.span),
});
