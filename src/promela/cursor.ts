// What all parts of the recursive-descent parser hold: the stream, the names the grammar depends on, errors and recovery.
// After an error the parser goes on where it can: the tree of a broken model has its declarations, its proctypes and its
// statements, except those that could not be read.

import type { Span } from '../source/source.ts';
import { join } from '../source/source.ts';
import type { ExpressionNode, Name, Place } from './ast.ts';
import type { Diagnostics, Problem, PromelaCode } from './codes.ts';
import type { PromelaNames } from './names.ts';
import type { Inline } from './stream.ts';
import { TokenStream } from './stream.ts';
import type { Token } from './token.ts';
import { KEYWORDS } from './token.ts';

/** Thrown after a syntax error was reported, caught where parsing can go on. Never leaves the parser. */
export class Resync extends Error {}

const DEEPEST_EXPRESSION = 400;
const DEEPEST_BLOCK = 200;

export class Cursor {
  private readonly tokens: readonly Token[];
  private allProctypes: Set<string> | null = null;
  private readonly diagnostics: Diagnostics;
  /** Who wants to know where names stand. */
  readonly names: PromelaNames | null;
  stream: TokenStream;
  /** What SPIN's lexer knows about names when it meets them. */
  readonly typedefs = new Set<string>();
  readonly proctypes = new Set<string>();
  readonly inlines = new Map<string, Inline>();
  /** Inside `ltl { … }`. */
  temporal = false;
  /** In a formula that is not part of the model: the operators of the textbooks count too. */
  textbook = false;
  /** The names in what was passed over after an error: what is said about them later may be wrong. */
  readonly skipped = new Set<string>();
  receivesPid = false;
  /** Some construct was not closed. */
  unclosed = false;
  private readonly depth = { expression: 0, block: 0 };
  /** Where the last syntax error was reported: the constructs around it have nothing to add. */
  private blamed: Token | null = null;

  constructor(tokens: readonly Token[], diagnostics: Diagnostics, names: PromelaNames | null) {
    this.tokens = tokens;
    this.diagnostics = diagnostics;
    this.names = names;
    this.stream = this.streamOf(tokens);
  }

  /** Goes on with another text. */
  read(tokens: readonly Token[]): void {
    this.stream = this.streamOf(tokens);
  }

  private streamOf(tokens: readonly Token[]): TokenStream {
    const special = (name: string) =>
      this.typedefs.has(name) || this.proctypes.has(name) || this.inlines.has(name);
    return new TokenStream(tokens, this.diagnostics, special);
  }

  get token(): Token {
    return this.stream.peek();
  }

  advance(): Token {
    return this.stream.next();
  }

  at(text: string): boolean {
    const token = this.stream.peek();
    return token.text === text && token.kind !== 'string';
  }

  take(text: string): boolean {
    if (!this.at(text)) return false;
    this.stream.next();
    return true;
  }

  expect(text: string, context: string): Token {
    if (this.at(text)) return this.advance();
    return this.unexpected(`expected '${text}' ${context}`);
  }

  /** What closes a construct; where it is missing the construct is taken as it is, after a diagnostic. */
  expectEnd(text: string, context: string): Token {
    if (this.at(text)) return this.advance();
    this.report(`expected '${text}' ${context}`);
    this.unclosed = true;
    return this.token;
  }

  get atName(): boolean {
    const token = this.stream.peek();
    return token.kind === 'name' && !KEYWORDS.has(token.text);
  }

  name(context: string): Name {
    if (!this.atName) return this.unexpected(`expected a name ${context}`);
    const { text, span, expansion } = this.advance();
    return { text, span, expansion };
  }

  /** Reports the next token as wrong and gives up the current construct. */
  unexpected(wanted: string): never {
    this.report(wanted);
    throw new Resync();
  }

  private report(wanted: string, related?: readonly { span: Span; message: string }[]): void {
    const token = this.token;
    if (this.stream.exhausted || this.blamed === token) return;
    this.blamed = token;
    if (token.kind === 'bad') this.badToken(token);
    else {
      const end = this.textbook ? 'the end of the formula' : 'the end of the file';
      // The end of a formula in braces is its closing brace.
      const found = token.kind === 'end' && token.text === '' ? end : `'${token.text}'`;
      const keyword =
        KEYWORDS.has(token.text) && wanted.startsWith('expected a name')
          ? { help: `'${token.text}' is a word of the language and cannot be a name` }
          : {};
      const shown = related === undefined ? {} : { related };
      this.error('SPW1001', token, `${wanted}, found ${found}`, { ...keyword, ...shown });
    }
  }

  /** A closing bracket; where it is missing the opening one is shown, too. */
  expectClose(text: string, open: Token, context: string): Token {
    if (this.at(text)) return this.advance();
    const related = [{ span: open.span, message: `this '${open.text}' is not closed` }];
    this.report(`expected '${text}' ${context}`, related);
    throw new Resync();
  }

  /** Is there a proctype of this name anywhere, also further down? */
  startsProctype(name: string): boolean {
    if (this.allProctypes === null) {
      this.allProctypes = new Set();
      for (const [i, { text }] of this.tokens.entries())
        if (text === 'proctype' || text === 'D_proctype')
          this.allProctypes.add(this.tokens[i + 1]?.text ?? '');
    }
    return this.allProctypes.has(name);
  }

  /** Passes over a token that nobody can read. */
  skip(): void {
    const token = this.advance();
    if (token.kind === 'name') this.skipped.add(token.text);
    this.stream.resetParentheses();
  }

  private badToken(token: Token): void {
    const first = token.text[0];
    if (first === '"') this.error('SPW1002', token, 'this string is not closed on its line');
    else if (first === "'") this.error('SPW1002', token, 'this is no character constant');
    else if (token.text.startsWith('/*'))
      this.error('SPW1002', clip(token), 'this comment is not closed', { help: "add '*/'" });
    else this.error('SPW1003', token, `Promela does not know the character '${token.text}'`);
  }

  error(
    code: PromelaCode,
    place: Place,
    message: string,
    more: Pick<Problem, 'help' | 'related' | 'fix'> = {},
  ): void {
    this.diagnostics.error(code, place.span, message, { ...more, expansion: place.expansion });
  }

  warning(code: PromelaCode, place: Place, message: string, more: Pick<Problem, 'help' | 'fix'> = {}): void {
    this.diagnostics.warning(code, place.span, message, { ...more, expansion: place.expansion });
  }

  /** Nesting is counted by hand; whoever catches a Resync sets the depths back. */
  enter(): void {
    if (this.depth.expression >= DEEPEST_EXPRESSION) this.tooDeep('expression');
    this.depth.expression++;
  }

  leave(): void {
    this.depth.expression--;
  }

  enterBlock(): void {
    if (this.depth.block >= DEEPEST_BLOCK) this.tooDeep('block');
    this.depth.block++;
  }

  leaveBlock(): void {
    this.depth.block--;
  }

  /** Runs a parser that may give up; `recover` then moves to where parsing can go on. */
  attempt(parse: () => void, recover: () => void): void {
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

  depthOf(place: Place, ...parts: readonly (ExpressionNode | null)[]): number {
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
