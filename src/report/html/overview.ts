// Several models at a glance: what is wrong first, with counts, a filter by verdict and a search.

import type { ModelReport } from '../../verdict/verdict.ts';
import { worst } from '../../verdict/verdict.ts';
import { plural } from '../table.ts';
import { html, type Markup } from './markup.ts';
import { bySeverity, ORDER, type Standing } from './severity.ts';
import { oneLine, propertyAnchor } from './verdicts.ts';

/** How a model fares: by its worst property; errors in the input are worse than anything. */
function standingOf(report: ModelReport): Standing {
  if (report.diagnostics.some(({ severity }) => severity === 'error')) return 'errors';
  return report.properties.length === 0 ? 'unknown' : worst(report.properties.map(({ verdict }) => verdict));
}

/** Indices of the models, the worst first. */
export const worstFirst = (reports: readonly ModelReport[]): number[] => {
  const rank = reports.map((report) => ORDER.indexOf(standingOf(report)));
  return [...reports.keys()].sort((a, b) => rank[a]! - rank[b]! || a - b);
};

export function overview(reports: readonly ModelReport[], order: readonly number[]): Markup | null {
  if (reports.length < 2) return null;
  const verdicts = reports.flatMap(({ properties }) => properties.map(({ verdict }) => verdict));
  const counts = (['refuted', 'unknown', 'proved'] as const).map(
    (verdict) =>
      html`<span class="count ${verdict}"><strong>${verdicts.filter((one) => one === verdict).length}</strong> ${verdict}</span>`,
  );
  const broken = reports.filter((report) => standingOf(report) === 'errors').length;
  const boxes = ORDER.filter((one) => one !== 'errors' || broken > 0).map(
    (one) => html`<label><input type="checkbox" value="${one}" checked> ${one}</label>`,
  );
  return html`<section id="overview" aria-label="overview"><p class="counts"><span class="count"><strong>${reports.length}</strong> models</span>${counts}${
    broken === 0 ? null : html`<span class="count refuted"><strong>${broken}</strong> with errors</span>`
  }</p><div class="filters" hidden><input type="search" placeholder="find a model or property" aria-label="find a model or property">${boxes}
    <span class="shown soft" aria-live="polite"></span></div>
    <div class="scroll"><table><thead><tr><th>model</th><th>verdicts</th></tr></thead><tbody>${order.map((index) => overviewRow(reports[index]!, index))}</tbody></table></div></section>`;
}

function overviewRow(report: ModelReport, index: number): Markup {
  const standing = standingOf(report);
  const has = new Set<string>([standing, ...report.properties.map(({ verdict }) => verdict)]);
  const badges = bySeverity(report.properties).map(
    ({ property, index: number }) =>
      html`<a class="badge ${property.verdict}" href="#${propertyAnchor(index, number)}" title="${oneLine(property)}">${property.id}: ${property.verdict}</a> `,
  );
  const errors = report.diagnostics.filter(({ severity }) => severity === 'error').length;
  return html`<tr data-model="m${index}" data-verdicts="${[...has].join(' ')}"><td><a href="#m${index}">${report.files.join(' ')}</a></td>
    <td>${errors > 0 ? html`<span class="badge refuted">${plural(errors, 'error')}</span>` : null}${badges}</td></tr>`;
}
