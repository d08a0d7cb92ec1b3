// Which file an #include means: beside the file that asks, in the folders of -I, or in no folder at all (a system header).

import { SourceFile } from '../source/source.ts';
import type { Dialect } from './dialect.ts';
import { directoryOf, joinPath } from './paths.ts';
import { type Token, textOf } from './token.ts';

export interface Files {
  read(path: string): string | null;
  /** A file that stands in no folder: a system header. `macros` are those that the program has defined so far, with their parameters. */
  header?(name: string, macros: () => ReadonlyMap<string, string>): SourceFile | null;
  /** Is it the output of another preprocessor? */
  isExpanded?(file: SourceFile): boolean;
}

/** What stands behind #include. */
export interface IncludedName {
  readonly name: string;
  /** <name>, not "name". */
  readonly angles: boolean;
}

export function includedName(tokens: readonly Token[]): IncludedName | null {
  const first = tokens[0];
  if (first?.kind === 'string') return { name: first.text.slice(1, -1), angles: false };
  if (first?.text !== '<') return null;
  const close = tokens.findIndex((token) => token.text === '>');
  return close < 0 ? null : { name: textOf(tokens.slice(1, close)), angles: true };
}

export class IncludePlaces {
  private readonly files: Files;
  private readonly folders: readonly string[];
  private readonly dialect: Dialect;

  constructor(files: Files, folders: readonly string[], dialect: Dialect) {
    this.files = files;
    this.folders = folders;
    this.dialect = dialect;
  }

  /** `from`: the path of the file that asks. `isNext`: #include_next, from the folder after the one in which that file was found. */
  find(
    { name, angles }: IncludedName,
    from: string,
    isNext: boolean,
    macros: () => ReadonlyMap<string, string>,
  ): SourceFile | null {
    const beside = angles && !this.dialect.anglesLookBeside ? [] : [directoryOf(from)];
    const folders = [...beside, ...this.folders, ...(this.dialect.anglesLookBeside ? [''] : [])];
    const paths = folders.map((folder) => joinPath(folder, name));
    for (const path of paths.slice(isNext ? paths.lastIndexOf(from) + 1 : 0)) {
      const text = this.files.read(path);
      if (text !== null) return new SourceFile(path, text);
    }
    return this.files.header?.(name, macros) ?? null;
  }
}
