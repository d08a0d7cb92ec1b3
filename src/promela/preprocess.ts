// The preprocessor: files in, tokens out. It follows the C preprocessor that SPIN calls, so that no `cpp` is needed.

import { evaluateCondition } from '../source/condition.ts';
import type { FileSystem } from '../source/source.ts';
import { SourceFile } from '../source/source.ts';
import type { Diagnostics } from './codes.ts';
import { lex, splitNumber } from './lex.ts';
import type { Frame, Group } from './macro-reader.ts';
import { MacroReader } from './macro-reader.ts';
import { parseDefinition } from './macros.ts';
import { directoryOf, joinPath } from './paths.ts';
import type { Token } from './token.ts';

export interface PreprocessOptions {
  /** `NAME` or `NAME=VALUE`, as after -D. */
  readonly defines?: readonly string[];
  /** Folders to look for included files in, as after -I. */
  readonly includes?: readonly string[];
}

export interface Preprocessed {
  /** Ends with a token of kind 'end'. */
  readonly tokens: readonly Token[];
  /** Every file read, by path. */
  readonly sources: ReadonlyMap<string, SourceFile>;
}

export function preprocess(
  path: string,
  files: FileSystem,
  options: PreprocessOptions,
  diagnostics: Diagnostics,
): Preprocessed | null {
  const text = files.read(path);
  if (text === null) {
    diagnostics.error('SPW1201', null, `cannot read '${path}'`);
    return null;
  }
  const preprocessor = new Preprocessor(files, options.includes ?? [], diagnostics);
  for (const define of options.defines ?? []) preprocessor.defineFromOption(define);
  const tokens = preprocessor.run(path, text);
  return { tokens, sources: preprocessor.sources };
}

const DEEPEST_INCLUDE = 100;

class Preprocessor extends MacroReader {
  readonly sources = new Map<string, SourceFile>();
  private readonly files: FileSystem;
  private readonly includes: readonly string[];

  constructor(files: FileSystem, includes: readonly string[], diagnostics: Diagnostics) {
    super(diagnostics);
    this.files = files;
    this.includes = includes;
  }

  defineFromOption(define: string): void {
    const equals = define.indexOf('=');
    const text = equals < 0 ? `${define} 1` : `${define.slice(0, equals)} ${define.slice(equals + 1)}`;
    const line = lex(new SourceFile('<command line>', text)).slice(0, -1);
    const macro = parseDefinition(line, this.diagnostics);
    if (macro !== null) this.macros.set(macro.name, macro);
  }

  run(path: string, text: string): Token[] {
    this.enter(path, text);
    const output: Token[] = [];
    for (;;) {
      const token = this.read();
      if (token.kind === 'end') {
        output.push(token);
        return output;
      }
      if (token.kind === 'name' && this.expand(token)) continue;
      if (token.kind === 'number') output.push(...this.numberParts(token));
      else output.push(token);
    }
  }

  private numberParts(token: Token): Token[] {
    const parts = splitNumber(token);
    for (const part of parts)
      if (part.kind === 'name' && this.macros.has(part.text))
        this.diagnostics.warning(
          'SPW1205',
          part.span,
          `the macro '${part.text}' is not expanded in '${token.text}'`,
          {
            help: 'the preprocessor reads this as one number: put spaces around ..',
          },
        );
    return parts;
  }

  private enter(path: string, text: string): void {
    const file = new SourceFile(path, text);
    if (!this.sources.has(path)) this.sources.set(path, file);
    this.frames.push({ tokens: lex(file), at: 0, file, groups: [] });
  }

  protected override endOfFile(frame: Frame): void {
    for (const group of frame.groups.splice(0))
      this.diagnostics.error('SPW1203', group.span, 'this #if has no #endif', { help: 'add #endif' });
  }

  // Directives

  private restOfLine(frame: Frame): Token[] {
    const line: Token[] = [];
    for (;;) {
      const token = frame.tokens[frame.at]!;
      if (token.kind === 'end' || token.newline) return line;
      line.push(token);
      frame.at++;
    }
  }

  protected override directive(frame: Frame, hash: Token): void {
    const line = this.restOfLine(frame);
    const word = line[0];
    if (word === undefined || word.kind === 'number') return;
    const rest = line.slice(1);
    switch (word.text) {
      case 'define': {
        const macro = parseDefinition(rest, this.diagnostics);
        if (macro !== null) this.macros.set(macro.name, macro);
        return;
      }
      case 'undef':
        if (rest[0] !== undefined) this.macros.delete(rest[0].text);
        return;
      case 'include':
        this.include(frame, word, rest);
        return;
      case 'if':
      case 'ifdef':
      case 'ifndef':
        this.openGroup(frame, word, rest);
        return;
      case 'elif':
      case 'else':
      case 'endif':
        this.nextPart(frame, word);
        return;
      case 'error':
        this.diagnostics.error('SPW1206', word.span, `#error ${textOf(rest)}`);
        return;
      case 'warning':
        this.diagnostics.warning('SPW1206', word.span, `#warning ${textOf(rest)}`);
        return;
      case 'line':
      case 'pragma':
      case 'ident':
        return;
      default:
        this.diagnostics.error('SPW1202', hash.span, `there is no directive #${word.text}`);
    }
  }

