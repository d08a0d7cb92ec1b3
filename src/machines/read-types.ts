// Machines as processes, in two notations that differ in their signs only:
//
//   session types (KMC)                       systems (ChorGram, `.cms`)
//   S: rec x . C?req; { C!ko; x, C!ok; end }  system demo of S, C : S = * (C ? req ; (C ! ko + C ! ok)) || C = …
//
// A process is a sequence of moves, a choice, a jump to `rec x`, or the end. In `.cms` a `*` repeats, and `do P` begins P again.
// Comments: `--` and `/* */` in session types, `..` and `[ ]` in `.cms`.

import { Problems } from '../petri/problems.ts';
import { TokenCursor } from '../source/cursor.ts';
import { type SourceFile, type Span, startOf } from '../source/source.ts';
import type { ReadMachines } from './model.ts';
import { buildSystem, type NamedMove } from './system.ts';

interface Token {
  readonly kind: 'sign' | 'end';
  readonly text: string;
  readonly span: Span;
}

export const isSessionTypes = (text: string): boolean =>
  /^\s*(--[^\n]*\n\s*|\/\*[\s\S]*?\*\/\s*)*[A-Z]\w*\s*:\s*(rec\b|end\b|\{|[A-Z]\w*\s*[!?])/.test(text);
export const isCms = (text: string): boolean =>
  /^\s*(\.\.[^\n]*\n\s*|\[[^\]]*\]\s*)*system\s+\w+\s+of\b/.test(text);

export function readTypes(file: SourceFile): ReadMachines {
  const problems = new Problems(file);
  const cms = isCms(file.text);
  const reader = new ProcessReader(tokensOf(file, cms, problems), problems, file);
  const system = cms ? reader.system() : reader.types();
  return { system: problems.failed ? null : system, diagnostics: problems.found };
}

function tokensOf(file: SourceFile, cms: boolean, problems: Problems): Token[] {
  const comments = cms ? String.raw`\.\.[^\n]*|\[[^\]]*\]` : String.raw`--[^\n]*|\/\*[\s\S]*?\*\/`;
  const pattern = new RegExp(`${comments}|\\s+|(\\w+|\\|\\||[:;,.{}()!?+*=<>])|(.)`, 'g');
  const tokens: Token[] = [];
  for (const match of file.text.matchAll(pattern)) {
    const span = { file, start: match.index, end: match.index + match[0].length };
    if (match[1] !== undefined) tokens.push({ kind: 'sign', text: match[1], span });
    else if (match[2] !== undefined) problems.error('SPW8110', span, `'${match[2]}' does not belong here`);
  }
  const end = { file, start: Math.max(0, file.text.length - 1), end: file.text.length };
  tokens.push({ kind: 'end', text: '', span: end });
  return tokens;
}

class Wrong extends Error {}

interface Draft {
  readonly name: string;
  readonly span: Span;
  readonly states: { name: string; at: ReturnType<typeof startOf> }[];
  readonly moves: {
    from: number;
    to: number;
    partner: Token | null;
    kind: 'send' | 'receive';
    message: string;
    span: Span;
  }[];
  /** State → the state that it is. */
  readonly same: Map<number, number>;
}

class ProcessReader extends TokenCursor<Token> {
  private readonly problems: Problems;
  private readonly file: SourceFile;
  private readonly drafts: Draft[] = [];
  private draft!: Draft;

  constructor(tokens: readonly Token[], problems: Problems, file: SourceFile) {
    super(tokens);
    this.problems = problems;
    this.file = file;
  }

  types() {
    return this.guarded(() => {
      while (this.token.text !== '') {
        this.begin(this.name());
        this.expect(':');
        this.behaviour(0, new Map());
      }
    });
  }

  system() {
    return this.guarded(() => {
      this.expect('system');
      this.name();
      this.expect('of');
      const declared = [this.name()];
      while (this.take(',')) declared.push(this.name());
      this.expect(':');
      do {
        this.begin(this.name());
        this.expect('=');
        this.sum(0, this.endless());
      } while (this.take('||'));
      if (this.token.text !== '') this.fail(`'${this.token.text}' is not expected here`);
      for (const { text, span } of declared)
        if (!this.drafts.some(({ name }) => name === text))
          this.problems.error('SPW8112', span, `there is no machine '${text}'`);
    });
  }

  private guarded(read: () => void) {
    try {
      read();
    } catch (problem) {
      if (!(problem instanceof Wrong)) throw problem;
    }
    return this.problems.failed ? null : this.built();
  }

  private fail(message: string, span: Span = this.token.span, help?: string): never {
    this.problems.error('SPW8111', span, message, help);
    throw new Wrong();
  }

  private expect(text: string): Token {
    if (this.token.text !== text) this.fail(`'${text}' is expected here, not ${this.shown()}`);
    return this.next();
  }

  private shown(): string {
    return this.token.text === '' ? 'the end of the file' : `'${this.token.text}'`;
  }

  private name(): Token {
    if (!/^\w+$/.test(this.token.text)) this.fail(`a name is expected here, not ${this.shown()}`);
    return this.next();
  }

