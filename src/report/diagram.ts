// A run as a sequence diagram, the one drawing behind the SVG file, the report and the playground: a lane per process, a row per step, each
// message an arrow from where it is sent to where it is received, or a loose end where it stays in its queue. Only classes are
// written; colours come from `diagramStyle`, so that a page can follow its theme and a file can stand alone.

import type { Run, Step } from '../verdict/run.ts';
import { escapeXml } from './escape.ts';
import { actorsInOrder, LABEL_ABOVE, labelHeight, type Message, messagesOf } from './trace-messages.ts';

const ROW = 26;
const CHARACTER = 6.7;
const MARGIN = 56;
/** Letters of a label; less between many lanes. */
const LONGEST_LABEL = 42;
const LABEL_OF_MANY = 28;
const MANY_LANES = 5;
const NAME_HEIGHT = 22;
const LONGEST_NAME = 28;

export interface Diagram {
  readonly width: number;
  readonly height: number;
  /** The names of the lanes: `headHeight` high. */
  readonly head: string;
  readonly headHeight: number;
  /** Everything below; y starts at 0. */
  readonly body: string;
}

export interface DiagramOptions {
  /** Names of processes that start on the way stand where they start, not in the head. */
  readonly namesAtBirth?: boolean;
  /** Index of the first step that is drawn: the beginning of long runs is left out. */
  readonly from?: number;
}

interface Layout {
  readonly run: Run;
  readonly actors: readonly number[];
  readonly x: (actor: number) => number;
  readonly y: (step: number) => number;
  readonly width: number;
  readonly height: number;
  readonly longest: number;
  readonly births: ReadonlyMap<number, number>;
}

export function drawRun(run: Run, options: DiagramOptions = {}): Diagram {
  const { namesAtBirth = false, from = 0 } = options;
  const waiting = waitingIn(run);
  const layout = layOut(run, from, waiting);
  const { actors, births, width, height } = layout;
  const inHead = actors.filter((actor) => !namesAtBirth || !births.has(actor));
  const messages = messagesOf(run);
  const body = [
    ...loopBand(layout),
    ...actors.map((actor) => lane(layout, actor, namesAtBirth)),
    ...run.steps.slice(from).map((step, row) => {
      const index = from + row;
      const { sent, received } = messages[index]!;
      const before = received.filter(({ sentAt }) => sentAt < from);
      const arrows = [...sent, ...before].map((message) => arrow(layout, message));
      const marks = stepMarks(layout, step, index, labelHeight(messages[index]!, layout.x));
      const hit = `<rect class="hit" x="0" y="${layout.y(index) - 17}" width="${width}" height="${ROW - 2}"/>`;
      const title = `<title>${escapeXml(`${index + 1}. ${namesOf(run, step)}: ${step.text}`)}</title>`;
      return `<g class="step" data-step="${row}">${hit}${arrows.join('')}${marks.join('')}${title}</g>`;
    }),
    ...[...waiting].filter(([actor]) => actors.includes(actor)).map((entry) => waitMark(layout, ...entry)),
  ];
  return {
    width,
    height,
    headHeight: NAME_HEIGHT + 12,
    head: inHead.map((actor) => nameBox(layout, actor, 6)).join('\n'),
    body: body.join('\n'),
  };
}

/** Actor → what it waits for at the end, in the words of its statements. */
function waitingIn({ blocked, actors }: Run): Map<number, string> {
  const waiting = new Map<number, string>();
  for (const { process, statement, waitsFor } of blocked?.processes ?? []) {
    const actor = actors.indexOf(process);
    const words = waitsFor.length === 0 ? statement : waitsFor.map((wait) => wait.statement).join(' or ');
    if (actor >= 0) waiting.set(actor, words);
  }
  return waiting;
}

const namesOf = (run: Run, step: Step): string =>
  step.actors.map((actor) => run.actors[actor] ?? '?').join(' → ');

