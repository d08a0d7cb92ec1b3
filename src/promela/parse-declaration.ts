// Declarations of variables, for globals, typedefs, parameters and locals.

import type { Declaration, ExpressionNode, InitialNode, Place, TypeNode, VariableNode } from './ast.ts';
import { ExpressionParser } from './parse-expression.ts';
import { placeFrom, placeOf } from './parser.ts';
import { TYPE_WORDS } from './token.ts';

export class DeclarationParser extends ExpressionParser {
  protected startsDeclaration(): boolean {
    const { kind, text } = this.token;
    if (kind !== 'name') return false;
    return (
      TYPE_WORDS.has(text) ||
      text === 'hidden' ||
      text === 'show' ||
      text === 'local' ||
      (this.typedefs.has(text) && this.stream.peekSecond().kind === 'name')
    );
  }

  protected visibility(): 'hidden' | 'show' | 'local' | null {
    const { text } = this.token;
    if (text !== 'hidden' && text !== 'show' && text !== 'local') return null;
    this.advance();
    return text;
  }

  protected declaration(): Declaration {
    const first = this.token;
    const visibility = this.visibility();
    return this.restOfDeclaration(first, visibility, this.type(true));
  }

  protected restOfDeclaration(
    first: Place,
    visibility: Declaration['visibility'],
    type: TypeNode,
  ): Declaration {
    const variables = [this.variable()];
    while (this.take(',')) variables.push(this.variable());
    return { ...placeFrom(first, variables.at(-1)!.name), visibility, type, variables };
  }

  /** In declarations `byte x : 3` has its colon after the name, `mtype:set` before it. */
  protected type(withSet: boolean): TypeNode {
    const token = this.token;
    if (token.kind !== 'name' || !(TYPE_WORDS.has(token.text) || this.typedefs.has(token.text)))
      return this.unexpected('expected a type');
    this.advance();
    const set = withSet && token.text === 'mtype' && this.take(':') ? this.name("after 'mtype:'") : null;
    return { ...placeOf(token), name: token.text, set };
  }

  private variable(): VariableNode {
    const name = this.name('of a variable');
    let width: VariableNode['width'] = null;
    let length: ExpressionNode | null = null;
    if (this.take(':')) {
      const token = this.token;
      if (token.kind !== 'number') this.unexpected("expected a number of bits after ':'");
      this.advance();
      width = { value: token.value, span: token.span };
    } else if (this.take('[')) {
      length = this.expression();
      this.expect(']', 'after the size of the array');
    }
    return { name, width, length, initial: this.take('=') ? this.initial() : null };
  }

  private initial(): InitialNode {
    if (this.at('{')) {
      this.advance();
      const values = this.expressionList();
      this.expect('}', 'after the values of the array');
      return { kind: 'list', values };
    }
    if (!this.at('[')) return { kind: 'expression', expression: this.expression() };
    const open = this.advance();
    const capacity = this.expression();
    this.expect(']', 'after the capacity of the channel');
    this.expect('of', 'after the capacity of the channel');
    this.expect('{', 'before the types of the messages');
    const fields = [this.type(true)];
    while (this.take(',')) fields.push(this.type(true));
    const close = this.expect('}', 'after the types of the messages');
    return { ...placeFrom(open, close), kind: 'channel', capacity, fields };
  }
}
