// The evidence of one property: the run that can be stepped through, the suspicious loops, the proof, the statistics.

import type { Run } from '../../verdict/run.ts';
import { runStates } from '../../verdict/run-state.ts';
import type { CycleDescription, PropertyResult } from '../../verdict/verdict.ts';
import type { RunData } from './client.ts';
import { waysSection } from './formula.ts';
import { html, Markup } from './markup.ts';
import { proofSection } from './proof.ts';
import { sequenceSvg } from './sequence.ts';

/** A page with more steps than this would be slow to open: the beginning of longer runs is left out. */
const MOST_STEPS = 600;

export function evidenceSection(property: PropertyResult, anchor: string, runs: RunData[]): Markup | null {
  const { evidence } = property;
  switch (evidence?.kind) {
    case 'run':
      return runSection(evidence.run, anchor, runs, evidence.harness !== undefined ? HARNESS : null);
    case 'path':
      return runSection(evidence.path, anchor, runs, NOT_A_RUN, false);
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

const HARNESS = html`<code>--certificates DIR</code> writes a C program that repeats this run when it is compiled.`;
const NOT_A_RUN = html`Nobody has run it: it says where to look, not that something is wrong.`;

function runSection(
  whole: Run,
  anchor: string,
  runs: RunData[],
  remark: Markup | null,
  hasState = true,
): Markup {
  const { run, dropped } = lastSteps(whole);
  const id = `${anchor}-run`;
  runs.push(runData(run, id));
  const growth = (run.growth ?? []).map(
    ({ queue, perRound }) => html`<li>each round leaves ${perRound} more in <code>${queue}</code></li>`,
  );
  return html`<div class="run-viewer" id="${id}" tabindex="0">
    <p><strong>${sentence(run.title)}</strong> ${run.loopStart === null ? '' : 'The marked part repeats for ever.'} ${
      dropped > 0 ? `The first ${dropped} steps are left out here.` : ''
    }</p>
    ${remark === null ? null : html`<p class="soft">${remark}</p>`}
    ${growth.length === 0 ? null : html`<ul class="notes">${growth}</ul>`}
    <div class="controls"><button class="first" title="Home">|◀</button><button class="back" title="←">◀ back</button>
      <button class="forward" title="→">step ▶</button><button class="last" title="End">▶|</button>
      <input class="slider" type="range" min="0" max="${run.steps.length}" value="0" aria-label="step">
      <span class="soft"><kbd>←</kbd> <kbd>→</kbd></span></div>
    <p class="caption mono" aria-live="polite"></p>
    <div class="run"><div class="diagram">${sequenceSvg(run)}</div>
      <div class="state"><div class="excerpt mono"></div><div${new Markup(hasState ? '' : ' hidden')}><strong>queues and variables</strong><div class="state-body mono"></div></div></div></div></div>`;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function lastSteps(run: Run): { run: Run; dropped: number } {
  const dropped = run.steps.length - MOST_STEPS;
  if (dropped <= 0) return { run, dropped: 0 };
  const before = runStates(run)[dropped]!;
  return {
    dropped,
    run: {
      ...run,
      initial: [...before.values].map(([name, value]) => ({ name, value })),
      steps: run.steps.slice(dropped),
      loopStart: run.loopStart === null ? null : Math.max(0, run.loopStart - dropped),
    },
  };
}

function runData(run: Run, id: string): RunData {
  return {
    id,
    actors: run.actors,
    loopStart: run.loopStart,
    steps: run.steps.map((step) => ({
      text: step.text,
      actors: step.actors,
      file: step.at?.file ?? null,
      line: step.at?.line ?? null,
    })),
    states: runStates(run).map((state) => ({
      queues: Object.fromEntries(state.queues),
      values: Object.fromEntries(state.values),
    })),
  };
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
