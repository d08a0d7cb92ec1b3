// Reads .spec files. Statements end with a semicolon; `component` and `procedure` blocks and formulas are in braces and are
// read by the kripke and ltl rooms.

import { suggest } from '../../source/diagnostic.ts';
import type { SourceFile, Span } from '../../source/source.ts';
import { refuse } from '../text/codes.ts';
import { SpecCursor, type Token } from './cursor.ts';
import type {
  EventDefinition,
  PredicateDefinition,
  ProcessDefinition,
  Spec,
  ThreadDefinition,
} from './syntax.ts';

const STATEMENTS = [
  'use',
  'const',
  'for',
  'thread',
  'event',
  'predicate',
  'track',
  'component',
  'procedure',
  'ltl',
  'deadlock-free',
  'assertions',
  'unreachable',
  'conforms',
];

/** Throws a Refusal at the first mistake. `defines` (-DN=3) override constants. */
export function parseSpec(file: SourceFile, defines: readonly string[]): Spec {
  return new SpecParser(file, defines).parse();
}

class SpecParser extends SpecCursor {
  private readonly file: SourceFile;
  private readonly spec = {
    files: [] as { path: string; span: Span }[],
    threads: [] as ThreadDefinition[],
    events: [] as EventDefinition[],
    predicates: [] as PredicateDefinition[],
    processes: [] as ProcessDefinition[],
    formulas: [] as { name: string; span: Span; text: Span }[],
    deadlockFree: false,
    assertions: false,
    unreachable: [] as { label: string; thread: string; span: Span }[],
    conforms: [] as { thread: string; process: string; span: Span }[],
  };
  /** Stretches that belong to the .lks part. */
  private readonly kept: { start: number; end: number; procedure: boolean }[] = [];

  private readonly blanked: { start: number; end: number }[] = [];

  constructor(file: SourceFile, defines: readonly string[]) {
    super(file, defines);
    this.file = file;
  }

  parse(): Spec {
    while (this.peek().kind !== 'end') this.statement(new Map());
    const names = new Set<string>();
    for (const { name, span } of [...this.spec.threads, ...this.spec.processes]) {
      if (names.has(name)) refuse('SPW5108', `'${name}' is declared twice`, span);
      names.add(name);
    }
    return { ...this.spec, constants: this.constants, lks: this.maskedText() };
  }

  private statement(scope: ReadonlyMap<string, number>): void {
    const token = this.next();
    switch (token.text) {
      case 'use':
        do this.spec.files.push(this.path());
        while (this.take(','));
        this.semicolon();
        return;
      case 'const': {
        const name = this.name('the name of a constant').text;
        this.expect('=');
        const value = this.sum(scope);
        this.define(name, value);
        this.kept.push({ start: token.span.start, end: this.expect(';').span.end, procedure: false });
        return;
      }
      case 'for':
        this.replicated(scope);
        return;
      case 'thread':
        this.thread(scope);
        return;
      case 'event':
        do this.event(scope);
        while (this.take(','));
        this.semicolon();
        return;
      case 'predicate':
      case 'track':
        this.predicate(token, scope);
        return;
      case 'component':
      case 'procedure':
        this.process(token);
        return;
      case 'ltl': {
        const name = this.name('the name of a formula');
        const open = this.expect('{');
        const close = this.closing();
        this.spec.formulas.push({
          name: name.text,
          span: name.span,
          text: { file: this.file, start: open.span.end, end: close.span.start },
        });
        return;
      }
      case 'deadlock-free':
        this.spec.deadlockFree = true;
        this.semicolon();
        return;
      case 'assertions':
        this.spec.assertions = true;
        this.semicolon();
        return;
      case 'unreachable': {
        const label = this.name('a label');
        this.expect('in');
        this.spec.unreachable.push({ label: label.text, thread: this.threadName(scope), span: label.span });
        this.semicolon();
        return;
      }
      case 'conforms': {
        const span = this.peek().span;
        const thread = this.threadName(scope);
        this.expect('to');
        this.spec.conforms.push({ thread, process: this.name('a component').text, span });
        this.semicolon();
        return;
      }
    }
    const near = suggest(token.text, STATEMENTS);
    refuse(
      'SPW5101',
      `'${token.text}' does not begin a statement`,
      token.span,
      near === null ? `known: ${STATEMENTS.join(', ')}` : `did you mean '${near}'?`,
    );
  }

  private semicolon(): void {
    this.expect(';');
  }

  private path(): { path: string; span: Span } {
    const token = this.next();
    if (token.kind !== 'string')
      refuse('SPW5101', 'the path of a C file in quotes is expected here', token.span);
    return { path: token.text.slice(1, -1), span: token.span };
  }

  /** `for i in 1..N: statement` */
  private replicated(scope: ReadonlyMap<string, number>): void {
    const variable = this.name('a variable').text;
    this.expect('in');
    const [low, high] = this.range(scope);
    this.expect(':');
    const body = this.at;
    if (high < low) refuse('SPW5101', 'this range is empty', this.peek().span);
    if (high - low > 10_000) refuse('SPW5101', 'this range is too long', this.peek().span);
    for (let i = low; i <= high; i++) {
      this.at = body;
      this.statement(new Map([...scope, [variable, i]]));
    }
  }

