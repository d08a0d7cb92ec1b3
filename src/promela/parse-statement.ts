// Statements: which one begins here, labels, and calls of inlines. Sequences and what is made of them are in parse-sequence.ts.

import { suggest } from '../source/diagnostic.ts';
import type { ExpressionNode, Reference, StatementNode } from './ast.ts';
import { type Cursor, placeFrom, placeOf, Resync } from './cursor.ts';
import { BasicStatementParser } from './parse-basic.ts';
import type { DeclarationParser } from './parse-declaration.ts';
import type { ExpressionParser } from './parse-expression.ts';
import { SEQUENCE_END, SequenceParser, unreadable } from './parse-sequence.ts';

const LOOPS_OF_C: Readonly<Record<string, string>> = {
  while: 'write do :: condition -> … :: else -> break od',
  until: 'write do :: condition -> break :: else -> … od',
  switch: 'write if :: x == 1 -> … :: else -> … fi',
  elseif: 'write else -> if :: condition -> … fi',
  print: 'write printf("…")',
};

export class StatementParser {
  readonly sequences: SequenceParser;
  private readonly cursor: Cursor;
  private readonly expressions: ExpressionParser;
  private readonly declarations: DeclarationParser;
  private readonly basics: BasicStatementParser;
  /** Where the inlines being expanded put their results. */
  private readonly results: (Reference | null)[] = [];

  constructor(cursor: Cursor, expressions: ExpressionParser, declarations: DeclarationParser) {
    this.cursor = cursor;
    this.expressions = expressions;
    this.declarations = declarations;
    this.basics = new BasicStatementParser(cursor, expressions);
    this.sequences = new SequenceParser(cursor, expressions, declarations, this);
  }

  statement(): StatementNode {
    this.cursor.enterBlock();
    const statement = this.oneStatement();
    this.cursor.leaveBlock();
    return statement;
  }

  private oneStatement(): StatementNode {
    const token = this.cursor.token;
    if (token.kind === 'mark' && token.text === '{') {
      const body = this.sequences.bracedSequence('');
      return { ...placeOf(body), kind: 'block', body };
    }
    if (token.kind !== 'name') return this.expressionStatement(this.expressions.expression());
    switch (token.text) {
      case 'if':
        return this.sequences.options('if', 'fi');
      case 'do':
        return this.sequences.options('do', 'od');
      case 'for':
        return this.sequences.forLoop();
      case 'select':
        return this.sequences.select();
      case 'break':
        this.cursor.advance();
        return { ...placeOf(token), kind: 'break' };
      case 'else':
        this.cursor.advance();
        return { ...placeOf(token), kind: 'else' };
      case 'goto': {
        this.cursor.advance();
        const label = this.cursor.name('of a label after goto');
        return { ...placeFrom(token, label), kind: 'goto', label };
      }
      case 'atomic':
      case 'd_step': {
        this.cursor.advance();
        const body = this.sequences.bracedSequence(`after ${token.text}`);
        const place = placeFrom(token, body);
        return token.text === 'atomic'
          ? { ...place, kind: 'atomic', body }
          : { ...place, kind: 'd_step', body };
      }
      case 'assert': {
        this.cursor.advance();
        const expression = this.expressions.expression();
        return { ...placeFrom(token, expression), kind: 'assert', expression };
      }
      case 'printf':
        return this.basics.print();
      case 'printm': {
        this.cursor.advance();
        this.cursor.expect('(', 'after printm');
        const value = this.expressions.expression();
        const close = this.cursor.expect(')', 'after the argument of printm');
        return { ...placeFrom(token, close), kind: 'print', format: '%e', args: [value] };
      }
      case 'set_priority': {
        this.cursor.advance();
        this.cursor.expect('(', 'after set_priority');
        const process = this.expressions.expression();
        this.cursor.expect(',', 'between the arguments of set_priority');
        const priority = this.expressions.expression();
        const close = this.cursor.expect(')', 'after the arguments of set_priority');
        return { ...placeFrom(token, close), kind: 'set_priority', process, priority };
      }
      case 'c_code':
      case 'c_decl': {
        this.cursor.advance();
        return { ...placeOf(token), kind: 'c_code', text: this.expressions.references.cText(token) };
      }
      case 'return':
        return this.returnStatement();
      default:
        return this.cursor.atName
          ? this.namedStatement()
          : this.expressionStatement(this.expressions.expression());
    }
  }

  private expressionStatement(expression: ExpressionNode): StatementNode {
    return { ...placeOf(expression), kind: 'expression', expression };
  }

