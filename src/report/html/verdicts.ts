// The verdicts at a glance, the worst first.

import { counted } from '../../base/counted.ts';
import { REASONS } from '../../verdict/reasons.ts';
import type { ModelReport, PropertyResult } from '../../verdict/verdict.ts';
import { isPass } from '../../verdict/verdict.ts';
import { whyEnough } from '../enough.ts';
import { html, type Markup } from './markup.ts';
import { bySeverity } from './severity.ts';

export const propertyAnchor = (model: number, property: number): string => `m${model}-p${property}`;

export function verdictCards(report: ModelReport, model: number): Markup {
  const cards = bySeverity(report.properties).map(
    ({ property, index }) => html`<a class="card ${property.verdict}" href="#${propertyAnchor(model, index)}">
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
      return property.verdict === 'proved' && !property.checkedBy.startsWith('integers')
        ? `proved by a certificate, which a second program checked${expectation}`
        : `proved by a certificate, checked in exact integers${expectation}`;
    case 'parts':
      return `${property.evidence.parts.length} proofs, each for some of the queues${expectation}`;
    case 'exhaustion':
      return `${exploredText(property.evidence.states, whyEnough(property.evidence))}${expectation}`;
    case 'run':
      return `${property.evidence.run.title}${expectation}`;
    case 'induction':
      return `by induction over ${property.evidence.steps} steps${expectation}`;
    default:
      return `${property.reasonCode === undefined ? (property.reason ?? '') : REASONS[property.reasonCode].title}${expectation}`;
  }
}

const exploredText = (states: number, why: string | null): string =>
  why === null ? `all ${counted(states)} states explored` : `${counted(states)} states explored, ${why}`;
