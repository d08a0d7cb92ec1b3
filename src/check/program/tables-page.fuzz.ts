// docs/ciclo-tables.md as tests read it.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const page = readFileSync(fileURLToPath(new URL('../../../docs/ciclo-tables.md', import.meta.url)), 'utf8');

/** The rows of the table under a heading, without its head. */
export function rowsUnder(heading: string): string[][] {
  const section = sectionOf(heading);
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

export const sectionOf = (heading: string): string =>
  page.split(/^## /m).find((part) => part.startsWith(heading))!;

/** By queue: bound, what proves it, and the true maximum, of one model. */
export function queuesOnPage(model: string): Record<string, readonly string[]> {
  const rows = rowsUnder('Every queue').filter(([file]) => file === model);
  return Object.fromEntries(
    rows.flatMap(([, names, bound, by, , most]) =>
      names!.split(', ').map((name) => [name, [bound!, by!, most!]]),
    ),
  );
}
