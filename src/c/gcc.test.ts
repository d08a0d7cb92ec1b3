// What C means to us against what it means to gcc: random programs with all sorts of types and statements are compiled and run on
// all small inputs, and so is what the lowering makes of them. The verdicts on some of them are compared, too. SPILLWAY_FUZZ=N runs N programs.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT } from '../base/budget.ts';
import { checkC } from '../check/testing.ts';
import type { PropertyResult } from '../verdict/verdict.ts';
import { initialisers } from './initialisers.fuzz.ts';
import { programOf, runWith } from './testing.ts';
import { wildPrograms } from './wild-programs.fuzz.ts';

const PROGRAMS = Number(process.env['SPILLWAY_FUZZ'] ?? 25);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 5);
/** The verdict is asked for on every so many programs: it costs far more than an execution. */
const JUDGED = 3;
const hasGcc = spawnSync('gcc', ['--version']).status === 0;
if (!hasGcc) console.log('skipped: the meaning of C against gcc (no gcc on PATH)');

const PRELUDE = `#include <string.h>
#include <unistd.h>
#include <stdio.h>
#include <sys/wait.h>
static int inputs[3], next;
#define assert(e) do { if (!(e)) _exit(1); } while (0)
#define __VERIFIER_assume(e) do { if (!(e)) _exit(0); } while (0)
#define __VERIFIER_nondet_int() inputs[next++]
#define main program
`;
const DRIVER = `
#undef main
int main(void) {
  for (int n = 0; n < 64; n++) {
    inputs[0] = n & 3; inputs[1] = n >> 2 & 3; inputs[2] = n >> 4;
    int status, child = fork();
    if (child == 0) { alarm(2); program(); _exit(0); }
    waitpid(child, &status, 0);
    putchar(WIFEXITED(status) ? '0' + WEXITSTATUS(status) : '?');
  }
  return 0;
}
`;

/** For each input: '1' an assertion fails, '0' it does not, '?' the program crashes. */
function compiled(folder: string, text: string): string {
  writeFileSync(join(folder, 'x.c'), PRELUDE + text + DRIVER);
  const compiler = spawnSync('gcc', ['-w', '-fwrapv', '-o', join(folder, 'x'), join(folder, 'x.c')]);
  const said = compiler.stderr.toString();
  // Some programs are too much for gcc itself.
  if (said.includes('internal compiler error')) return '';
  expect(said).toBe('');
  return spawnSync(join(folder, 'x')).stdout.toString();
}

async function judged(text: string): Promise<string> {
  const end = performance.now() + 5_000;
  const { properties, diagnostics } = await checkC({
    path: 'x.c',
    files: { read: (path) => (path === 'x.c' ? text : null) },
    defines: [],
    includes: [],
    properties: [],
    budget: {
      timeLeft: () => performance.now() < end,
      remaining: () => end - performance.now(),
      maxStates: 1e6,
      maxMemory: 1e9,
    },
    observer: SILENT,
  });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const [{ verdict, evidence, reasonCode }] = properties as [PropertyResult];
  if (verdict === 'proved') expect(evidence?.kind).toBe('certificate');
  expect(reasonCode).not.toBe('no-certificate');
  return verdict;
}

test.skipIf(!hasGcc)(`${PROGRAMS} random programs mean what they mean to gcc`, { timeout: 0 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-gcc-'));
  const counts: Record<string, number> = {
    runs: 0,
    failing: 0,
    undefined: 0,
    proved: 0,
    refuted: 0,
    unknown: 0,
  };
  let number = 0;
  try {
    await fc.assert(
      fc.asyncProperty(wildPrograms, async (text) => {
        const expected = compiled(folder, text);
        if (expected === '') return;
        const program = await programOf(text);
        const ours = [...expected].map((_, n) => {
          const { outcome, guessed } = runWith(program, [n & 3, (n >> 2) & 3, n >> 4].map(BigInt));
          if (guessed !== null) return '?';
          // The inputs satisfy every assumption: a run that no edge continues is an edge that is missing.
          if (outcome === 'blocked') return 'b';
          return outcome === 'error' ? '1' : outcome === 'end' ? '0' : '?';
        });
        counts['runs']! += ours.length;
        counts['failing']! += ours.filter((mark) => mark === '1').length;
        counts['undefined']! += ours.filter((mark) => mark === '?').length;
        // Where a run is undefined or cut off, gcc may do as it likes.
        expect(ours.join('')).toBe([...expected].map((mark, n) => (ours[n] === '?' ? '?' : mark)).join(''));
        if (number++ % JUDGED !== 0) return;
        const verdict = await judged(text);
        counts[verdict]!++;
        if (verdict !== 'unknown') expect(verdict).toBe(ours.includes('1') ? 'refuted' : 'proved');
      }),
      { numRuns: PROGRAMS, seed: SEED },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
  console.log(`against gcc: ${JSON.stringify(counts)}`);
  if (PROGRAMS >= 60) for (const verdict of ['proved', 'refuted']) expect(counts[verdict]).toBeGreaterThan(0);
  expect(counts['undefined']).toBeLessThan(counts['runs']! / 4);
});

test.skipIf(!hasGcc)(
  `${PROGRAMS} random initialisers mean what they mean to gcc`,
  { timeout: 0 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'spillway-gcc-'));
    try {
      await fc.assert(
        fc.asyncProperty(initialisers, async (text) => {
          const expected = compiled(folder, text);
          const program = await programOf(text);
          const ours = [...expected].map((_, n) =>
            runWith(program, [n & 3, (n >> 2) & 3, n >> 4].map(BigInt)).outcome === 'error' ? '1' : '0',
          );
          expect(ours.join('')).toBe(expected);
        }),
        { numRuns: PROGRAMS, seed: SEED },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
