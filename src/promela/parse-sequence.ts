// Sequences of steps, with recovery after a broken one, and the statements made of them: if, do, for, select.

import type { ExpressionNode, Name, Sequence, StatementNode, Step } from './ast.ts';
import { type Cursor, placeFrom, placeOf } from './cursor.ts';
import type { DeclarationParser } from './parse-declaration.ts';
import type { ExpressionParser } from './parse-expression.ts';
import type { Token } from './token.ts';

export const SEQUENCE_END = new Set(['}', '::', 'fi', 'od']);
/** Cannot stand in a body: a brace before them was forgotten. */
const UNIT_START = new Set(['proctype', 'D_proctype', 'active', 'init', 'never', 'ltl', 'typedef', 'inline']);

export class SequenceParser {
  private readonly cursor: Cursor;
  private readonly expressions: ExpressionParser;
  private readonly declarations: DeclarationParser;
  private readonly statements: { statement(): StatementNode };

  constructor(
    cursor: Cursor,
    expressions: ExpressionParser,
    declarations: DeclarationParser,
    statements: { statement(): StatementNode },
  ) {
    this.cursor = cursor;
    this.expressions = expressions;
    this.declarations = declarations;
    this.statements = statements;
  }

  /** `{ … }` that opens a scope; the opening brace is next. */
  bracedSequence(context: string): Sequence {
    const open = this.cursor.expect('{', context);
    this.cursor.enterBlock();
    const sequence = this.sequence();
    this.cursor.leaveBlock();
    const close = this.cursor.expectEnd('}', `to close the '{' ${lineOf(open)}`);
    return { ...placeFrom(open, close), steps: sequence };
  }

  /** `guarded`: the first step is the guard of an option. */
  sequence(guarded = false): Step[] {
    const steps: Step[] = [];
    while (this.cursor.at(';') || this.cursor.at('->')) {
      this.cursor.error('SPW1001', this.cursor.token, 'a statement is missing before this separator', {
        help: 'write skip if nothing is to be done',
      });
      this.cursor.advance();
    }
    for (;;) {
      if (this.endsSequence()) break;
      this.stepInto(steps);
      if (guarded && steps.length === 1 && this.cursor.at('->')) this.checkGuard(steps[0]!);
      if (!this.separator()) break;
    }
    return steps;
  }

