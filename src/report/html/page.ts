// One self-contained HTML file: no network, no dependency, light and dark, usable with the keyboard.
// What a reader needs is in the markup; the script only adds stepping through runs, search and the theme switch.

import { VERSION } from '../../base/version.ts';
import { renderPlaced } from '../../source/diagnostic.ts';
import { commandOf, type ModelReport, type PropertyResult } from '../../verdict/verdict.ts';
import { ruleOf } from '../rules.ts';
import { adviceSection, commandLine } from './advice.ts';
import { graphViewers } from './client/graph-viewer.ts';
import {
  copyButtons,
  foldedParts,
  linesToGraphs,
  openTargets,
  overviewFilter,
  scrollToMarks,
  searchBoxes,
  themeSwitch,
} from './client/page-parts.ts';
import { type RunData, runViewer } from './client/run-viewer.ts';
import { dependenciesSection } from './dependencies.ts';
import { evidenceSection } from './evidence.ts';
import { formulaSection } from './formula.ts';
import { html, jsonForScript, Markup } from './markup.ts';
import { overview, worstFirst } from './overview.ts';
import { type GraphPictures, graphSection } from './pictures.ts';
import { type PlaceId, placeIds } from './places.ts';
import { lineLink } from './proof.ts';
import { queueTable } from './queues.ts';
import { LIVE_RUNS } from './run.ts';
import { bySeverity } from './severity.ts';
import { sourceSection, UNEXECUTED } from './source.ts';
import { STYLE } from './style.ts';
import { oneLine, propertyAnchor, verdictCards } from './verdicts.ts';

/** What the header says beside the version. */
export interface PageOptions {
  /** The command that made the report. */
  readonly command?: string | undefined;
  readonly started?: Date | undefined;
}