  /** A name, perhaps with indices: `Reader(i)` becomes `Reader(3)`. */
  private threadName(scope: ReadonlyMap<string, number>): string {
    const name = this.name('the name of a thread').text;
    return name + this.suffix(scope);
  }

  private suffix(scope: ReadonlyMap<string, number>): string {
    if (!this.take('(')) return '';
    const values: number[] = [];
    if (!this.take(')')) {
      do values.push(this.sum(scope));
      while (this.take(','));
      this.expect(')');
    }
    return values.length === 0 ? '' : `(${values.join(',')})`;
  }

  private thread(scope: ReadonlyMap<string, number>): void {
    const span = this.peek().span;
    const name = this.threadName(scope);
    this.expect('=');
    const called = this.name('a C function');
    const args: bigint[] = [];
    this.expect('(');
    if (!this.take(')')) {
      do args.push(BigInt(this.sum(scope)));
      while (this.take(','));
      this.expect(')');
    }
    this.spec.threads.push({ name, function: called.text, arguments: args, span, functionSpan: called.span });
    this.semicolon();
  }

  private event(scope: ReadonlyMap<string, number>): void {
    const name = this.name('a C function');
    const ranges: (readonly bigint[] | null)[] = [];
    if (this.take('(') && !this.take(')')) {
      do ranges.push(this.values(scope));
      while (this.take(','));
      this.expect(')');
    }
    this.spec.events.push({ name: name.text, ranges, span: name.span });
  }

  private values(scope: ReadonlyMap<string, number>): readonly bigint[] | null {
    if (this.take('_')) return null;
    const [low, high] = this.range(scope);
    if (high - low > 1000) refuse('SPW5101', 'this range is too long', this.peek().span);
    return Array.from({ length: high - low + 1 }, (_, i) => BigInt(low + i));
  }

  /** `predicate p in Thread: x == 3;` and `track Thread: x == 3;` */
  private predicate(keyword: Token, scope: ReadonlyMap<string, number>): void {
    let name: string | null = null;
    if (keyword.text === 'predicate') {
      name = this.name('the name of a predicate').text;
      if (this.take('[')) {
        name += `[${this.sum(scope)}]`;
        this.expect(']');
      }
      this.expect('in');
    }
    const thread = this.threadName(scope);
    const start = this.expect(':').span.end;
    while (this.peek().text !== ';' && this.peek().kind !== 'end') this.at++;
    const end = this.expect(';').span.start;
    const span = { file: this.file, start, end };
    this.spec.predicates.push({ name, thread, text: this.file.text.slice(start, end).trim(), span });
  }

  /** `component Name { … }`, `procedure name(f in 0..3) { … }` */
  private process(keyword: Token): void {
    const name = this.name('a name');
    const routine = keyword.text === 'procedure';
    const ranges: (readonly bigint[])[] = [];
    const open = this.peek();
    if (open.text === '(' && !routine)
      refuse('SPW5101', 'components of a specification have no parameters', open.span);
    if (this.take('(') && !this.take(')')) {
      do ranges.push(this.parameter());
      while (this.take(','));
      this.expect(')');
    }
    this.expect('{');
    const close = this.closing();
    this.kept.push({ start: keyword.span.start, end: close.span.end, procedure: routine });
    this.spec.processes.push({ name: name.text, routine, ranges, span: name.span });
  }

  /** The range of a parameter is ours; the .lks part only sees its name. */
  private parameter(): readonly bigint[] {
    this.name('a parameter');
    const start = this.expect('in').span.start;
    const values = this.values(new Map()) ?? [];
    this.blanked.push({ start, end: this.tokens[this.at - 1]!.span.end });
    return values;
  }

  /** Skips to the brace that closes the one just read. */
  private closing(): Token {
    for (let depth = 1; ; ) {
      const token = this.next();
      if (token.kind === 'end') refuse('SPW5101', "'}' is missing", token.span);
      if (token.text === '{') depth++;
      if (token.text === '}' && --depth === 0) return token;
    }
  }

  private systemClause(): string {
    const instances = this.spec.processes.flatMap(({ name, ranges }) =>
      combinations(ranges).map((values) => (values.length === 0 ? name : `${name}(${values.join(', ')})`)),
    );
    return instances.length === 0 ? '' : `system = ${instances.join(' || ')};`;
  }

  private maskedText(): string {
    let text = this.file.text.replace(/[^\n]/g, ' ');
    for (const { start, end, procedure } of this.kept) {
      let part = this.file.text.slice(start, end);
      // Both words have nine letters: positions stay the same.
      if (procedure) part = part.replace('procedure', 'component');
      text = text.slice(0, start) + part + text.slice(end);
    }
    for (const { start, end } of this.blanked)
      text = text.slice(0, start) + ' '.repeat(end - start) + text.slice(end);
    return `${text}\n${this.systemClause()}`;
  }
}

/** All ways to choose one value from each range. */
export function combinations(ranges: readonly (readonly bigint[])[]): bigint[][] {
  return ranges.reduce<bigint[][]>(
    (all, range) => all.flatMap((values) => range.map((value) => [...values, value])),
    [[]],
  );
}
