// What operators work on: constants, variables, polls, remote references, `run`, queries of channels, and whatever stands in parentheses.

import type { ChannelQuery } from '../process/expression.ts';
import type { ExpressionNode, Place, Reference } from './ast.ts';
import { type Cursor, placeFrom } from './cursor.ts';
import type { ReferenceParser } from './parse-reference.ts';
import type { Token } from './token.ts';
import { KEYWORDS } from './token.ts';

const QUERIES = new Set(['len', 'empty', 'nempty', 'full', 'nfull']);

export class PrimaryParser {
  private readonly cursor: Cursor;
  private readonly references: ReferenceParser;
  private readonly expressions: { expression(): ExpressionNode };

  constructor(cursor: Cursor, references: ReferenceParser, expressions: { expression(): ExpressionNode }) {
    this.cursor = cursor;
    this.references = references;
    this.expressions = expressions;
  }

  primary(): ExpressionNode {
    const token = this.cursor.token;
    switch (token.kind) {
      case 'number':
      case 'char':
        this.cursor.advance();
        return this.constant(token, token.value);
      case 'mark':
        if (token.text === '(') return this.parenthesised();
        break;
      case 'name':
        return KEYWORDS.has(token.text) ? this.keyword(token) : this.named();
      default:
        break;
    }
    return this.cursor.unexpected('expected an expression');
  }

  private constant(token: Token, value: number): ExpressionNode {
    const { text, span, expansion } = token;
    return { span, expansion, depth: 1, kind: 'number', value, text };
  }

  private parenthesised(): ExpressionNode {
    const open = this.cursor.advance();
    const inner = this.expressions.expression();
    if (!this.cursor.temporal && this.cursor.take('->')) {
      const whenTrue = this.expressions.expression();
      this.cursor.expect(':', 'between the two values of a conditional expression');
      const whenFalse = this.expressions.expression();
      const close = this.cursor.expect(')', 'after the conditional expression');
      const place = placeFrom(open, close);
      const depth = this.cursor.depthOf(place, inner, whenTrue, whenFalse);
      return { ...place, depth, kind: 'conditional', condition: inner, whenTrue, whenFalse };
    }
    if (
      this.cursor.temporal &&
      this.cursor.at(':') &&
      inner.kind === 'temporal' &&
      inner.operator === 'implies'
    ) {
      this.cursor.advance();
      const [condition, whenTrue] = inner.operands as [ExpressionNode, ExpressionNode];
      const whenFalse = this.expressions.expression();
      const place = placeFrom(open, this.cursor.expect(')', 'after the conditional expression'));
      const depth = this.cursor.depthOf(place, condition, whenTrue, whenFalse);
      return { ...place, depth, kind: 'conditional', condition, whenTrue, whenFalse };
    }
    this.cursor.expectClose(')', open, 'to close the parenthesis');
    return inner;
  }

  private keyword(token: Token): ExpressionNode {
    switch (token.text) {
      case 'true':
      case 'skip':
      case 'false':
        this.cursor.advance();
        return this.constant(token, token.text === 'false' ? 0 : 1);
      case 'timeout':
      case 'np_': {
        this.cursor.advance();
        return { span: token.span, expansion: token.expansion, depth: 1, kind: token.text };
      }
      case 'run':
        return this.run();
      case 'enabled':
      case 'pc_value':
      case 'get_priority': {
        this.cursor.advance();
        this.cursor.expect('(', `after ${token.text}`);
        const process = this.expressions.expression();
        const place = placeFrom(token, this.cursor.expect(')', `after the argument of ${token.text}`));
        return { ...place, depth: this.cursor.depthOf(place, process), kind: token.text, process };
      }
      case 'c_expr':
        return this.cExpression();
      default:
        if (QUERIES.has(token.text)) return this.query(token.text as ChannelQuery);
        return this.cursor.unexpected('expected an expression');
    }
  }

