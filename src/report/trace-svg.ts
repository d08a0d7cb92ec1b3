// A run as an SVG sequence diagram: a lifeline per process, one row per step, each message an arrow from where it is sent to where it is
// received. Messages that stay in their queue end in an open circle. Colours are readable on light and dark grounds;
// a style sheet inside adapts them where the viewer supports it.

import type { Run, Step } from '../verdict/run.ts';
import { actorsInOrder, LABEL_ABOVE, labelHeight, type Message, messagesOf } from './trace-messages.ts';

const ROW = 26;
const TOP = 74;
const CHARACTER = 6.7;
const TITLE_CHARACTER = 8;
const MARGIN = 56;
const MAX_LABEL = 42;
const MAX_STEPS = 400;

export function traceSvg(run: Run): string {
  const shown = run.steps.slice(0, MAX_STEPS);
  const actors = actorsInOrder(run);
  const xs = columns(run, actors);
  const width = Math.max(360, xs.at(-1)!, Math.ceil(28 + run.title.length * TITLE_CHARACTER));
  const height = TOP + (shown.length + 1) * ROW + 40 + (run.growth?.length ?? 0) * 18;
  const x = (actor: number): number => xs[actors.indexOf(actor)] ?? MARGIN;
  const y = (step: number): number => TOP + (step + 1) * ROW;
  const messages = messagesOf(run);
  const parts = [
    header(width, height, run.title),
    ...loopBand(run, shown.length, width, y),
    ...actors.map((actor) => lifeline(run, actor, x(actor), height, y)),
    ...arrows(run, shown.length, x, y),
    ...shown.flatMap((step, i) => stepMarks(run, step, i, labelHeight(messages[i]!, x), x, y)),
    ...(run.growth ?? []).map(
      ({ queue, perRound }, i) =>
        `<text class="note" x="${MARGIN - 40}" y="${height - 16 - i * 18}">each round leaves ${perRound} more in ${xml(queue)}</text>`,
    ),
    ...(run.steps.length > shown.length
      ? [
          `<text class="note" x="${MARGIN - 40}" y="${height - 6}">… ${run.steps.length - shown.length} more steps</text>`,
        ]
      : []),
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}

const STYLE = `
text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#3b4252}
.title{font-weight:600;font-size:13px}.name{font-weight:600;text-anchor:middle}
.line{stroke:#9aa5b1;stroke-width:1;stroke-dasharray:3 3}.box{fill:#e8eef5;stroke:#7b8794}
.number{fill:#8a94a0;font-size:10px;text-anchor:end}.dot{fill:#3b6ea5}
.arrow{stroke:#3b6ea5;stroke-width:1.4;fill:none}.sync{stroke:#2f855a;stroke-width:1.8}
.stays{stroke:#c05621;stroke-width:1.4;stroke-dasharray:4 3}.open{fill:none;stroke:#c05621;stroke-width:1.4}
.create{stroke:#7b8794;stroke-width:1.2;stroke-dasharray:2 2}
.label{font-size:11px}.note{font-size:11px;fill:#c05621}.band{fill:#d69e2e;fill-opacity:.13}
.halo{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-opacity:.85}
.ground{fill:#fff}
@media (prefers-color-scheme:dark){.ground{fill:#161b22}text{fill:#d8dee9}.box{fill:#26313f;stroke:#8a94a0}.number{fill:#8a94a0}
.arrow{stroke:#81a9d8}.dot{fill:#81a9d8}.sync{stroke:#68d391}.stays,.open{stroke:#f6ad55}.note{fill:#f6ad55}.halo{stroke:#161b22}}`;

function header(width: number, height: number, title: string): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${xml(title)}">`,
    `<style>${STYLE}</style>`,
    '<defs><marker id="head" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto"><path d="M0,0 L9,4 L0,8 z" fill="context-stroke"/></marker></defs>',
    `<rect class="ground" width="${width}" height="${height}"/>`,
    `<text class="title" x="14" y="22">${xml(title)}</text>`,
  ].join('\n');
}

/** Where each lifeline stands, then the right edge; wide enough that the longest label between two neighbours fits. */
function columns(run: Run, actors: readonly number[]): number[] {
  const result: number[] = [];
  let at = MARGIN;
  actors.forEach((actor) => {
    const name = run.actors[actor]!.length * CHARACTER + 24;
    const labels = run.steps
      .filter((step) => step.actors.includes(actor))
      .map((step) => Math.min(MAX_LABEL, labelOf(step).length) * CHARACTER + 24);
    at += name / 2;
    result.push(Math.round(at));
    at += Math.max(name / 2 + 20, ...labels, 90);
  });
  return [...result, Math.round(at)];
}

