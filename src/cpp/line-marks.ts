// `#line 10 "name"`, and `# 10 "name"` as compilers write it: what __LINE__ and __FILE__ say from there on. Problems are still reported
// where the text really stands.

import type { SourceFile, Span } from '../source/source.ts';
import type { Token } from './token.ts';

interface Mark {
  /** The line behind the directive, and its number from now on. */
  readonly from: number;
  readonly number: number;
  /** In quotes; null where it stays what it was. */
  readonly name: string | null;
}

export class LineMarks {
  private readonly marks = new Map<SourceFile, Mark[]>();

  /** `line`: what stands behind the directive's word. False where it is no number with an optional name. */
  add(hash: Token, line: readonly Token[]): boolean {
    const [number, name] = line;
    if (number?.kind !== 'number' || !/^\d+$/.test(number.text)) return false;
    if (name !== undefined && name.kind !== 'string') return false;
    const { file } = hash.span;
    // A macro can have brought the last word: then the directive's own line counts.
    const end = [...line].reverse().find(({ span }) => span.file === file)?.span.end ?? hash.span.end;
    const from = file.position(Math.max(hash.span.start, end - 1)).line + 1;
    const known = this.marks.get(file) ?? [];
    known.push({ from, number: Number(number.text), name: name?.text ?? known.at(-1)?.name ?? null });
    this.marks.set(file, known);
    return true;
  }

  /** Of a call over several lines gcc takes the first one. */
  line(span: Span): number {
    const { line } = span.file.position(span.start);
    const mark = this.before(span.file, line);
    return mark === undefined ? line : mark.number + line - mark.from;
  }

  /** In quotes. */
  file(span: Span): string {
    const { line } = span.file.position(span.start);
    return this.before(span.file, line)?.name ?? JSON.stringify(span.file.path);
  }

  private before(file: SourceFile, line: number): Mark | undefined {
    return this.marks.get(file)?.findLast(({ from }) => from <= line);
  }
}
