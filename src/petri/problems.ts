// What is wrong with a file of a net, with places. Codes 8000: nets; 8100: machines.

import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile, Span } from '../source/source.ts';

/** A broken file is not listed line by line. */
const MOST = 20;

export class Problems {
  readonly found: Diagnostic[] = [];
  private readonly file: SourceFile;

  constructor(file: SourceFile) {
    this.file = file;
  }

  error(
    code: Diagnostic['code'],
    at: Span | readonly [start: number, end: number],
    message: string,
    help?: string,
  ): void {
    if (this.found.length >= MOST) return;
    const span = 'file' in at ? at : this.span(at[0], at[1]);
    this.found.push({ code, severity: 'error', message, span, ...(help === undefined ? {} : { help }) });
  }

  warning(code: Diagnostic['code'], at: Span, message: string, help?: string): void {
    if (this.found.length >= MOST) return;
    this.found.push({
      code,
      severity: 'warning',
      message,
      span: at,
      ...(help === undefined ? {} : { help }),
    });
  }

  span(start: number, end: number): Span {
    const last = Math.max(0, this.file.text.length - 1);
    const from = Math.min(start, last);
    return { file: this.file, start: from, end: Math.max(from + 1, end) };
  }

  get failed(): boolean {
    return this.found.some(({ severity }) => severity === 'error');
  }
}
