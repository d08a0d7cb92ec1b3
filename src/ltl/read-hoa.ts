// Reads automata in the Hanoi Omega-Automata format, version 1: what Spot, Owl, ltl3ba and others print.
// Understood: one initial state, explicit labels on edges or states, Büchi and generalised Büchi acceptance.

import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile } from '../source/source.ts';
import type { Automaton, AutomatonEdge } from './automaton.ts';
import { allMarks, MAX_MARKS, mergeEdges } from './automaton.ts';
import { Bdd, TooManyNodes } from './bdd.ts';
import type { Atom } from './structure.ts';

export interface HoaRead {
  /** Null when there are errors. */
  readonly automaton: Automaton | null;
  readonly diagnostics: readonly Diagnostic[];
}

export function readHoa(file: SourceFile): HoaRead {
  const reader = new Reader(file);
  try {
    return { automaton: reader.read(), diagnostics: [] };
  } catch (error) {
    if (error instanceof Unreadable) return { automaton: null, diagnostics: [error.diagnostic] };
    if (error instanceof TooManyNodes)
      return { automaton: null, diagnostics: [reader.problem('a label is too large')] };
    throw error;
  }
}

class Unreadable extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

interface Token {
  readonly text: string;
  readonly start: number;
}

const TOKEN =
  /\s+|\/\*[\s\S]*?\*\/|("(?:[^"\\]|\\.)*"|--\w+--|[A-Za-z_][\w-]*:|[A-Za-z_@][\w-]*|\d+|[[\](){}!&|])/y;
const MAX_STATES = 100_000;
const MAX_DEPTH = 500;

class Reader {
  private readonly file: SourceFile;
  private readonly guards = new Bdd();
  private readonly aliases = new Map<string, number>();
  private tokens: Token[] = [];
  private at = 0;
  private depth = 0;
  private states = -1;
  private start = -1;
  private marks = -1;
  private atoms: string[] = [];
  private events: number[] = [];

  constructor(file: SourceFile) {
    this.file = file;
  }

  read(): Automaton {
    this.tokens = this.tokenize();
    this.header();
    const edges = this.body();
    const atoms = this.atoms.map(
      (name, id): Atom => ({ kind: this.events.includes(id) ? 'event' : 'proposition', id, name }),
    );
    return {
      atoms,
      guards: this.guards,
      letters: 1,
      initial: this.start,
      marks: this.marks,
      edges: edges.map((list) => mergeEdges(this.guards, list)),
    };
  }

  problem(message: string, token: Token | undefined = this.tokens[this.at]): Diagnostic {
    const start = token?.start ?? Math.max(0, this.file.text.length - 1);
    const end = start + Math.max(1, token?.text.length ?? 1);
    return { code: 'SPW3211', severity: 'error', message, span: { file: this.file, start, end } };
  }

  private fail(message: string, token?: Token): never {
    throw new Unreadable(this.problem(message, token));
  }

  private tokenize(): Token[] {
    const tokens: Token[] = [];
    const { text } = this.file;
    for (let at = 0; at < text.length; ) {
      TOKEN.lastIndex = at;
      const match = TOKEN.exec(text);
      if (match === null) this.fail('this is no part of the HOA format', { text: text[at]!, start: at });
      if (match[1] !== undefined) tokens.push({ text: match[1], start: at });
      at += match[0].length;
    }
    return tokens;
  }

  private header(): void {
    if (this.next() !== 'HOA:' || this.next() !== 'v1') {
      this.at = 0;
      this.fail('an automaton in HOA format begins with HOA: v1');
    }
    while (this.peek() !== '--BODY--') {
      const name = this.next();
      if (!name.endsWith(':')) this.fail(`a header is expected, not '${name}'`, this.tokens[this.at - 1]);
      this.headerItem(name.slice(0, -1));
      while (this.peek() !== '' && !this.peek().endsWith(':') && this.peek() !== '--BODY--') this.at++;
    }
    this.at++;
    if (this.states < 0) this.fail('the header States: is missing');
    if (this.start < 0 || this.start >= this.states) this.fail('one initial state is needed (Start:)');
    if (this.marks < 0) this.fail('the header Acceptance: is missing');
  }

