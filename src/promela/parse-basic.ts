// Basic statements: assignments, messages, printing.

import type { ExpressionNode, Reference, StatementNode } from './ast.ts';
import { DeclarationParser } from './parse-declaration.ts';
import { placeFrom, placeOf } from './parser.ts';

export abstract class BasicStatementParser extends DeclarationParser {
  /** A call whose value is assigned, or that stands alone. */
  protected abstract inlineCall(result: Reference | null): StatementNode;

  protected assignment(target: Reference): StatementNode {
    this.advance();
    if (this.atName && this.inlines.has(this.token.text)) return this.inlineCall(target);
    const value = this.expression();
    return { ...placeFrom(target, value), kind: 'assign', target, value };
  }

  protected increment(target: Reference): StatementNode {
    const token = this.advance();
    const place = placeFrom(target, token);
    const one: ExpressionNode = { ...place, depth: 1, kind: 'number', value: 1, text: '1' };
    const self: ExpressionNode = { ...placeOf(target), depth: 2, kind: 'reference', reference: target };
    const operator = token.text === '++' ? '+' : '-';
    const value: ExpressionNode = { ...place, depth: 3, kind: 'binary', operator, left: self, right: one };
    return { ...place, kind: 'assign', target, value };
  }

  protected send(channel: Reference): StatementNode {
    const sorted = this.advance().text === '!!';
    const args = [this.expression()];
    if (this.take('(')) {
      args.push(...this.expressionList());
      this.expect(')', 'after the message');
    } else while (this.take(',')) args.push(this.expression());
    return { ...placeFrom(channel, args.at(-1)!), kind: 'send', channel, args, sorted };
  }

  protected receive(channel: Reference): StatementNode {
    const operator = this.advance();
    const copy = this.take('<');
    const args = this.receiveArguments();
    if (copy) this.expect('>', 'after the arguments of a copying receive');
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

  protected print(): StatementNode {
    const token = this.advance();
    this.expect('(', 'after printf');
    if (this.token.kind !== 'string') return this.unexpected('expected the format of printf in quotes');
    const format = this.advance().text.slice(1, -1);
    const args = this.take(',') ? this.expressionList() : [];
    const close = this.expect(')', 'after the arguments of printf');
    return { ...placeFrom(token, close), kind: 'print', format, args };
  }
}
