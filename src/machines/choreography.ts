// Global choreographies (ChorGram's `.sgg` and `.gc`; Tuosto, Guanciale, "Semantics of global view of choreographies", JLAMP 95, 2018): what all
// participants do together, one interaction after the other, side by side, by choice, again and again.
//
//   G ::= (o)  |  A -> B : m  |  A => B, C : m  |  G ; G  |  G '|' G  |  sel A { G + G }  |  repeat A { G }  |  * G @ A  |  { G }  |  ( G )
//
// `branch` is another word for `sel`; `unless` clauses belong to reversible choreographies and are passed over. Comments: `..` and `[ ]`.

import type { Problems } from '../petri/problems.ts';
import type { SourceFile, Span } from '../source/source.ts';

export type Choreography =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'interaction';
      readonly from: string;
      readonly to: string;
      readonly message: string;
      readonly span: Span;
    }
  | { readonly kind: 'sequence' | 'parallel' | 'choice'; readonly parts: readonly Choreography[] }
  /** Who decides tells all others of the body whether it goes on. */
  | { readonly kind: 'loop'; readonly body: Choreography; readonly by: string; readonly span: Span };

interface Token {
  readonly text: string;
  readonly span: Span;
}

class Wrong extends Error {}

/** Null where the text is no choreography; the problems say where and why. */
export function readChoreography(file: SourceFile, problems: Problems): Choreography | null {
  const tokens = tokensOf(file, problems);
  if (problems.failed) return null;
  const reader = new Reader(tokens, problems);
  try {
    const read = reader.parallel();
    reader.expect('');
    return read;
  } catch (error) {
    if (error instanceof Wrong) return null;
    throw error;
  }
}

function tokensOf(file: SourceFile, problems: Problems): Token[] {
  const pattern = /\.\.[^\n]*|\[[^\]]*\]|\s+|(\(o\)|->|=>|[\w$#&~\\]+|[|+*;@:(),{}%])|(.)/g;
  const tokens: Token[] = [];
  for (const match of file.text.matchAll(pattern)) {
    const span = { file, start: match.index, end: match.index + match[0].length };
    if (match[1] !== undefined) tokens.push({ text: match[1], span });
    else if (match[2] !== undefined) problems.error('SPW8110', span, `'${match[2]}' does not belong here`);
  }
  const end = { file, start: Math.max(0, file.text.length - 1), end: file.text.length };
  return [...tokens, { text: '', span: end }];
}

class Reader {
  private readonly tokens: readonly Token[];
  private readonly problems: Problems;
  private at = 0;

  constructor(tokens: readonly Token[], problems: Problems) {
    this.tokens = tokens;
    this.problems = problems;
  }

  parallel(): Choreography {
    return this.several('|', 'parallel', () => this.choice());
  }

  private choice(): Choreography {
    return this.several('+', 'choice', () => this.branch());
  }

  private branch(): Choreography {
    const part = this.several(';', 'sequence', () => this.item());
    if (this.skip('unless')) this.guard();
    return part;
  }

  private several(
    sign: string,
    kind: 'sequence' | 'parallel' | 'choice',
    one: () => Choreography,
  ): Choreography {
    const parts = [one()];
    while (this.skip(sign)) parts.push(one());
    return parts.length === 1 ? parts[0]! : { kind, parts };
  }

  /** `P % text, …`: when a branch is undone. */
  private guard(): void {
    do {
      this.name();
      this.expect('%');
      this.word('a condition');
    } while (this.skip(','));
  }

  private item(): Choreography {
    const first = this.peek();
    if (this.skip('(o)')) return { kind: 'nothing' };
    if (this.skip('(')) return this.closed(')');
    if (this.skip('{')) return this.closed('}');
    if (this.skip('*')) {
      const body = this.item();
      this.expect('@');
      return this.loop(body, this.name(), first.span);
    }
    if (this.skip('repeat')) {
      const by = this.name();
      this.expect('{');
      return this.loop(this.closed('}'), by, first.span);
    }
    if (this.skip('sel') || this.skip('branch')) {
      if (this.peek().text !== '{') this.name();
      this.expect('{');
      return this.closed('}');
    }
    return this.interaction();
  }

  private closed(sign: string): Choreography {
    const inner = this.parallel();
    this.expect(sign);
    return inner;
  }

  private loop(body: Choreography, { text: by, span }: Token, at: Span): Choreography {
    if (!participantsOf(body).has(by))
      this.fail(span, `'${by}' takes no part in the loop that it decides`, 'SPW8114');
    return { kind: 'loop', body, by, span: at };
  }

  private interaction(): Choreography {
    const from = this.name();
    const many = this.skip('=>');
    if (!many) this.expect('->');
    const receivers = [this.name()];
    while (many && this.skip(',')) receivers.push(this.name());
    this.expect(':');
    const { text: message } = this.word('a message');
    const parts = receivers.map(({ text: to, span }): Choreography => {
      if (to === from.text) this.fail(span, `'${to}' does not talk to itself`, 'SPW8109');
      return { kind: 'interaction', from: from.text, to, message, span: from.span };
    });
    return parts.length === 1 ? parts[0]! : { kind: 'parallel', parts };
  }

  private name(): Token {
    const token = this.word('the name of a participant');
    if (!/^[A-Za-z]/.test(token.text))
      this.fail(token.span, `the name of a participant begins with a letter, not '${token.text}'`);
    return token;
  }

  private word(what: string): Token {
    const token = this.peek();
    if (!/^[\w$#&~\\]/.test(token.text)) this.fail(token.span, `${what} is expected here`);
    this.at++;
    return token;
  }

  private peek(): Token {
    return this.tokens[this.at]!;
  }

  private skip(text: string): boolean {
    if (this.peek().text !== text || text === '') return false;
    this.at++;
    return true;
  }

  expect(text: string): void {
    const token = this.peek();
    if (token.text === text) this.at = Math.min(this.at + 1, this.tokens.length - 1);
    else
      this.fail(
        token.span,
        text === '' ? `'${token.text}' is not expected here` : `'${text}' is expected here`,
      );
  }

  private fail(span: Span, message: string, code: 'SPW8109' | 'SPW8111' | 'SPW8114' = 'SPW8111'): never {
    this.problems.error(code, span, message);
    throw new Wrong();
  }
}

/** In the order in which they are first named. */
export function participantsOf(global: Choreography, into = new Set<string>()): Set<string> {
  switch (global.kind) {
    case 'nothing':
      return into;
    case 'interaction':
      return into.add(global.from).add(global.to);
    case 'loop':
      return participantsOf(global.body, into).add(global.by);
    default:
      for (const part of global.parts) participantsOf(part, into);
      return into;
  }
}
