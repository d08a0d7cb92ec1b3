// The tokens as Promela's grammar sees them. Between the preprocessor and the parser SPIN does three things, done here:
//
// - most semicolons are optional: one is put at a line break after a token that can end a statement;
// - common slips are repaired: a missing `;` after `}` and `else`, a superfluous one before `}`;
// - a call of an `inline` is replaced by its body in braces (frames of tokens, as in the preprocessor).

import type { Span } from '../source/source.ts';
import type { Diagnostics, Expansion } from './codes.ts';
import type { Token } from './token.ts';
import { copyOf, KEYWORDS } from './token.ts';

export interface Inline {
  readonly name: string;
  readonly parameters: readonly string[];
  /** With the braces around it. */
  readonly body: readonly Token[];
}

interface Frame {
  readonly tokens: readonly Token[];
  at: number;
  readonly inline: Inline | null;
}

const DEEPEST_INLINE = 64;
const MOST_TOKENS = 500_000;

const ENDS_STATEMENT = new Set(
  '} ) ] od fi else break c_code c_expr c_decl ++ -- skip true false'.split(' '),
);
const NEEDS_NO_SEMICOLON = new Set('proctype init never :: fi od } unless ; ->'.split(' '));

export class TokenStream {
  /** Inside a body or typedef, where line breaks can end statements. Set by the parser. */
  inSequence = false;
  /** Too much was expanded: the rest of the text is not read. */
  exhausted = false;
  private readonly frames: Frame[];
  private readonly diagnostics: Diagnostics;
  private parentheses = 0;
  /** The last token lexed: decides whether a line break ends a statement. */
  private last: Token | null = null;
  private newlineDone = false;
  /** The last token handed out, null after an inserted semicolon. */
  private before: Token | null = null;
  private held: Token | null = null;
  private ahead: Token | null = null;
  private work = 0;
  /** Names that are not plain variables: a line break after them ends nothing. */
  private readonly isSpecialName: (name: string) => boolean;

  constructor(tokens: readonly Token[], diagnostics: Diagnostics, isSpecialName: (name: string) => boolean) {
    this.frames = [{ tokens, at: 0, inline: null }];
    this.diagnostics = diagnostics;
    this.isSpecialName = isSpecialName;
  }

  peek(): Token {
    this.ahead ??= this.repaired();
    return this.ahead;
  }

  next(): Token {
    const token = this.peek();
    this.ahead = null;
    if (token.text === '(') this.parentheses++;
    else if (token.text === ')') this.parentheses = Math.max(0, this.parentheses - 1);
    return token;
  }

  get inInline(): boolean {
    return this.frames.length > 1;
  }

  resetParentheses(): void {
    this.parentheses = 0;
  }

  /** The token after the next one, as written. */
  peekSecond(): Token {
    this.peek();
    return this.held ?? this.rawPeek();
  }

  /** The one after that; the text has not ended before it. */
  peekThird(): Token {
    const second = this.peekSecond();
    if (this.held !== null) return this.rawPeek();
    const { tokens, at } = this.frames.at(-1)!;
    return tokens[at + 1] ?? second;
  }

  // Raw tokens

  private rawPeek(): Token {
    for (;;) {
      const frame = this.frames.at(-1)!;
      const token = frame.tokens[frame.at];
      if (token !== undefined) return token;
      this.frames.pop();
    }
  }

  private rawNext(): Token {
    const token = this.rawPeek();
    if (token.kind !== 'end') this.frames.at(-1)!.at++;
    return token;
  }

  /** A semicolon where the line breaks, or the next token. */
  private lexed(): Token {
    const token = this.rawPeek();
    if (token.newline && !this.newlineDone && this.breaksHere(token)) {
      this.newlineDone = true;
      const semicolon = { ...token, kind: 'mark' as const, text: ';', newline: false };
      this.last = semicolon;
      return semicolon;
    }
    this.newlineDone = false;
    this.last = this.rawNext();
    return this.last;
  }

  private breaksHere(next: Token): boolean {
    const last = this.last;
    if (last === null || !this.inSequence || this.parentheses > 0) return false;
    if (last.text === '}' && next.text.startsWith('u')) return false;
    if (ENDS_STATEMENT.has(last.text) && last.kind !== 'string') return true;
    if (last.kind === 'number' || last.kind === 'char') return true;
    if (last.text === 'timeout') return true;
    return last.kind === 'name' && !KEYWORDS.has(last.text) && !this.isSpecialName(last.text);
  }

  /** SPIN's repairs around `else`, `}` and double separators. */
  private repaired(): Token {
    let token: Token;
    if (this.held !== null) {
      token = this.held;
      this.held = null;
      this.last = token;
    } else {
      token = this.lexed();
      if (this.wantsSemicolon(token)) {
        this.held = token;
        this.before = null;
        return { ...token, kind: 'mark', text: ';' };
      }
      if (isSeparator(token)) {
        const next = this.lexed();
        if (next.text === '}' || isSeparator(next)) token = next;
        else this.held = next;
      }
    }
    this.before = token;
    return token;
  }

