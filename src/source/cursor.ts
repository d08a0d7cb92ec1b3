// Where a hand-written parser stands in its tokens. Every such parser of the house walks with this; what it expects, says and does after an
// error is its own. (Promela's stream expands macros as it goes, so it has one of its own: promela/stream.ts.)

import type { Span } from './source.ts';
import { join } from './source.ts';

export interface CursorToken {
  readonly kind: string;
  readonly text: string;
  readonly span: Span;
}

export class TokenCursor<T extends CursorToken> {
  protected readonly tokens: readonly T[];
  protected at = 0;
  private depth = 0;

  /** The last token is the end, of kind 'end': there the cursor stays. */
  constructor(tokens: readonly T[]) {
    this.tokens = tokens;
  }

  get token(): T {
    return this.tokens[this.at]!;
  }

  peek(ahead = 0): T {
    return this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)]!;
  }

  /** The last one taken, if any. */
  get previous(): T | undefined {
    return this.tokens[this.at - 1];
  }

  get atEnd(): boolean {
    return this.token.kind === 'end';
  }

  next(): T {
    const { token } = this;
    if (token.kind !== 'end') this.at++;
    return token;
  }

  is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.text === text && this.isPlain(token);
  }

  /** Takes the token if it is this one. */
  take(text: string): boolean {
    if (!this.is(text)) return false;
    this.at++;
    return true;
  }

  /** Can the token be a word of the language, and not just something that reads like one? */
  protected isPlain(token: T): boolean {
    return token.kind !== 'end';
  }

  /** From a token to the last one taken. */
  spanFrom(start: T): Span {
    return join(start.span, (this.previous ?? start).span);
  }

  mark(): number {
    return this.at;
  }

  reset(mark: number): void {
    this.at = mark;
  }

  /** Guards recursive descent against texts nested so deep that recursion would run out of stack. `fail` does not return. */
  nested<R>(parse: () => R, fail: () => never, limit = 200): R {
    if (++this.depth > limit) fail();
    const result = parse();
    this.depth--;
    return result;
  }

  /** Runs a parser that may give up; the depth is then what it was before. */
  protected atDepth<R>(parse: () => R): R {
    const { depth } = this;
    try {
      return parse();
    } catch (error) {
      this.depth = depth;
      throw error;
    }
  }
}
