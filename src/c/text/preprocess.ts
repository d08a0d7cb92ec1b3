// C's tokens for the parser: preprocessed, system headers from the built-in ones or from a C compiler where the caller offers one.

import type { Dialect, ProblemKind, Reporter } from '../../cpp/dialect.ts';
import { preprocess as run } from '../../cpp/preprocess.ts';
import type { Token } from '../../cpp/token.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { FileSystem } from '../../source/source.ts';
import { SourceFile } from '../../source/source.ts';
import { problem, warning } from './codes.ts';
import { hasTest } from './has-tests.ts';
import { SYSTEM_HEADERS } from './headers/headers.ts';
import { type DataModel, PREDEFINED } from './predefined.ts';
import { headerText, onlyUsed } from './system.ts';

export interface PreprocessOptions {
  readonly files: FileSystem;
  /** As -D gives them: NAME or NAME=VALUE. */
  readonly defines: readonly string[];
  /** Folders of -I. */
  readonly includes: readonly string[];
  /** LP64 when nothing is said. */
  readonly dataModel?: DataModel | undefined;
  /** Called for every token; may throw when the time is over. */
  readonly watch?: (() => void) | undefined;
}

export interface Preprocessed {
  /** Ends with a token of kind 'end'. */
  readonly tokens: readonly Token[];
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
  has: hasTest,
};

const NO_FILE =
  'give its folder with -I; system headers that are not built in need a C compiler (cc, gcc or clang) on the PATH';

export function preprocess(file: SourceFile, options: PreprocessOptions): Preprocessed {
  const diagnostics: Diagnostic[] = [];
  const model = options.dataModel ?? 'LP64';
  const headers = new Headers(options.files, model);
  const { tokens, sources } = run(
    file,
    {
      read: (path) => options.files.read(path),
      header: (name, macros) => headers.find(name, macros()),
      isExpanded: (source) => headers.system.has(source),
    },
    options,
    C,
    reporterTo(diagnostics),
    [new SourceFile('<predefined>', PREDEFINED[model])],
  );
  return {
    tokens: onlyUsed(tokens, headers.builtIn, headers.system),
    diagnostics,
    sources: [...sources.values()].filter((source) => !source.path.startsWith('<')),
  };
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
  readonly builtIn = new Set<SourceFile>();
  /** Those in a compiler's words. */
  readonly system = new Set<SourceFile>();
  private readonly seen = new Set<string>();
  private readonly files: FileSystem;
  private readonly model: DataModel;

  constructor(files: FileSystem, model: DataModel) {
    this.files = files;
    this.model = model;
  }

  find(name: string, macros: ReadonlyMap<string, string>): SourceFile | null {
    const path = `<${name}>`;
    // <assert.h> means something new each time, as NDEBUG is or is not defined.
    if (name !== 'assert.h' && this.seen.has(name)) return new SourceFile(path, '');
    const builtIn = SYSTEM_HEADERS.get(name);
    const output = builtIn === undefined ? this.fromCompiler(name, macros) : null;
    if (builtIn === undefined && output === null) return null;
    this.seen.add(name);
    const header = new SourceFile(path, builtIn ?? headerText(output!));
    (builtIn === undefined ? this.system : this.builtIn).add(header);
    return header;
  }

  /** A compiler's headers are those of the machine it runs on, or, where it has them, of the one like it with 32 bits. */
  private fromCompiler(name: string, macros: ReadonlyMap<string, string>): string | null {
    const given = [...macros].map(([macro, text]) => `${macro}=${text}`);
    return this.files.systemHeader?.(name, given, this.model === 'ILP32' ? 32 : 64) ?? null;
  }
}

export const folderOf = (path: string): string =>
  path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