  /** An assignment can always be taken: as a guard it is hardly what was meant. */
  private checkGuard(step: Step): void {
    if (step.kind !== 'assign' || step.expansion !== null || step.value.expansion !== null) return;
    const { file, end } = step.target.span;
    const gap = file.text.slice(end, step.value.span.start);
    const equals = /^[^=]*=\s*\(*\s*$/.test(gap) ? end + gap.indexOf('=') : null;
    if (equals === null || step.value.span.file !== file) return;
    this.cursor.warning('SPW1009', step, 'this guard is an assignment: it can always be taken', {
      help: "compare with '=='; if it is meant, write ';' after it instead of '->'",
      fix: { title: "compare with '=='", span: { file, start: equals, end: equals + 1 }, text: '==' },
    });
  }

  private endsSequence(): boolean {
    const { kind, text } = this.cursor.token;
    if (kind === 'end') return true;
    return kind === 'name' ? SEQUENCE_END.has(text) || UNIT_START.has(text) : SEQUENCE_END.has(text);
  }

  private stepInto(steps: Step[]): void {
    const first = this.cursor.token;
    this.cursor.attempt(
      () => this.step(steps),
      () => {
        steps.push(unreadable(first));
        this.skipStatement();
      },
    );
  }

  /** True when another step may follow. A forgotten separator is reported and then taken as given. */
  private separator(): boolean {
    if (this.cursor.at(';') || this.cursor.at('->')) {
      while (this.cursor.at(';') || this.cursor.at('->')) this.cursor.advance();
      return true;
    }
    if (this.endsSequence()) return false;
    if (this.cursor.token.kind === 'bad')
      this.cursor.attempt(
        () => this.cursor.unexpected("expected ';'"),
        () => this.skipStatement(),
      );
    else if (this.cursor.at('unless')) {
      this.cursor.error('SPW1001', this.cursor.token, "a statement can have one 'unless' only", {
        help: 'put the first statement and its escape in braces',
      });
      this.skipStatement();
      return this.separator();
    } else {
      this.cursor.error('SPW1001', this.cursor.token, `expected ';' before '${this.cursor.token.text}'`, {
        help: "separate statements by ';' or '->'",
      });
      if (!this.startsStatement()) this.skipStatement();
    }
    return true;
  }

  private startsStatement(): boolean {
    const { kind, text } = this.cursor.token;
    if (kind === 'name') return !UNIT_START.has(text);
    return kind === 'number' || text === '{' || text === '(' || text === '!' || text === '-' || text === '~';
  }

  /** Moves to what ends the broken statement, over whole braces. */
  skipStatement(): void {
    this.cursor.stream.resetParentheses();
    let depth = 0;
    for (;;) {
      const token = this.cursor.token;
      if (token.kind === 'end') return;
      if (depth <= 0 && (token.text === ';' || token.text === '->' || this.endsSequence())) return;
      if (token.kind === 'mark' && token.text === '{') depth++;
      if (token.kind === 'mark' && token.text === '}') depth--;
      if (token.text === 'if' || token.text === 'do') depth++;
      if (token.text === 'fi' || token.text === 'od') depth--;
      this.cursor.skip();
    }
  }

  step(steps: Step[]): void {
    const token = this.cursor.token;
    if (this.declarations.startsDeclaration()) {
      const declaration = this.declarations.declaration();
      steps.push({ ...placeOf(declaration), kind: 'declaration', declaration });
      return;
    }
    if (token.text === 'xr' || token.text === 'xs') {
      this.cursor.advance();
      const channels = [this.expressions.references.reference()];
      while (this.cursor.take(',')) channels.push(this.expressions.references.reference());
      steps.push({ ...placeOf(token), kind: 'exclusive', channels });
      return;
    }
    const statement = this.statements.statement();
    if (!this.cursor.at('unless')) {
      steps.push(statement);
      return;
    }
    this.cursor.advance();
    const way = this.statements.statement();
    steps.push({ ...placeFrom(statement, way), kind: 'unless', body: statement, escape: way });
  }

  options(word: 'if' | 'do', end: 'fi' | 'od'): StatementNode {
    const open = this.cursor.advance();
    const options: Sequence[] = [];
    if (!this.cursor.at('::')) this.cursor.unexpected(`expected '::' after ${word}`);
    while (this.cursor.at('::')) {
      const mark = this.cursor.advance();
      this.cursor.enterBlock();
      const steps = this.sequence(true);
      this.cursor.leaveBlock();
      const last = steps.at(-1) ?? mark;
      options.push({ ...placeFrom(mark, last), steps });
    }
    const close = this.cursor.expectEnd(end, `to close the '${word}' ${lineOf(open)}`);
    return { ...placeFrom(open, close), kind: word, options };
  }

  forLoop(): StatementNode {
    const open = this.cursor.advance();
    this.cursor.expect('(', 'after for');
    const variable = this.expressions.references.reference();
    if (this.cursor.at('in')) {
      this.cursor.advance();
      const collection = this.expressions.references.reference();
      this.cursor.expect(')', 'after the array or channel of the for');
      const body = this.loopBody();
      return { ...placeFrom(open, body), kind: 'for-in', variable, collection, body };
    }
    this.cursor.expect(':', "or 'in' after the variable of the for");
    const [from, to] = this.range();
    const body = this.loopBody();
    return { ...placeFrom(open, body), kind: 'for', variable, from, to, body };
  }

  private loopBody(): Sequence {
    this.cursor.take(';');
    return this.bracedSequence('around the body of a for');
  }

  private range(): [ExpressionNode, ExpressionNode] {
    const from = this.expressions.expression();
    this.cursor.expect('..', 'between the ends of the range');
    const to = this.expressions.expression();
    this.cursor.expect(')', 'after the range');
    return [from, to];
  }

  select(): StatementNode {
    const open = this.cursor.advance();
    const inInline = this.cursor.stream.inInline;
    this.cursor.expect('(', 'after select');
    const variable = this.expressions.references.reference();
    this.cursor.expect(':', 'after the variable of select');
    const [from, to] = this.range();
    return { ...placeFrom(open, to), kind: 'select', variable, from, to, inInline };
  }
}

/** Stands for a statement that could not be read. */
export function unreadable(first: Token): StatementNode {
  const place = placeOf(first);
  return {
    ...place,
    kind: 'expression',
    expression: { ...place, depth: 1, kind: 'number', value: 1, text: '1' },
  };
}

function lineOf(token: Token | Name): string {
  return `of line ${token.span.file.position(token.span.start).line}`;
}