export function reportHtml(
  reports: readonly ModelReport[],
  pictures: GraphPictures = new Map(),
  options: PageOptions = {},
): string {
  const runs: RunData[] = [];
  const order = worstFirst(reports);
  const models = order.map((index) => modelSection(reports[index]!, index, pictures, runs));
  const title = reports
    .flatMap((report) => report.files)
    .slice(0, 4)
    .join(', ');
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Spillway: ${title}${reports.length > 4 ? ', …' : ''}</title><style>${new Markup(STYLE)}</style></head><body>
${header(options)}
<main>${overview(reports, order)}${models}</main>
<script>${new Markup(script(runs))}</script>
</body></html>
`;
  return page.html;
}

function header({ command, started }: PageOptions): Markup {
  const date = started === undefined ? '' : ` · ${started.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return html`<header class="top"><div><h1>Spillway report</h1><p class="soft made">spillway ${VERSION}${date}${
    command === undefined ? null : html` · ${commandLine(command)}`
  }</p></div><button id="theme" hidden>theme: auto</button></header>`;
}

const SCRIPTS = {
  scrollToMarks,
  searchBoxes,
  foldedParts,
  overviewFilter,
  openTargets,
  linesToGraphs,
  themeSwitch,
  graphViewers,
};

function script(runs: readonly RunData[]): string {
  return `(function () {
${runViewer}
${copyButtons}
${Object.values(SCRIPTS).join('\n')}
// The first runs at once, the others when they come into view, so that a page of many models answers from the beginning.
const runs = ${jsonForScript(runs).html};
const later = new Map(runs.slice(${LIVE_RUNS}).map((run) => [document.getElementById(run.id), run]));
const watch = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting || !later.has(target)) continue;
    watch.unobserve(target);
    runViewer(document, later.get(target));
  }
}, { rootMargin: '400px' });
runs.slice(0, ${LIVE_RUNS}).forEach((run) => runViewer(document, run));
for (const root of later.keys()) watch.observe(root);
addEventListener('beforeprint', () => {
  for (const [root, run] of later) if (!root.classList.contains('live')) runViewer(document, run);
});
${Object.keys(SCRIPTS)
  .map((name) => `${name}(document);`)
  .join('\n')}
copyButtons(document, (text) => navigator.clipboard.writeText(text));
})();`;
}

/** Everything about one model. `runs` collects the data that the script needs. */
export function modelSection(
  report: ModelReport,
  model: number,
  pictures: GraphPictures,
  runs: RunData[],
): Markup {
  const placeOf = placeIds(report, model);
  const shown = (all: ModelReport['diagnostics']): Markup[] =>
    all.map(
      (one) => html`<pre class="scroll diagnostic ${one.severity}" tabindex="0">${renderPlaced(one)}</pre>`,
    );
  const idle = report.diagnostics.filter(({ code }) => code === UNEXECUTED);
  const count = idle.length === 1 ? '1 statement' : `${idle.length} statements`;
  const diagnostics = [
    ...shown(report.diagnostics.filter((one) => !idle.includes(one))),
    // They are marked in the text, too.
    ...(idle.length === 0
      ? []
      : [html`<details><summary>${count} that no run executes</summary>${shown(idle)}</details>`]),
  ];
  const drawn = pictures.get(model) ?? [];
  const sections = (of: string | undefined): Markup[] =>
    drawn.filter(({ property }) => property === of).map((picture) => graphSection(picture, report.files));
  const properties = bySeverity(report.properties).map(({ property, index }) =>
    propertySection(property, propertyAnchor(model, index), runs, sections(property.id), placeOf),
  );
  const graphs = sections(undefined);
  const names = new Set(drawn.filter(({ svg }) => svg !== null).map(({ name }) => name));
  return html`<section class="model" id="m${model}"><h2>${report.files.join(' ')}</h2>${diagnostics}${verdictCards(report, model)}${properties}
    ${report.formula === undefined ? null : formulaSection(report.formula, model, report.sources)}
    ${Object.keys(report.sources).length === 0 ? null : html`<h3>The model</h3>${sourceSection(report, model, names)}`}
    ${
      (report.dependencies ?? []).length === 0
        ? null
        : html`<h3>Loops that need others</h3><details><summary>${report.dependencies!.length} dependencies</summary>${dependenciesSection(report.dependencies!, `m${model}-dependencies`)}</details>`
    }
    ${graphs.length === 0 ? null : html`<h3>Process graphs</h3>${graphs}`}</section>`;
}

function propertySection(
  property: PropertyResult,
  anchor: string,
  runs: RunData[],
  pictures: readonly Markup[],
  placeOf: PlaceId,
): Markup {
  const notes = (property.notes ?? []).map((note) => {
    const place = note.at === undefined ? null : html` (${lineLink(note.at, placeOf)})`;
    return html`<li style="white-space: pre-wrap">${note.severity}: ${note.message}${place}</li>`;
  });
  const rule = ruleOf(property.id);
  return html`<section class="property"><h3 id="${anchor}">${property.id}: <span class="badge ${property.verdict}">${property.verdict}</span></h3>
    <p class="soft asked" title="${rule.full}">asked: ${rule.short}</p>
    ${property.evidence?.kind === 'run' && property.expected === undefined ? null : html`<p class="soft">${oneLine(property)}</p>`}
    ${property.reason === undefined ? null : html`<p>${property.reason}</p>`}${adviceSection(property)}
    ${queueTable(property, `${anchor}-queues`, placeOf)}
    ${evidenceSection(property, anchor, runs, placeOf)}${pictures}
    ${notes.length === 0 ? null : html`<ul class="notes">${notes}</ul>`}
    ${statisticsSection(property)}
    <p class="soft">again: ${commandLine(commandOf(property.reproduce))}</p></section>`;
}

/** `messageTypes` → `message types`. */
const inWords = (name: string): string =>
  name === 'lps' ? 'linear programs' : name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function statisticsSection(property: PropertyResult): Markup {
  const { milliseconds, ...counts } = property.stats;
  const rows = [
    ...Object.entries(milliseconds ?? {}).map(
      ([stage, time]) => [`time: ${stage}`, `${Math.round(time)} ms`] as const,
    ),
    ...Object.entries(counts).flatMap(([name, value]) =>
      value === undefined || value === null
        ? []
        : [[inWords(name), typeof value === 'object' ? JSON.stringify(value) : String(value)] as const],
    ),
  ].map(([name, value]) => html`<tr><td>${name}</td><td class="num">${value}</td></tr>`);
  return html`<details><summary>statistics</summary><table><tbody>${rows}</tbody></table></details>`;
}
