// What operators work on: constants, variables, polls, remote references, `run`, queries of channels, and whatever stands in parentheses.

import type { ChannelQuery } from '../process/expression.ts';
import type { ExpressionNode, Place, Reference } from './ast.ts';
import { ReferenceParser } from './parse-reference.ts';
import { placeFrom } from './parser.ts';
import type { Token } from './token.ts';
import { KEYWORDS } from './token.ts';

const QUERIES = new Set(['len', 'empty', 'nempty', 'full', 'nfull']);

export abstract class PrimaryParser extends ReferenceParser {
  protected primary(): ExpressionNode {
    const token = this.token;
    switch (token.kind) {
      case 'number':
      case 'char':
        this.advance();
        return this.constant(token, token.value);
      case 'mark':
        if (token.text === '(') return this.parenthesised();
        break;
      case 'name':
        return KEYWORDS.has(token.text) ? this.keyword(token) : this.named();
      default:
        break;
    }
    return this.unexpected('expected an expression');
  }

  private constant(token: Token, value: number): ExpressionNode {
    const { text, span, expansion } = token;
    return { span, expansion, depth: 1, kind: 'number', value, text };
  }

  private parenthesised(): ExpressionNode {
    const open = this.advance();
    const inner = this.expression();
    if (!this.temporal && this.take('->')) {
      const whenTrue = this.expression();
      this.expect(':', 'between the two values of a conditional expression');
      const whenFalse = this.expression();
      const close = this.expect(')', 'after the conditional expression');
      const place = placeFrom(open, close);
      const depth = this.depthOf(place, inner, whenTrue, whenFalse);
      return { ...place, depth, kind: 'conditional', condition: inner, whenTrue, whenFalse };
    }
    if (this.temporal && this.at(':') && inner.kind === 'temporal' && inner.operator === 'implies') {
      this.advance();
      const [condition, whenTrue] = inner.operands as [ExpressionNode, ExpressionNode];
      const whenFalse = this.expression();
      const place = placeFrom(open, this.expect(')', 'after the conditional expression'));
      const depth = this.depthOf(place, condition, whenTrue, whenFalse);
      return { ...place, depth, kind: 'conditional', condition, whenTrue, whenFalse };
    }
    this.expect(')', 'to close the parenthesis');
    return inner;
  }

  private keyword(token: Token): ExpressionNode {
    switch (token.text) {
      case 'true':
      case 'skip':
      case 'false':
        this.advance();
        return this.constant(token, token.text === 'false' ? 0 : 1);
      case 'timeout':
      case 'np_': {
        this.advance();
        return { span: token.span, expansion: token.expansion, depth: 1, kind: token.text };
      }
      case 'run':
        return this.run();
      case 'enabled':
      case 'pc_value':
      case 'get_priority': {
        this.advance();
        this.expect('(', `after ${token.text}`);
        const process = this.expression();
        const place = placeFrom(token, this.expect(')', `after the argument of ${token.text}`));
        return { ...place, depth: this.depthOf(place, process), kind: token.text, process };
      }
      case 'c_expr':
        return this.cExpression();
      default:
        if (QUERIES.has(token.text)) return this.query(token.text as ChannelQuery);
        return this.unexpected('expected an expression');
    }
  }

  private cExpression(): ExpressionNode {
    const token = this.advance();
    const text = this.cText(token);
    return { span: token.span, expansion: token.expansion, depth: 1, kind: 'c_expr', text };
  }

  private query(query: ChannelQuery): ExpressionNode {
    const token = this.advance();
    this.expect('(', `after ${query}`);
    const channel = this.reference();
    const place = placeFrom(token, this.expect(')', `after the channel of ${query}`));
    return { ...place, depth: 1, kind: 'query', query, channel };
  }

  private run(): ExpressionNode {
    const token = this.advance();
    const proctype = this.name('after run');
    this.expect('(', `after run ${proctype.text}`);
    const args = this.at(')') ? [] : this.expressionList();
    let last: Place = this.expect(')', 'after the arguments of run');
    let priority: ExpressionNode | null = null;
    if (this.at('priority')) {
      this.advance();
      priority = this.constantNumber('after priority');
      last = priority;
    }
    const place = placeFrom(token, last);
    return { ...place, depth: this.depthOf(place, ...args), kind: 'run', proctype, args, priority };
  }

  protected constantNumber(context: string): ExpressionNode {
    const token = this.token;
    if (token.kind === 'number' || token.kind === 'char') return this.primary();
    if (token.text === 'true' || token.text === 'false' || token.text === 'skip' || this.atName)
      return this.primary();
    return this.unexpected(`expected a constant ${context}`);
  }

  protected expressionList(): ExpressionNode[] {
    const list = [this.expression()];
    while (this.take(',')) list.push(this.expression());
    return list;
  }

  /** A variable, a poll on it, or a remote reference. */
  private named(): ExpressionNode {
    const name = this.token;
    if (this.proctypes.has(name.text)) {
      const remote = this.remote();
      if (remote !== null) return remote;
    }
    return this.referenceOrPoll(this.reference());
  }

  protected referenceOrPoll(reference: Reference): ExpressionNode {
    const random = this.at('??');
    if ((random || this.at('?')) && this.stream.peekSecond().text === '[') {
      this.advance();
      this.advance();
      const args = this.receiveArguments();
      const place = placeFrom(reference, this.expect(']', 'after the pattern of a poll'));
      return { ...place, depth: 2, kind: 'poll', channel: reference, args, random };
    }
    const { span, expansion } = reference;
    return { span, expansion, depth: this.depthOfReference(reference), kind: 'reference', reference };
  }

  private depthOfReference(reference: Reference): number {
    return this.depthOf(reference, ...reference.parts.map((part) => part.index));
  }

  /** `p[e]@label`, `p@label`, `p[e]:x`, `p:x`: the name is a proctype's. */
  private remote(): ExpressionNode | null {
    const second = this.stream.peekSecond().text;
    if (second !== '[' && second !== '@' && second !== ':') return null;
    const proctype = this.name('of a proctype');
    let process: ExpressionNode | null = null;
    if (this.take('[')) {
      process = this.expression();
      this.expect(']', 'after the process number');
    }
    if (this.take('@')) {
      const label = this.name("after '@'");
      const place = placeFrom(proctype, label);
      return {
        ...place,
        depth: this.depthOf(place, process),
        kind: 'remote-label',
        proctype,
        process,
        label,
      };
    }
    this.expect(':', `or '@' after the proctype '${proctype.text}'`);
    const variable = this.referencePart();
    const place = placeFrom(proctype, variable.name);
    const depth = this.depthOf(place, process, variable.index);
    return { ...place, depth, kind: 'remote-variable', proctype, process, variable };
  }
}
