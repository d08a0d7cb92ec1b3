// The lives of objects, against gcc's address sanitizer.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { answerC } from './check-c.ts';
import { hasSanitizer, judgedByGcc, lifetimePrograms } from './lifetimes.fuzz.ts';
import { loadC } from './load-c.ts';

const FUZZ = Number(process.env['SPILLWAY_FUZZ'] ?? 0);
const COUNT = FUZZ === 0 ? 16 : FUZZ;
const BATCH = 40;

async function verdict(text: string, property: string): Promise<string> {
  const request = {
    path: 'x.c',
    files: { read: (path: string) => (path === 'x.c' ? text : null) },
    defines: [],
    includes: [],
    budget: UNLIMITED,
    observer: SILENT,
  };
  const { loaded, diagnostics } = await loadC(request);
  if (loaded === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return (await answerC(loaded, property, request)).answer.verdict;
}

test.skipIf(!hasSanitizer)('random programs', { timeout: 60_000 + COUNT * 2000 }, async () => {
  const texts = fc.sample(lifetimePrograms, { numRuns: COUNT, seed: FUZZ === 0 ? 3 : FUZZ });
  const wrong: string[] = [];
  const counts: Record<string, number> = {};
  for (let i = 0; i < texts.length; i += BATCH) {
    const batch = texts.slice(i, i + BATCH);
    const expected = judgedByGcc(batch);
    for (const [k, text] of batch.entries()) {
      for (const [property, isBad] of [
        ['no-undefined', expected[k]!.undefined],
        ['no-leaks', expected[k]!.leaks],
      ] as const) {
        const ours = await verdict(text, property);
        const theirs = isBad ? 'refuted' : 'proved';
        const key = `${property}: ${theirs}${ours === 'unknown' ? ' by gcc only' : ''}`;
        counts[key] = (counts[key] ?? 0) + 1;
        if (ours !== 'unknown' && ours !== theirs)
          wrong.push(`${property} is ${ours}, but ${theirs} by gcc:\n${text}`);
      }
    }
  }
  console.log(`${COUNT} random programs: ${JSON.stringify(counts)}`);
  expect(wrong).toEqual([]);
});
