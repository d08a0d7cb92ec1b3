// References to variables, the arguments of receives, and embedded C.

import type { ExpressionNode, Name, Place, ReceiveNode, Reference } from './ast.ts';
import { type Cursor, placeFrom, Resync } from './cursor.ts';
import type { Token } from './token.ts';

export class ReferenceParser {
  private readonly cursor: Cursor;
  private readonly expressions: { expression(): ExpressionNode };

  constructor(cursor: Cursor, expressions: { expression(): ExpressionNode }) {
    this.cursor = cursor;
    this.expressions = expressions;
  }

  reference(): Reference {
    const parts = [this.referencePart()];
    let last: Place = parts[0]!.name;
    while (this.cursor.take('.')) {
      const part = this.referencePart();
      parts.push(part);
      last = part.name;
    }
    const { span, expansion } = placeFrom(parts[0]!.name, last);
    return { span, expansion, parts };
  }

  referencePart(): { name: Name; index: ExpressionNode | null } {
    const name = this.cursor.name('of a variable');
    if (!this.cursor.at('[') || (this.cursor.temporal && this.cursor.stream.peekSecond().text === ']'))
      return { name, index: null };
    this.cursor.advance();
    const index = this.expressions.expression();
    this.cursor.expect(']', 'after the index');
    return { name, index };
  }

  /** `a, eval(b), 3`, `a(b, 3)`, `(a, b)`: every notation of a receive's arguments. */
  receiveArguments(): ReceiveNode[] {
    this.cursor.enter();
    const args = this.argumentList();
    this.cursor.leave();
    return args;
  }

  private argumentList(): ReceiveNode[] {
    if (this.cursor.take('(')) {
      const inner = this.receiveArguments();
      this.cursor.expect(')', 'after the arguments');
      return inner;
    }
    const args = [this.receiveArgument()];
    if (this.cursor.take('(')) {
      args.push(...this.receiveArguments());
      this.cursor.expect(')', 'after the arguments');
    } else if (this.cursor.take(',')) args.push(...this.receiveArguments());
    return args;
  }

  private receiveArgument(): ReceiveNode {
    const token = this.cursor.token;
    if (token.text === 'eval' && token.kind === 'name') {
      this.cursor.advance();
      this.cursor.expect('(', 'after eval');
      const expression = this.expressions.expression();
      this.cursor.expect(')', 'after the argument of eval');
      return { kind: 'eval', expression };
    }
    if (token.text === '-') {
      this.cursor.advance();
      const { value, text, span, expansion } = this.cursor.token;
      if (this.cursor.token.kind !== 'number') return this.cursor.unexpected("expected a number after '-'");
      this.cursor.advance();
      return { kind: 'number', value: -value, text: `-${text}`, span, expansion };
    }
    const truth = token.text === 'true' || token.text === 'false' || token.text === 'skip';
    if (token.kind === 'number' || token.kind === 'char' || (truth && token.kind === 'name')) {
      this.cursor.advance();
      const value = truth ? (token.text === 'false' ? 0 : 1) : token.value;
      return { kind: 'number', value, text: token.text, span: token.span, expansion: token.expansion };
    }
    if (!this.cursor.atName)
      return this.cursor.unexpected('expected a variable, a constant or eval(…) in a receive');
    if (token.text === '_pid') this.cursor.receivesPid = true;
    return { kind: 'reference', reference: this.reference() };
  }

  /** The text between the braces after c_code, c_expr, c_decl; with a precondition in brackets if there is one. */
  cText(word: Token): string {
    const braced = this.cursor.stream.takeBraced();
    if (braced === null) {
      this.cursor.error('SPW1002', word, `expected C code in braces after ${word.text}`);
      throw new Resync();
    }
    this.cursor.stream.endedWith(word);
    return sourceText(braced.slice(1, -1));
  }
}

export function sourceText(tokens: readonly Token[]): string {
  const first = tokens[0];
  const last = tokens.at(-1);
  if (first === undefined || last === undefined) return '';
  const plain = tokens.every((token) => token.expansion === null && token.span.file === first.span.file);
  if (plain) return first.span.file.text.slice(first.span.start, last.span.end);
  return tokens.map((token, i) => (i > 0 && token.space ? ` ${token.text}` : token.text)).join('');
}