  private include(frame: Frame, word: Token, rest: readonly Token[]): void {
    const tokens = rest[0]?.kind === 'name' ? this.expandAlone(rest) : rest;
    const name = includedName(tokens);
    if (name === null) {
      this.diagnostics.error('SPW1202', word.span, '#include needs a file: "name" or <name>');
      return;
    }
    if (this.frames.length > DEEPEST_INCLUDE) {
      this.diagnostics.error('SPW1201', word.span, `'${name}' is included too deeply`, {
        help: 'does a file include itself?',
      });
      return;
    }
    const folders = [directoryOf(frame.file!.path), ...this.includes, ''];
    for (const folder of folders) {
      const path = joinPath(folder, name);
      const text = this.files.read(path);
      if (text === null) continue;
      this.enter(path, text);
      return;
    }
    this.diagnostics.error('SPW1201', tokens[0]!.span, `cannot find the file '${name}'`, {
      help: 'name its folder with -I',
    });
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
      this.diagnostics.error('SPW1202', word.span, `#${word.text} needs the name of a macro`);
      return false;
    }
    return this.isDefined(name.text) === (word.text === 'ifdef');
  }

  private isDefined(name: string): boolean {
    return this.macros.has(name) || name === '__LINE__' || name === '__FILE__';
  }

  private condition(word: Token, rest: readonly Token[]): boolean {
    const tokens = this.expandAlone(this.withoutDefined(rest)).map(({ kind, text, value }) => ({
      text,
      isName: kind === 'name',
      character: kind === 'char' ? BigInt(value) : undefined,
    }));
    const value = evaluateCondition(tokens);
    if (typeof value === 'bigint') return value !== 0n;
    this.diagnostics.error('SPW1204', word.span, `the condition of this #${word.text}: ${value}`);
    return false;
  }

  private withoutDefined(line: readonly Token[]): Token[] {
    const result: Token[] = [];
    for (let i = 0; i < line.length; i++) {
      const token = line[i]!;
      if (token.text !== 'defined') {
        result.push(token);
        continue;
      }
      const parenthesised = line[i + 1]?.text === '(';
      const name = line[i + (parenthesised ? 2 : 1)];
      i += parenthesised ? 3 : 1;
      const value = name !== undefined && this.isDefined(name.text) ? 1 : 0;
      result.push({ ...token, kind: 'number', text: String(value), value });
    }
    return result;
  }

  /** #elif, #else, #endif met while the part before was active, or at the end of a skipped part. */
  private nextPart(frame: Frame, word: Token): void {
    const group = frame.groups.at(-1);
    if (group === undefined) {
      this.diagnostics.error('SPW1203', word.span, `#${word.text} without #if`);
      return;
    }
    if (word.text === 'endif') {
      frame.groups.pop();
      return;
    }
    if (group.elseSeen) this.diagnostics.error('SPW1203', word.span, `#${word.text} after #else`);
    if (word.text === 'else') group.elseSeen = true;
    this.skipGroup(frame);
  }

  /** Passes over lines until a part of the innermost group is active, or the group ends. */
  private skipGroup(frame: Frame): void {
    const group = frame.groups.at(-1)!;
    let depth = 0;
    for (;;) {
      const token = frame.tokens[frame.at]!;
      if (token.kind === 'end') return;
      frame.at++;
      if (token.text !== '#' || !token.newline) continue;
      const line = this.restOfLine(frame);
      const word = line[0];
      if (word === undefined) continue;
      if (word.text === 'if' || word.text === 'ifdef' || word.text === 'ifndef') depth++;
      else if (word.text === 'endif' && depth-- === 0) {
        frame.groups.pop();
        return;
      } else if (depth === 0 && (word.text === 'else' || word.text === 'elif')) {
        if (group.elseSeen) this.diagnostics.error('SPW1203', word.span, `#${word.text} after #else`);
        group.elseSeen ||= word.text === 'else';
        if (group.taken) continue;
        group.taken = word.text === 'else' || this.holds(word, line.slice(1));
        if (group.taken) return;
      }
    }
  }
}

const textOf = (tokens: readonly Token[]): string =>
  tokens.map((token, i) => (i > 0 && token.space ? ` ${token.text}` : token.text)).join('');

function includedName(tokens: readonly Token[]): string | null {
  const first = tokens[0];
  if (first?.kind === 'string') return first.text.slice(1, -1);
  if (first?.text !== '<') return null;
  const close = tokens.findIndex((token) => token.text === '>');
  return close < 0 ? null : textOf(tokens.slice(1, close));
}
