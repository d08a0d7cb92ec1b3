// The evidence of one property: the run that can be stepped through, the suspicious loops, the proof, the statistics.

import { counted } from '../../base/counted.ts';
import type { Checker } from '../../verdict/answer.ts';
import type { CycleDescription, ProofExplanation, PropertyResult } from '../../verdict/verdict.ts';
import type { RunData } from './client/run-viewer.ts';
import { waysSection } from './formula.ts';
import { html, type Markup } from './markup.ts';
import type { PlaceId } from './places.ts';
import { lineLink, proofSection } from './proof.ts';
import { runSection } from './run.ts';

/** What looked at the proof before it was reported. */
const checkerOf = (property: PropertyResult): Checker =>
  property.verdict === 'proved' ? property.checkedBy : 'search';

export function evidenceSection(
  property: PropertyResult,
  anchor: string,
  runs: RunData[],
  placeOf: PlaceId,
): Markup | null {
  const { evidence } = property;
  switch (evidence?.kind) {
    case 'run':
      return runSection(
        evidence.run,
        anchor,
        runs,
        evidence.harness === undefined ? 'run' : 'run of C',
        placeOf,
      );
    case 'path':
      return runSection(evidence.path, anchor, runs, 'path', placeOf);
    case 'suspicious-cycles':
      return cyclesSection(evidence.cycles, placeOf);
    case 'certificate':
      return proofSection(evidence.certificate, checkerOf(property), property.proof, anchor, placeOf);
    case 'parts':
      return html`${evidence.parts.map((part, index) => partSection(property, part, `${anchor}-part${index}`, placeOf))}`;
    case 'exhaustion':
      return html`<p>The search visited every reachable state: ${counted(evidence.states)} states and
        ${counted(evidence.transitions)} transitions. The command below repeats it.</p>`;
    case 'induction':
      return html`<p>${evidence.steps} steps of the induction ${property.verdict === 'proved' ? 'were proved' : 'could be proved'}.</p>${waysSection(evidence.details, anchor)}`;
    default:
      return null;
  }
}

type Part = Extract<NonNullable<PropertyResult['evidence']>, { kind: 'parts' }>['parts'][number];

/** One of several proofs, each for some of the queues. */
function partSection(
  property: PropertyResult,
  { queues, evidence }: Part,
  anchor: string,
  placeOf: PlaceId,
): Markup {
  const how =
    evidence.kind === 'certificate'
      ? proofSection(
          evidence.certificate,
          checkerOf(property),
          explanationOf(property, queues),
          anchor,
          placeOf,
        )
      : evidence.kind === 'exhaustion'
        ? html`<p>All ${counted(evidence.states)} states were explored.</p>`
        : html`<p>${evidence.steps} steps of an induction.</p>`;
  return html`<h3>${queues.join(', ')}</h3>${how}`;
}

/** Of the explained potentials those that speak of these queues. */
function explanationOf({ proof }: PropertyResult, queues: readonly string[]): ProofExplanation | undefined {
  if (proof === undefined) return undefined;
  const potentials = proof.potentials.filter((one) => queues.some((queue) => one.queues?.includes(queue)));
  return potentials.length === 0 ? undefined : { ...proof, potentials };
}

function cyclesSection(cycles: readonly CycleDescription[], placeOf: PlaceId): Markup {
  const items = cycles.map((cycle) => {
    const effect = cycle.effect
      .map(({ queue, change }) => `${change > 0 ? '+' : ''}${change} ${queue}`)
      .join(', ');
    const steps = cycle.steps.map(
      (step) =>
        html`<li><code>${step.text}</code> <span class="soft">${lineLink(step.at, placeOf)}</span></li>`,
    );
    return html`<h3>${cycle.process}${effect === '' ? '' : `: ${effect} each round`}${cycle.times > 1 ? `, ${cycle.times} rounds` : ''}</h3>
      ${cycle.why === undefined ? null : html`<p class="soft">${cycle.why}</p>`}<ol class="steps">${steps}</ol>`;
  });
  return html`<p>As far as counts of messages go, these loops could repeat together and violate the property. No real run shows it, and
    nothing ruled them out.</p>${items}`;
}
