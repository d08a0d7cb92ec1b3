// What all parts of the recursive-descent parser share: the stream, the names the grammar depends on, errors and recovery.

import type { Span } from '../source/source.ts';
import { join } from '../source/source.ts';
import type { ExpressionNode, Name, Place } from './ast.ts';
import type { Diagnostics, PromelaCode } from './codes.ts';
import type { Inline } from './stream.ts';
import { TokenStream } from './stream.ts';
import type { Token } from './token.ts';
import { KEYWORDS } from './token.ts';

/** Thrown after a syntax error was reported, caught where parsing can go on. Never leaves the parser. */
export class Resync extends Error {}

const DEEPEST_EXPRESSION = 400;
const DEEPEST_BLOCK = 200;

export class ParserBase {
  protected readonly diagnostics: Diagnostics;
  protected stream: TokenStream;
  /** What SPIN's lexer knows about names when it meets them. */
  protected readonly typedefs = new Set<string>();
  protected readonly proctypes = new Set<string>();
  protected readonly inlines = new Map<string, Inline>();
  private readonly depth = { expression: 0, block: 0 };

  constructor(tokens: readonly Token[], diagnostics: Diagnostics) {
    this.diagnostics = diagnostics;
    this.stream = this.streamOf(tokens);
  }

  protected streamOf(tokens: readonly Token[]): TokenStream {
    const special = (name: string) =>
      this.typedefs.has(name) || this.proctypes.has(name) || this.inlines.has(name);
    return new TokenStream(tokens, this.diagnostics, special);
  }

  protected get token(): Token {
    return this.stream.peek();
  }

  protected advance(): Token {
    return this.stream.next();
  }

  protected at(text: string): boolean {
    const token = this.stream.peek();
    return token.text === text && token.kind !== 'string';
  }

  protected take(text: string): boolean {
    if (!this.at(text)) return false;
    this.stream.next();
    return true;
  }

  protected expect(text: string, context: string): Token {
    if (this.at(text)) return this.advance();
    return this.unexpected(`expected '${text}' ${context}`);
  }

  protected get atName(): boolean {
    const token = this.stream.peek();
    return token.kind === 'name' && !KEYWORDS.has(token.text);
  }

  protected name(context: string): Name {
    if (!this.atName) return this.unexpected(`expected a name ${context}`);
    const { text, span, expansion } = this.advance();
    return { text, span, expansion };
  }

  /** Reports the next token as wrong and gives up the current construct. */
  protected unexpected(wanted: string): never {
    const token = this.token;
    if (this.stream.exhausted) throw new Resync();
    if (token.kind === 'bad') this.badToken(token);
    else {
      const found = token.kind === 'end' ? this.endOfText() : `'${token.text}'`;
      const keyword =
        KEYWORDS.has(token.text) && wanted.startsWith('expected a name')
          ? { help: `'${token.text}' is a word of the language and cannot be a name` }
          : {};
      this.error('SPW1001', token, `${wanted}, found ${found}`, keyword);
    }
    throw new Resync();
  }

  protected endOfText(): string {
    return 'the end of the file';
  }

  private badToken(token: Token): void {
    const first = token.text[0];
    if (first === '"') this.error('SPW1002', token, 'this string is not closed on its line');
    else if (first === "'") this.error('SPW1002', token, 'this is no character constant');
    else if (token.text.startsWith('/*'))
      this.error('SPW1002', clip(token), 'this comment is not closed', { help: "add '*/'" });
    else this.error('SPW1003', token, `Promela does not know the character '${token.text}'`);
  }

  protected error(
    code: PromelaCode,
    place: Place,
    message: string,
    more: { help?: string; related?: readonly { span: Span; message: string }[] } = {},
  ): void {
    this.diagnostics.error(code, place.span, message, { ...more, expansion: place.expansion });
  }

  protected warning(code: PromelaCode, place: Place, message: string, more: { help?: string } = {}): void {
    this.diagnostics.warning(code, place.span, message, { ...more, expansion: place.expansion });
  }

  /** Nesting is counted by hand; whoever catches a Resync sets the depths back. */
  protected enter(): void {
    if (this.depth.expression >= DEEPEST_EXPRESSION) this.tooDeep('expression');
    this.depth.expression++;
  }

  protected leave(): void {
    this.depth.expression--;
  }

  protected enterBlock(): void {
    if (this.depth.block >= DEEPEST_BLOCK) this.tooDeep('block');
    this.depth.block++;
  }

  protected leaveBlock(): void {
    this.depth.block--;
  }

  /** Runs a parser that may give up; `recover` then moves to where parsing can go on. */
  protected attempt(parse: () => void, recover: () => void): void {
    const { expression, block } = this.depth;
    try {
      parse();
    } catch (problem) {
      if (!(problem instanceof Resync)) throw problem;
      this.depth.expression = expression;
      this.depth.block = block;
      recover();
    }
  }

  private tooDeep(what: string): never {
    this.error('SPW1005', this.token, `this ${what} is nested too deeply`);
    throw new Resync();
  }

  protected depthOf(place: Place, ...parts: readonly (ExpressionNode | null)[]): number {
    let depth = 0;
    for (const part of parts) if (part !== null && part.depth > depth) depth = part.depth;
    if (depth < 2 * DEEPEST_EXPRESSION) return depth + 1;
    this.error('SPW1005', place, 'this expression is nested too deeply');
    throw new Resync();
  }
}

export const placeOf = ({ span, expansion }: Place): Place => ({ span, expansion });

export const placeFrom = (first: Place, last: Place): Place => ({
  span: join(first.span, last.span),
  expansion: first.expansion,
});

function clip(token: Token): Place {
  const { file, start } = token.span;
  return { span: { file, start, end: start + 2 }, expansion: token.expansion };
}
