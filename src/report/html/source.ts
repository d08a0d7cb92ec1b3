// The model's text with the lines of loops and runs marked; marked lines lead to the steps of the run, lines with edges to the graph.

import type { Position } from '../../source/source.ts';
import type { Run } from '../../verdict/run.ts';
import type { ModelReport, PropertyResult } from '../../verdict/verdict.ts';
import { html, Markup } from './markup.ts';
import { placeIds } from './places.ts';
import { droppedOf } from './run.ts';
import { propertyAnchor } from './verdicts.ts';

export interface Marks {
  readonly loop: ReadonlySet<string>;
  readonly touched: ReadonlySet<string>;
}

export const placeKey = (at: Position): string => `${at.file}:${at.line}`;

/** Links from one line: more would hide the text. */
const MOST_RUNS = 3;
const MOST_STEPS = 4;

export function sourceSection(report: ModelReport, model: number, drawn: ReadonlySet<string>): Markup {
  const marks = marksOf(report);
  const idle = unexecutedLines(report);
  const placeOf = placeIds(report, model);
  const steps = stepsByLine(report, model);
  const edges = new Set(
    (report.graphs ?? [])
      .filter(({ name }) => drawn.has(name))
      .flatMap((graph) => graph.edges.flatMap((edge) => (edge.at === undefined ? [] : [placeKey(edge.at)]))),
  );
  const files = Object.entries(report.sources).map(([path, text]) => {
    const rows = text.split('\n').map((line, index) => {
      const key = `${path}:${index + 1}`;
      const never = idle.get(key);
      const kind = marks.loop.has(key)
        ? ' loop'
        : marks.touched.has(key)
          ? ' touched'
          : never === undefined
            ? ''
            : ' unexecuted';
      const id = placeOf({ file: path, line: index + 1, column: 1 });
      const toGraph = edges.has(key)
        ? html`<a class="edges" href="#${id ?? ''}" title="show line ${index + 1} in the process graph" aria-label="line ${index + 1} in the process graph">⤳</a>`
        : null;
      return html`<span class="line${kind}" id="${id ?? ''}"><span class="text"${never === undefined ? null : html` title="${never}"`}>${line === '' ? ' ' : line}</span>${stepLinks(steps.get(key))}${toGraph}</span>`;
    });
    return html`<details${new Markup(Object.keys(report.sources).length <= 3 ? ' open' : '')}><summary>${path}</summary><div class="scroll" tabindex="0" role="group" aria-label="${path}"><pre class="source">${rows}</pre></div></details>`;
  });
  const legend = [
    ...(marks.loop.size === 0 ? [] : [html`<span class="swatch loop">in a loop of a counterexample</span>`]),
    ...(marks.touched.size === 0
      ? []
      : [html`<span class="swatch touched">on the way of a run or path</span>`]),
    ...(idle.size === 0 ? [] : [html`<span class="swatch unexecuted">executed by no run</span>`]),
  ];
  return html`${legend.length === 0 ? null : html`<p class="legend soft">marked: ${legend}</p>`}${files}`;
}

/** What `--coverage` has found: line → why. */
function unexecutedLines({ diagnostics }: ModelReport): Map<string, string> {
  const lines = new Map<string, string>();
  for (const { code, at, message } of diagnostics) {
    if (code !== UNEXECUTED || at === null) continue;
    const key = placeKey(at);
    lines.set(key, lines.has(key) ? `${lines.get(key)}; ${message}` : message);
  }
  return lines;
}

/** The code of a hint at a statement that no run executes. */
export const UNEXECUTED = 'SPW1391';

interface RunSteps {
  readonly anchor: string;
  readonly property: string;
  readonly dropped: number;
  readonly steps: number[];
}

/** Which steps of which runs stand on a line; steps count from 0 after what the page leaves out. */
function stepsByLine(report: ModelReport, model: number): Map<string, RunSteps[]> {
  const found = new Map<string, RunSteps[]>();
  report.properties.forEach((property, index) => {
    const run = runOf(property);
    if (run === null) return;
    const anchor = propertyAnchor(model, index);
    const dropped = droppedOf(run);
    run.steps.slice(dropped).forEach((step, number) => {
      if (step.at === null) return;
      const key = placeKey(step.at);
      const all = found.get(key) ?? [];
      found.set(key, all);
      const last = all.at(-1);
      if (last?.anchor === anchor) last.steps.push(number);
      else all.push({ anchor, property: property.id, dropped, steps: [number] });
    });
  });
  return found;
}

function stepLinks(runs: readonly RunSteps[] | undefined): Markup | null {
  if (runs === undefined) return null;
  return html`${runs.slice(0, MOST_RUNS).map(({ anchor, property, dropped, steps }) => {
    const shown = steps.slice(0, MOST_STEPS).map((step) => dropped + step + 1);
    const text = `${shown.join(', ')}${steps.length > shown.length ? ', …' : ''}`;
    return html`<a class="steps-at" href="#${anchor}-run" data-run="${anchor}-run" data-steps="${steps.join(' ')}" title="${property}: step ${text}">step ${text}</a>`;
  })}`;
}

const runOf = ({ evidence }: PropertyResult): Run | null =>
  evidence?.kind === 'run' ? evidence.run : evidence?.kind === 'path' ? evidence.path : null;

/** Lines in a repeating part or in a suspicious loop, and lines that a run or path touches on its way. */
export function marksOf(report: ModelReport): Marks {
  const loop = new Set<string>();
  const touched = new Set<string>();
  for (const property of report.properties) {
    const { evidence } = property;
    if (evidence?.kind === 'suspicious-cycles') {
      for (const cycle of evidence.cycles) for (const step of cycle.steps) loop.add(placeKey(step.at));
    }
    const run = runOf(property);
    run?.steps.forEach((step, index) => {
      if (step.at === null) return;
      const repeats = run.loopStart !== null && index >= run.loopStart;
      (repeats ? loop : touched).add(placeKey(step.at));
    });
  }
  return { loop, touched };
}
