// C's preprocessor: files in, tokens out, for every language that uses it (Promela: SPIN calls `cpp`; C). It follows gcc's, with which
// the tests compare it. What languages do differently is their dialect; where included files come from is asked of the caller.

import type { SourceFile } from '../source/source.ts';
import { SourceFile as Source } from '../source/source.ts';
import { evaluateCondition } from './condition.ts';
import type { Dialect, Reporter } from './dialect.ts';
import { type Files, IncludePlaces, includedName } from './includes.ts';
import { lex } from './lex.ts';
import type { Frame, Group } from './macro-reader.ts';
import { MacroReader } from './macro-reader.ts';
import { parseDefinition } from './macros.ts';
import { Pragmas } from './pragmas.ts';
import type { Token } from './token.ts';
import { textOf } from './token.ts';

export interface PreprocessOptions {
  /** `NAME`, `NAME=VALUE` or `NAME(X)=VALUE`, as after -D. */
  readonly defines?: readonly string[] | undefined;
  /** Folders to look for included files in, as after -I. */
  readonly includes?: readonly string[] | undefined;
  /** Called for every token; may throw when the time is over. */
  readonly watch?: (() => void) | undefined;
}

export interface Preprocessed {
  /** Ends with a token of kind 'end'. */
  readonly tokens: readonly Token[];
  /** Every file read, by path. */
  readonly sources: ReadonlyMap<string, SourceFile>;
  /** The macros that were defined at the end. */
  readonly macros: ReadonlySet<string>;
  /** The tokens of a further text, in which these macros count; it is one of the sources from then on. */
  readonly expand: (text: SourceFile) => readonly Token[];
}

/** `before` are texts whose macros count, and nothing else. */
export function preprocess(
  file: SourceFile,
  files: Files,
  options: PreprocessOptions,
  dialect: Dialect,
  reporter: Reporter,
  before: readonly SourceFile[] = [],
): Preprocessed {
  const preprocessor = new Preprocessor(files, options, dialect, reporter);
  for (const text of before) preprocessor.run(text);
  for (const define of options.defines ?? []) preprocessor.defineFromOption(define);
  preprocessor.sources.clear();
  const tokens = preprocessor.run(file);
  const expand = (text: SourceFile): readonly Token[] => preprocessor.run(text);
  return { tokens, sources: preprocessor.sources, macros: preprocessor.macroNames(), expand };
}

const DEEPEST_INCLUDE = 100;

class Preprocessor extends MacroReader {
  readonly sources = new Map<string, SourceFile>();
  private readonly places: IncludePlaces;
  private readonly files: Files;
  private readonly pragmas = new Pragmas(this.macros);
  /** Files that said `#pragma once`. */
  private readonly once = new Set<string>();
  private readonly watch: () => void;

  constructor(files: Files, options: PreprocessOptions, dialect: Dialect, reporter: Reporter) {
    super(dialect, reporter);
    this.places = new IncludePlaces(files, options.includes ?? [], dialect);
    this.watch = options.watch ?? (() => {});
    this.files = files;
  }

  defineFromOption(define: string): void {
    const equals = define.indexOf('=');
    const text = equals < 0 ? `${define} 1` : `${define.slice(0, equals)} ${define.slice(equals + 1)}`;
    this.define(lex(new Source('<command line>', text), this.dialect).slice(0, -1));
  }

  macroNames(): ReadonlySet<string> {
    return new Set(this.macros.keys());
  }

  private define(line: readonly Token[]): void {
    const macro = parseDefinition(line, this.reporter);
    if (macro === null) return;
    this.macros.set(macro.name, macro);
    this.reporter.defined?.(macro.at, macro.parameterNames, macro.body);
  }

  run(file: SourceFile): Token[] {
    this.enter(file);
    const output: Token[] = [];
    for (;;) {
      this.watch();
      const token = this.readExpanded();
      if (token.text === '_Pragma' && token.kind === 'name' && this.dialect.cWords) {
        this.pragmaOperator();
        continue;
      }
      const { limit } = this.pragmas;
      output.push(limit === null ? token : { ...token, pack: limit });
      if (token.kind === 'end') break;
    }
    this.frames = [];
    return output;
  }

