// The files that reading a model took, as plain data: another thread or machine reads the same model without a disk.

import type { FileSystem, MachineBits } from '../source/source.ts';

export interface FileSnapshot {
  /** Null: there was no such file. */
  readonly texts: Readonly<Record<string, string | null>>;
  readonly headers: Readonly<Record<string, string | null>>;
}

const headerKey = (name: string, defines: readonly string[], bits: MachineBits = 64): string =>
  JSON.stringify([bits, name, ...defines]);

/** Reads through, and remembers. */
export function recordingFiles(files: FileSystem): {
  readonly files: FileSystem;
  readonly snapshot: () => FileSnapshot;
} {
  const texts: Record<string, string | null> = {};
  const headers: Record<string, string | null> = {};
  const read = (path: string): string | null => {
    if (!Object.hasOwn(texts, path)) texts[path] = files.read(path);
    return texts[path]!;
  };
  const systemHeader = (name: string, defines: readonly string[], bits?: MachineBits): string | null => {
    const key = headerKey(name, defines, bits);
    if (!Object.hasOwn(headers, key)) headers[key] = files.systemHeader?.(name, defines, bits) ?? null;
    return headers[key]!;
  };
  return {
    files: files.systemHeader === undefined ? { read } : { read, systemHeader },
    snapshot: () => ({ texts, headers }),
  };
}

export const filesOf = ({ texts, headers }: FileSnapshot): FileSystem => ({
  read: (path) => texts[path] ?? null,
  systemHeader: (name, defines, bits) => headers[headerKey(name, defines, bits)] ?? null,
});

/** As it is now, whatever is read later. */
export const copyOf = ({ texts, headers }: FileSnapshot): FileSnapshot => ({
  texts: { ...texts },
  headers: { ...headers },
});

export const sizeOf = ({ texts, headers }: FileSnapshot): number =>
  Object.keys(texts).length + Object.keys(headers).length;
