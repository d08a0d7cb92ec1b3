// Objects whose size is decided at run time, against gcc's address sanitizer: both readings of a program, by cases and with sizes that are cells, must agree with it, on
// every input where they are executed, and in their verdicts.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atMost, SILENT, UNLIMITED } from '../base/budget.ts';
import { answerC } from './check-c.ts';
import { hasSanitizer, judgedByGcc } from './lifetimes.fuzz.ts';
import { type LoadedC, loadC } from './load-c.ts';
import { withChecks } from './lower/undefined.ts';
import type { Program } from './program/program.ts';
import { sizePrograms } from './sizes.fuzz.ts';
import { runWith } from './testing.ts';

const FUZZ = Number(process.env['SPILLWAY_FUZZ'] ?? 0);
const COUNT = FUZZ === 0 ? 10 : FUZZ;
/** Verdicts take seconds, and some of them for ever: with SPILLWAY_FUZZ every so many programs have one, if it comes in time. */
const JUDGED = FUZZ === 0 ? 1e9 : 4;
const MILLISECONDS = 8000;
const BATCH = 40;
const MOST_STEPS = 20_000;

const REQUEST = { path: 'x.c', defines: [], includes: [], budget: UNLIMITED, observer: SILENT };
const filesOf = (text: string) => ({ read: (path: string) => (path === 'x.c' ? text : null) });

async function readingsOf(text: string): Promise<LoadedC[]> {
  const { loaded, diagnostics } = await loadC({ ...REQUEST, files: filesOf(text) });
  if (loaded === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const { otherReading, ...first } = loaded.program;
  const other = otherReading?.() ?? null;
  return [first, ...(other === null ? [] : [other])].map((program) => ({ ...loaded, program }));
}

/** What all inputs lead to. */
function runsOf(written: Program): Set<string> {
  const program = withChecks(written);
  const found = new Set<string>();
  for (let n = 0n; n < 16n; n++) found.add(runWith(program, [n & 3n, n >> 2n], MOST_STEPS).outcome);
  return found;
}

test.skipIf(!hasSanitizer)('random programs', { timeout: 0 }, async () => {
  const texts = fc.sample(sizePrograms, { numRuns: COUNT, seed: FUZZ === 0 ? 3 : FUZZ });
  const wrong: string[] = [];
  const counts: Record<string, number> = {};
  const count = (key: string) => (counts[key] = (counts[key] ?? 0) + 1);
  for (let i = 0; i < texts.length; i += BATCH) {
    const batch = texts.slice(i, i + BATCH);
    const expected = judgedByGcc(batch);
    for (const [k, text] of batch.entries()) {
      const { undefined: isUndefined, leaks } = expected[k]!;
      for (const loaded of await readingsOf(text)) {
        const how = loaded.program.objects.some(({ extent }) => extent !== undefined) ? 'sized' : 'by cases';
        const runs = runsOf(loaded.program);
        const isSure = runs.has('error') || !(runs.has('cut') || runs.has('limit'));
        if (isSure) count(`${how}: ${isUndefined ? 'undefined' : 'defined'}`);
        if (runs.has('undefined') || (isSure && runs.has('error') !== isUndefined))
          wrong.push(`${how}: runs end with ${[...runs].join(', ')}, gcc says ${isUndefined}:\n${text}`);
        if ((i + k + 1) % JUDGED !== 0) continue;
        for (const [property, isBad] of [
          ['no-undefined', isUndefined],
          ['no-leaks', leaks],
        ] as const) {
          const budget = atMost(UNLIMITED, MILLISECONDS, () => performance.now());
          const request = { ...REQUEST, files: filesOf(text), budget };
          const { verdict } = (await answerC(loaded, property, request)).answer;
          count(`${property} ${how}: ${verdict}`);
          if (verdict !== 'unknown' && verdict !== (isBad ? 'refuted' : 'proved'))
            wrong.push(`${how}: ${property} is ${verdict}, gcc does not agree:\n${text}`);
        }
      }
    }
  }
  console.log(`${COUNT} random programs: ${JSON.stringify(counts)}`);
  expect(wrong).toEqual([]);
});
