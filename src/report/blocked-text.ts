// Why nothing moves, in a few lines: where each process stands, what it waits for, who could have helped.

import type { Blockage, BlockedProcess, Wait } from '../verdict/blocked.ts';
import { placeOf } from './place.ts';
import { wrapText } from './table.ts';

const MANY_PROCESSES = 12;
const MANY_HELPERS = 3;

/** Lines no longer than `columns`; what goes on below is indented a little more. */
export function blockageLines(blockage: Blockage, columns: number = Number.POSITIVE_INFINITY): string[] {
  return wholeLines(blockage).flatMap((line) => {
    if (line.length <= columns) return [line];
    const [indent] = /^ */.exec(line)!;
    const width = Math.max(20, columns - indent.length - 4);
    return wrapText(line.trim(), width, `${indent}    `).map((one, i) =>
      i === 0 ? indent + one.trim() : one,
    );
  });
}

function wholeLines({ processes, circularWait }: Blockage): string[] {
  const shown = processes.slice(0, MANY_PROCESSES);
  const more = processes.length - shown.length;
  return [
    '    blocked:',
    ...shown.flatMap(processLines),
    ...(more > 0 ? [`      … and ${more} more`] : []),
    ...(circularWait === null
      ? []
      : [`    circular wait: ${[...circularWait, circularWait[0]].join(' → ')}`]),
  ];
}

function processLines({ process, at, statement, waitsFor }: BlockedProcess): string[] {
  const place = at === null ? '' : `${placeOf(at)}  `;
  const [only] = waitsFor;
  if (waitsFor.length === 1) return [`      ${place}${process} at ${statement} waits for ${waitText(only!)}`];
  if (waitsFor.length === 0) return [`      ${place}${process} at ${statement} has no way on`];
  return [
    `      ${place}${process} waits for one of`,
    ...waitsFor.map((wait) => `        ${wait.statement}: ${waitText(wait)}`),
  ];
}

/** What, and who could have brought it. */
export function waitText({ kind, text, helpers }: Wait): string {
  if (kind === 'never') return text;
  if (helpers.length === 0) return `${text}; nobody else can do that any more`;
  const shown = helpers.slice(0, MANY_HELPERS).map(({ process, text: why }) => `${process} ${why}`);
  const more = helpers.length > shown.length ? `, and ${helpers.length - shown.length} more could` : '';
  return `${text}; ${shown.join(', ')}${more}`;
}
