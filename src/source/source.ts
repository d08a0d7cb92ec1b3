/** A text the user wrote, with fast offset-to-line lookup. */
export class SourceFile {
  readonly path: string;
  readonly text: string;
  private lineStarts: number[] | null = null;

  constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
  }

  /** 1-based line and column of an offset. */
  position(offset: number): { readonly line: number; readonly column: number } {
    const starts = this.starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  }

  /** The text of a 1-based line, without its line break. */
  line(number: number): string {
    const starts = this.starts();
    const start = starts[number - 1];
    if (start === undefined) return '';
    const end = starts[number] ?? this.text.length + 1;
    return this.text.slice(start, end - 1).replace(/\r$/, '');
  }

  /** The offset of the first character of a 1-based line; null past the end. */
  lineStart(number: number): number | null {
    return this.starts()[number - 1] ?? null;
  }

  private starts(): number[] {
    if (this.lineStarts === null) {
      this.lineStarts = [0];
      for (let i = this.text.indexOf('\n'); i >= 0; i = this.text.indexOf('\n', i + 1))
        this.lineStarts.push(i + 1);
    }
    return this.lineStarts;
  }
}

/** A stretch of the user's text. What comes from a macro points at the macro's outermost use, what comes from an `inline` at its body. */
export interface Span {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
}

export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export function startOf(span: Span): Position {
  return { file: span.file.path, ...span.file.position(span.start) };
}

/** From the start of one span to the end of another; the first one where they lie in different files. */
export function join(first: Span, last: Span): Span {
  if (first.file !== last.file || last.end < first.start) return first;
  return { file: first.file, start: first.start, end: last.end };
}

/** Of the addresses of the machine that a program is for. */
export type MachineBits = 32 | 64;

/** How analyses read files: the CLI passes the disk, tests pass a map. Null when there is no such file. */
export interface FileSystem {
  read(path: string): string | null;
  /** A system header of C as a compiler's preprocessor sees it, macros included (`cc -E -dD`); null when there is no such header or no compiler. */
  systemHeader?(name: string, defines: readonly string[], bits?: MachineBits): string | null;
}
