// One self-contained HTML file: no network, no dependency, light and dark, usable with the keyboard.
// What a reader needs is in the markup; the script only adds stepping through runs, search and the theme switch.

import { VERSION } from '../../base/version.ts';
import { renderPlaced } from '../../source/diagnostic.ts';
import { commandOf, type ModelReport, type PropertyResult } from '../../verdict/verdict.ts';
import { openTargets, type RunData, runViewer, scrollToMarks, searchBoxes, themeSwitch } from './client.ts';
import { dependenciesSection } from './dependencies.ts';
import { evidenceSection } from './evidence.ts';
import { formulaSection } from './formula.ts';
import { html, jsonForScript, Markup } from './markup.ts';
import type { GraphPicture, GraphPictures } from './pictures.ts';
import { sourceSection } from './source.ts';
import { STYLE } from './style.ts';
import { oneLine, propertyAnchor, queueTable, verdictCards } from './verdicts.ts';

export function reportHtml(reports: readonly ModelReport[], pictures: GraphPictures = new Map()): string {
  const runs: RunData[] = [];
  const models = reports.map((report, index) => modelSection(report, index, pictures, runs));
  const title = reports.flatMap((report) => report.files).join(', ');
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Spillway: ${title}</title><style>${new Markup(STYLE)}</style></head><body>
<header class="top"><h1>Spillway report</h1><span class="soft">spillway ${VERSION}</span><button id="theme" hidden>theme: auto</button></header>
<main>${models}</main>
<script>${new Markup(script(runs))}</script>
</body></html>
`;
  return page.html;
}

function script(runs: readonly RunData[]): string {
  return `(function () {
${runViewer}
${scrollToMarks}
${searchBoxes}
${openTargets}
${themeSwitch}
for (const run of ${jsonForScript(runs).html}) runViewer(document, run);
scrollToMarks(document);
searchBoxes(document);
openTargets(document);
themeSwitch(document);
})();`;
}

function modelSection(report: ModelReport, model: number, pictures: GraphPictures, runs: RunData[]): Markup {
  const diagnostics = report.diagnostics.map(
    (diagnostic) => html`<pre class="scroll">${renderPlaced(diagnostic)}</pre>`,
  );
  const drawn = pictures.get(model) ?? [];
  const sections = (of: string | undefined): Markup[] =>
    drawn.filter(({ property }) => property === of).map((picture) => graphSection(picture, report.files));
  const properties = report.properties.map((property, index) =>
    propertySection(property, propertyAnchor(model, index), runs, sections(property.id)),
  );
  const graphs = sections(undefined);
  return html`<section><h2>${report.files.join(' ')}</h2>${diagnostics}${verdictCards(report, model)}${properties}
    ${report.formula === undefined ? null : formulaSection(report.formula, model, report.sources)}
    ${Object.keys(report.sources).length === 0 ? null : html`<h2>The model</h2>${sourceSection(report)}`}
    ${
      (report.dependencies ?? []).length === 0
        ? null
        : html`<h2>Loops that need others</h2><details><summary>${report.dependencies!.length} dependencies</summary>${dependenciesSection(report.dependencies!, `m${model}-dependencies`)}</details>`
    }
    ${graphs.length === 0 ? null : html`<h2>Process graphs</h2>${graphs}`}</section>`;
}

function graphSection({ name, note, svg }: GraphPicture, files: readonly string[]): Markup {
  const heading = html`<summary>${name}${note === '' ? null : html` <span class="soft">${note}</span>`}</summary>`;
  return svg === null
    ? html`<details>${heading}<p><code>spillway graph ${files.join(' ')} --process ${name}</code> writes it for Graphviz.</p></details>`
    : html`<details>${heading}<div class="graph">${new Markup(svg)}</div></details>`;
}

function propertySection(
  property: PropertyResult,
  anchor: string,
  runs: RunData[],
  pictures: readonly Markup[],
): Markup {
  const notes = (property.notes ?? []).map((note) => {
    const place = note.at === undefined ? '' : ` (${note.at.file}:${note.at.line})`;
    return html`<li style="white-space: pre-wrap">${note.severity}: ${note.message}${place}</li>`;
  });
  return html`<h2 id="${anchor}">${property.id}: <span class="badge ${property.verdict}">${property.verdict}</span></h2>
    ${property.evidence?.kind === 'run' && property.expected === undefined ? null : html`<p class="soft">${oneLine(property)}</p>`}
    ${property.reason === undefined ? null : html`<p>${property.reason}</p>`}
    ${property.queues === undefined ? null : queueTable(property.queues, `${anchor}-queues`)}
    ${evidenceSection(property, anchor, runs)}${pictures}
    ${notes.length === 0 ? null : html`<ul class="notes">${notes}</ul>`}
    ${statisticsSection(property)}
    <p class="soft">again: <code>${commandOf(property.reproduce)}</code></p>`;
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
