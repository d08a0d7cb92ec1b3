// A run as text: aligned steps with source lines and what they did, and a sequence diagram drawn with characters.

import type { Run, Step } from '../verdict/run.ts';
import { type RunState, runStates } from '../verdict/run-state.ts';
import { blockageLines } from './blocked-text.ts';
import { clipped } from './step-text.ts';
import { table, wrapText } from './table.ts';
import { actorsInOrder, messagesOf } from './trace-messages.ts';

/** A step fits a terminal of usual width. */
const COLUMNS = 100;

/** One line per step: number, place, process, statement, and what changed. */
export function traceText(run: Run): string {
  const states = runStates(run);
  const rows = run.steps.map((step, i) => [
    String(i + 1),
    placeOf(step),
    step.actors.map((actor) => run.actors[actor] ?? '?').join(' → '),
    step.text,
    effectOf(step, states[i + 1]!),
  ]);
  const wide = table(rows, ['right', 'left', 'left', 'left', 'left']);
  // What a step did goes below it where it has no room beside it.
  const beside = table(
    rows.map((row) => row.slice(0, 4)),
    ['right', 'left', 'left', 'left'],
  );
  const lines = wide.map((line, i) =>
    line.length <= COLUMNS
      ? line
      : [
          clipped(beside[i]!, COLUMNS),
          ...wrapText(rows[i]![4]!, COLUMNS - 7, '       ').map((one) => clipped(one, COLUMNS)),
        ].join('\n'),
  );
  const loopAt = run.loopStart;
  if (loopAt !== null && loopAt < lines.length)
    lines.splice(loopAt, 0, '     ── from here on, again and again ──');
  const growth = (run.growth ?? []).map(
    ({ queue, perRound }) => `each round leaves ${perRound} more in ${queue}`,
  );
  const end = [...growth, ...ending(run, states.at(-1)!), ...blockedAt(run)];
  return `${[run.title, '', ...lines, '', ...end].join('\n')}\n`;
}

const blockedAt = ({ blocked }: Run): string[] =>
  blocked === undefined ? [] : ['', ...blockageLines(blocked, COLUMNS + 4).map((line) => line.slice(4))];

const placeOf = ({ at }: Step): string =>
  at === null ? '' : `${at.file.slice(at.file.lastIndexOf('/') + 1)}:${at.line}`;

function effectOf(step: Step, after: RunState): string {
  const parts: string[] = [];
  for (const event of step.events) {
    if (event.kind === 'send' || event.kind === 'receive')
      parts.push(`${event.queue} = [${(after.queues.get(event.queue) ?? []).join(' ')}]`);
    if (event.kind === 'rendezvous') parts.push(`${event.queue}: ${event.message}`);
    if (event.kind === 'start') parts.push('starts a process');
    if (event.kind === 'print') parts.push(`prints "${event.text}"`);
  }
  for (const { name, value } of step.changes) parts.push(`${name} = ${value}`);
  return [...new Set(parts)].join('  ');
}

function ending(run: Run, last: RunState): string[] {
  const queues = run.queues.flatMap(({ name }) => {
    const contents = last.queues.get(name) ?? [];
    return contents.length === 0 ? [] : [`  ${name} = [${contents.join(' ')}]`];
  });
  if (run.queues.length === 0) return [];
  return queues.length === 0 ? ['at the end every queue is empty'] : ['at the end:', ...queues];
}

const GAP = 2;
const MAX_COLUMN = 34;

/** Lifelines side by side. Each message has a number: `q!a ▸3` is where it is sent, `3▸ q?a` where it is received. */
export function sequenceText(run: Run): string {
  const actors = actorsInOrder(run);
  const numbers = messageNumbers(run);
  const cells = run.steps.map((step, i) => cellsOf(run, step, i, numbers));
  const widths = actors.map((actor) => {
    const texts = cells.flatMap((entries) => entries.filter((entry) => entry.actor === actor));
    const widest = Math.max(run.actors[actor]!.length, ...texts.map((entry) => entry.text.length), 3);
    return Math.min(MAX_COLUMN, widest) + GAP;
  });
  const line = (texts: ReadonlyMap<number, string>, fill: (actor: number) => string): string =>
    actors
      .map((actor, i) => (texts.get(actor) ?? fill(actor)).slice(0, widths[i]!).padEnd(widths[i]!))
      .join('')
      .trimEnd();
  const alive = aliveAt(run);
  const lines = [
    run.title,
    '',
    `     ${line(new Map(actors.map((actor) => [actor, run.actors[actor]!])), () => '')}`,
  ];
  cells.forEach((entries, i) => {
    if (run.loopStart === i) lines.push('     ═══ loop ═══');
    const texts = new Map(entries.map((entry) => [entry.actor, entry.text]));
    lines.push(`${String(i + 1).padStart(4)} ${line(texts, (actor) => (alive(actor, i) ? '│' : ''))}`);
  });
  lines.push(...blockedAt(run));
  return `${lines.join('\n')}\n`;
}

function messageNumbers(run: Run): (step: number, kind: 'sent' | 'received', index: number) => number {
  const all = messagesOf(run);
  const numbers = new Map<object, number>();
  for (const { sent } of all) for (const message of sent) numbers.set(message, numbers.size + 1);
  return (step, kind, index) => numbers.get(all[step]![kind][index] ?? {}) ?? 0;
}

interface TextCell {
  readonly actor: number;
  readonly text: string;
}

function cellsOf(run: Run, step: Step, index: number, number: ReturnType<typeof messageNumbers>): TextCell[] {
  const [first, second] = step.actors;
  const handshake = step.events.find((event) => event.kind === 'rendezvous');
  if (handshake?.kind === 'rendezvous' && first !== undefined && second !== undefined) {
    return [
      { actor: first, text: `${handshake.queue}!${handshake.message} ══▶` },
      { actor: second, text: `══▶ ${handshake.queue}?${handshake.message}` },
    ];
  }
  let sent = 0;
  let received = 0;
  const parts = step.events.flatMap((event) => {
    if (event.kind === 'send') return [`${event.queue}!${event.message} ▸${number(index, 'sent', sent++)}`];
    if (event.kind === 'receive' && !event.copy)
      return [`${number(index, 'received', received++)}▸ ${event.queue}?${event.message}`];
    if (event.kind === 'start') return [`starts ${run.actors[event.actor]}`];
    return [];
  });
  return step.actors.map((actor, i) => ({
    actor,
    text: i === 0 && parts.length > 0 ? parts.join(' ') : step.text,
  }));
}

/** Is the actor between its start and its end at the step? */
function aliveAt(run: Run): (actor: number, step: number) => boolean {
  const born = new Map<number, number>();
  const dead = new Map<number, number>();
  run.steps.forEach((step, i) => {
    for (const event of step.events) {
      if (event.kind === 'start') born.set(event.actor, i);
      if (event.kind === 'end') dead.set(step.actors[0]!, i);
    }
  });
  return (actor, step) =>
    step > (born.get(actor) ?? -1) && step < (dead.get(actor) ?? Number.POSITIVE_INFINITY);
}
