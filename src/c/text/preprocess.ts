// Our own preprocessor: directives, conditions, local includes and the built-in system headers; other system headers come from a C
// compiler's preprocessor where the caller offers one. The result is one text for the
// parser that knows, for each stretch, where the user wrote it (through macros: where the macro is used).

import { evaluateCondition } from '../../source/condition.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { FileSystem, Span } from '../../source/source.ts';
import { SourceFile } from '../../source/source.ts';
import { problem } from '../codes.ts';
import { characterValue } from './character.ts';
import { PREDEFINED, SYSTEM_HEADERS } from './headers.ts';
import type { Macro, Macros } from './macros.ts';
import { expand } from './macros.ts';
import { plainTokens } from './plain.ts';
import { headerText } from './system.ts';
import type { Token } from './tokens.ts';
import { isBlank, isPunct, tokenize, trimBlanks, withoutBlanks } from './tokens.ts';

export interface PreprocessOptions {
  readonly files: FileSystem;
  /** As -D gives them: NAME or NAME=VALUE. */
  readonly defines: readonly string[];
  /** Folders of -I. */
  readonly includes: readonly string[];
}

export interface Preprocessed {
  readonly text: string;
  spanOf(start: number, end: number): Span;
  readonly diagnostics: readonly Diagnostic[];
  /** Every file that was read, the first one first. */
  readonly sources: readonly SourceFile[];
}

const MAX_DEPTH = 60;
const NO_FILE =
  'give its folder with -I; system headers that are not built in need a C compiler (cc, gcc or clang) on the PATH';
const FEATURE_MACRO = /^(_[A-Z0-9_]*_SOURCE|_REENTRANT|_FILE_OFFSET_BITS)$/;

export function preprocess(file: SourceFile, options: PreprocessOptions): Preprocessed {
  const run = new Preprocessor(options);
  run.include(new SourceFile('<predefined>', PREDEFINED), 0);
  const defines = options.defines.map((text) => {
    const [name, ...value] = text.split('=');
    return `#define ${name} ${value.length === 0 ? '1' : value.join('=')}\n`;
  });
  run.include(new SourceFile('<command line>', defines.join('')), 0);
  run.sources.length = 0;
  run.include(file, 0);
  return assemble(plainTokens(run.output, run.system), run.diagnostics, run.sources, file);
}

interface Conditional {
  /** Is the present branch copied? */
  active: boolean;
  /** Was some branch taken already? */
  taken: boolean;
  readonly outer: boolean;
  readonly at: Span;
}

