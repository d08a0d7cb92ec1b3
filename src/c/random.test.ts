// Random small C programs, judged by executing them on all small inputs: never a wrong verdict. SPILLWAY_FUZZ=N runs N programs.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkC } from '../check/testing.ts';
import { runProgram } from '../testing/run-program.ts';
import { withInputs } from './gcc-comparison.fuzz.ts';
import { execute } from './program/execute.ts';
import type { Program } from './program/program.ts';
import { HARNESS_LINE } from './report/harness.ts';
import { smallPrograms } from './small-programs.fuzz.ts';
import { isErrorLocation, programOf } from './testing.ts';

const PROGRAMS = Number(process.env['SPILLWAY_FUZZ'] ?? 10);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 20);
const hasGcc = runProgram('gcc', ['--version']).status === 0;
if (!hasGcc) console.log('skipped: harnesses are not compiled (no gcc on PATH)');

/** Runs the program on every combination of three inputs from 0 to 3. */
function canFail(program: Program): boolean {
  for (let n = 0; n < 64; n++) {
    const inputs = [n & 3, (n >> 2) & 3, n >> 4].map(BigInt);
    let next = 0;
    const provide = (_: unknown, operation: { kind: string } | null) =>
      operation?.kind === 'input' ? (inputs[next++] ?? 0n) : 0n;
    const run = execute(program, provide, (location) => isErrorLocation(program, location), 20_000);
    if (run.outcome === 'limit') throw new Error('a random program does not end');
    if (run.outcome === 'error') return true;
  }
  return false;
}

function harnessFails(text: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-c-'));
  try {
    writeFileSync(join(folder, 'h.c'), text);
    const compiled = runProgram('gcc', ['-w', '-fwrapv', '-o', join(folder, 'h'), join(folder, 'h.c')]);
    expect(compiled.stderr).toBe('');
    const run = runProgram(join(folder, 'h'), []);
    expect(run.signal === 'SIGABRT' || run.stdout.includes(HARNESS_LINE)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test(`no wrong verdict on ${PROGRAMS} random programs`, { timeout: 0 }, async () => {
  const counts = { proved: 0, refuted: 0, unknown: 0 };
  const reasons: string[] = [];
  await fc.assert(
    fc.asyncProperty(smallPrograms.map(withInputs), async (text) => {
      const end = performance.now() + 600_000;
      const { properties, diagnostics } = await checkC({
        path: 'random.c',
        files: { read: (path) => (path === 'random.c' ? text : null) },
        defines: [],
        includes: [],
        properties: [],
        budget: {
          timeLeft: () => performance.now() < end,
          remaining: () => end - performance.now(),
          maxStates: 1e6,
          maxMemory: 1e9,
        },
        observer: { stage: () => {}, progress: () => {}, now: () => 0 },
      });
      expect(diagnostics.filter((diagnostic) => diagnostic.severity === 'error')).toEqual([]);
      const [property] = properties;
      counts[property!.verdict]++;
      if (property!.verdict === 'unknown') {
        reasons.push(`${property!.reasonCode}: ${property!.reason}`);
        if (process.env['SPILLWAY_KEEP'])
          writeFileSync(join(process.env['SPILLWAY_KEEP'], `unknown${counts.unknown}.c`), text);
      }
      const failing = canFail(await programOf(text));
      if (property!.verdict === 'proved') {
        expect(failing).toBe(false);
        expect(property!.evidence?.kind).toBe('certificate');
      }
      // A proof that its own check refuses is a bug, though not a wrong verdict.
      expect(property!.reasonCode).not.toBe('no-certificate');
      if (property!.verdict !== 'refuted') return;
      expect(failing).toBe(true);
      if (property!.evidence?.kind !== 'run') throw new Error('a refutation without a run');
      if (hasGcc && counts.refuted % 4 === 0) harnessFails(property!.evidence.harness!);
    }),
    { numRuns: PROGRAMS, seed: SEED, endOnFailure: PROGRAMS > 80 },
  );
  console.log(`random C programs: ${JSON.stringify(counts)}`, reasons);
  expect(counts.proved).toBeGreaterThan(0);
  expect(counts.refuted).toBeGreaterThan(0);
  expect(counts.unknown).toBeLessThanOrEqual(PROGRAMS / 10);
});
