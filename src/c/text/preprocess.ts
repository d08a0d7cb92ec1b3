// C's text for the parser: preprocessed, system headers from the built-in ones or from a C compiler where the caller offers one. The
// result knows for each stretch where the user wrote it (through macros: where the macro is used).

import type { Dialect, ProblemKind, Reporter } from '../../cpp/dialect.ts';
import { preprocess as run } from '../../cpp/preprocess.ts';
import type { Token } from '../../cpp/token.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { FileSystem, Span } from '../../source/source.ts';
import { SourceFile } from '../../source/source.ts';
import { problem, warning } from '../codes.ts';
import { PREDEFINED, SYSTEM_HEADERS } from './headers.ts';
import { plainTokens } from './plain.ts';
import { headerText } from './system.ts';

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

export const C: Dialect = {
  marks: '... <<= >>= -> ++ -- << >> <= >= == != && || += -= *= /= %= &= ^= |= ##',
  cWords: true,
  anglesLookBeside: false,
  argumentsKeepPlace: false,
  mostTokens: 4_000_000,
};

const NO_FILE =
  'give its folder with -I; system headers that are not built in need a C compiler (cc, gcc or clang) on the PATH';
const FEATURE_MACRO = /^(_[A-Z0-9_]*_SOURCE|_REENTRANT|_FILE_OFFSET_BITS)$/;

export function preprocess(file: SourceFile, options: PreprocessOptions): Preprocessed {
  const diagnostics: Diagnostic[] = [];
  const headers = new Headers(options.files);
  const { tokens, sources } = run(
    file,
    { read: (path) => options.files.read(path), header: (name, macros) => headers.find(name, macros()) },
    options,
    C,
    reporterTo(diagnostics),
    [new SourceFile('<predefined>', PREDEFINED)],
  );
  return assemble(plainTokens(tokens.slice(0, -1), headers.system), diagnostics, [...sources.values()], file);
}

function reporterTo(diagnostics: Diagnostic[]): Reporter {
  return {
    report: (kind: ProblemKind, severity, span, message, help) => {
      const code = kind === 'file' ? 'SPW5003' : 'SPW5002';
      const advice = kind === 'file' && help?.includes('-I') ? NO_FILE : help;
      diagnostics.push((severity === 'error' ? problem : warning)(code, message, span, advice));
    },
  };
}

/** System headers: built in, or in a compiler's words. */
class Headers {
  /** Those in a compiler's words. */
  readonly system = new Set<SourceFile>();
  private readonly seen = new Set<string>();
  private readonly files: FileSystem;

  constructor(files: FileSystem) {
    this.files = files;
  }

  find(name: string, macros: ReadonlyMap<string, string>): SourceFile | null {
    const path = `<${name}>`;
    // <assert.h> means something new each time, as NDEBUG is or is not defined.
    if (name !== 'assert.h' && this.seen.has(name)) return new SourceFile(path, '');
    const builtin = SYSTEM_HEADERS.get(name);
    const output = builtin === undefined ? this.fromCompiler(name, macros) : null;
    if (builtin === undefined && output === null) return null;
    this.seen.add(name);
    const header = new SourceFile(path, builtin ?? headerText(output!));
    if (builtin === undefined) this.system.add(header);
    return header;
  }

  private fromCompiler(name: string, macros: ReadonlyMap<string, string>): string | null {
    const chosen = [...macros].filter(([macro]) => FEATURE_MACRO.test(macro));
    return (
      this.files.systemHeader?.(
        name,
        chosen.map(([macro, text]) => `${macro}=${text}`),
      ) ?? null
    );
  }
}

export const folderOf = (path: string): string =>
  path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';

function assemble(
  tokens: readonly Token[],
  diagnostics: readonly Diagnostic[],
  sources: readonly SourceFile[],
  file: SourceFile,
): Preprocessed {
  const starts: number[] = [];
  const spans: Span[] = [];
  const parts: string[] = [];
  let length = 0;
  for (const token of tokens) {
    // Always a blank: what a macro puts side by side must not grow together.
    parts.push(token.newline ? '\n' : ' ', token.text);
    starts.push(length + 1);
    spans.push(token.span);
    length += 1 + token.text.length;
  }
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
    text: parts.join(''),
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