  private wantsSemicolon(token: Token): boolean {
    const before = this.before?.kind === 'string' ? undefined : this.before?.text;
    if (before === 'else') return !isSeparator(token) && token.text !== 'fi';
    return before === '}' && token.kind !== 'end' && !NEEDS_NO_SEMICOLON.has(token.text);
  }

  // Braced text and inlines

  /**
   * The raw tokens of `{ … }` with the braces; null when there are none or they do not close. Nothing may have been peeked at.
   * A precondition in brackets before them, as c_code allows, is passed over.
   */
  takeBraced(): Token[] | null {
    if (this.held !== null || this.ahead !== null) return null;
    if (this.rawPeek().text === '[') this.skipBrackets();
    if (this.rawPeek().text !== '{') return null;
    const open = this.rawNext();
    const inside = this.takeToBrace();
    return inside === null ? null : [open, ...inside];
  }

  /** The raw tokens after an opening brace, up to the closing one and with it; null when it does not close. */
  takeToBrace(): Token[] | null {
    const tokens: Token[] = [];
    for (let depth = 1; depth > 0; ) {
      const token = this.rawNext();
      if (token.kind === 'end') return null;
      tokens.push(token);
      if (token.kind !== 'mark') continue;
      if (token.text === '{') depth++;
      if (token.text === '}') depth--;
    }
    return tokens;
  }

  private skipBrackets(): void {
    let depth = 0;
    do {
      const token = this.rawNext();
      if (token.text === '[') depth++;
      if (token.text === ']') depth--;
    } while (depth > 0 && this.rawPeek().kind !== 'end');
  }

  /** The raw arguments of a call, split at its commas; null when the next token is no `(` or it does not close. */
  takeArguments(): { args: Token[][]; close: Token } | null {
    if (this.held !== null || this.ahead !== null || this.rawPeek().text !== '(') return null;
    this.rawNext();
    const args: Token[][] = [[]];
    let depth = 0;
    for (;;) {
      const token = this.rawNext();
      if (token.kind === 'end') return null;
      if (token.kind === 'mark') {
        if (token.text === ')' && depth === 0) {
          const none = args.length === 1 && args[0]!.length === 0;
          return { args: none ? [] : args, close: token };
        }
        if ('([{'.includes(token.text)) depth++;
        if (')]}'.includes(token.text)) depth--;
        if (token.text === ',' && depth === 0) {
          args.push([]);
          continue;
        }
      }
      args.at(-1)!.push(token);
    }
  }

  /** Tells the stream what was just read as a whole (a C fragment), for the rules about line breaks. */
  endedWith(token: Token): void {
    this.last = token;
    this.before = token;
  }

  /** The next tokens are the inline's body. False (after a diagnostic) when that is impossible. */
  callInline(inline: Inline, args: readonly (readonly Token[])[], call: Token, whole: Span): boolean {
    if (this.frames.some((frame) => frame.inline === inline)) {
      this.diagnostics.error('SPW1006', call.span, `the inline '${inline.name}' calls itself`, {
        help: 'inlines are replaced by their text; use a proctype or a loop for recursion',
      });
      return false;
    }
    this.work += inline.body.length;
    if (this.frames.length > DEEPEST_INLINE || this.work > MOST_TOKENS) {
      this.exhausted = true;
      this.frames.splice(0, this.frames.length, { tokens: [endOf(this.frames[0]!)], at: 0, inline: null });
      this.diagnostics.error(
        'SPW1207',
        call.span,
        `expanding the inline '${inline.name}' makes the model too large`,
      );
      return false;
    }
    const expansion: Expansion = { what: 'inline', name: inline.name, span: whole, outer: call.expansion };
    const tokens: Token[] = [];
    for (const token of inline.body) {
      const index = token.kind === 'name' ? inline.parameters.indexOf(token.text) : -1;
      if (index < 0)
        tokens.push(
          copyOf(token, token.newline, token.space, token.span, within(token.expansion, expansion)),
        );
      else
        for (const arg of args[index]!) tokens.push(copyOf(arg, false, arg.space, arg.span, arg.expansion));
    }
    if (tokens[0] !== undefined) tokens[0] = { ...tokens[0], newline: false };
    this.frames.push({ tokens, at: 0, inline });
    this.last = null;
    this.before = null;
    return true;
  }
}

const isSeparator = (token: Token): boolean =>
  token.kind === 'mark' && (token.text === ';' || token.text === '->');

const endOf = (frame: Frame): Token => frame.tokens.at(-1)!;

const within = (own: Expansion | null, outer: Expansion): Expansion =>
  own === null ? outer : { ...own, outer: own.outer ?? outer };
