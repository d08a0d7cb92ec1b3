// A run that can be stepped through: the diagram, the source beside it, queues and variables at each step. It opens at its end, where
// what is wrong can be seen; without a script the page shows the whole diagram and the last state.

import type { Run } from '../../verdict/run.ts';
import { type RunState, runStates } from '../../verdict/run-state.ts';
import { drawRun } from '../diagram.ts';
import { blockedSection } from './blocked.ts';
import type { RunData, StateData } from './client/run-viewer.ts';
import { growthPlots } from './growth.ts';
import { html, later, Markup } from './markup.ts';
import type { PlaceId } from './places.ts';

/** A page with more steps than this would be slow to open: the beginning of longer runs is left out. */
const MOST_STEPS = 600;

export const droppedOf = ({ steps }: Run): number => Math.max(0, steps.length - MOST_STEPS);

/** Runs that come to life when the page opens; the others when they come into view. */
export const LIVE_RUNS = 3;

/** Of a long queue so many messages are shown. */
const MOST_MESSAGES = 40;

const REMARKS = {
  run: null,
  'run of C': html`<code>--certificates DIR</code> writes a C program that repeats this run when it is compiled.`,
  path: html`Nobody has run it: it says where to look, not that something is wrong.`,
} as const;

export type RunKind = keyof typeof REMARKS;

export function runSection(
  run: Run,
  anchor: string,
  runs: RunData[],
  kind: RunKind,
  placeOf: PlaceId,
): Markup {
  const dropped = droppedOf(run);
  const id = `${anchor}-run`;
  const states = runStates(run);
  const isLater = runs.length >= LIVE_RUNS;
  runs.push({ ...runData(run, id, dropped, placeOf), ...stateData(states.slice(dropped)) });
  const remark = REMARKS[kind];
  return html`<div class="run-viewer" id="${id}" tabindex="0" role="group" aria-label="run: ${run.title}">
    <p><strong>${run.title}.</strong> ${run.loopStart === null ? '' : 'The marked part repeats for ever.'} ${
      dropped > 0 ? `The first ${dropped} steps are left out here.` : ''
    }</p>
    ${remark === null ? null : html`<p class="soft">${remark}</p>`}
    ${blockedSection(run.blocked, placeOf)}${growthPlots(run)}
    ${controls(run.steps.length - dropped)}
    <p class="caption mono" aria-live="polite"></p>
    <div class="run">${diagramBox(run, dropped, isLater)}
      <div class="state" tabindex="0" role="group" aria-label="state"><div class="excerpt mono"></div><div${new Markup(kind === 'path' ? ' hidden' : '')}><strong>queues and variables</strong><div class="state-body mono">${lastState(states.at(-1)!)}</div></div></div></div></div>`;
}

const controls = (steps: number): Markup =>
  html`<div class="controls"><button class="first" title="to the beginning (Home)" aria-label="to the beginning">|◀</button><button class="back" title="one step back (←)">◀ back</button>
      <button class="forward" title="one step on (→)">step ▶</button><button class="last" title="to the end (End)" aria-label="to the end">▶|</button>
      <input class="slider" type="range" min="0" max="${steps}" value="${steps}" aria-label="step">
      <span class="zooming"><button class="smaller" title="smaller (-)" aria-label="smaller">−</button><span class="zoom soft">100 %</span><button class="larger" title="larger (+)" aria-label="larger">+</button>
      <button class="fit" title="fit to width (0)">fit</button><button class="full" title="full screen (f)">full screen</button></span>
      <span class="soft keys"><kbd>←</kbd> <kbd>→</kbd> <kbd>Home</kbd> <kbd>End</kbd> <kbd>+</kbd> <kbd>-</kbd> <kbd>0</kbd> <kbd>f</kbd></span></div>`;

function diagramBox(run: Run, from: number, isLater: boolean): Markup {
  const { width, height, head, headHeight, body } = drawRun(run, { from });
  const svg = (name: string, tall: number, label: string, content: string): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" class="${name}" viewBox="0 0 ${width} ${tall}" style="--w:${width}" role="img" aria-label="${label}">${content}</svg>`;
  const drawn = new Markup(
    svg('names', headHeight, 'processes', head) + svg('lanes', height, 'messages and steps', body),
  );
  return html`<div class="diagram" data-width="${width}" tabindex="0" role="group" aria-label="sequence diagram">${isLater ? later(drawn) : drawn}</div>`;
}

const runData = (
  run: Run,
  id: string,
  dropped: number,
  placeOf: PlaceId,
): Omit<RunData, 'start' | 'changes'> => ({
  id,
  actors: run.actors,
  dropped,
  loopStart: run.loopStart === null ? null : Math.max(0, run.loopStart - dropped),
  steps: run.steps
    .slice(dropped)
    .map((step) => ({ text: step.text, actors: step.actors, place: placeOf(step.at) })),
});

/** For readers without a script. */
function lastState({ queues, values }: RunState): Markup {
  const rows = [...queues]
    .filter(([, messages]) => messages.length > 0)
    .map(
      ([name, messages]) =>
        html`<div>${name} (${messages.length}) <span class="queue-cells">${messages.slice(0, MOST_MESSAGES).map((message) => html`<span>${message}</span>`)}</span></div>`,
    );
  const lines = [...values].slice(0, 60).map(([name, value]) => html`<div>${name} = ${value}</div>`);
  return html`${rows}${queues.size > 0 && rows.length === 0 ? html`<div class="soft">every queue is empty</div>` : null}${lines}`;
}

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
