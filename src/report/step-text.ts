// One moment of a run for a terminal: the step, the queues, the variables, each line as wide as the terminal.

import type { Run } from '../verdict/run.ts';
import { type RunState, runStates } from '../verdict/run-state.ts';
import { wrapText } from './table.ts';

const MOST_VALUES = 12;

export interface MomentOptions {
  readonly columns: number;
  /** All variables, not only those that the step changed. */
  readonly everything?: boolean;
}

/** `3 of 7  ring.pml:9  client: q!a`. */
export function stepLine(run: Run, index: number, columns: number): string {
  const step = run.steps[index]!;
  const actors = step.actors.map((actor) => run.actors[actor] ?? '?').join(' → ');
  const place =
    step.at === null ? '' : `${step.at.file.slice(step.at.file.lastIndexOf('/') + 1)}:${step.at.line}  `;
  return clipped(`${index + 1}  ${place}${actors}: ${step.text}`, columns);
}

/** The state after `taken` steps. */
export function momentLines(
  run: Run,
  taken: number,
  { columns, everything = false }: MomentOptions,
): string[] {
  const state = runStates({ ...run, steps: run.steps.slice(0, taken) }).at(-1)!;
  const changed = new Set(taken === 0 ? [] : run.steps[taken - 1]!.changes.map(({ name }) => name));
  return [...queueLines(state, columns, everything), ...valueLines(state, changed, columns, everything)];
}

function queueLines({ queues }: RunState, columns: number, everything: boolean): string[] {
  const shown = [...queues].filter(([, messages]) => everything || messages.length > 0);
  if (queues.size === 0) return [];
  if (shown.length === 0) return ['     queues: all empty'];
  return [
    '     queues:',
    ...shown.map(([name, messages]) => clipped(`       ${name} = [${messages.join(' ')}]`, columns)),
  ];
}

/** What the step changed comes first, with a star. */
function valueLines(
  { values }: RunState,
  changed: ReadonlySet<string>,
  columns: number,
  everything: boolean,
): string[] {
  if (values.size === 0) return [];
  const all = [...values].map(([name, value]) => `${changed.has(name) ? '*' : ''}${name}=${value}`);
  const ordered = [
    ...all.filter((text) => text.startsWith('*')),
    ...all.filter((text) => !text.startsWith('*')),
  ];
  const most = everything ? ordered.length : MOST_VALUES;
  const more = ordered.length > most ? [`(${ordered.length - most} more: v)`] : [];
  const words = [...ordered.slice(0, most), ...more].join(' ');
  return ['     variables:', ...wrapText(words, columns - 7, '       ')];
}

/** Index of the next step, after `from`, that says the text somewhere: who, what, where, or a change. Searches in a circle. */
export function findStep(run: Run, from: number, text: string): number | null {
  const wanted = text.toLowerCase();
  const says = (index: number): boolean => {
    const { actors, text: words, changes, at } = run.steps[index]!;
    const all = [
      ...actors.map((actor) => run.actors[actor] ?? ''),
      words,
      ...changes.map(({ name, value }) => `${name}=${value}`),
      at === null ? '' : `:${at.line}`,
    ];
    return all.some((one) => one.toLowerCase().includes(wanted));
  };
  const order = [...run.steps.keys()].map((_, i) => (from + i) % run.steps.length);
  return order.find(says) ?? null;
}

export const clipped = (text: string, columns: number): string =>
  text.length > columns ? `${text.slice(0, Math.max(1, columns - 1))}…` : text;