class Preprocessor {
  readonly output: Token[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly sources: SourceFile[] = [];
  /** Headers in a compiler's words. */
  readonly system = new Set<SourceFile>();
  private readonly macros: Macros = new Map();
  private readonly options: PreprocessOptions;
  private readonly once = new Set<string>();
  private pending: Token[] = [];
  private readonly report = (diagnostic: Diagnostic) => void this.diagnostics.push(diagnostic);

  constructor(options: PreprocessOptions) {
    this.options = options;
  }

  include(file: SourceFile, depth: number): void {
    this.sources.push(file);
    const conditionals: Conditional[] = [];
    const tokens = tokenize(file);
    let i = 0;
    while (i < tokens.length) {
      const end = endOfLine(tokens, i);
      const line = tokens.slice(i, end);
      const solid = withoutBlanks(line);
      if (isPunct(solid[0], '#')) this.directive(solid, line, conditionals, file, depth);
      else if (conditionals.every((c) => c.active)) this.pending.push(...tokens.slice(i, end + 1));
      i = end + 1;
    }
    const open = conditionals[conditionals.length - 1];
    if (open !== undefined) this.report(problem('SPW5002', 'this condition has no #endif', open.at));
    this.flush();
  }

  /** Macro calls may run over several lines, so text is expanded in stretches between directives. */
  private flush(): void {
    for (const token of expand(this.pending, this.macros, this.report)) this.output.push(token);
    this.pending = [];
  }

  private directive(
    solid: readonly Token[],
    line: readonly Token[],
    conditionals: Conditional[],
    file: SourceFile,
    depth: number,
  ): void {
    const name = solid[1]?.text;
    const hash = solid[0]!;
    const active = conditionals.every((c) => c.active);
    const top = conditionals[conditionals.length - 1];
    switch (name) {
      case 'if':
      case 'ifdef':
      case 'ifndef': {
        if (active) this.flush();
        const value = active && this.condition(name, solid);
        conditionals.push({ active: value, taken: value, outer: active, at: hash.span });
        return;
      }
      case 'elif':
      case 'else':
        if (top === undefined) {
          this.report(problem('SPW5002', `#${name} without #if`, hash.span));
          return;
        }
        if (top.active) this.flush();
        top.active = top.outer && !top.taken && (name === 'else' || this.condition('if', solid));
        top.taken ||= top.active;
        return;
      case 'endif':
        if (top?.active) this.flush();
        if (conditionals.pop() === undefined)
          this.report(problem('SPW5002', '#endif without #if', hash.span));
        return;
    }
    if (!active) return;
    this.flush();
    if (name === 'define') this.define(solid, line);
    else if (name === 'undef') this.macros.delete(solid[2]?.text ?? '');
    else if (name === 'include') this.includeDirective(solid, line, file, depth);
    else if (name === 'pragma' && solid[2]?.text === 'once') this.once.add(file.path);
    else if (name === 'error')
      this.report(problem('SPW5002', `#error: ${textOf(solid.slice(2))}`, hash.span));
  }

  private condition(kind: string, solid: readonly Token[]): boolean {
    if (kind !== 'if') return this.macros.has(solid[2]?.text ?? '') === (kind === 'ifdef');
    const tokens: Token[] = [];
    const rest = solid.slice(2);
    for (let i = 0; i < rest.length; i++) {
      if (rest[i]!.text !== 'defined') {
        tokens.push(rest[i]!);
        continue;
      }
      const parenthesis = isPunct(rest[i + 1], '(');
      const name = rest[i + (parenthesis ? 2 : 1)];
      const text = this.macros.has(name?.text ?? '') ? '1' : '0';
      tokens.push({ kind: 'number', text, span: rest[i]!.span });
      i += parenthesis ? 3 : 1;
    }
    const value = evaluateCondition(
      withoutBlanks(expand(tokens, this.macros, this.report)).map(({ kind, text }) => ({
        text,
        isName: kind === 'name',
        character: kind === 'string' ? characterValue(text) : undefined,
      })),
    );
    if (typeof value === 'bigint') return value !== 0n;
    this.report(problem('SPW5002', `this condition is not an integer expression: ${value}`, solid[0]!.span));
    return false;
  }

  private define(solid: readonly Token[], line: readonly Token[]): void {
    const name = solid[2];
    if (name?.kind !== 'name') {
      this.report(problem('SPW5002', '#define needs a name', solid[0]!.span));
      return;
    }
    let i = line.indexOf(name) + 1;
    let parameters: string[] | null = null;
    let variadic = false;
    if (isPunct(line[i], '(')) {
      parameters = [];
      for (i++; i < line.length && !isPunct(line[i], ')'); i++) {
        if (line[i]!.text === '...') variadic = true;
        else if (line[i]!.kind === 'name') parameters.push(line[i]!.text);
      }
      i++;
    }
    const macro: Macro = { name: name.text, parameters, variadic, body: trimBlanks(line.slice(i)) };
    this.macros.set(macro.name, macro);
  }

  private includeDirective(
    solid: readonly Token[],
    line: readonly Token[],
    file: SourceFile,
    depth: number,
  ): void {
    const rest = withoutBlanks(
      expand(trimBlanks(line.slice(line.indexOf(solid[1]!) + 1)), this.macros, this.report),
    );
    const span = { ...solid[0]!.span, end: line[line.length - 1]!.span.end };
    const quoted = rest[0]?.kind === 'string' ? rest[0].text.slice(1, -1) : null;
    const name = quoted ?? textOf(rest).replace(/^<|>$/g, '').replaceAll(' ', '');
    const found = this.find(name, quoted === null ? null : file.path);
    if (found === null) {
      this.report(problem('SPW5003', `there is no file '${name}'`, span, NO_FILE));
      return;
    }
    if (depth >= MAX_DEPTH) {
      this.report(problem('SPW5002', 'includes are nested too deeply', span));
      return;
    }
    if (!this.once.has(found.path)) this.include(found, depth + 1);
  }

  private find(name: string, from: string | null): SourceFile | null {
    const folders = from === null ? this.options.includes : [folderOf(from), ...this.options.includes];
    for (const folder of folders) {
      const path = folder === '' || name.startsWith('/') ? name : `${folder.replace(/\/$/, '')}/${name}`;
      const text = this.options.files.read(path);
      if (text !== null) return new SourceFile(path, text);
    }
    const path = `<${name}>`;
    // <assert.h> means something new each time, as NDEBUG is or is not defined.
    if (name !== 'assert.h' && this.sources.some((source) => source.path === path))
      return new SourceFile(path, '');
    const builtin = SYSTEM_HEADERS.get(name);
    if (builtin !== undefined) return new SourceFile(path, builtin);
    const output = this.options.files.systemHeader?.(name, this.featureMacros()) ?? null;
    if (output === null) return null;
    const header = new SourceFile(path, headerText(output));
    this.system.add(header);
    return header;
  }

  /** The macros by which a program chooses among the versions of the system's headers. */
  private featureMacros(): string[] {
    return [...this.macros.values()]
      .filter(({ name, parameters }) => parameters === null && FEATURE_MACRO.test(name))
      .map(({ name, body }) => `${name}=${body.map((token) => token.text).join('')}`);
  }
}

export const folderOf = (path: string): string =>
  path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';

const textOf = (tokens: readonly Token[]): string => tokens.map((token) => token.text).join(' ');

function endOfLine(tokens: readonly Token[], from: number): number {
  let i = from;
  while (i < tokens.length && tokens[i]!.kind !== 'newline') i++;
  return i;
}

function assemble(
  tokens: readonly Token[],
  diagnostics: readonly Diagnostic[],
  sources: readonly SourceFile[],
  file: SourceFile,
): Preprocessed {
  const starts: number[] = [];
  const spans: Span[] = [];
  let text = '';
  const parts: string[] = [];
  let length = 0;
  for (const token of tokens) {
    if (!isBlank(token)) {
      starts.push(length);
      spans.push(token.span);
    }
    const piece = token.kind === 'space' ? ' ' : token.text;
    parts.push(piece);
    length += piece.length;
  }
  text = parts.join('');
  const indexAt = (offset: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    text,
    diagnostics,
    sources: sources.filter((source) => !source.path.startsWith('<')),
    spanOf: (start, end) => {
      const first = spans[indexAt(start)];
      if (first === undefined) return { file, start: 0, end: 0 };
      const last = spans[indexAt(Math.max(start, end - 1))]!;
      return last.file === first.file && last.end >= first.start
        ? { file: first.file, start: first.start, end: last.end }
        : first;
    },
  };
}
