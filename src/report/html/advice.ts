// An unknown: why, how long was tried, what is left open, and the command to go on with.

import { REASONS, type ReasonCode } from '../../verdict/reasons.ts';
import { commandOf, type PropertyResult } from '../../verdict/verdict.ts';
import { plural } from '../table.ts';
import { html, type Markup } from './markup.ts';

/** Further words of the command line that may settle it. */
const MORE: Partial<Record<ReasonCode, readonly string[]>> = {
  'time-limit': ['--timeout', '600'],
  cancelled: ['--timeout', '600'],
  'state-limit': ['--max-states', '100000000', '--max-memory', '8192', '--timeout', '600'],
  'memory-limit': ['--max-memory', '8192', '--timeout', '600'],
};

export function adviceSection(property: PropertyResult): Markup | null {
  if (property.verdict !== 'unknown') return null;
  const { reasonCode, stats, queues = [], reproduce } = property;
  const times = Object.entries(stats.milliseconds ?? {}).filter(([, time]) => time >= 1);
  const total = times.reduce((sum, [, time]) => sum + time, 0);
  const tried =
    times.length === 0
      ? null
      : html`<dt>tried</dt><dd>${times.map(([stage, time]) => `${stage} ${seconds(time)}`).join(', ')}${times.length > 1 ? `; ${seconds(total)} in all` : ''}</dd>`;
  const open = queues.filter(({ verdict }) => verdict === 'unknown').map(({ name }) => name);
  const left =
    open.length === 0
      ? null
      : html`<dt>left open</dt><dd>${plural(open.length, 'queue')}: ${open.slice(0, 8).join(', ')}${open.length > 8 ? ', …' : ''}</dd>`;
  const more = MORE[reasonCode];
  const command =
    more === undefined ? null : commandOf({ ...reproduce, options: [...reproduce.options, ...more] });
  return html`<div class="advice"><dl>${tried}${left}<dt>what it means</dt><dd>${REASONS[reasonCode].explanation}</dd>${
    command === null ? null : html`<dt>to go on</dt><dd>${commandLine(command)}</dd>`
  }</dl></div>`;
}

const seconds = (milliseconds: number): string =>
  milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

/** A command with a button that copies it. */
export const commandLine = (command: string): Markup =>
  html`<span class="command"><code>${command}</code><button class="copy" hidden>copy</button></span>`;
