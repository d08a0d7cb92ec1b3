// The documents of a system: each file is read once, whatever names it.

import type { FileSystem } from '../source/source.ts';
import { SourceFile } from '../source/source.ts';
import type { Chart } from './chart.ts';
import type { Problems } from './codes.ts';
import { readChart } from './read-chart.ts';
import type { StartSource } from './session.ts';

export interface LibraryEntry {
  readonly chart: Chart | null;
  readonly problems: Problems;
  readonly file: SourceFile;
}

export class Library {
  private readonly files: FileSystem;
  private readonly byPath = new Map<string, LibraryEntry | null>();
  private readonly byText = new Map<string, LibraryEntry>();

  constructor(files: FileSystem) {
    this.files = files;
  }

  /** Null when there is no such file. */
  load(path: string): LibraryEntry | null {
    let entry = this.byPath.get(path);
    if (entry === undefined) {
      const text = this.files.read(path);
      entry = text === null ? null : this.read(new SourceFile(path, text));
      this.byPath.set(path, entry);
    }
    return entry;
  }

  add(file: SourceFile): LibraryEntry {
    const entry = this.read(file);
    this.byPath.set(file.path, entry);
    return entry;
  }

  /** What an invocation inside `from` starts; null when it cannot be read or is no chart. */
  resolve(source: StartSource, from: Chart): Chart | null {
    if (source.kind === 'chart') return source.chart;
    if (source.kind === 'src') {
      const path = pathOf(source.src, from.file.path);
      return path === null ? null : (this.load(path)?.chart ?? null);
    }
    let entry = this.byText.get(source.text);
    if (entry === undefined) {
      const file = new SourceFile(`${from.file.path}#content`, withNamespace(source.text));
      this.byText.set(source.text, (entry = this.read(file)));
    }
    return entry.chart;
  }

  /** Everything read so far. */
  entries(): LibraryEntry[] {
    return [...this.byPath.values(), ...this.byText.values()].filter((entry) => entry !== null);
  }

  private read(file: SourceFile): LibraryEntry {
    const { chart, problems } = readChart(file, (path) => {
      const resolved = pathOf(path, file.path);
      return resolved === null ? null : this.files.read(resolved);
    });
    return { chart, problems, file };
  }
}

/** A document inside another one takes its namespaces from there. */
const withNamespace = (text: string): string => text.trim();

/** The path of a file named in another; null for addresses that are no files. */
export function pathOf(address: string, from: string): string | null {
  const path = address.replace(/^file:(\/\/(?=\/))?/, '');
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return null;
  if (path.startsWith('/')) return path;
  const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/') + 1) : '';
  return tidy(folder + path);
}

/** Without `.` and `..` where they can be resolved. */
function tidy(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..' && parts.at(-1) !== '') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}