  /** `_Pragma("…")` vanishes, as pragmas do. */
  private pragmaOperator(): void {
    const open = this.readExpanded();
    if (open.text !== '(') return;
    for (let token = this.readExpanded(); token.text !== ')' && token.kind !== 'end'; ) {
      const quoted = token.kind === 'string' ? token.text : '""';
      const text = quoted.slice(quoted.indexOf('"') + 1, -1).replace(/\\(["\\])/g, '$1');
      this.pragma(lex(new Source(token.span.file.path, text), this.dialect).slice(0, -1), token);
      token = this.readExpanded();
    }
  }

  private pragma(line: readonly Token[], at: Token | undefined = line[0]): void {
    if (!this.dialect.cWords || at === undefined) return;
    const problem = this.pragmas.obey(line);
    if (problem !== null) this.reporter.report('directive', 'error', at.span, problem);
  }

  private enter(file: SourceFile): void {
    if (!this.sources.has(file.path)) this.sources.set(file.path, file);
    this.frames.push({ tokens: lex(file, this.dialect, this.watch), at: 0, file, groups: [], macro: null });
  }

  protected override endOfFile(frame: Frame): void {
    for (const group of frame.groups.splice(0))
      this.reporter.report('unbalanced', 'error', group.span, 'this #if has no #endif', 'add #endif');
  }

  // Directives

  private restOfLine(frame: Frame): Token[] {
    const line: Token[] = [];
    for (;;) {
      const token = frame.tokens[frame.at]!;
      if (token.kind === 'end' || token.first) return line;
      line.push(token);
      frame.at++;
    }
  }

  protected override directive(frame: Frame, hash: Token): void {
    const line = this.restOfLine(frame);
    const word = line[0];
    if (word === undefined) return;
    if (word.kind === 'number') {
      this.lines.moved(hash, line, this.reporter);
      return;
    }
    const rest = line.slice(1);
    switch (word.text) {
      case 'define':
        this.define(rest);
        return;
      case 'undef':
        if (rest[0] === undefined) return;
        this.reporter.used?.(rest[0]);
        this.macros.delete(rest[0].text);
        return;
      case 'include':
      case 'include_next':
      case 'import':
        this.include(frame, word, rest);
        return;
      case 'if':
      case 'ifdef':
      case 'ifndef':
        this.openGroup(frame, word, rest);
        return;
      case 'elif':
      case 'elifdef':
      case 'elifndef':
      case 'else':
      case 'endif':
        this.nextPart(frame, word);
        return;
      case 'error':
        this.reporter.report('message', 'error', word.span, `#error ${textOf(rest)}`);
        return;
      case 'warning':
        this.reporter.report('message', 'warning', word.span, `#warning ${textOf(rest)}`);
        return;
      case 'pragma':
        if (rest[0]?.text === 'once') this.once.add(frame.file!.path);
        this.pragma(rest);
        return;
      case 'line':
        this.lines.moved(hash, this.expandAlone(rest), this.reporter);
        return;
      case 'ident':
      case 'sccs':
      case 'assert':
      case 'unassert':
        return;
      default:
        this.reporter.report('directive', 'error', hash.span, `there is no directive #${word.text}`);
    }
  }

  private include(frame: Frame, word: Token, rest: readonly Token[]): void {
    const tokens = rest[0]?.kind === 'name' ? this.expandAlone(rest) : rest;
    const named = includedName(tokens);
    if (named === null) {
      this.reporter.report('directive', 'error', word.span, '#include needs a file: "name" or <name>');
      return;
    }
    const { name } = named;
    if (this.frames.filter(({ file }) => file !== null).length > DEEPEST_INCLUDE) {
      const help = 'does a file include itself?';
      this.reporter.report('file', 'error', word.span, `'${name}' is included too deeply`, help);
      return;
    }
    const isNext = word.text === 'include_next';
    const found = this.places.find(named, frame.file!.path, isNext, () => this.ownMacros());
    if (found === null) {
      const help = 'name its folder with -I';
      this.reporter.report('file', 'error', tokens[0]!.span, `cannot find the file '${name}'`, help);
      return;
    }
    const again = word.text === 'import' && this.sources.has(found.path);
    if (!again && !this.once.has(found.path)) this.enter(found);
  }

  protected isExpanded(file: SourceFile): boolean {
    return this.files.isExpanded?.(file) ?? false;
  }

  /** As options would give them; those that came with the language, or with headers, are known to whoever has these. */
  private ownMacros(): Map<string, string> {
    const own = new Map<string, string>();
    for (const { name, parameters, variadic, body, at } of this.macros.values()) {
      const { path } = at.span.file;
      if (path.startsWith('<') && path !== '<command line>') continue;
      const last = variadic ? parameters!.at(-1)! : null;
      const shown = parameters?.map((one) =>
        one === last ? (one === '__VA_ARGS__' ? '...' : `${one}...`) : one,
      );
      own.set(shown === undefined ? name : `${name}(${shown.join(',')})`, textOf(body));
    }
    return own;
  }

  private openGroup(frame: Frame, word: Token, rest: readonly Token[]): void {
    const group: Group = { span: word.span, taken: false, elseSeen: false };
    frame.groups.push(group);
    group.taken = this.holds(word, rest);
    if (!group.taken) this.skipGroup(frame);
  }

  private holds(word: Token, rest: readonly Token[]): boolean {
    if (word.text === 'if' || word.text === 'elif') return this.condition(word, rest);
    const name = rest[0];
    if (name?.kind !== 'name') {
      const message = `#${word.text} needs the name of a macro`;
      this.reporter.report('directive', 'error', word.span, message);
      return false;
    }
    this.reporter.used?.(name);
    return this.isDefined(name.text) === word.text.endsWith('ifdef');
  }

  private isDefined(name: string): boolean {
    return this.macros.has(name) || this.isBuiltIn(name) || this.dialect.has?.('defined', name) === 1;
  }

  private condition(word: Token, rest: readonly Token[]): boolean {
    const value = evaluateCondition(this.alone(rest, () => this.conditionTokens()));
    if (typeof value === 'bigint') return value !== 0n;
    const message = `the condition of this #${word.text}: ${value}`;
    this.reporter.report('condition', 'error', word.span, message);
    return false;
  }

  /** Macros expanded, `defined` and its like answered, also where a macro brought them in. */
  private conditionTokens(): Token[] {
    const result: Token[] = [];
    for (;;) {
      const token = this.readExpanded();
      if (token.kind === 'end') return result;
      if (token.kind !== 'name') {
        result.push(token);
        continue;
      }
      const answer = token.text === 'defined' ? this.definedTest() : this.hasTest(token);
      result.push(answer === null ? token : { ...token, kind: 'number', text: String(answer) });
    }
  }

  private definedTest(): number {
    const opening = this.read();
    const name = opening.text === '(' ? this.read() : opening;
    if (opening.text === '(') this.read();
    this.reporter.used?.(name);
    return this.isDefined(name.text) ? 1 : 0;
  }

  private hasTest(test: Token): number | null {
    if (test.text !== '__has_include' && test.text !== '__has_include_next') {
      if (this.dialect.has?.(test.text, '') == null) return null;
    } else if (!this.dialect.cWords) return null;
    const inside: Token[] = [];
    let depth = 0;
    for (;;) {
      const token = this.read();
      if (token.kind === 'end') return null;
      if (token.text === '(' && ++depth === 1) continue;
      if (token.text === ')' && --depth === 0) break;
      if (depth === 0) return null;
      inside.push(token);
    }
    if (!test.text.startsWith('__has_include')) {
      const name = inside.map(({ text }) => text).join('');
      const answer = this.dialect.has?.(test.text, name) ?? null;
      if (answer === null)
        this.reporter.report('condition', 'error', test.span, `what ${test.text}(${name}) says is not known`);
      return answer ?? 0;
    }
    const named = includedName(inside[0]?.kind === 'name' ? this.expandAlone(inside) : inside);
    if (named === null) return 0;
    return this.places.find(named, test.span.file.path, false, () => this.ownMacros()) === null ? 0 : 1;
  }

  /** #elif, #else, #endif met while the part before was active, or at the end of a skipped part. */
  private nextPart(frame: Frame, word: Token): void {
    const group = frame.groups.at(-1);
    if (group === undefined) {
      this.reporter.report('unbalanced', 'error', word.span, `#${word.text} without #if`);
      return;
    }
    if (word.text === 'endif') {
      frame.groups.pop();
      return;
    }
    this.elseOnce(group, word);
    this.skipGroup(frame);
  }

  private elseOnce(group: Group, word: Token): void {
    if (group.elseSeen) this.reporter.report('unbalanced', 'error', word.span, `#${word.text} after #else`);
    group.elseSeen ||= word.text === 'else';
  }

  /** Passes over lines until a part of the innermost group is active, or the group ends. */
  private skipGroup(frame: Frame): void {
    const group = frame.groups.at(-1)!;
    let depth = 0;
    for (;;) {
      const token = frame.tokens[frame.at]!;
      if (token.kind === 'end') return;
      frame.at++;
      if (token.text !== '#' || !token.first) {
        this.reporter.inactive?.([token]);
        continue;
      }
      const line = this.restOfLine(frame);
      this.reporter.inactive?.(line);
      const word = line[0];
      if (word === undefined) continue;
      if (word.text === 'if' || word.text === 'ifdef' || word.text === 'ifndef') depth++;
      else if (word.text === 'endif' && depth-- === 0) {
        frame.groups.pop();
        return;
      } else if (depth === 0 && /^(?:else|elif(?:n?def)?)$/.test(word.text)) {
        this.elseOnce(group, word);
        if (group.taken) continue;
        group.taken = word.text === 'else' || this.holds(word, line.slice(1));
        if (group.taken) return;
      }
    }
  }
}
