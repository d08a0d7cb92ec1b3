// What `__LINE__` and `__FILE__` say: where something stands, unless `#line` says that it stands elsewhere.

import type { SourceFile, Span } from '../source/source.ts';
import type { Reporter } from './dialect.ts';
import type { Token } from './token.ts';

interface Shift {
  /** The last line of the directive. */
  readonly at: number;
  /** What the line after it is called. */
  readonly next: number;
  readonly file: string | null;
}

export class Lines {
  private readonly shifts = new Map<SourceFile, Shift[]>();

  /** `#line 30 "name"`, and the markers that preprocessors leave: `# 30 "name" 2`. */
  moved(directive: Token, said: readonly Token[], reporter: Reporter): void {
    const [number, name] = said;
    if (
      number === undefined ||
      !/^\d+$/.test(number.text) ||
      (name !== undefined && name.kind !== 'string')
    ) {
      const message = '#line needs a number and perhaps a "name"';
      reporter.report('directive', 'error', directive.span, message);
      return;
    }
    const { file, start } = directive.span;
    // What a macro brings may stand elsewhere.
    const end = said.findLast(({ span }) => span.file === file && span.start > start)?.span.end ?? start + 1;
    const known = this.shifts.get(file) ?? [];
    const quoted = name?.kind === 'string' ? name.text.slice(1, -1).replace(/\\(.)/g, '$1') : null;
    known.push({
      at: file.position(end - 1).line,
      next: Number(number.text),
      file: quoted ?? known.at(-1)?.file ?? null,
    });
    this.shifts.set(file, known);
  }

  private shiftAt({ file, start }: Span): Shift | undefined {
    const shifts = this.shifts.get(file);
    if (shifts === undefined) return undefined;
    const { line } = file.position(start);
    return shifts.findLast(({ at }) => at < line);
  }

  lineOf(span: Span): number {
    const { line } = span.file.position(span.start);
    const shift = this.shiftAt(span);
    return shift === undefined ? line : shift.next + line - shift.at - 1;
  }

  fileOf(span: Span): string {
    return this.shiftAt(span)?.file ?? span.file.path;
  }
}
