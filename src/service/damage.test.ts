// Texts of every language, damaged at random: they are understood without a crash, and every question about them is answered.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { completions } from './completion.ts';
import { fixes } from './fixes.ts';
import { hints } from './hints.ts';
import { hover } from './hover.ts';
import { lenses } from './lenses.ts';
import { definitions, outline, references } from './navigation.ts';
import { rename } from './rename.ts';
import { semanticTokens } from './semantic.ts';
import { LanguageService } from './service.ts';
import { signature } from './signature.ts';

const corpus = fileURLToPath(new URL('../../corpus', import.meta.url));
const rounds = Math.max(8, Number(process.env['SPILLWAY_FUZZ'] ?? 0) / 10);

const damage = fc.record({
  file: fc.nat(),
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
  length: fc.nat(12),
  insert: fc.constantFrom(
    '',
    '{',
    '}',
    '(',
    ')',
    ';',
    '"',
    '<',
    '>',
    '->',
    'x',
    '[',
    '@',
    '\n',
    '/*',
    '..',
    '1',
  ),
});

test.each([
  ['kripke', '.lks'],
  ['ecfsm', '.ecfsm'],
  ['scxml', '.scxml'],
  ['c', '.spec'],
  ['quickstart', '.pml'],
])('%s', async (folder, extension) => {
  const paths = readdirSync(join(corpus, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .sort()
    .map((name) => join(corpus, folder, name));
  expect(paths.length).toBeGreaterThan(0);
  const service = new LanguageService({
    read: (path) => {
      try {
        return readFileSync(path, 'utf8');
      } catch {
        return null;
      }
    },
  });
  const count = folder === 'c' ? Math.ceil(rounds / 8) : rounds;
  for (const { file, at, length, insert } of fc.sample(damage, { numRuns: count, seed: 7 })) {
    const path = paths[file % paths.length]!;
    const whole = readFileSync(path, 'utf8');
    const start = Math.floor(at * whole.length);
    const text = whole.slice(0, start) + insert + whole.slice(start + length);
    service.open(path, 1, text);
    const understanding = (await service.understand(path))!;
    outline(understanding, path);
    semanticTokens(understanding, path);
    lenses(understanding, path, null);
    hints(understanding, path, 0, text.length, null);
    fixes(understanding, path, 0, text.length, null);
    for (const offset of [start, Math.floor(text.length / 2)]) {
      hover(understanding, path, offset, null);
      definitions(understanding, path, offset);
      references(understanding, path, offset, true);
      completions(understanding, path, offset);
      signature(understanding, path, offset);
      rename(understanding, path, offset, 'zq9');
    }
    service.close(path);
  }
});
