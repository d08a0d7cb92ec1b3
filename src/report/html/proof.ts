// A proof, explained: the weights, and for each step why the sum of weights does not rise (or falls).

import type { Position } from '../../source/source.ts';
import { CHECKERS, type Checker } from '../../verdict/answer.ts';
import type { CertificateDocument, ExplainedPotential, ProofExplanation } from '../../verdict/verdict.ts';
import { html, later, type Markup } from './markup.ts';
import type { PlaceId } from './places.ts';
import { potentialSentence } from './weights.ts';

export function proofSection(
  certificate: CertificateDocument,
  checkedBy: Checker,
  explanation: ProofExplanation | undefined,
  anchor: string,
  placeOf: PlaceId,
): Markup {
  const { format: _format, version: _version, ...content } = certificate;
  return html`<p>The proof is a certificate: ${CHECKERS[checkedBy]}. <code>spillway audit</code> does that again, against the model.</p>
    ${explanation === undefined ? null : explained(explanation, anchor, placeOf)}
    <details class="later"><summary>the certificate, as written to disk</summary>${later(html`<pre class="scroll" tabindex="0" id="${anchor}-certificate">${JSON.stringify(content, null, 1)}</pre>`)}</details>`;
}

function explained({ kind, potentials }: ProofExplanation, anchor: string, placeOf: PlaceId): Markup {
  const idea =
    kind === 'bound'
      ? 'Every message and every location has a weight. No step makes the sum of all weights rise, so it never exceeds what it is at the start; and a queue that holds many messages would weigh more than that.'
      : 'Every message and every location has a weight. Each step that is not progress makes the sum of all weights fall; it is never negative, so such steps cannot go on for ever.';
  return html`<p>${idea}</p>${potentials.map((potential, index) => potentialSection(kind, potential, `${anchor}-potential${index}`, placeOf))}`;
}

function potentialSection(
  kind: ProofExplanation['kind'],
  potential: ExplainedPotential,
  id: string,
  placeOf: PlaceId,
): Markup {
  const weights = potential.weights.map(
    (weight) =>
      html`<tr><td>${weight.kind}</td><td><code>${weight.name}</code></td><td class="num">${weight.weight}</td></tr>`,
  );
  const steps = potential.steps.map(
    (step) => html`<tr><td>${step.process}</td><td><code>${step.text}</code></td>
      <td class="soft">${lineLink(step.at, placeOf)}</td><td>${step.progress && kind === 'ranking' ? 'progress: may rise' : step.terms}</td>
      <td class="num">${step.change}</td></tr>`,
  );
  const omitted =
    potential.omitted > 0
      ? html`<p class="soft">… and ${potential.omitted} more steps; audit checks them all.</p>`
      : null;
  return html`<p class="sentence"><strong>${potential.title}.</strong> ${potentialSentence(kind, potential)}</p>
    <details class="proof later"><summary>the weights one by one, and why no step breaks it</summary>${later(html`
    <h3>Weights (all others are 0)</h3><div class="scroll" tabindex="0" role="group" aria-label="proof"><table><thead><tr><th>kind</th><th>of</th><th class="num">weight</th></tr></thead><tbody>${weights}</tbody></table></div>
    <h3>Why no step breaks it</h3><input type="search" data-filters="${id}" placeholder="find a step" aria-label="find a step" hidden>
    <div class="scroll" tabindex="0" role="group" aria-label="proof"><table id="${id}"><thead><tr><th>process</th><th>step</th><th>where</th><th>because</th><th class="num">change</th></tr></thead><tbody>${steps}</tbody></table></div>${omitted}`)}</details>`;
}

/** A place as a link into the listing, where the listing has it. */
export function lineLink(at: Position | null | undefined, placeOf: PlaceId): Markup | null {
  if (at === null || at === undefined) return null;
  const place = placeOf(at);
  return place === null ? html`line ${at.line}` : html`<a href="#${place}">line ${at.line}</a>`;
}