  private begin({ text, span }: Token): void {
    if (this.drafts.some(({ name }) => name === text))
      this.fail(`there is another machine named '${text}'`, span);
    this.draft = { name: text, span, states: [], moves: [], same: new Map() };
    this.drafts.push(this.draft);
    this.state(span);
  }

  private state(span: Span): number {
    return this.draft.states.push({ name: `q${this.draft.states.length}`, at: startOf(span) }) - 1;
  }

  private endless(): number {
    return this.state(this.token.span);
  }

  /** `P!m` or `P?m`, with an optional payload `<t>`. */
  private action(from: number, to: number): void {
    const partner = this.name();
    const sign = this.next();
    if (sign.text !== '!' && sign.text !== '?')
      this.fail("'!' or '?' is expected here", sign.span, 'a move is PARTNER!message or PARTNER?message');
    let message = this.name().text;
    if (this.take('<')) {
      message += `<${this.name().text}>`;
      this.expect('>');
    }
    const kind = sign.text === '!' ? 'send' : 'receive';
    this.draft.moves.push({ from, to, partner, kind, message, span: partner.span });
  }

  /** A session type from the state on. */
  private behaviour(from: number, variables: ReadonlyMap<string, number>): void {
    if (this.take('end')) return;
    if (this.take('rec')) {
      const variable = this.name().text;
      this.expect('.');
      this.behaviour(from, new Map(variables).set(variable, from));
    } else if (this.take('{')) {
      do this.behaviour(from, variables);
      while (this.take(','));
      this.expect('}');
    } else if (variables.has(this.token.text) && !/^[!?]$/.test(this.tokens[this.at + 1]?.text ?? '')) {
      const target = variables.get(this.next().text)!;
      if (target !== from) this.draft.same.set(from, target);
    } else {
      const to = this.state(this.token.span);
      this.action(from, to);
      if (this.take(';')) this.behaviour(to, variables);
    }
  }

  /** A process of .cms: branches with +, from one state to another. */
  private sum(from: number, to: number): void {
    if (this.take('*')) {
      // The loop may be left before any round: its end is where it begins.
      this.draft.same.set(to, from);
      this.branches(from, from);
    } else this.branches(from, to);
  }

  private branches(from: number, to: number): void {
    do this.branch(from, to);
    while (this.take('+'));
  }

  private branch(from: number, to: number): void {
    if (this.take('(')) {
      this.sum(from, to);
      this.expect(')');
      if (this.take(';'))
        this.fail(
          'nothing may follow a group here',
          this.token.span,
          'write the continuation inside of each branch',
        );
      return;
    }
    const step = (target: number): void => {
      if (this.take('tau')) {
        if (/^\w+$/.test(this.token.text) && this.token.text !== 'do') this.next();
        this.draft.moves.push({
          from,
          to: target,
          partner: null,
          kind: 'send',
          message: '',
          span: this.token.span,
        });
      } else this.action(from, target);
    };
    const middle = this.state(this.token.span);
    step(middle);
    if (this.take('do')) {
      const { text, span } = this.name();
      if (text !== this.draft.name) this.fail(`'do' begins the same machine again, not '${text}'`, span);
      this.draft.same.set(middle, 0);
    } else if (this.take(';') && !this.isOver() && !this.take('end')) this.branch(middle, to);
    else this.draft.same.set(middle, to);
  }

  private isOver(): boolean {
    return ['', ')', '+', '||'].includes(this.token.text);
  }

  private built() {
    const names = this.drafts.map(({ name }) => name);
    const machines = this.drafts.map(({ name, states, moves, same }, self) => {
      const resolve = (state: number): number => {
        let at = state;
        for (let steps = 0; same.has(at) && steps <= states.length; steps++) at = same.get(at)!;
        return at;
      };
      const list = moves.flatMap(({ from, to, partner, kind, message, span }): NamedMove[] => {
        const ends = { from: resolve(from), to: resolve(to), at: startOf(span) };
        if (partner === null) return [{ ...ends, action: null }];
        const other = names.indexOf(partner.text);
        if (other < 0)
          this.problems.error(
            'SPW8108',
            partner.span,
            `there is no machine '${partner.text}'`,
            `machines are ${names.join(', ')}`,
          );
        else if (other === self)
          this.problems.error('SPW8109', partner.span, 'a machine does not talk to itself');
        return other < 0 || other === self ? [] : [{ ...ends, action: { kind, partner: other, message } }];
      });
      return { name, ...withoutUnused(states, resolve(0), list) };
    });
    return buildSystem(this.file.path, machines);
  }
}

/** States that stood only for others are left out. */
function withoutUnused(states: Draft['states'], initial: number, moves: readonly NamedMove[]) {
  const used = [...new Set([initial, ...moves.flatMap(({ from, to }) => [from, to])])].sort((a, b) => a - b);
  const number = new Map(used.map((state, index) => [state, index]));
  return {
    states: used.map((state, index) => ({ ...states[state]!, name: `q${index}` })),
    initial: number.get(initial)!,
    moves: moves.map((move) => ({ ...move, from: number.get(move.from)!, to: number.get(move.to)! })),
  };
}
