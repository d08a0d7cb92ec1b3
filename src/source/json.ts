// JSON with places: every value knows where it stands, and what is wrong with the text is reported where it is wrong. Commas too many are reported, and read on.

import { type SourceFile, type Span, startOf } from './source.ts';

export type JsonValue = { readonly span: Span } & (
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'array'; readonly items: readonly JsonValue[] }
  | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
);

export interface JsonMember {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: JsonValue;
}

export interface JsonProblem {
  readonly message: string;
  readonly span: Span;
  readonly help?: string;
}

const DEEPEST = 200;

/** The value, or null when nothing could be read; problems in the order of the text. */
export function parseJson(file: SourceFile): {
  readonly value: JsonValue | null;
  readonly problems: readonly JsonProblem[];
} {
  const parser = new JsonParser(file);
  try {
    return { value: parser.document(), problems: parser.problems };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { value: null, problems: parser.problems };
  }
}

/** What the value is in JavaScript. */
export function plainJson(value: JsonValue): unknown {
  switch (value.kind) {
    case 'null':
      return null;
    case 'array':
      return value.items.map(plainJson);
    case 'object':
      return Object.fromEntries(value.members.map(({ key, value: member }) => [key, plainJson(member)]));
    default:
      return value.value;
  }
}

class Unreadable extends Error {}

class JsonParser {
  readonly problems: JsonProblem[] = [];
  private at = 0;
  private readonly file: SourceFile;
  private readonly text: string;

  constructor(file: SourceFile) {
    this.file = file;
    this.text = file.text;
    if (this.text.startsWith('\uFEFF')) this.at = 1;
  }

  document(): JsonValue {
    const value = this.value(0);
    this.space();
    if (this.at < this.text.length) this.give('something follows the end of the value', this.here());
    return value;
  }

  private value(depth: number): JsonValue {
    this.space();
    const start = this.at;
    const character = this.text[this.at];
    if (depth > DEEPEST) throw this.fail('the value is nested too deeply');
    if (character === '{') return this.object(start, depth);
    if (character === '[') return this.array(start, depth);
    if (character === '"') return { kind: 'string', value: this.string(), span: this.from(start) };
    for (const [word, value] of WORDS) {
      if (!this.text.startsWith(word, start)) continue;
      this.at += word.length;
      return value === null
        ? { kind: 'null', span: this.from(start) }
        : { kind: 'boolean', value, span: this.from(start) };
    }
    const number = /-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
    number.lastIndex = start;
    const match = number.exec(this.text);
    if (match === null)
      throw this.fail(
        character === undefined
          ? 'a value is missing at the end'
          : `a value is missing before '${character}'`,
      );
    this.at += match[0].length;
    return { kind: 'number', value: Number(match[0]), span: this.from(start) };
  }

  private object(start: number, depth: number): JsonValue {
    const members: JsonMember[] = [];
    const seen = new Map<string, Span>();
    this.list('}', () => {
      const keyStart = this.at;
      if (this.text[this.at] !== '"') throw this.fail('a key in double quotes is missing');
      const key = this.string();
      const keySpan = this.from(keyStart);
      const earlier = seen.get(key);
      if (earlier !== undefined)
        this.give(
          `the key "${key}" is given twice`,
          keySpan,
          `the first one is in line ${startOf(earlier).line}`,
        );
      seen.set(key, keySpan);
      this.space();
      if (this.text[this.at] !== ':') throw this.fail(`a ':' is missing after "${key}"`);
      this.at++;
      members.push({ key, keySpan, value: this.value(depth + 1) });
    });
    return { kind: 'object', members, span: this.from(start) };
  }

  private array(start: number, depth: number): JsonValue {
    const items: JsonValue[] = [];
    this.list(']', () => items.push(this.value(depth + 1)));
    return { kind: 'array', items, span: this.from(start) };
  }

  /** Elements between commas up to the closing bracket. */
  private list(close: string, element: () => void): void {
    this.at++;
    this.space();
    if (this.text[this.at] === close) {
      this.at++;
      return;
    }
    for (;;) {
      this.space();
      element();
      this.space();
      const separator = this.text[this.at];
      if (separator === close) {
        this.at++;
        return;
      }
      if (separator !== ',')
        throw this.fail(
          separator === undefined
            ? `the closing '${close}' is missing`
            : `a ',' or '${close}' is missing before '${separator}'`,
        );
      const comma = this.from(this.at, this.at + 1);
      this.at++;
      this.space();
      if (this.text[this.at] !== close) continue;
      this.give(
        `there is a comma too many before '${close}'`,
        comma,
        'JSON allows none after the last element',
      );
      this.at++;
      return;
    }
  }

  private string(): string {
    const start = this.at;
    const end = /"(?:[^"\\\n]|\\.)*"/y;
    end.lastIndex = start;
    const match = end.exec(this.text);
    if (match === null) throw this.fail('the closing quote of this string is missing');
    this.at += match[0].length;
    try {
      return JSON.parse(match[0]) as string;
    } catch {
      this.give('this string holds a character or an escape that JSON does not allow', this.from(start));
      return match[0].slice(1, -1);
    }
  }

  private space(): void {
    for (;;) {
      while (/[ \t\r\n]/.test(this.text[this.at] ?? '')) this.at++;
      if (!/^\/[/*]/.test(this.text.slice(this.at, this.at + 2))) return;
      const start = this.at;
      const end =
        this.text[this.at + 1] === '/'
          ? this.text.indexOf('\n', this.at)
          : this.text.indexOf('*/', this.at) + 2;
      this.at = end <= start ? this.text.length : end;
      this.give('JSON has no comments', this.from(start));
    }
  }

  private from(start: number, end = this.at): Span {
    return { file: this.file, start, end };
  }

  private here(): Span {
    const start = Math.min(this.at, Math.max(0, this.text.length - 1));
    return { file: this.file, start, end: start + 1 };
  }

  private give(message: string, span: Span, help?: string): void {
    this.problems.push({ message, span, ...(help === undefined ? {} : { help }) });
  }

  private fail(message: string): Unreadable {
    this.give(message, this.here());
    return new Unreadable(message);
  }
}

const WORDS = [
  ['null', null],
  ['true', true],
  ['false', false],
] as const;
