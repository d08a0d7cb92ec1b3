// Expressions, with the precedences of SPIN's grammar. The temporal operators bind as SPIN has it: `U` tighter than `&&`,
// `->` loosest, all to the left.

import type { BinaryOperator, ChannelQuery } from '../process/expression.ts';
import type { ExpressionNode, Place, Reference, TemporalOperator } from './ast.ts';
import { ReferenceParser } from './parse-reference.ts';
import { placeFrom } from './parser.ts';
import type { Token } from './token.ts';
import { KEYWORDS } from './token.ts';

const TEMPORAL = 3;
const LEVEL: Readonly<Record<string, number>> = {
  '||': 1,
  '&&': 2,
  '|': 4,
  '^': 5,
  '&': 6,
  '==': 7,
  '!=': 7,
  '<': 8,
  '>': 8,
  '<=': 8,
  '>=': 8,
  '<<': 9,
  '>>': 9,
  '+': 10,
  '-': 10,
  '*': 11,
  '/': 11,
  '%': 11,
};

const TEMPORAL_WORDS: Readonly<Record<string, TemporalOperator>> = {
  U: 'until',
  until: 'until',
  stronguntil: 'until',
  W: 'weak-until',
  weakuntil: 'weak-until',
  V: 'release',
  release: 'release',
  implies: 'implies',
  equivalent: 'equivalent',
};

const TEMPORAL_PREFIXES: Readonly<Record<string, TemporalOperator>> = {
  X: 'next',
  next: 'next',
  always: 'always',
  eventually: 'eventually',
};

const QUERIES = new Set(['len', 'empty', 'nempty', 'full', 'nfull']);

interface Operator {
  readonly level: number;
  readonly tokens: number;
  readonly temporal: TemporalOperator | null;
}

export class ExpressionParser extends ReferenceParser {
  protected override expression(): ExpressionNode {
    this.enter();
    const result = this.binary(this.unary(), 0);
    this.leave();
    return result;
  }

  /** Goes on with an expression whose first operand was read already. */
  protected expressionFrom(first: ExpressionNode): ExpressionNode {
    return this.binary(first, 0);
  }

  private binary(first: ExpressionNode, least: number): ExpressionNode {
    let left = first;
    for (;;) {
      const operator = this.operator();
      if (operator === null || operator.level < least) return left;
      const token = this.advance();
      for (let i = 1; i < operator.tokens; i++) this.advance();
      this.enter();
      const right = this.binary(this.unary(), operator.level + 1);
      this.leave();
      left = this.combine(operator, token, left, right);
    }
  }

  private operator(): Operator | null {
    const token = this.token;
    if (this.temporal) {
      const temporal = this.temporalOperator(token);
      if (temporal !== null) return temporal;
    }
    if (token.kind !== 'mark') return null;
    const level = LEVEL[token.text];
    return level === undefined ? null : { level, tokens: 1, temporal: null };
  }

  private temporalOperator(token: Token): Operator | null {
    if (token.text === '->') return { level: 0, tokens: 1, temporal: 'implies' };
    if (token.text === '<') {
      const second = this.stream.peekSecond();
      if (second.text === '->' && adjacent(token, second))
        return { level: 0, tokens: 2, temporal: 'equivalent' };
    }
    const word = token.kind === 'name' ? TEMPORAL_WORDS[token.text] : undefined;
    if (word === undefined) return null;
    const loose = word === 'implies' || word === 'equivalent';
    return { level: loose ? 0 : TEMPORAL, tokens: 1, temporal: word };
  }

  private combine(
    operator: Operator,
    token: Token,
    left: ExpressionNode,
    right: ExpressionNode,
  ): ExpressionNode {
    const place = placeFrom(left, right);
    const depth = this.depthOf(place, left, right);
    if (operator.temporal !== null)
      return { ...place, depth, kind: 'temporal', operator: operator.temporal, operands: [left, right] };
    if (operator.level > 2) {
      this.rejectProbe(left);
      this.rejectProbe(right);
    }
    const { span, expansion } = place;
    return { span, expansion, depth, kind: 'binary', operator: token.text as BinaryOperator, left, right };
  }

  /** SPIN's grammar lets `full`, `empty` and their kin stand only alone, or joined by && and ||. */
  private rejectProbe(operand: ExpressionNode): void {
    if (this.temporal) return;
    if (operand.kind !== 'query' || operand.query === 'len') return;
    const opposite = { full: 'nfull', nfull: 'full', empty: 'nempty', nempty: 'empty', len: 'len' } as const;
    this.error('SPW1111', operand, `'${operand.query}' cannot be negated or computed with`, {
      help: `use ${opposite[operand.query]}(…) for its negation, or compare len(…)`,
    });
  }

  private unary(): ExpressionNode {
    const token = this.token;
    if (token.kind === 'mark') {
      if (token.text === '!!') {
        this.error('SPW1001', token, "'!!' is the sorted send, not a double negation", {
          help: "write '! !'",
        });
        this.advance();
        const inner = this.prefix(token, '!', this.operand());
        return this.prefix(token, '!', inner);
      }
      if (token.text === '!' || token.text === '-' || token.text === '~') {
        this.advance();
        const operand = this.operand();
        return this.prefix(token, token.text, operand);
      }
      if (this.temporal) {
        const operator = this.temporalPrefix(token);
        if (operator !== null) return operator;
      }
    } else if (this.temporal && token.kind === 'name' && TEMPORAL_PREFIXES[token.text] !== undefined) {
      this.advance();
      return this.temporalUnary(token, TEMPORAL_PREFIXES[token.text]!);
    }
    return this.primary();
  }

  private operand(): ExpressionNode {
    this.enter();
    const operand = this.unary();
    this.leave();
    return operand;
  }

  private temporalPrefix(token: Token): ExpressionNode | null {
    if (token.text !== '[' && token.text !== '<') return null;
    const second = this.stream.peekSecond();
    if (second.text !== (token.text === '[' ? ']' : '>')) return null;
    this.advance();
    this.advance();
    return this.temporalUnary(token, token.text === '[' ? 'always' : 'eventually');
  }

  private temporalUnary(token: Token, operator: TemporalOperator): ExpressionNode {
    const operand = this.operand();
    const place = placeFrom(token, operand);
    return { ...place, depth: this.depthOf(place, operand), kind: 'temporal', operator, operands: [operand] };
  }

  private prefix(token: Token, operator: '!' | '-' | '~', operand: ExpressionNode): ExpressionNode {
    const place = placeFrom(token, operand);
    const depth = this.depthOf(place, operand);
    if (this.temporal && operator === '!' && isTemporal(operand))
      return { ...place, depth, kind: 'temporal', operator: 'not', operands: [operand] };
    this.rejectProbe(operand);
    return { ...place, depth, kind: 'unary', operator, operand };
  }

  private primary(): ExpressionNode {
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

const adjacent = (a: Token, b: Token): boolean => a.span.file === b.span.file && a.span.end === b.span.start;

function isTemporal(expression: ExpressionNode): boolean {
  if (expression.kind === 'temporal') return true;
  if (expression.kind === 'unary') return isTemporal(expression.operand);
  if (expression.kind !== 'binary') return false;
  return isTemporal(expression.left) || isTemporal(expression.right);
}
