// The verdicts at a glance, and the table of queues.

import { REASONS } from '../../verdict/reasons.ts';
import type { ModelReport, PropertyResult, QueueResult, Verdict } from '../../verdict/verdict.ts';
import { isPass } from '../../verdict/verdict.ts';
import { html, type Markup } from './markup.ts';

export const propertyAnchor = (model: number, property: number): string => `m${model}-p${property}`;

export function verdictCards(report: ModelReport, model: number): Markup {
  const cards = report.properties.map(
    (property, index) => html`<a class="card ${property.verdict}" href="#${propertyAnchor(model, index)}">
      <span class="badge">${property.verdict.toUpperCase()}</span> <strong>${property.id}</strong>
      <div class="soft">${oneLine(property)}</div></a>`,
  );
  return html`<div class="verdicts">${cards}</div>`;
}

export function oneLine(property: PropertyResult): string {
  const expectation =
    property.expected === undefined
      ? ''
      : isPass(property)
        ? ' (as expected)'
        : ` (expected: ${property.expected})`;
  switch (property.evidence?.kind) {
    case 'certificate':
      return `proved by a certificate, checked in exact integers${expectation}`;
    case 'exhaustion':
      return `all ${property.evidence.states.toLocaleString('en')} states explored${expectation}`;
    case 'run':
      return `${property.evidence.run.title}${expectation}`;
    case 'induction':
      return `by induction over ${property.evidence.steps} steps${expectation}`;
    default:
      return `${property.reasonCode === undefined ? (property.reason ?? '') : REASONS[property.reasonCode].title}${expectation}`;
  }
}

const MANY_QUEUES = 12;
const RANK: Record<Verdict, number> = { refuted: 0, unknown: 1, proved: 2 };

export function queueTable(queues: readonly QueueResult[], id: string): Markup {
  if (queues.length === 0) return html`<p>The model has no buffered queue.</p>`;
  const number = (value: number | null): string => (value === null ? '–' : String(value));
  // In a long table what is open must not be searched for.
  const ordered =
    queues.length > MANY_QUEUES ? queues.toSorted((a, b) => RANK[a.verdict] - RANK[b.verdict]) : queues;
  const rows = ordered.map(
    (
      queue,
    ) => html`<tr><td><code>${queue.name}</code></td><td class="badge ${queue.verdict}">${queue.verdict}</td>
      <td class="num">${number(queue.bound)}</td><td class="num">${number(queue.certifiedBound)}</td><td class="num">${number(queue.exact)}</td>
      <td class="num">${queue.declared}</td><td>${fits(queue)}</td></tr>`,
  );
  const search =
    queues.length > MANY_QUEUES
      ? html`<input type="search" data-filters="${id}" placeholder="find a queue" aria-label="find a queue">`
      : null;
  return html`${search}<div class="scroll"><table id="${id}"><thead><tr><th>queue</th><th>verdict</th><th class="num">bound</th>
    <th class="num">certified</th><th class="num">exact</th><th class="num">declared</th><th>at the declared capacity</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function fits(queue: QueueResult): string {
  if (queue.verdict === 'refuted') return 'fills up, whatever the capacity';
  if (queue.fits === null) return 'not known';
  return queue.fits ? 'a send never blocks' : 'a send may block';
}
