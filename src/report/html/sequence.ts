// A run as a sequence diagram whose steps can be addressed one by one. Colours are the page's variables, so it follows the theme.

import type { Run, Step } from '../../verdict/run.ts';
import { labelHeight, messagesOf, type StepMessages } from '../trace-messages.ts';
import { escapeHtml, Markup } from './markup.ts';

const COLUMN = 150;
const ROW = 26;
const HEAD = 46;
const MARGIN = 90;
/** Room for the labels of the last process; a run of one process has the diagram for itself. */
const LAST_LABEL = 200;
const ONLY_LABEL = 520;
/** How many letters fit between two processes, and to the right of an only one. */
const LETTERS = 26;
const ONLY_LETTERS = 74;

export function sequenceSvg(run: Run): Markup {
  const alone = run.actors.length === 1;
  const width = MARGIN + (alone ? ONLY_LABEL : LAST_LABEL) + Math.max(0, run.actors.length - 1) * COLUMN;
  const height = HEAD + (run.steps.length + 1) * ROW;
  const x = (actor: number): number => MARGIN + actor * COLUMN;
  const y = (step: number): number => HEAD + (step + 1) * ROW - 6;
  const svg = (className: string, top: number, bottom: number, content: readonly string[]): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" class="${className}" width="${width}" height="${bottom - top}" viewBox="0 ${top} ${width} ${bottom - top}" role="img" aria-label="sequence diagram" font-size="12" font-family="system-ui, sans-serif">${content.join('')}</svg>`;
  const head = run.actors.map(
    (name, actor) =>
      `<rect x="${x(actor) - 66}" y="10" width="132" height="26" rx="5" fill="var(--panel)" stroke="var(--line)"/>${text(x(actor), 27, clip(name, 20), 'middle', 'var(--ink)')}`,
  );
  const parts = run.actors.map(
    (_, actor) =>
      `<line x1="${x(actor)}" y1="${HEAD - 10}" x2="${x(actor)}" y2="${height}" stroke="var(--line)"/>`,
  );
  if (run.loopStart !== null) {
    const top = y(run.loopStart) - ROW + 8;
    parts.push(
      `<rect x="6" y="${top}" width="${width - 12}" height="${height - top - 4}" rx="6" fill="none" stroke="var(--bad)" stroke-dasharray="5 4"/>`,
      text(14, top + 14, 'repeats', 'start', 'var(--bad)'),
    );
  }
  const messages = messagesOf(run);
  run.steps.forEach((step, index) => {
    parts.push(`<g class="step" data-step="${index}">`);
    parts.push(
      `<rect class="hit" x="0" y="${y(index) - 17}" width="${width}" height="${ROW - 2}" fill="transparent"/>`,
    );
    parts.push(stepShape(step, index, messages[index]!, x, y, alone ? ONLY_LETTERS : LETTERS));
    parts.push(`<title>${escapeHtml(`${index + 1}. ${step.text}`)}</title></g>`);
  });
  return new Markup(svg('names', 0, HEAD - 10, head) + svg('lanes', HEAD - 10, height, parts));
}

function stepShape(
  step: Step,
  index: number,
  messages: StepMessages,
  x: (actor: number) => number,
  y: (step: number) => number,
  letters: number,
): string {
  const dot = (x: number, y: number, label: string, height = 4): string =>
    `<circle cx="${x}" cy="${y}" r="3.5" fill="var(--ink)"/>${text(x + 8, y + height, clip(label, letters), 'start', 'var(--ink)')}`;
  const actor = step.actors[0] ?? 0;
  const at = y(index);
  const message = step.events.find(
    (event) => event.kind === 'rendezvous' || event.kind === 'receive' || event.kind === 'send',
  );
  if (message?.kind === 'rendezvous' && step.actors[1] !== undefined) {
    const other = x(step.actors[1]);
    const label = clip(`${message.queue}: ${message.message}`, 30);
    return `${arrow(x(actor), at, other, at)}${text((x(actor) + other) / 2, at - 4, label, 'middle', 'var(--ink)')}`;
  }
  const height = labelHeight(messages, x);
  if (message?.kind === 'receive') {
    const [taken] = [...messages.received, ...messages.copied];
    const path =
      taken === undefined || taken.sender === actor
        ? ''
        : arrow(x(taken.sender), y(taken.sentAt), x(actor), at);
    return `${path}${dot(x(actor), at, `${message.queue} ? ${message.message}`, height)}`;
  }
  if (message?.kind === 'send') return dot(x(actor), at, `${message.queue} ! ${message.message}`, height);
  if (step.actors.length > 1) {
    const columns = step.actors.map(x);
    const left = Math.min(...columns);
    const right = Math.max(...columns);
    const dots = columns
      .map((column) => `<circle cx="${column}" cy="${at}" r="3.5" fill="var(--accent)"/>`)
      .join('');
    return `<line x1="${left}" y1="${at}" x2="${right}" y2="${at}" stroke="var(--accent)" stroke-width="1.5"/>${dots}${text((left + right) / 2, at - 4, clip(step.text, 40), 'middle', 'var(--ink)')}`;
  }
  return dot(x(actor), at, step.text);
}

function arrow(x1: number, y1: number, x2: number, y2: number): string {
  const direction = x2 >= x1 ? 1 : -1;
  const head = `M ${x2 - direction * 7} ${y2 - 4} L ${x2} ${y2} L ${x2 - direction * 7} ${y2 + 4}`;
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="var(--accent)" stroke-width="1.5"/><path d="${head}" fill="none" stroke="var(--accent)" stroke-width="1.5"/>`;
}

const text = (x: number, y: number, content: string, anchor: string, fill: string): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${fill}">${escapeHtml(content)}</text>`;

const clip = (content: string, length: number): string =>
  content.length > length ? `${content.slice(0, length - 1)}…` : content;