  /** Begins with a name: a label, a call of an inline, an assignment, a send, a receive, or an expression. */
  private namedStatement(): StatementNode {
    const token = this.cursor.token;
    if (this.startsInlineCall()) return this.inlineCall(null);
    const second = this.cursor.stream.peekSecond();
    if (second.text === '(' && !second.newline) return this.strayCall();
    if (second.text === ':' && second.kind === 'mark' && !this.cursor.proctypes.has(token.text))
      return this.labelled();
    if (this.cursor.proctypes.has(token.text)) return this.expressionStatement(this.expressions.expression());
    const target = this.expressions.references.reference();
    switch (this.cursor.token.text) {
      case '=':
        this.cursor.advance();
        return this.startsInlineCall() ? this.inlineCall(target) : this.basics.assignment(target);
      case '++':
      case '--':
        return this.basics.increment(target);
      case '!':
      case '!!':
        return this.basics.send(target);
      case '?':
      case '??':
        if (this.cursor.stream.peekSecond().text !== '[') return this.basics.receive(target);
        break;
      default:
        break;
    }
    return this.expressionStatement(
      this.expressions.expressionFrom(this.expressions.primaries.referenceOrPoll(target)),
    );
  }

  private labelled(): StatementNode {
    const label = this.cursor.name('of a label');
    this.cursor.advance();
    if (this.declarations.startsDeclaration() || this.cursor.at('xr') || this.cursor.at('xs')) {
      this.cursor.error('SPW1004', label, `the label '${label.text}' stands before a declaration`, {
        help: 'put the label after the declaration',
      });
      this.sequences.step([]);
      return { ...placeOf(label), kind: 'labelled', label, statement: null };
    }
    const ends = this.cursor.at(';') || this.cursor.at('->') || SEQUENCE_END.has(this.cursor.token.text);
    if (ends) return { ...placeOf(label), kind: 'labelled', label, statement: null };
    const first = this.cursor.token;
    let statement = unreadable(first);
    this.cursor.attempt(
      () => {
        statement = this.statement();
      },
      () => this.sequences.skipStatement(),
    );
    return { ...placeFrom(label, statement), kind: 'labelled', label, statement };
  }

  // Inlines

  private startsInlineCall(): boolean {
    return this.cursor.atName && this.cursor.inlines.has(this.cursor.token.text);
  }

  /** Replaces the call by the body and parses that: a block. */
  inlineCall(result: Reference | null): StatementNode {
    const call = this.cursor.advance();
    const inline = this.cursor.inlines.get(call.text)!;
    this.cursor.names?.call(call);
    const given = this.cursor.stream.takeArguments();
    if (given === null)
      return this.cursor.unexpected(`expected the arguments of '${inline.name}' in parentheses`);
    const wanted = inline.parameters.length;
    if (given.args.length !== wanted) {
      this.cursor.error(
        'SPW1006',
        call,
        `the inline '${inline.name}' takes ${wanted} argument${wanted === 1 ? '' : 's'}, not ${given.args.length}`,
      );
      throw new Resync();
    }
    const whole = placeFrom(call, given.close);
    if (!this.cursor.stream.callInline(inline, given.args, call, whole.span)) throw new Resync();
    this.results.push(result);
    try {
      return this.statement();
    } finally {
      this.results.pop();
    }
  }

  /** `p(3)`, `while (x)`: a name before a parenthesis that is no inline. It can only be a mistake; which one? */
  private strayCall(): StatementNode {
    const name = this.cursor.advance();
    const { text } = name;
    const loop = LOOPS_OF_C[text];
    if (loop !== undefined) this.cursor.error('SPW1001', name, `Promela has no '${text}'`, { help: loop });
    else if (this.cursor.startsProctype(text))
      this.cursor.error('SPW1006', name, `'${text}' is a proctype: run starts a process`, {
        help: `write run ${text}(…)`,
        fix: { title: "insert 'run'", span: { ...name.span, end: name.span.start }, text: 'run ' },
      });
    else {
      const near = suggest(text, this.cursor.inlines.keys());
      this.cursor.error('SPW1006', name, `there is no inline or macro '${text}'`, {
        ...(near === null ? {} : { help: `did you mean '${near}'?` }),
      });
    }
    this.cursor.advance();
    this.cursor.attempt(
      () => {
        if (!this.cursor.at(')')) this.expressions.primaries.expressionList();
        this.cursor.expect(')', `after the arguments of '${text}'`);
      },
      () => this.sequences.skipStatement(),
    );
    return this.cursor.at('{') ? this.statement() : unreadable(name);
  }

  private returnStatement(): StatementNode {
    const token = this.cursor.advance();
    const value = this.expressions.expression();
    const target = this.results.at(-1) ?? null;
    if (target === null) {
      this.cursor.error('SPW1006', token, 'return outside an inline whose value is assigned');
      return { ...placeOf(token), kind: 'expression', expression: value };
    }
    return { ...placeFrom(token, value), kind: 'assign', target, value };
  }
}
