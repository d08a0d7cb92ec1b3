// Operators, with the precedences of SPIN's grammar. The temporal operators bind as SPIN has it: `U` tighter than `&&`,
// `->` loosest, all to the left.

import type { BinaryOperator } from '../process/expression.ts';
import type { ExpressionNode, TemporalOperator } from './ast.ts';
import { type Cursor, placeFrom } from './cursor.ts';
import { PrimaryParser } from './parse-primary.ts';
import { ReferenceParser } from './parse-reference.ts';
import type { Token } from './token.ts';

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

/** G, F and R: in SPIN's own formulas they are names like any other. */
const TEXTBOOK_PREFIXES: Readonly<Record<string, TemporalOperator>> = { G: 'always', F: 'eventually' };

interface Operator {
  readonly level: number;
  readonly tokens: number;
  readonly temporal: TemporalOperator | null;
}

export class ExpressionParser {
  readonly references: ReferenceParser;
  readonly primaries: PrimaryParser;
  private readonly cursor: Cursor;

  constructor(cursor: Cursor) {
    this.cursor = cursor;
    this.references = new ReferenceParser(cursor, this);
    this.primaries = new PrimaryParser(cursor, this.references, this);
  }

  expression(): ExpressionNode {
    this.cursor.enter();
    const result = this.binary(this.unary(), 0);
    this.cursor.leave();
    return result;
  }

  /** Goes on with an expression whose first operand was read already. */
  expressionFrom(first: ExpressionNode): ExpressionNode {
    return this.binary(first, 0);
  }

  private binary(first: ExpressionNode, least: number): ExpressionNode {
    let left = first;
    for (;;) {
      const operator = this.operator();
      if (operator === null || operator.level < least) return left;
      const token = this.cursor.advance();
      for (let i = 1; i < operator.tokens; i++) this.cursor.advance();
      this.cursor.enter();
      const right = this.binary(this.unary(), operator.level + 1);
      this.cursor.leave();
      left = this.combine(operator, token, left, right);
    }
  }

  private operator(): Operator | null {
    const token = this.cursor.token;
    if (this.cursor.temporal) {
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
      const second = this.cursor.stream.peekSecond();
      if (second.text === '->' && adjacent(token, second))
        return { level: 0, tokens: 2, temporal: 'equivalent' };
    }
    const word = token.kind === 'name' ? this.temporalWord(token.text) : undefined;
    if (word === undefined) return null;
    const loose = word === 'implies' || word === 'equivalent';
    return { level: loose ? 0 : TEMPORAL, tokens: 1, temporal: word };
  }

  private temporalWord(text: string): TemporalOperator | undefined {
    return this.cursor.textbook && text === 'R' ? 'release' : TEMPORAL_WORDS[text];
  }

  private combine(
    operator: Operator,
    token: Token,
    left: ExpressionNode,
    right: ExpressionNode,
  ): ExpressionNode {
    const place = placeFrom(left, right);
    const depth = this.cursor.depthOf(place, left, right);
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
    if (this.cursor.temporal) return;
    if (operand.kind !== 'query' || operand.query === 'len') return;
    const opposite = { full: 'nfull', nfull: 'full', empty: 'nempty', nempty: 'empty', len: 'len' } as const;
    this.cursor.error('SPW1111', operand, `'${operand.query}' cannot be negated or computed with`, {
      help: `use ${opposite[operand.query]}(…) for its negation, or compare len(…)`,
    });
  }

  private unary(): ExpressionNode {
    const token = this.cursor.token;
    if (token.kind === 'mark') {
      if (token.text === '!!') {
        this.cursor.error('SPW1001', token, "'!!' is the sorted send, not a double negation", {
          help: "write '! !'",
        });
        this.cursor.advance();
        const inner = this.prefix(token, '!', this.operand());
        return this.prefix(token, '!', inner);
      }
      if (token.text === '!' || token.text === '-' || token.text === '~') {
        this.cursor.advance();
        const operand = this.operand();
        return this.prefix(token, token.text, operand);
      }
      if (this.cursor.temporal) {
        const operator = this.temporalPrefix(token);
        if (operator !== null) return operator;
      }
    } else if (this.cursor.temporal && token.kind === 'name') {
      const operator = this.wordPrefix(token);
      if (operator !== null) {
        this.cursor.advance();
        return this.temporalUnary(token, operator);
      }
    }
    return this.primaries.primary();
  }

  /** A variable may be called G: it is the operator where an operand follows it. */
  private wordPrefix(token: Token): TemporalOperator | null {
    const textbook = this.cursor.textbook ? TEXTBOOK_PREFIXES[token.text] : undefined;
    if (textbook === undefined) return TEMPORAL_PREFIXES[token.text] ?? null;
    return this.operandFollows() ? textbook : null;
  }

  private operandFollows(): boolean {
    const second = this.cursor.stream.peekSecond();
    if (second.kind === 'name') return this.temporalWord(second.text) === undefined;
    if (second.kind === 'number' || second.kind === 'char') return true;
    if (second.text !== '[' && second.text !== '<') return ['(', '!', '!!', '~'].includes(second.text);
    const third = this.cursor.stream.peekThird();
    return third.text === (second.text === '[' ? ']' : '>');
  }

  private operand(): ExpressionNode {
    this.cursor.enter();
    const operand = this.unary();
    this.cursor.leave();
    return operand;
  }

  private temporalPrefix(token: Token): ExpressionNode | null {
    if (token.text !== '[' && token.text !== '<') return null;
    const second = this.cursor.stream.peekSecond();
    if (second.text !== (token.text === '[' ? ']' : '>')) return null;
    this.cursor.advance();
    this.cursor.advance();
    return this.temporalUnary(token, token.text === '[' ? 'always' : 'eventually');
  }

  private temporalUnary(token: Token, operator: TemporalOperator): ExpressionNode {
    const operand = this.operand();
    const place = placeFrom(token, operand);
    return {
      ...place,
      depth: this.cursor.depthOf(place, operand),
      kind: 'temporal',
      operator,
      operands: [operand],
    };
  }

  private prefix(token: Token, operator: '!' | '-' | '~', operand: ExpressionNode): ExpressionNode {
    const place = placeFrom(token, operand);
    const depth = this.cursor.depthOf(place, operand);
    if (this.cursor.temporal && operator === '!' && isTemporal(operand))
      return { ...place, depth, kind: 'temporal', operator: 'not', operands: [operand] };
    this.rejectProbe(operand);
    return { ...place, depth, kind: 'unary', operator, operand };
  }
}

const adjacent = (a: Token, b: Token): boolean => a.span.file === b.span.file && a.span.end === b.span.start;

function isTemporal(expression: ExpressionNode): boolean {
  if (expression.kind === 'temporal') return true;
  if (expression.kind === 'unary') return isTemporal(expression.operand);
  if (expression.kind !== 'binary') return false;
  return isTemporal(expression.left) || isTemporal(expression.right);
}
