// Statements: which one begins here, labels, and calls of inlines. Sequences and what is made of them are in parse-sequence.ts.

import type { ExpressionNode, Reference, StatementNode } from './ast.ts';
import { SEQUENCE_END, SequenceParser } from './parse-sequence.ts';
import { placeFrom, placeOf, Resync } from './parser.ts';

export class StatementParser extends SequenceParser {
  protected override statement(): StatementNode {
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