  private headerItem(name: string): void {
    switch (name) {
      case 'States':
        this.states = this.integer(MAX_STATES);
        break;
      case 'Start':
        if (this.start >= 0) this.fail('only one initial state is supported');
        this.start = this.integer(MAX_STATES);
        if (this.peek() === '&') this.fail('alternating automata are not supported');
        break;
      case 'AP':
        this.atoms = Array.from({ length: this.integer(10_000) }, () => this.quoted());
        break;
      case 'spillway-events':
        while (/^\d+$/.test(this.peek())) this.events.push(this.integer(10_000));
        break;
      case 'Alias': {
        const alias = this.next();
        this.aliases.set(alias, this.label());
        break;
      }
      case 'Acceptance':
        this.acceptance();
        break;
      default:
        if (/^[A-Z]/.test(name)) this.fail(`the header ${name}: is not supported`, this.tokens[this.at - 1]);
    }
  }

  /** `t`, or Inf(0) & Inf(1) & … with every set once. */
  private acceptance(): void {
    this.marks = this.integer(MAX_MARKS);
    let seen = 0;
    if (this.marks === 0 && this.peek() === 't') {
      this.at++;
      return;
    }
    for (;;) {
      for (const part of ['Inf', '(']) {
        if (this.next() !== part)
          this.fail('only (generalised) Büchi acceptance is supported', this.tokens[this.at - 1]);
      }
      seen |= 2 ** this.integer(this.marks - 1);
      if (this.next() !== ')') this.fail("')' is missing", this.tokens[this.at - 1]);
      if (this.peek() !== '&') break;
      this.at++;
    }
    if (this.peek() === '|' || seen !== allMarks(this.marks))
      this.fail('only (generalised) Büchi acceptance is supported');
  }

  private body(): AutomatonEdge[][] {
    const edges: AutomatonEdge[][] = Array.from({ length: this.states }, () => []);
    while (this.peek() === 'State:') {
      this.at++;
      const stateLabel = this.peek() === '[' ? this.bracketed() : null;
      const state = this.integer(this.states - 1);
      if (this.peek().startsWith('"')) this.at++;
      const stateMarks = this.markSet();
      while (this.peek() === '[' || /^\d+$/.test(this.peek())) {
        const guard = this.peek() === '[' ? this.bracketed() : stateLabel;
        if (guard === null) this.fail('an edge without a label: implicit labels are not supported');
        const target = this.integer(this.states - 1);
        if (this.peek() === '&') this.fail('alternating automata are not supported');
        edges[state]!.push({ guard, target, marks: stateMarks | this.markSet() });
      }
    }
    if (this.peek() !== '--END--') this.fail('a state or --END-- is expected');
    return edges;
  }

  private markSet(): number {
    if (this.peek() !== '{') return 0;
    this.at++;
    let marks = 0;
    while (/^\d+$/.test(this.peek())) marks |= 2 ** this.integer(this.marks - 1);
    if (this.next() !== '}') this.fail("'}' is missing", this.tokens[this.at - 1]);
    return marks;
  }

  private bracketed(): number {
    this.at++;
    const guard = this.label();
    if (this.next() !== ']') this.fail("']' is missing", this.tokens[this.at - 1]);
    return guard;
  }

  private label(): number {
    let result = this.conjunction();
    while (this.peek() === '|') {
      this.at++;
      result = this.guards.or(result, this.conjunction());
    }
    return result;
  }

  private conjunction(): number {
    let result = this.literal();
    while (this.peek() === '&') {
      this.at++;
      result = this.guards.and(result, this.literal());
    }
    return result;
  }

  private literal(): number {
    if (++this.depth > MAX_DEPTH) this.fail('labels are nested too deeply');
    try {
      const text = this.next();
      if (text === 't') return 1;
      if (text === 'f') return 0;
      if (text === '!') return this.guards.not(this.literal());
      if (text === '(') {
        const inner = this.label();
        if (this.next() !== ')') this.fail("')' is missing", this.tokens[this.at - 1]);
        return inner;
      }
      const alias = this.aliases.get(text);
      if (alias !== undefined) return alias;
      this.at--;
      return this.guards.variable(this.integer(this.atoms.length - 1));
    } finally {
      this.depth--;
    }
  }

  private integer(most: number): number {
    const text = this.next();
    if (!/^\d+$/.test(text) || Number(text) > most)
      this.fail(`a number up to ${Math.max(most, 0)} is expected, not '${text}'`, this.tokens[this.at - 1]);
    return Number(text);
  }

  private quoted(): string {
    const text = this.next();
    if (!text.startsWith('"')) this.fail('a name in double quotes is expected', this.tokens[this.at - 1]);
    return text.slice(1, -1).replaceAll(/\\(.)/g, '$1');
  }

  private peek(): string {
    return this.tokens[this.at]?.text ?? '';
  }

  private next(): string {
    const token = this.tokens[this.at];
    if (token === undefined) this.fail('the automaton ends too early');
    this.at++;
    return token.text;
  }
}