function layOut(run: Run, from: number, waiting: ReadonlyMap<number, string>): Layout {
  const shown = actorsInOrder({ ...run, steps: run.steps.slice(from) });
  const actors = [
    ...shown,
    ...[...waiting.keys()].filter((actor) => !shown.includes(actor)).sort((a, b) => a - b),
  ];
  if (actors.length === 0) actors.push(...run.actors.keys());
  const longest = actors.length > MANY_LANES ? LABEL_OF_MANY : LONGEST_LABEL;
  const labels = new Map<number, number>();
  const need = (actor: number, text: string): void =>
    void labels.set(actor, Math.max(labels.get(actor) ?? 0, Math.min(longest, text.length)));
  for (const step of run.steps.slice(from)) for (const actor of step.actors) need(actor, labelOf(step));
  for (const [actor, words] of waiting) need(actor, `waits: ${words}`);
  const columns = new Map<number, number>();
  let at = MARGIN;
  for (const actor of actors) {
    const name = nameWidth(run.actors[actor] ?? '?');
    at += name / 2;
    columns.set(actor, Math.round(at));
    at += Math.max(name / 2 + 14, (labels.get(actor) ?? 0) * CHARACTER + 24, 80);
  }
  const births = new Map<number, number>();
  run.steps.forEach((step, index) => {
    for (const event of step.events) if (event.kind === 'start') births.set(event.actor, index);
  });
  const rows = run.steps.length - from + (waiting.size > 0 ? 1 : 0);
  return {
    run,
    actors,
    longest,
    births,
    width: Math.max(300, Math.round(at)),
    height: (rows + 1) * ROW + 6,
    x: (actor) => columns.get(actor) ?? MARGIN,
    // What was sent before the first step comes in from above.
    y: (step) => Math.max(0, (step - from + 1) * ROW - 6),
  };
}

const shortName = (name: string): string =>
  name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
const nameWidth = (name: string): number => Math.round(shortName(name).length * CHARACTER + 18);

function nameBox({ run, x }: Layout, actor: number, top: number): string {
  const name = run.actors[actor] ?? '?';
  const width = nameWidth(name);
  return `<g class="name" data-actor="${actor}"><rect class="box" x="${x(actor) - width / 2}" y="${top}" width="${width}" height="${NAME_HEIGHT}" rx="4"/><text x="${x(actor)}" y="${top + 15}">${escapeXml(shortName(name))}</text><title>${escapeXml(name)}</title></g>`;
}

function lane(layout: Layout, actor: number, namesAtBirth: boolean): string {
  const { run, x, y, births, height } = layout;
  const born = births.get(actor);
  const end = run.steps.findIndex(
    (step) => step.actors[0] === actor && step.events.some((event) => event.kind === 'end'),
  );
  const top = born === undefined ? 0 : y(born);
  const bottom = end < 0 ? height : y(end);
  return [
    `<line class="lane" data-actor="${actor}" x1="${x(actor)}" y1="${top}" x2="${x(actor)}" y2="${bottom}"/>`,
    ...(namesAtBirth && born !== undefined ? [nameBox(layout, actor, y(born) - NAME_HEIGHT / 2)] : []),
    ...(end < 0 ? [] : [`<path class="gone" d="M${x(actor) - 5},${bottom - 5} l10,10 m0,-10 l-10,10"/>`]),
  ].join('');
}

function loopBand({ run, y, width }: Layout): string[] {
  if (run.loopStart === null || run.loopStart >= run.steps.length) return [];
  const top = y(run.loopStart) - ROW / 2 - 4;
  return [
    `<rect class="band" x="4" y="${top}" width="${width - 8}" height="${y(run.steps.length - 1) - top + ROW / 2}" rx="6"/>`,
    `<text class="note" text-anchor="end" x="${width - 10}" y="${top + 13}">for ever</text>`,
  ];
}

function labelOf(step: Step): string {
  const event = step.events.find(({ kind }) => kind !== 'print');
  if (event?.kind === 'rendezvous') return `${event.queue} ${event.message}`;
  if (event?.kind === 'send') return `${event.queue}!${event.message}`;
  if (event?.kind === 'receive') return `${event.queue}?${event.message}`;
  return step.text;
}

function stepMarks(layout: Layout, step: Step, index: number, height: number): string[] {
  const { run, x, y, longest } = layout;
  const [first = 0, second] = step.actors;
  const at = y(index);
  const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);
  const marks = [`<text class="number" x="30" y="${at + 4}">${index + 1}</text>`];
  const handshake = step.events.find((event) => event.kind === 'rendezvous');
  if (handshake?.kind === 'rendezvous' && second !== undefined) {
    const label = escapeXml(cut(`${handshake.queue} ${handshake.message}`));
    marks.push(line('sync', x(first), at, x(second), at, true));
    marks.push(
      `<text class="label halo" text-anchor="middle" x="${(x(first) + x(second)) / 2}" y="${at - 5}">${label}</text>`,
    );
    return marks;
  }
  const starts = step.events.flatMap((event) => (event.kind === 'start' ? [event.actor] : []));
  for (const actor of starts)
    marks.push(line('create', x(first), at, x(actor) - nameWidth(run.actors[actor]!) / 2, at, true));
  if (step.actors.length > 1) {
    const places = step.actors.map(x);
    marks.push(line('sync', Math.min(...places), at, Math.max(...places), at, false));
  }
  for (const actor of step.actors) marks.push(`<circle class="dot" cx="${x(actor)}" cy="${at}" r="3"/>`);
  const raised = starts.length > 0 ? LABEL_ABOVE : height;
  marks.push(
    `<text class="label halo" x="${x(first) + 8}" y="${at + raised}">${escapeXml(cut(labelOf(step)))}</text>`,
  );
  return marks;
}

