// Basic statements: assignments, messages, printing.

import type { ExpressionNode, Reference, StatementNode } from './ast.ts';
import { type Cursor, placeFrom, placeOf } from './cursor.ts';
import type { ExpressionParser } from './parse-expression.ts';

export class BasicStatementParser {
  private readonly cursor: Cursor;
  private readonly expressions: ExpressionParser;

  constructor(cursor: Cursor, expressions: ExpressionParser) {
    this.cursor = cursor;
    this.expressions = expressions;
  }

  /** What follows the `=`. */
  assignment(target: Reference): StatementNode {
    const value = this.expressions.expression();
    return { ...placeFrom(target, value), kind: 'assign', target, value };
  }

  increment(target: Reference): StatementNode {
    const token = this.cursor.advance();
    const place = placeFrom(target, token);
    const one: ExpressionNode = { ...place, depth: 1, kind: 'number', value: 1, text: '1' };
    const self: ExpressionNode = { ...placeOf(target), depth: 2, kind: 'reference', reference: target };
    const operator = token.text === '++' ? '+' : '-';
    const value: ExpressionNode = { ...place, depth: 3, kind: 'binary', operator, left: self, right: one };
    return { ...place, kind: 'assign', target, value };
  }

  send(channel: Reference): StatementNode {
    const sorted = this.cursor.advance().text === '!!';
    const args = [this.expressions.expression()];
    if (this.cursor.take('(')) {
      args.push(...this.expressions.primaries.expressionList());
      this.cursor.expect(')', 'after the message');
    } else while (this.cursor.take(',')) args.push(this.expressions.expression());
    return { ...placeFrom(channel, args.at(-1)!), kind: 'send', channel, args, sorted };
  }

  receive(channel: Reference): StatementNode {
    const operator = this.cursor.advance();
    const copy = this.cursor.take('<');
    const args = this.expressions.references.receiveArguments();
    if (copy) this.cursor.expect('>', 'after the arguments of a copying receive');
    const last = args.at(-1)!;
    const place = last.kind === 'reference' ? last.reference : last.kind === 'eval' ? last.expression : last;
    return {
      ...placeFrom(channel, place),
      kind: 'receive',
      channel,
      args,
      random: operator.text === '??',
      copy,
    };
  }

  print(): StatementNode {
    const token = this.cursor.advance();
    this.cursor.expect('(', 'after printf');
    if (this.cursor.token.kind !== 'string')
      return this.cursor.unexpected('expected the format of printf in quotes');
    const format = this.cursor.advance().text.slice(1, -1);
    const args = this.cursor.take(',') ? this.expressions.primaries.expressionList() : [];
    const close = this.cursor.expect(')', 'after the arguments of printf');
    return { ...placeFrom(token, close), kind: 'print', format, args };
  }
}