function lifeline(run: Run, actor: number, x: number, height: number, y: (step: number) => number): string {
  const born = run.steps.findIndex((step) =>
    step.events.some((event) => event.kind === 'start' && event.actor === actor),
  );
  const ends = run.steps.findIndex(
    (step) => step.actors[0] === actor && step.events.some((event) => event.kind === 'end'),
  );
  const top = born < 0 ? TOP - 34 : y(born) - 11;
  const bottom = ends < 0 ? height - 24 : y(ends);
  const name = run.actors[actor]!;
  const half = (name.length * CHARACTER + 18) / 2;
  return [
    `<line class="line" x1="${x}" y1="${top + 22}" x2="${x}" y2="${bottom}"/>`,
    `<rect class="box" x="${x - half}" y="${top}" width="${half * 2}" height="22" rx="4"/>`,
    `<text class="name" x="${x}" y="${top + 15}">${xml(name)}</text>`,
    ...(ends < 0 ? [] : [`<path class="arrow" d="M${x - 5},${bottom - 5} l10,10 m0,-10 l-10,10"/>`]),
  ].join('\n');
}

function loopBand(run: Run, steps: number, width: number, y: (step: number) => number): string[] {
  if (run.loopStart === null || run.loopStart >= steps) return [];
  const top = y(run.loopStart) - ROW / 2;
  return [
    `<rect class="band" x="6" y="${top}" width="${width - 12}" height="${y(steps - 1) - top + ROW / 2}" rx="6"/>`,
    `<text class="note" x="${width - 70}" y="${top + 14}">for ever</text>`,
  ];
}

function labelOf(step: Step): string {
  const event = step.events.find(({ kind }) => kind !== 'print');
  if (event?.kind === 'rendezvous') return `${event.queue} ${event.message}`;
  if (event?.kind === 'send') return `${event.queue}!${event.message}`;
  if (event?.kind === 'receive') return `${event.queue}?${event.message}`;
  return step.text;
}

const cut = (text: string): string => (text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 1)}…` : text);

function stepMarks(
  run: Run,
  step: Step,
  index: number,
  height: number,
  x: (actor: number) => number,
  y: (step: number) => number,
): string[] {
  const [first = 0, second] = step.actors;
  const marks = [`<text class="number" x="26" y="${y(index) + 4}">${index + 1}</text>`];
  const handshake = step.events.find((event) => event.kind === 'rendezvous');
  if (handshake?.kind === 'rendezvous' && second !== undefined) {
    const middle = (x(first) + x(second)) / 2;
    marks.push(
      `<line class="arrow sync" marker-end="url(#head)" x1="${x(first)}" y1="${y(index)}" x2="${x(second) + (x(second) > x(first) ? -2 : 2)}" y2="${y(index)}"/>`,
      `<text class="label halo" text-anchor="middle" x="${middle}" y="${y(index) - 5}">${xml(cut(`${handshake.queue} ${handshake.message}`))}</text>`,
    );
    return marks;
  }
  for (const event of step.events)
    if (event.kind === 'start')
      marks.push(
        `<line class="create" marker-end="url(#head)" x1="${x(first)}" y1="${y(index)}" x2="${x(event.actor) - (run.actors[event.actor]!.length * CHARACTER + 18) / 2}" y2="${y(index)}"/>`,
      );
  if (step.actors.length > 1) {
    const places = step.actors.map(x);
    marks.push(
      `<line class="arrow sync" x1="${Math.min(...places)}" y1="${y(index)}" x2="${Math.max(...places)}" y2="${y(index)}"/>`,
    );
  }
  for (const actor of step.actors)
    marks.push(`<circle class="dot" cx="${x(actor)}" cy="${y(index)}" r="3"/>`);
  const raised = step.events.some((event) => event.kind === 'start') ? LABEL_ABOVE : height;
  marks.push(
    `<text class="label halo" x="${x(first) + 8}" y="${y(index) + raised}">${xml(cut(labelOf(step)))}</text>`,
  );
  return marks;
}

function arrows(
  run: Run,
  steps: number,
  x: (actor: number) => number,
  y: (step: number) => number,
): string[] {
  const all = messagesOf(run);
  return all.slice(0, steps).flatMap(({ sent }) => sent.map((message) => arrow(message, steps, x, y)));
}

function arrow(
  message: Message,
  steps: number,
  x: (actor: number) => number,
  y: (step: number) => number,
): string {
  const fromX = x(message.sender);
  const fromY = y(message.sentAt);
  if (message.receivedAt === null || message.receivedAt >= steps) {
    const endX = fromX - 26;
    return `<line class="stays" x1="${fromX}" y1="${fromY}" x2="${endX + 4}" y2="${fromY + 8}"/><circle class="open" cx="${endX}" cy="${fromY + 9}" r="4"/>`;
  }
  const toX = x(message.receiver!);
  const toY = y(message.receivedAt);
  if (toX === fromX)
    return `<path class="arrow" marker-end="url(#head)" d="M${fromX},${fromY} C${fromX - 34},${fromY} ${toX - 34},${toY} ${toX - 4},${toY}"/>`;
  return `<line class="arrow" marker-end="url(#head)" x1="${fromX}" y1="${fromY}" x2="${toX + (toX > fromX ? -4 : 4)}" y2="${toY}"/>`;
}

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
