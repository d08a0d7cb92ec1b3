// A run that can be stepped through: the diagram, the source beside it, queues and variables at each step.

import type { Run } from '../../verdict/run.ts';
import { type RunState, runStates } from '../../verdict/run-state.ts';
import type { RunData, StateData } from './client.ts';
import { html, Markup } from './markup.ts';
import { sequenceSvg } from './sequence.ts';

/** A page with more steps than this would be slow to open: the beginning of longer runs is left out. */
const MOST_STEPS = 600;
/** Of a long queue so many messages are shown. */
const MOST_MESSAGES = 40;

const REMARKS = {
  run: null,
  'run of C': html`<code>--certificates DIR</code> writes a C program that repeats this run when it is compiled.`,
  path: html`Nobody has run it: it says where to look, not that something is wrong.`,
} as const;

export function runSection(whole: Run, anchor: string, runs: RunData[], kind: keyof typeof REMARKS): Markup {
  const dropped = Math.max(0, whole.steps.length - MOST_STEPS);
  const run: Run = {
    ...whole,
    steps: whole.steps.slice(dropped),
    loopStart: whole.loopStart === null ? null : Math.max(0, whole.loopStart - dropped),
  };
  const id = `${anchor}-run`;
  runs.push({ ...runData(run, id), ...stateData(runStates(whole).slice(dropped)) });
  const remark = REMARKS[kind];
  const growth = (run.growth ?? []).map(
    ({ queue, perRound }) => html`<li>each round leaves ${perRound} more in <code>${queue}</code></li>`,
  );
  return html`<div class="run-viewer" id="${id}" tabindex="0">
    <p><strong>${run.title}.</strong> ${run.loopStart === null ? '' : 'The marked part repeats for ever.'} ${
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
      <div class="state"><div class="excerpt mono"></div><div${new Markup(kind === 'path' ? ' hidden' : '')}><strong>queues and variables</strong><div class="state-body mono"></div></div></div></div></div>`;
}

const runData = (run: Run, id: string): Omit<RunData, 'start' | 'changes'> => ({
  id,
  actors: run.actors,
  loopStart: run.loopStart,
  steps: run.steps.map((step) => ({
    text: step.text,
    actors: step.actors,
    file: step.at?.file ?? null,
    line: step.at?.line ?? null,
  })),
});

/** The first state whole, of the others what differs: runs of many processes would repeat themselves endlessly. */
function stateData(states: readonly RunState[]): Pick<RunData, 'start' | 'changes'> {
  const [first] = states;
  return {
    start: { queues: shortened(first!.queues), values: Object.fromEntries(first!.values) },
    changes: states.slice(1).map((state, index) => difference(states[index]!, state)),
  };
}

const difference = (before: RunState, after: RunState): StateData => ({
  queues: shortened([...after.queues].filter(([name, messages]) => before.queues.get(name) !== messages)),
  values: Object.fromEntries([...after.values].filter(([name, value]) => before.values.get(name) !== value)),
});

const shortened = (queues: Iterable<readonly [string, readonly string[]]>): StateData['queues'] =>
  Object.fromEntries(
    [...queues].map(([name, messages]) => [
      name,
      { length: messages.length, front: messages.slice(0, MOST_MESSAGES) },
    ]),
  );
