// Nets and machines with something missing, doubled or out of place: never an exception, and whatever is wrong has its place in the file.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { Random } from '../base/random.ts';
import { languageFor } from './languages.ts';

const corpus = fileURLToPath(new URL('../../corpus/', import.meta.url));
const FILES = ['nets', 'machines'].flatMap((folder) =>
  readdirSync(corpus + folder)
    .filter((name) => !name.endsWith('.json'))
    .map((name) => `${folder}/${name}`),
);
const STRANGE = [
  '',
  ' ',
  '\n',
  '<',
  '>',
  '&',
  '"',
  '-1',
  '99999999999',
  '{',
  '}',
  ';',
  '->',
  '\u0000',
  'é',
  '𝄞',
];

function broken(text: string, random: Random): string {
  const at = random.below(text.length);
  const end = Math.min(text.length, at + random.below(12));
  const part = text.slice(at, end);
  const instead = random.pick([...STRANGE, part + part, [...part].reverse().join('')]);
  return random.below(8) === 0 ? text.slice(0, at) : text.slice(0, at) + instead + text.slice(end);
}

test.each(FILES)('%s', async (path) => {
  const random = new Random(path.length);
  const original = readFileSync(corpus + path, 'utf8');
  for (let round = Number(process.env['SPILLWAY_FUZZ'] ?? 3); round > 0; round--) {
    const text = broken(original, random);
    const files = { read: (asked: string) => (asked === path ? text : null) };
    const language = await languageFor(path, files)?.load();
    if (language === undefined || !['net', 'machines'].includes(language.name)) continue;
    const request = { paths: [path], files, options: {}, budget: UNLIMITED, observer: SILENT };
    const { model, diagnostics } = await language.load(request as never);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    if (model === null) expect(errors.length, text).toBeGreaterThan(0);
    for (const { span, message } of errors) {
      expect(span, `${message}\n${text}`).not.toBeNull();
      expect(span!.start).toBeLessThanOrEqual(text.length);
    }
  }
});