/** A message on its way; one that is still in its queue at the end has a loose end, one to its own sender goes out and comes back. */
function arrow({ x, y }: Layout, { sender, sentAt, receiver, receivedAt }: Message): string {
  const fromX = x(sender);
  const fromY = y(sentAt);
  if (receivedAt === null) {
    const endX = fromX - 26;
    return `<line class="stays" x1="${fromX}" y1="${fromY}" x2="${endX + 4}" y2="${fromY + 8}"/><circle class="open" cx="${endX}" cy="${fromY + 9}" r="4"/>`;
  }
  const toX = x(receiver!);
  const toY = y(receivedAt);
  if (toX === fromX)
    return `<path class="message" d="M${fromX},${fromY} C${fromX - 34},${fromY} ${toX - 34},${toY} ${toX - 4},${toY}"/>${head('message', toX - 4, toY, 0)}`;
  return line('message', fromX, fromY, toX + (toX > fromX ? -4 : 4), toY, true);
}

function line(kind: string, x1: number, y1: number, x2: number, y2: number, pointed: boolean): string {
  const stroke = `<line class="${kind}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
  return pointed ? stroke + head(kind, x2, y2, Math.atan2(y2 - y1, x2 - x1)) : stroke;
}

/** The tip is a shape of its own: markers need names that are unique in the page. */
const head = (kind: string, x: number, y: number, angle: number): string =>
  `<path class="head ${kind}" transform="translate(${x} ${y}) rotate(${Math.round((angle * 180) / Math.PI)})" d="M0,0 L-8,-3.5 L-8,3.5 z"/>`;

function waitMark({ run, x, y, longest }: Layout, actor: number, words: string): string {
  const at = y(run.steps.length);
  const text = `waits: ${words}`;
  const shown = text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  return `<g class="waits" data-actor="${actor}"><rect class="stop" x="${x(actor) - 5}" y="${at - 5}" width="10" height="10"/><text class="label halo" x="${x(actor) + 10}" y="${at + 4}">${escapeXml(shown)}</text><title>${escapeXml(`${run.actors[actor]} ${text}`)}</title></g>`;
}

export interface DiagramColours {
  readonly ink: string;
  readonly soft: string;
  readonly ground: string;
  readonly panel: string;
  readonly line: string;
  readonly message: string;
  readonly sync: string;
  readonly open: string;
  readonly bad: string;
}

/** The style of a diagram inside elements that `scope` selects. */
export const diagramStyle = (scope: string, c: DiagramColours): string =>
  `
text{font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:${c.ink}}
.name text{font-weight:600;text-anchor:middle}.box{fill:${c.panel};stroke:${c.line}}
.lane{stroke:${c.line};stroke-dasharray:3 3}.gone{stroke:${c.soft};fill:none}
.number{fill:${c.soft};font-size:10px;text-anchor:end}.dot{fill:${c.message}}.hit{fill:transparent}
.message{stroke:${c.message};stroke-width:1.4;fill:none}.sync{stroke:${c.sync};stroke-width:1.8}
.create{stroke:${c.soft};stroke-width:1.2;stroke-dasharray:2 2}
.head.message{fill:${c.message}}.head.sync{fill:${c.sync}}.head.create{fill:${c.soft}}
.stays{stroke:${c.open};stroke-width:1.4;stroke-dasharray:4 3}.open{fill:none;stroke:${c.open};stroke-width:1.4}
.label{font-size:11px}.note{font-size:11px;fill:${c.bad}}.band{fill:${c.open};fill-opacity:.13}
.halo{paint-order:stroke;stroke:${c.ground};stroke-width:3px;stroke-opacity:.85}
.stop{fill:${c.bad}}.waits text{fill:${c.bad};font-weight:600}
`
    .trim()
    .split('\n')
    .flatMap((row) => row.split('}').filter((rule) => rule !== ''))
    .map((rule) => `${scope}${rule}}`)
    .join('\n');
