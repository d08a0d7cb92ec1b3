// The page that puts [Ciclo]'s tables beside ours says what the corpus expects (and corpus.test.ts checks what the engine says against that).

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFileSync(`${root}/docs/ciclo-tables.md`, 'utf8');
const { models } = JSON.parse(readFileSync(`${root}/corpus/protocols/spillway.config.json`, 'utf8')) as {
  models: { model: string; expect: Record<string, string> }[];
};

/** The rows of the table under a heading, without its head. */
function rowsUnder(heading: string): string[][] {
  const section = page.split(/^## /m).find((part) => part.startsWith(heading))!;
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test.each([
  ['Boundedness', 'bounded'],
  ['Livelock freedom', 'livelock-free'],
])('%s: sixteen models, each with its verdict', (heading, property) => {
  const rows = rowsUnder(heading);
  expect(rows).toHaveLength(16);
  for (const [file, , ours] of rows) {
    const expected = models.find(({ model }) => model === `${file}.pml`)?.expect[property];
    expect(`${file} ${ours!.split(/[ ,]/)[0]}`).toBe(`${file} ${expected}`);
  }
});

test('every queue is decided', () => {
  const rows = rowsUnder('Every queue');
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter(([, , bound]) => bound === 'open').map(([, name]) => name)).toEqual([]);
});
