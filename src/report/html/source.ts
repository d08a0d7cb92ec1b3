// The model's text with the lines of loops and runs marked.

import type { Position } from '../../source/source.ts';
import type { ModelReport } from '../../verdict/verdict.ts';
import { html, Markup, type Markup as MarkupType } from './markup.ts';

export interface Marks {
  readonly loop: ReadonlySet<string>;
  readonly touched: ReadonlySet<string>;
}

export const placeKey = (at: Position): string => `${at.file}:${at.line}`;

export function sourceSection(report: ModelReport): MarkupType {
  const marks = marksOf(report);
  const files = Object.entries(report.sources).map(([path, text]) => {
    const rows = text.split('\n').map((line, index) => {
      const key = `${path}:${index + 1}`;
      const kind = marks.loop.has(key) ? ' loop' : marks.touched.has(key) ? ' touched' : '';
      return html`<span class="line${kind}" data-place="${key}">${line === '' ? ' ' : line}</span>`;
    });
    return html`<details${new Markup(Object.keys(report.sources).length <= 3 ? ' open' : '')}><summary>${path}</summary><div class="scroll"><pre class="source">${rows}</pre></div></details>`;
  });
  const legend = [
    ...(marks.loop.size === 0 ? [] : [html`<span class="swatch loop">in a loop of a counterexample</span>`]),
    ...(marks.touched.size === 0
      ? []
      : [html`<span class="swatch touched">on the way of a run or path</span>`]),
  ];
  return html`${legend.length === 0 ? null : html`<p class="legend soft">marked: ${legend}</p>`}${files}`;
}

/** Lines in a repeating part or in a suspicious loop, and lines that a run or path touches on its way. */
export function marksOf(report: ModelReport): Marks {
  const loop = new Set<string>();
  const touched = new Set<string>();
  for (const { evidence } of report.properties) {
    if (evidence?.kind === 'suspicious-cycles') {
      for (const cycle of evidence.cycles) for (const step of cycle.steps) loop.add(placeKey(step.at));
    }
    const run = evidence?.kind === 'run' ? evidence.run : evidence?.kind === 'path' ? evidence.path : null;
    if (run !== null) {
      run.steps.forEach((step, index) => {
        if (step.at === null) return;
        const repeats = run.loopStart !== null && index >= run.loopStart;
        (repeats ? loop : touched).add(placeKey(step.at));
      });
    }
  }
  return { loop, touched };
}
