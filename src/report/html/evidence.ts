// The evidence of one property: the run that can be stepped through, the suspicious loops, the proof, the statistics.

import type { CycleDescription, PropertyResult } from '../../verdict/verdict.ts';
import type { RunData } from './client.ts';
import { waysSection } from './formula.ts';
import { html, type Markup } from './markup.ts';
import { proofSection } from './proof.ts';
import { runSection } from './run.ts';

export function evidenceSection(property: PropertyResult, anchor: string, runs: RunData[]): Markup | null {
  const { evidence } = property;
  switch (evidence?.kind) {
    case 'run':
      return runSection(evidence.run, anchor, runs, evidence.harness === undefined ? 'run' : 'run of C');
    case 'path':
      return runSection(evidence.path, anchor, runs, 'path');
    case 'suspicious-cycles':
      return cyclesSection(evidence.cycles);
    case 'certificate':
      return proofSection(evidence.certificate, property.proof, anchor);
    case 'exhaustion':
      return html`<p>The search visited every reachable state: ${evidence.states.toLocaleString('en')} states and
        ${evidence.transitions.toLocaleString('en')} transitions. The command below repeats it.</p>`;
    case 'induction':
      return html`<p>${evidence.steps} steps of the induction ${property.verdict === 'proved' ? 'were proved' : 'could be proved'}.</p>${waysSection(evidence.details, anchor)}`;
    default:
      return null;
  }
}

function cyclesSection(cycles: readonly CycleDescription[]): Markup {
  const items = cycles.map((cycle) => {
    const effect = cycle.effect
      .map(({ queue, change }) => `${change > 0 ? '+' : ''}${change} ${queue}`)
      .join(', ');
    const steps = cycle.steps.map(
      (step) =>
        html`<li><code>${step.text}</code> <span class="soft">${step.at.file}:${step.at.line}</span></li>`,
    );
    return html`<h3>${cycle.process}${effect === '' ? '' : `: ${effect} each round`}${cycle.times > 1 ? `, ${cycle.times} rounds` : ''}</h3>
      ${cycle.why === undefined ? null : html`<p class="soft">${cycle.why}</p>`}<ol class="steps">${steps}</ol>`;
  });
  return html`<p>As far as counts of messages go, these loops could repeat together and violate the property. No real run shows it, and
    nothing ruled them out.</p>${items}`;
}
