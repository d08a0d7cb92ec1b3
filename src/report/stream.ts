// The text report while a check goes on: each verdict as soon as it is known. Models come in the order in which they were given; what is
// known of a later one waits until those before it are done.

import type { PlacedDiagnostic } from '../source/diagnostic.ts';
import type { ModelReport, PropertyResult } from '../verdict/verdict.ts';
import {
  diagnosticLines,
  emptyBlock,
  headingOf,
  propertyBlock,
  summaryLine,
  type TextOptions,
  widthOfIds,
} from './text.ts';

interface Model {
  readonly files: readonly string[];
  /** Not printed yet. */
  waiting: string[];
  width: number;
  shown: number;
  /** How many of the diagnostics were printed when it began. */
  printedDiagnostics: number;
  ended: boolean;
}

export class TextStream {
  private readonly models: Model[];
  private readonly options: TextOptions;
  private readonly write: (text: string) => void;
  private current = 0;

  constructor(files: readonly (readonly string[])[], options: TextOptions, write: (text: string) => void) {
    this.models = files.map((one) => ({
      files: one,
      waiting: [],
      width: 0,
      shown: 0,
      printedDiagnostics: 0,
      ended: false,
    }));
    this.options = options;
    this.write = write;
  }

  begin(index: number, properties: readonly string[], diagnostics: readonly PlacedDiagnostic[]): void {
    const model = this.models[index]!;
    model.width = widthOfIds(properties);
    if (properties.length === 0) return;
    model.printedDiagnostics = diagnostics.length;
    this.say(index, [...diagnosticLines(diagnostics, this.options), headingOf(model.files, this.options)]);
  }

  verdict(index: number, result: PropertyResult): void {
    const model = this.models[index]!;
    model.shown++;
    this.say(index, propertyBlock(result, model.files, model.width, this.options));
  }

  end(index: number, report: ModelReport): void {
    const model = this.models[index]!;
    const late = diagnosticLines(report.diagnostics.slice(model.printedDiagnostics), this.options);
    if (model.shown === 0) this.say(index, emptyBlock(report, this.options));
    else if (late.length > 0) this.say(index, ['', ...late.slice(0, -1)]);
    model.ended = true;
    this.flush();
  }

  /** What is left, and how it went altogether. */
  close(reports: readonly ModelReport[]): void {
    for (const model of this.models) model.ended = true;
    this.flush();
    if (reports.length > 1) this.write(`\n${summaryLine(reports)}\n`);
  }

  private say(index: number, lines: readonly string[]): void {
    this.models[index]!.waiting.push(...lines);
    this.flush();
  }

  private flush(): void {
    for (; this.current < this.models.length; this.current++) {
      const model = this.models[this.current]!;
      if (model.waiting.length > 0) this.write(`${model.waiting.join('\n')}\n`);
      model.waiting = [];
      if (!model.ended) return;
      const isLast = this.current === this.models.length - 1;
      if (!isLast) this.write('\n');
    }
  }
}
