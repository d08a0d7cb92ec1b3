// Tokens of the generated text, one at a time. No comments, strings or regular expressions occur in it.

export type TokenKind = 'name' | 'number' | 'sign' | 'end';

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || isDigit(code);

/** Signs that begin with the character, longest first; by its code. */
const SIGNS: readonly (readonly string[] | undefined)[] = (() => {
  const table: string[][] = [];
  const all =
    '>>>= === !== >>> ||= << <= >> >= && &= || |= ++ += -- -= ( ) [ ] { } ; , . : ? = ! < > & | + - * / % ^ ~';
  for (const sign of all.split(' ')) (table[sign.charCodeAt(0)] ??= []).push(sign);
  return table;
})();

const OPEN = '{'.charCodeAt(0);
const CLOSE = '}'.charCodeAt(0);
const C = 'c'.charCodeAt(0);
const D = 'd'.charCodeAt(0);

export class Scanner {
  /** The current token. */
  kind: TokenKind = 'end';
  text = '';
  value = 0;
  private readonly source: string;
  private at = 0;

  constructor(source: string) {
    this.source = source;
    this.next();
  }

  next(): void {
    const { source } = this;
    let code = source.charCodeAt(this.at);
    while (code === 32 || code === 10) code = source.charCodeAt(++this.at);
    const start = this.at;
    if (start >= source.length) {
      this.kind = 'end';
      this.text = '';
    } else if (isDigit(code)) {
      let value = 0;
      for (; isDigit(code); code = source.charCodeAt(++this.at)) value = value * 10 + code - 48;
      this.kind = 'number';
      this.text = '';
      this.value = value | 0;
    } else if (isLetter(code)) {
      while (isLetter(code)) code = source.charCodeAt(++this.at);
      this.kind = 'name';
      this.text = source.slice(start, this.at);
    } else {
      this.kind = 'sign';
      this.text = signAt(source, start, code);
      this.at = start + this.text.length;
    }
  }

  /** Before the brace of a `switch`: its values in order, null for `default`. */
  casesAhead(): (number | null)[] {
    const { source } = this;
    const values: (number | null)[] = [];
    let open = 1;
    for (let at = this.at; open > 0; at++) {
      const code = source.charCodeAt(at);
      if (code === OPEN) open++;
      else if (code === CLOSE) open--;
      else if (open === 1 && (code === C || code === D) && !isLetter(source.charCodeAt(at - 1))) {
        if (source.startsWith('case ', at)) values.push(Number.parseInt(source.slice(at + 5, at + 16), 10));
        else if (source.startsWith('default:', at)) values.push(null);
      }
    }
    return values;
  }

  is(text: string): boolean {
    return this.text === text;
  }

  /** Passes the token if it is this one. */
  take(text: string): boolean {
    if (this.text !== text) return false;
    this.next();
    return true;
  }

  expect(text: string): void {
    if (!this.take(text))
      throw new Error(`impossible: generated text has '${this.text}' instead of '${text}'`);
  }

  name(): string {
    const { text } = this;
    if (this.kind !== 'name') throw new Error(`impossible: generated text has '${text}' instead of a name`);
    this.next();
    return text;
  }
}

function signAt(source: string, at: number, code: number): string {
  const signs = SIGNS[code];
  if (signs === undefined) throw new Error(`impossible: '${source[at]}' in generated text`);
  for (const sign of signs) if (sign.length === 1 || source.startsWith(sign, at)) return sign;
  throw new Error(`impossible: '${source[at]}' in generated text`);
}
