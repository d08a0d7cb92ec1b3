// References to variables, the arguments of receives, and embedded C.

import type { ExpressionNode, Name, Place, ReceiveNode, Reference } from './ast.ts';
import { ParserBase, placeFrom, Resync } from './parser.ts';
import type { Token } from './token.ts';

export abstract class ReferenceParser extends ParserBase {
  /** Inside `ltl { … }`. */
  protected temporal = false;
  /** In a formula that is not part of the model: the operators of the textbooks count too. */
  protected textbook = false;

  protected abstract expression(): ExpressionNode;

  protected reference(): Reference {
    const parts = [this.referencePart()];
    let last: Place = parts[0]!.name;
    while (this.take('.')) {
      const part = this.referencePart();
      parts.push(part);
      last = part.name;
    }
    const { span, expansion } = placeFrom(parts[0]!.name, last);
    return { span, expansion, parts };
  }

  protected referencePart(): { name: Name; index: ExpressionNode | null } {
    const name = this.name('of a variable');
    if (!this.at('[') || (this.temporal && this.stream.peekSecond().text === ']'))
      return { name, index: null };
    this.advance();
    const index = this.expression();
    this.expect(']', 'after the index');
    return { name, index };
  }

  /** `a, eval(b), 3`, `a(b, 3)`, `(a, b)`: every notation of a receive's arguments. */
  protected receiveArguments(): ReceiveNode[] {
    this.enter();
    const args = this.argumentList();
    this.leave();
    return args;
  }

  private argumentList(): ReceiveNode[] {
    if (this.take('(')) {
      const inner = this.receiveArguments();
      this.expect(')', 'after the arguments');
      return inner;
    }
    const args = [this.receiveArgument()];
    if (this.take('(')) {
      args.push(...this.receiveArguments());
      this.expect(')', 'after the arguments');
    } else if (this.take(',')) args.push(...this.receiveArguments());
    return args;
  }

  private receiveArgument(): ReceiveNode {
    const token = this.token;
    if (token.text === 'eval' && token.kind === 'name') {
      this.advance();
      this.expect('(', 'after eval');
      const expression = this.expression();
      this.expect(')', 'after the argument of eval');
      return { kind: 'eval', expression };
    }
    if (token.text === '-') {
      this.advance();
      const { value, text, span, expansion } = this.token;
      if (this.token.kind !== 'number') return this.unexpected("expected a number after '-'");
      this.advance();
      return { kind: 'number', value: -value, text: `-${text}`, span, expansion };
    }
    const truth = token.text === 'true' || token.text === 'false' || token.text === 'skip';
    if (token.kind === 'number' || token.kind === 'char' || (truth && token.kind === 'name')) {
      this.advance();
      const value = truth ? (token.text === 'false' ? 0 : 1) : token.value;
      return { kind: 'number', value, text: token.text, span: token.span, expansion: token.expansion };
    }
    if (!this.atName) return this.unexpected('expected a variable, a constant or eval(…) in a receive');
    return { kind: 'reference', reference: this.reference() };
  }

  /** The text between the braces after c_code, c_expr, c_decl; with a precondition in brackets if there is one. */
  protected cText(word: Token): string {
    const braced = this.stream.takeBraced();
    if (braced === null) {
      this.error('SPW1002', word, `expected C code in braces after ${word.text}`);
      throw new Resync();
    }
    this.stream.endedWith(word);
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
