// Random programs with large arrays, judged by executing them on all small inputs: never a wrong verdict. SPILLWAY_FUZZ=N runs N programs.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkC } from '../check/testing.ts';
import { arrayPrograms } from './array-programs.fuzz.ts';
import { execute } from './program/execute.ts';
import type { Program } from './program/program.ts';
import { isErrorLocation, programOf } from './testing.ts';

const PROGRAMS = Number(process.env['SPILLWAY_FUZZ'] ?? 4);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 5);
/** Whoever has not decided by then is not asked again. */
const MILLISECONDS = 6_000;

/** On every combination of three inputs from 0 to 3; null where a run does what is undefined, or does not end. */
function canFail(program: Program): boolean | null {
  let fails = false;
  for (let number = 0; number < 64; number++) {
    const inputs = [number & 3, (number >> 2) & 3, number >> 4].map(BigInt);
    let next = 0;
    const provide = (_: unknown, operation: { kind: string } | null) =>
      operation?.kind === 'input' ? (inputs[next++] ?? 0n) : 0n;
    const run = execute(program, provide, (location) => isErrorLocation(program, location), 50_000);
    if (run.outcome === 'limit' || run.outcome === 'undefined' || run.outcome === 'cut') return null;
    fails ||= run.outcome === 'error';
  }
  return fails;
}

test(`no wrong verdict on ${PROGRAMS} random programs with large arrays`, { timeout: 0 }, async () => {
  const counts = { proved: 0, refuted: 0, unknown: 0 };
  await fc.assert(
    fc.asyncProperty(arrayPrograms, async (text) => {
      const failing = canFail(await programOf(text));
      if (failing === null) return;
      const end = performance.now() + MILLISECONDS;
      const { properties } = await checkC({
        path: 'random.c',
        files: { read: (path) => (path === 'random.c' ? text : null) },
        defines: [],
        includes: [],
        properties: ['assertions'],
        budget: {
          timeLeft: () => performance.now() < end,
          remaining: () => end - performance.now(),
          maxStates: 1e5,
          maxMemory: 1e9,
        },
        observer: { stage: () => {}, progress: () => {}, now: () => 0 },
      });
      const [property] = properties;
      counts[property!.verdict]++;
      if (property!.verdict === 'unknown' && process.env['SPILLWAY_KEEP'])
        writeFileSync(join(process.env['SPILLWAY_KEEP'], `array${counts.unknown}.c`), text);
      if (property!.verdict !== 'unknown') expect(property!.verdict).toBe(failing ? 'refuted' : 'proved');
      // A proof that its own check refuses is a bug, though not a wrong verdict.
      expect(property!.reasonCode).not.toBe('no-certificate');
      expect(property!.reasonCode).not.toBe('engine-failed');
    }),
    { numRuns: PROGRAMS, seed: SEED, endOnFailure: true },
  );
  console.log(`random programs with large arrays: ${JSON.stringify(counts)}`);
  if (PROGRAMS < 20) return;
  expect(counts.proved).toBeGreaterThan(0);
  expect(counts.refuted).toBeGreaterThan(0);
});
