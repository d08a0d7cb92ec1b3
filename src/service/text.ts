// Open texts: what the editor shows, which may be newer than what lies on the disk. Offsets count UTF-16 units, as editors do.

import { type FileSystem, SourceFile, type Span } from '../source/source.ts';

/** Zero-based, as editors count. */
export interface Point {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Point;
  readonly end: Point;
}

/** Without a range: the whole text. */
export interface Change {
  readonly range?: Range;
  readonly text: string;
}

export function pointOf(file: SourceFile, offset: number): Point {
  const { line, column } = file.position(Math.max(0, Math.min(offset, file.text.length)));
  return { line: line - 1, character: column - 1 };
}

/** Past the end of a line is its end, past the last line the end of the text. */
export function offsetOf(file: SourceFile, { line, character }: Point): number {
  const start = file.lineStart(Math.max(0, line) + 1);
  if (start === null) return file.text.length;
  const length = file.line(Math.max(0, line) + 1).length;
  return start + Math.max(0, Math.min(character, length));
}

export const rangeOf = ({ file, start, end }: Span): Range => ({
  start: pointOf(file, start),
  end: pointOf(file, end),
});

export interface OpenText {
  readonly path: string;
  readonly version: number;
  readonly file: SourceFile;
}

export function changed(text: OpenText, version: number, changes: readonly Change[]): OpenText {
  let { file } = text;
  for (const { range, text: inserted } of changes) {
    if (range === undefined) {
      file = new SourceFile(text.path, inserted);
      continue;
    }
    const start = offsetOf(file, range.start);
    const end = Math.max(start, offsetOf(file, range.end));
    file = new SourceFile(text.path, file.text.slice(0, start) + inserted + file.text.slice(end));
  }
  return { path: text.path, version, file };
}

/** The texts that are open, over the files of the disk. */
export class OpenTexts {
  private readonly texts = new Map<string, OpenText>();
  private readonly below: FileSystem;
  readonly files: FileSystem;

  constructor(below: FileSystem) {
    this.below = below;
    const read = (path: string): string | null => this.texts.get(path)?.file.text ?? this.below.read(path);
    const { systemHeader } = below;
    this.files = systemHeader === undefined ? { read } : { read, systemHeader: systemHeader.bind(below) };
  }

  open(path: string, version: number, text: string): void {
    this.texts.set(path, { path, version, file: new SourceFile(path, text) });
  }

  /** False when there is no such text. */
  change(path: string, version: number, changes: readonly Change[]): boolean {
    const text = this.texts.get(path);
    if (text !== undefined) this.texts.set(path, changed(text, version, changes));
    return text !== undefined;
  }

  close(path: string): void {
    this.texts.delete(path);
  }

  get(path: string): OpenText | null {
    return this.texts.get(path) ?? null;
  }

  paths(): string[] {
    return [...this.texts.keys()];
  }

  /** The text as it is now, open or not. */
  file(path: string): SourceFile | null {
    const open = this.texts.get(path);
    if (open !== undefined) return open.file;
    const text = this.below.read(path);
    return text === null ? null : new SourceFile(path, text);
  }
}
