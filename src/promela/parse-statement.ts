// Statements and sequences.

import type { ExpressionNode, Name, Reference, Sequence, StatementNode, Step } from './ast.ts';
import { BasicStatementParser } from './parse-basic.ts';
import { placeFrom, placeOf, Resync } from './parser.ts';
import type { Token } from './token.ts';

const SEQUENCE_END = new Set(['}', '::', 'fi', 'od']);
/** Cannot stand in a body: a brace before them was forgotten. */
const UNIT_START = new Set(['proctype', 'D_proctype', 'active', 'init', 'never', 'ltl', 'typedef', 'inline']);

export class StatementParser extends BasicStatementParser {
  // Sequences

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

  private step(steps: Step[]): void {
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

  // Statements

  protected statement(): StatementNode {
    this.enterBlock();
    const statement = this.oneStatement();
    this.leaveBlock();
    return statement;
  }

  private oneStatement(): StatementNode {
    const token = this.token;
    if (token.kind === 'mark' && token.text === '{') {
      const body = this.bracedSequence('');
      return { ...placeOf(body), kind: 'block', body };
    }
    if (token.kind !== 'name') return this.expressionStatement(this.expression());
    switch (token.text) {
      case 'if':
        return this.options('if', 'fi');
      case 'do':
        return this.options('do', 'od');
      case 'for':
        return this.forLoop();
      case 'select':
        return this.select();
      case 'break':
        this.advance();
        return { ...placeOf(token), kind: 'break' };
      case 'else':
        this.advance();
        return { ...placeOf(token), kind: 'else' };
      case 'goto': {
        this.advance();
        const label = this.name('of a label after goto');
        return { ...placeFrom(token, label), kind: 'goto', label };
      }
      case 'atomic':
      case 'd_step': {
        this.advance();
        const body = this.bracedSequence(`after ${token.text}`);
        const place = placeFrom(token, body);
        return token.text === 'atomic'
          ? { ...place, kind: 'atomic', body }
          : { ...place, kind: 'd_step', body };
      }
      case 'assert': {
        this.advance();
        const expression = this.expression();
        return { ...placeFrom(token, expression), kind: 'assert', expression };
      }
      case 'printf':
        return this.print();
      case 'printm': {
        this.advance();
        this.expect('(', 'after printm');
        const value = this.expression();
        const close = this.expect(')', 'after the argument of printm');
        return { ...placeFrom(token, close), kind: 'print', format: '%e', args: [value] };
      }
      case 'set_priority': {
        this.advance();
        this.expect('(', 'after set_priority');
        const process = this.expression();
        this.expect(',', 'between the arguments of set_priority');
        const priority = this.expression();
        const close = this.expect(')', 'after the arguments of set_priority');
        return { ...placeFrom(token, close), kind: 'set_priority', process, priority };
      }
      case 'c_code':
      case 'c_decl': {
        this.advance();
        return { ...placeOf(token), kind: 'c_code', text: this.cText(token) };
      }
      case 'return':
        return this.returnStatement();
      default:
        return this.atName ? this.namedStatement() : this.expressionStatement(this.expression());
    }
  }

  private expressionStatement(expression: ExpressionNode): StatementNode {
    return { ...placeOf(expression), kind: 'expression', expression };
  }

  /** Begins with a name: a label, a call of an inline, an assignment, a send, a receive, or an expression. */
  private namedStatement(): StatementNode {
    const token = this.token;
    const inline = this.inlines.get(token.text);
    if (inline !== undefined) return this.inlineCall(null);
    const second = this.stream.peekSecond();
    if (second.text === ':' && second.kind === 'mark' && !this.proctypes.has(token.text))
      return this.labelled();
    if (this.proctypes.has(token.text)) return this.expressionStatement(this.expression());
    const target = this.reference();
    switch (this.token.text) {
      case '=':
        return this.assignment(target);
      case '++':
      case '--':
        return this.increment(target);
      case '!':
      case '!!':
        return this.send(target);
      case '?':
      case '??':
        if (this.stream.peekSecond().text !== '[') return this.receive(target);
        break;
      default:
        break;
    }
    return this.expressionStatement(this.expressionFrom(this.referenceOrPoll(target)));
  }

  private labelled(): StatementNode {
    const label = this.name('of a label');
    this.advance();
    if (this.startsDeclaration() || this.at('xr') || this.at('xs')) {
      this.error('SPW1004', label, `the label '${label.text}' stands before a declaration`, {
        help: 'put the label after the declaration',
      });
      this.step([]);
      return { ...placeOf(label), kind: 'labelled', label, statement: null };
    }
    const ends = this.at(';') || this.at('->') || SEQUENCE_END.has(this.token.text);
    if (ends) return { ...placeOf(label), kind: 'labelled', label, statement: null };
    const statement = this.statement();
    return { ...placeFrom(label, statement), kind: 'labelled', label, statement };
  }

  private options(word: 'if' | 'do', end: 'fi' | 'od'): StatementNode {
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

  private forLoop(): StatementNode {
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

  private select(): StatementNode {
    const open = this.advance();
    const inInline = this.stream.inInline;
    this.expect('(', 'after select');
    const variable = this.reference();
    this.expect(':', 'after the variable of select');
    const [from, to] = this.range();
    return { ...placeFrom(open, to), kind: 'select', variable, from, to, inInline };
  }

  // Inlines

  private readonly results: (Reference | null)[] = [];

  /** Replaces the call by the body and parses that: a block. */
  protected override inlineCall(result: Reference | null): StatementNode {
    const call = this.advance();
    const inline = this.inlines.get(call.text)!;
    const given = this.stream.takeArguments();
    if (given === null) return this.unexpected(`expected the arguments of '${inline.name}' in parentheses`);
    const wanted = inline.parameters.length;
    if (given.args.length !== wanted) {
      this.error(
        'SPW1006',
        call,
        `the inline '${inline.name}' takes ${wanted} argument${wanted === 1 ? '' : 's'}, not ${given.args.length}`,
      );
      throw new Resync();
    }
    const whole = placeFrom(call, given.close);
    if (!this.stream.callInline(inline, given.args, call, whole.span)) throw new Resync();
    this.results.push(result);
    try {
      return this.statement();
    } finally {
      this.results.pop();
    }
  }

  private returnStatement(): StatementNode {
    const token = this.advance();
    const value = this.expression();
    const target = this.results.at(-1) ?? null;
    if (target === null) {
      this.error('SPW1006', token, 'return outside an inline whose value is assigned');
      return { ...placeOf(token), kind: 'expression', expression: value };
    }
    return { ...placeFrom(token, value), kind: 'assign', target, value };
  }
}

function lineOf(token: Token | Name): string {
  return `of line ${token.span.file.position(token.span.start).line}`;
}
