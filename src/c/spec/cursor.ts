// Tokens of .spec files, and the numbers in them: sums over constants and over the variables of `for`.

import { TokenCursor } from '../../source/cursor.ts';
import type { SourceFile, Span } from '../../source/source.ts';
import { refuse } from '../text/codes.ts';

export interface Token {
  readonly kind: 'name' | 'number' | 'string' | 'punct' | 'end';
  readonly text: string;
  readonly span: Span;
}

const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\s+|(?<name>deadlock-free|[A-Za-z_]\w*)|(?<number>\d+)|(?<string>"[^"\n]*")|(?<punct>\.\.|[\s\S])/gy;

function tokenize(file: SourceFile): Token[] {
  const tokens: Token[] = [];
  for (const match of file.text.matchAll(TOKEN)) {
    const kind = (['name', 'number', 'string', 'punct'] as const).find(
      (key) => match.groups![key] !== undefined,
    );
    const span = { file, start: match.index, end: match.index + match[0].length };
    if (kind !== undefined) tokens.push({ kind, text: match[0], span });
  }
  const end = file.text.length;
  tokens.push({ kind: 'end', text: 'the end of the file', span: { file, start: end, end } });
  return tokens;
}

export class SpecCursor extends TokenCursor<Token> {
  protected readonly constants = new Map<string, number>();
  private readonly given = new Map<string, number>();

  /** `defines` (-DN=3) override constants. */
  constructor(file: SourceFile, defines: readonly string[]) {
    super(tokenize(file));
    for (const define of defines) {
      const [name, value] = define.split('=');
      if (/^-?\d+$/.test(value ?? '')) this.given.set(name!, Number(value));
    }
  }

  protected define(name: string, value: number): void {
    this.constants.set(name, this.given.get(name) ?? value);
  }

  protected expect(text: string): Token {
    const token = this.next();
    if (token.text !== text) refuse('SPW5101', `'${text}' is expected here, not '${token.text}'`, token.span);
    return token;
  }

  protected name(what: string): Token {
    const token = this.next();
    if (token.kind !== 'name') refuse('SPW5101', `${what} is expected here, not '${token.text}'`, token.span);
    return token;
  }

  protected range(scope: ReadonlyMap<string, number>): [number, number] {
    const low = this.sum(scope);
    if (!this.take('..')) return [low, low];
    return [low, this.sum(scope)];
  }

  protected sum(scope: ReadonlyMap<string, number>): number {
    let result = this.factor(scope);
    for (;;) {
      if (this.take('+')) result += this.factor(scope);
      else if (this.take('-')) result -= this.factor(scope);
      else if (this.take('%')) result %= this.factor(scope);
      else if (this.take('*')) result *= this.factor(scope);
      else return result;
    }
  }

  private factor(scope: ReadonlyMap<string, number>): number {
    const token = this.next();
    if (token.text === '-') return -this.factor(scope);
    if (token.text === '(') {
      const inner = this.sum(scope);
      this.expect(')');
      return inner;
    }
    if (token.kind === 'number') return Number(token.text);
    const value = scope.get(token.text) ?? this.constants.get(token.text);
    return value ?? refuse('SPW5101', `'${token.text}' is not a number or a constant`, token.span);
  }
}
