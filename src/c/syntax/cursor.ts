// Where the parser stands in the tokens, which names are types there, and how far a construct reaches in the user's text.

import type { Token } from '../../cpp/token.ts';
import { TokenCursor } from '../../source/cursor.ts';
import { refuse } from '../text/codes.ts';
import { headerOfType } from '../text/headers/results.ts';

/** Names that the compiler has as types without a declaration. */
const BUILT_IN_TYPES = ['__builtin_va_list'];

const BEFORE_TYPE = /^(?:[;{}(,]|static|extern|const|volatile|register|typedef|inline)$/;
const STATEMENT = /^(?:break|case|continue|default|do|else|goto|return|sizeof)$/;

/** Of floating point, which gcc has for some machines: of 16 bits, and of decimal digits. */
const OTHER_FORMATS = /^(?:(_Float16|__fp16|__bf16)|_Decimal(?:32|64|128))$/;

/** What has no end, by how it begins. */
const UNCLOSED: readonly (readonly [problem: string, begins: RegExp])[] = [
  ['this comment has no end', /^\/\*/],
  ["this string has no '\"' at its end", /^(?:u8|[uUL])?"/],
  ["this character has no ' at its end", /^(?:u8|[uUL])?'/],
];

/** Where it begins, not all that is behind it. */
function oneLineOf({ text, span }: Token): Token['span'] {
  const line = text.indexOf('\n');
  return line < 0 ? span : { ...span, end: Math.min(span.end, span.start + line) };
}

export class Cursor extends TokenCursor<Token> {
  private readonly watch: () => void;
  /** Innermost last: is the name a type here? */
  private readonly scopes: Map<string, boolean>[] = [new Map(BUILT_IN_TYPES.map((name) => [name, true]))];

  /** `watch`: called for every token; may throw when the time is over. */
  constructor(tokens: readonly Token[], watch: () => void = () => {}) {
    super(tokens);
    this.watch = watch;
  }

  override next(): Token {
    this.watch();
    return super.next();
  }

  protected override isPlain(token: Token): boolean {
    return token.kind === 'mark' || token.kind === 'name';
  }

  expect(text: string): Token {
    if (this.is(text)) return this.next();
    return this.missing(text);
  }

  name(what: string): Token {
    if (this.token.kind === 'name') return this.next();
    return this.fail(`${what} is missing here`);
  }

  /** What belongs right behind the last token is missing there, not at the token after a line break. */
  private missing(text: string): never {
    const last = this.tokens[this.at - 1];
    const unknown = this.unknownType();
    if (unknown !== null) return this.refuseType(unknown);
    const place = last?.span;
    if (
      place === undefined ||
      this.token.kind === 'bad' ||
      !this.token.newline ||
      place.file !== this.token.span.file
    )
      return this.fail(`'${text}' is missing here`);
    const span = { file: place.file, start: place.end, end: place.end + 1 };
    return refuse('SPW5001', `'${text}' is missing here`, span, `add '${text}' at the end of the line`);
  }

  /** A name that is meant as a type, and that nobody declares. */
  refuseType({ text, span }: Token): never {
    const other = OTHER_FORMATS.exec(text);
    if (other !== null) {
      const help = `use ${other[1] === undefined ? 'double' : 'float'}`;
      return refuse('SPW5012', `the type '${text}' is not supported`, span, help);
    }
    const header = text === 'bool' ? 'stdbool.h' : headerOfType(text);
    const help = header === null ? 'declare it before this place' : `include <${header}>`;
    return refuse('SPW5001', `unknown type '${text}'`, span, help);
  }

  /** A name that nobody declares where a declaration can begin, or in brackets before a value: it is meant as a type. */
  private unknownType(): Token | null {
    const isCast = this.at > 2 && isWord(this.tokens[this.at - 1]!, ')');
    const at = this.at - (isCast ? 2 : 1);
    const [before, name] = [this.tokens[at - 1], this.tokens[at]];
    if (name?.kind !== 'name' || this.token.newline || STATEMENT.test(name.text)) return null;
    // Outside of functions, or behind such a word, it was taken for what is declared.
    const isOutside = this.scopes.length === 1;
    const isDeclared = isOutside || before?.kind === 'name';
    if (!isDeclared && this.scopes.some((scope) => scope.has(name.text))) return null;
    const goesOn = this.token.kind === 'name' || (isOutside && isWord(this.token, '*'));
    const isBeforeName = goesOn && (before === undefined || BEFORE_TYPE.test(before.text));
    const isBeforeValue = /^(?:name|number|string|char)$/.test(this.token.kind) && before?.text === '(';
    return (isCast ? isBeforeValue : isBeforeName) ? name : null;
  }

  fail(message: string): never {
    const [unclosed] =
      UNCLOSED.find(([, begins]) => this.token.kind === 'bad' && begins.test(this.token.text)) ?? [];
    if (unclosed !== undefined) return refuse('SPW5001', unclosed, oneLineOf(this.token));
    const token = this.token.kind === 'end' ? (this.tokens[this.at - 1] ?? this.token) : this.token;
    return refuse('SPW5001', message, token.span);
  }

  unsupported(what: string, start: Token, help?: string): never {
    return refuse('SPW5012', `${what} is not supported`, this.spanFrom(start), help);
  }

  /** Passes over a group in brackets. */
  skipGroup(): void {
    let depth = 0;
    for (;;) {
      const token = this.next();
      if (token.kind === 'end') this.fail("')' is missing here");
      if (isWord(token, '(')) depth++;
      if (isWord(token, ')') && --depth === 0) return;
    }
  }

  /** What `#pragma pack` said before the last token. */
  pack(): number | null {
    return this.tokens[this.at - 1]?.pack ?? null;
  }

  // Names

  inScope<T>(work: () => T): T {
    this.scopes.push(new Map());
    try {
      return work();
    } finally {
      this.scopes.pop();
    }
  }

  declare(name: string, isType: boolean): void {
    this.scopes.at(-1)!.set(name, isType);
  }

  isTypeName(name: string): boolean {
    for (let i = this.scopes.length - 1; i >= 0; i--) {
      const known = this.scopes[i]!.get(name);
      if (known !== undefined) return known;
    }
    return false;
  }
}

export const isWord = (token: Token, text: string): boolean =>
  token.text === text && (token.kind === 'mark' || token.kind === 'name');
