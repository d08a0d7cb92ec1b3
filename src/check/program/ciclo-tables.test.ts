// The page that puts [Ciclo]'s tables beside ours says what the corpus expects (and corpus.test.ts checks what the engine says against that).

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { rowsUnder, sectionOf } from './tables-page.fuzz.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { models } = JSON.parse(readFileSync(`${root}/corpus/protocols/spillway.config.json`, 'utf8')) as {
  models: { model: string; expect: Record<string, string> }[];
};

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

test('every queue is decided, and where a bound is larger than the true maximum the page says why', () => {
  const rows = rowsUnder('Every queue');
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter(([, , bound]) => bound === 'open')).toEqual([]);
  const larger = rows.filter(([, , bound, by, , most]) => by !== 'a run' && bound !== most);
  const explained = [...sectionOf('Every queue').matchAll(/^- `(.*?)`: (.*)$/gm)].map((match) => match[1]);
  expect([...new Set(larger.map(([model]) => model))]).toEqual(explained);
});
