// Sequences of steps, with recovery after a broken one, and the statements made of them: if, do, for, select.

import type { ExpressionNode, Name, Sequence, StatementNode, Step } from './ast.ts';
import { BasicStatementParser } from './parse-basic.ts';
import { placeFrom, placeOf } from './parser.ts';
import type { Token } from './token.ts';

export const SEQUENCE_END = new Set(['}', '::', 'fi', 'od']);
/** Cannot stand in a body: a brace before them was forgotten. */
const UNIT_START = new Set(['proctype', 'D_proctype', 'active', 'init', 'never', 'ltl', 'typedef', 'inline']);

export abstract class SequenceParser extends BasicStatementParser {
  protected abstract statement(): StatementNode;

  /** `{ … }` that opens a scope; the opening brace is next. */
  protected bracedSequence(context: string): Sequence {
    const open = this.expect('{', context);
    this.enterBlock();
    const sequence = this.sequence();
    this.leaveBlock();
    const close = this.expect('}', `to close the '{' ${lineOf(open)}`);
    return { ...placeFrom(open, close), steps: sequence };
  }

  protected sequence(): Step[] {
    const steps: Step[] = [];
    while (this.at(';') || this.at('->')) {
      this.error('SPW1001', this.token, 'a statement is missing before this separator', {
        help: 'write skip if nothing is to be done',
      });
      this.advance();
    }
    for (;;) {
      if (this.endsSequence()) break;
      this.stepInto(steps);
      if (!this.separator()) break;
    }
    return steps;
  }

  private endsSequence(): boolean {
    const { kind, text } = this.token;
    if (kind === 'end') return true;
    return kind === 'name' ? SEQUENCE_END.has(text) || UNIT_START.has(text) : SEQUENCE_END.has(text);
  }

  private stepInto(steps: Step[]): void {
    this.attempt(
      () => this.step(steps),
      () => this.skipStatement(),
    );
  }

  /** True when another step may follow. A forgotten separator is reported and then taken as given. */
  private separator(): boolean {
    if (this.at(';') || this.at('->')) {
      while (this.at(';') || this.at('->')) this.advance();
      return true;
    }
    if (this.endsSequence()) return false;
    if (this.token.kind === 'bad')
      this.attempt(
        () => this.unexpected("expected ';'"),
        () => this.skipStatement(),
      );
    else if (this.at('unless')) {
      this.error('SPW1001', this.token, "a statement can have one 'unless' only", {
        help: 'put the first statement and its escape in braces',
      });
      this.skipStatement();
      return this.separator();
    } else {
      this.error('SPW1001', this.token, `expected ';' before '${this.token.text}'`, {
        help: "separate statements by ';' or '->'",
      });
      if (!this.startsStatement()) this.skipStatement();
    }
    return true;
  }

  private startsStatement(): boolean {
    const { kind, text } = this.token;
    if (kind === 'name') return !UNIT_START.has(text);
    return kind === 'number' || text === '{' || text === '(' || text === '!' || text === '-' || text === '~';
  }

  /** Moves to what ends the broken statement, over whole braces. */
  private skipStatement(): void {
    this.stream.resetParentheses();
    let depth = 0;
    for (;;) {
      const token = this.token;
      if (token.kind === 'end') return;
      if (depth <= 0 && (token.text === ';' || token.text === '->' || this.endsSequence())) return;
      if (token.kind === 'mark' && token.text === '{') depth++;
      if (token.kind === 'mark' && token.text === '}') depth--;
      if (token.text === 'if' || token.text === 'do') depth++;
      if (token.text === 'fi' || token.text === 'od') depth--;
      this.advance();
      this.stream.resetParentheses();
    }
  }

  protected step(steps: Step[]): void {
    const token = this.token;
    if (this.startsDeclaration()) {
      const declaration = this.declaration();
      steps.push({ ...placeOf(declaration), kind: 'declaration', declaration });
      return;
    }
    if (token.text === 'xr' || token.text === 'xs') {
      this.advance();
      const channels = [this.reference()];
      while (this.take(',')) channels.push(this.reference());
      steps.push({ ...placeOf(token), kind: 'exclusive', channels });
      return;
    }
    const statement = this.statement();
    if (!this.at('unless')) {
      steps.push(statement);
      return;
    }
    this.advance();
    const way = this.statement();
    steps.push({ ...placeFrom(statement, way), kind: 'unless', body: statement, escape: way });
  }

  protected options(word: 'if' | 'do', end: 'fi' | 'od'): StatementNode {
    const open = this.advance();
    const options: Sequence[] = [];
    if (!this.at('::')) this.unexpected(`expected '::' after ${word}`);
    while (this.at('::')) {
      const mark = this.advance();
      this.enterBlock();
      const steps = this.sequence();
      this.leaveBlock();
      const last = steps.at(-1) ?? mark;
      options.push({ ...placeFrom(mark, last), steps });
    }
    const close = this.expect(end, `to close the '${word}' ${lineOf(open)}`);
    return { ...placeFrom(open, close), kind: word, options };
  }

  protected forLoop(): StatementNode {
    const open = this.advance();
    this.expect('(', 'after for');
    const variable = this.reference();
    if (this.at('in')) {
      this.advance();
      const collection = this.reference();
      this.expect(')', 'after the array or channel of the for');
      const body = this.loopBody();
      return { ...placeFrom(open, body), kind: 'for-in', variable, collection, body };
    }
    this.expect(':', "or 'in' after the variable of the for");
    const [from, to] = this.range();
    const body = this.loopBody();
    return { ...placeFrom(open, body), kind: 'for', variable, from, to, body };
  }

  private loopBody(): Sequence {
    this.take(';');
    return this.bracedSequence('around the body of a for');
  }

  private range(): [ExpressionNode, ExpressionNode] {
    const from = this.expression();
    this.expect('..', 'between the ends of the range');
    const to = this.expression();
    this.expect(')', 'after the range');
    return [from, to];
  }

  protected select(): StatementNode {
    const open = this.advance();
    const inInline = this.stream.inInline;
    this.expect('(', 'after select');
    const variable = this.reference();
    this.expect(':', 'after the variable of select');
    const [from, to] = this.range();
    return { ...placeFrom(open, to), kind: 'select', variable, from, to, inInline };
  }
}

function lineOf(token: Token | Name): string {
  return `of line ${token.span.file.position(token.span.start).line}`;
}