  private cExpression(): ExpressionNode {
    const token = this.cursor.advance();
    const text = this.references.cText(token);
    return { span: token.span, expansion: token.expansion, depth: 1, kind: 'c_expr', text };
  }

  private query(query: ChannelQuery): ExpressionNode {
    const token = this.cursor.advance();
    this.cursor.expect('(', `after ${query}`);
    const channel = this.references.reference();
    const place = placeFrom(token, this.cursor.expect(')', `after the channel of ${query}`));
    return { ...place, depth: 1, kind: 'query', query, channel };
  }

  private run(): ExpressionNode {
    const token = this.cursor.advance();
    const proctype = this.cursor.name('after run');
    this.cursor.expect('(', `after run ${proctype.text}`);
    const args = this.cursor.at(')') ? [] : this.expressionList();
    let last: Place = this.cursor.expect(')', 'after the arguments of run');
    let priority: ExpressionNode | null = null;
    if (this.cursor.at('priority')) {
      this.cursor.advance();
      priority = this.constantNumber('after priority');
      last = priority;
    }
    const place = placeFrom(token, last);
    return { ...place, depth: this.cursor.depthOf(place, ...args), kind: 'run', proctype, args, priority };
  }

  constantNumber(context: string): ExpressionNode {
    const token = this.cursor.token;
    if (token.kind === 'number' || token.kind === 'char') return this.primary();
    if (token.text === 'true' || token.text === 'false' || token.text === 'skip' || this.cursor.atName)
      return this.primary();
    return this.cursor.unexpected(`expected a constant ${context}`);
  }

  expressionList(): ExpressionNode[] {
    const list = [this.expressions.expression()];
    while (this.cursor.take(',')) list.push(this.expressions.expression());
    return list;
  }

  /** A variable, a poll on it, or a remote reference. */
  private named(): ExpressionNode {
    const name = this.cursor.token;
    if (this.cursor.proctypes.has(name.text)) {
      const remote = this.remote();
      if (remote !== null) return remote;
    }
    return this.referenceOrPoll(this.references.reference());
  }

  referenceOrPoll(reference: Reference): ExpressionNode {
    const random = this.cursor.at('??');
    if ((random || this.cursor.at('?')) && this.cursor.stream.peekSecond().text === '[') {
      this.cursor.advance();
      this.cursor.advance();
      const args = this.references.receiveArguments();
      const place = placeFrom(reference, this.cursor.expect(']', 'after the pattern of a poll'));
      return { ...place, depth: 2, kind: 'poll', channel: reference, args, random };
    }
    const { span, expansion } = reference;
    return { span, expansion, depth: this.depthOfReference(reference), kind: 'reference', reference };
  }

  private depthOfReference(reference: Reference): number {
    return this.cursor.depthOf(reference, ...reference.parts.map((part) => part.index));
  }

  /** `p[e]@label`, `p@label`, `p[e]:x`, `p:x`: the name is a proctype's. */
  private remote(): ExpressionNode | null {
    const second = this.cursor.stream.peekSecond().text;
    if (second !== '[' && second !== '@' && second !== ':') return null;
    const proctype = this.cursor.name('of a proctype');
    let process: ExpressionNode | null = null;
    if (this.cursor.take('[')) {
      process = this.expressions.expression();
      this.cursor.expect(']', 'after the process number');
    }
    if (this.cursor.take('@')) {
      const label = this.cursor.name("after '@'");
      const place = placeFrom(proctype, label);
      return {
        ...place,
        depth: this.cursor.depthOf(place, process),
        kind: 'remote-label',
        proctype,
        process,
        label,
      };
    }
    this.cursor.expect(':', `or '@' after the proctype '${proctype.text}'`);
    const variable = this.references.referencePart();
    const place = placeFrom(proctype, variable.name);
    const depth = this.cursor.depthOf(place, process, variable.index);
    return { ...place, depth, kind: 'remote-variable', proctype, process, variable };
  }
}
