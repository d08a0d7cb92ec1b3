// Declarations of variables, for globals, typedefs, parameters and locals.

import type { Declaration, ExpressionNode, InitialNode, Name, Place, TypeNode, VariableNode } from './ast.ts';
import { type Cursor, placeFrom, placeOf } from './cursor.ts';
import type { ExpressionParser } from './parse-expression.ts';
import { KEYWORDS, TYPE_WORDS } from './token.ts';

export class DeclarationParser {
  private readonly cursor: Cursor;
  private readonly expressions: ExpressionParser;

  constructor(cursor: Cursor, expressions: ExpressionParser) {
    this.cursor = cursor;
    this.expressions = expressions;
  }

  startsDeclaration(): boolean {
    const { kind, text } = this.cursor.token;
    if (kind !== 'name') return false;
    return (
      TYPE_WORDS.has(text) ||
      text === 'hidden' ||
      text === 'show' ||
      text === 'local' ||
      (this.cursor.typedefs.has(text) && this.cursor.stream.peekSecond().kind === 'name')
    );
  }

  visibility(): 'hidden' | 'show' | 'local' | null {
    const { text } = this.cursor.token;
    if (text !== 'hidden' && text !== 'show' && text !== 'local') return null;
    this.cursor.advance();
    return text;
  }

  declaration(): Declaration {
    const first = this.cursor.token;
    const visibility = this.visibility();
    return this.restOfDeclaration(first, visibility, this.type(true));
  }

  restOfDeclaration(first: Place, visibility: Declaration['visibility'], type: TypeNode): Declaration {
    const variables: VariableNode[] = [];
    do this.variableInto(variables);
    while (this.cursor.take(','));
    return { ...placeFrom(first, variables.at(-1)!.name), visibility, type, variables };
  }

  /** In declarations `byte x : 3` has its colon after the name, `mtype:set` before it. */
  type(withSet: boolean): TypeNode {
    const token = this.cursor.token;
    if (token.kind !== 'name' || !(TYPE_WORDS.has(token.text) || this.cursor.typedefs.has(token.text)))
      return this.cursor.unexpected('expected a type');
    this.cursor.advance();
    const set =
      withSet && token.text === 'mtype' && this.cursor.take(':') ? this.cursor.name("after 'mtype:'") : null;
    return { ...placeOf(token), name: token.text, set };
  }

  /** A variable whose size or initial value cannot be read is declared all the same. */
  private variableInto(variables: VariableNode[]): void {
    const name = this.cursor.name('of a variable');
    this.cursor.attempt(
      () => variables.push(this.variable(name)),
      () => {
        variables.push({ name, width: null, length: null, initial: null });
        this.skipVariable();
      },
    );
  }

  private skipVariable(): void {
    let depth = 0;
    for (let first = true; this.cursor.token.kind !== 'end'; first = false) {
      const { kind, text, newline } = this.cursor.token;
      if (depth <= 0 && kind === 'mark' && [',', ';', '->', ')', '}', '::'].includes(text)) return;
      if (!first && newline && kind === 'name' && (KEYWORDS.has(text) || this.cursor.typedefs.has(text)))
        return;
      if (kind === 'mark' && '{(['.includes(text)) depth++;
      if (kind === 'mark' && '})]'.includes(text)) depth--;
      this.cursor.skip();
    }
  }

  private variable(name: Name): VariableNode {
    let width: VariableNode['width'] = null;
    let length: ExpressionNode | null = null;
    if (this.cursor.take(':')) {
      const token = this.cursor.token;
      if (token.kind !== 'number') this.cursor.unexpected("expected a number of bits after ':'");
      this.cursor.advance();
      width = { value: token.value, span: token.span };
    } else if (this.cursor.take('[')) {
      length = this.expressions.expression();
      this.cursor.expect(']', 'after the size of the array');
    }
    return { name, width, length, initial: this.cursor.take('=') ? this.initial() : null };
  }

  private initial(): InitialNode {
    if (this.cursor.at('{')) {
      this.cursor.advance();
      const values = this.expressions.primaries.expressionList();
      this.cursor.expect('}', 'after the values of the array');
      return { kind: 'list', values };
    }
    const isBare = !this.cursor.at('[');
    const open = isBare ? this.cursor.token : this.cursor.advance();
    const capacity = this.expressions.expression();
    if (isBare) {
      if (!this.cursor.at('of')) return { kind: 'expression', expression: capacity };
      const { file, start, end } = capacity.span;
      this.cursor.error('SPW1001', capacity, 'the capacity of a channel stands in brackets', {
        help: `write [${file.text.slice(start, end)}] of { … }`,
        fix: { title: 'put it in brackets', span: capacity.span, text: `[${file.text.slice(start, end)}]` },
      });
    } else this.cursor.expect(']', 'after the capacity of the channel');
    this.cursor.expect('of', 'after the capacity of the channel');
    this.cursor.expect('{', 'before the types of the messages');
    const fields = [this.type(true)];
    while (this.cursor.take(',')) fields.push(this.type(true));
    const close = this.cursor.expect('}', 'after the types of the messages');
    return { ...placeFrom(open, close), kind: 'channel', capacity, fields };
  }
}
