// Programs compiled by gcc and run on all combinations of three inputs from 0 to 3, beside what the concrete machine makes of them, and some
// verdicts. Programs read their inputs with `__VERIFIER_nondet_int`, and assume that they are from 0 to 3, or cut them down to that.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { SILENT } from '../base/budget.ts';
import { checkC } from '../check/testing.ts';
import { runProgram } from '../testing/run-program.ts';
import type { PropertyResult } from '../verdict/verdict.ts';
import { programOf, runWith } from './testing.ts';

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

export const hasGcc = runProgram('gcc', ['--version']).status === 0;

/** gcc makes programs for i386, too: Debian's package gcc-multilib. */
export const hasGcc32 =
  hasGcc &&
  runProgram('gcc', ['-m32', '-xc', '-', '-o', '/dev/null'], { input: 'int main(void) { return 0; }' })
    .status === 0;

export interface Comparison {
  readonly programs: fc.Arbitrary<string>;
  readonly count: number;
  readonly seed: number;
  /** The verdict is asked for on every so many programs: it costs far more than an execution. */
  readonly judged: number;
  readonly dataModel?: 'LP64' | 'ILP32';
  /** Nothing in the programs is undefined: gcc's word counts, and a run that is undefined to us is an error of ours. With what gcc alone sees of other files. */
  readonly defined?: { readonly elsewhere: string };
  /** Beyond the first program that disagrees, which is not made smaller. */
  readonly goOn?: boolean;
}

export interface Counts {
  runs: number;
  failing: number;
  undefined: number;
  proved: number;
  refuted: number;
  unknown: number;
}

/** For each verdict. */
const SECONDS = Number(process.env['SPILLWAY_SECONDS'] ?? 5);

type DataModel = NonNullable<Comparison['dataModel']>;

/** On i386 in the registers that compute as x86-64 does, not in those of x87. */
const FLAGS: Readonly<Record<DataModel, readonly string[]>> = {
  LP64: [],
  ILP32: ['-m32', '-msse2', '-mfpmath=sse'],
};

/** As the small programs have it: a label that is an error. */
const labelled = (text: string): string =>
  text.replace('ERROR: g = 0;', '_exit(1);').replace('#include <assert.h>', '');

/** What the program does for each of the 64 inputs, as below. */
export function marksByGcc(text: string, model: DataModel = 'LP64'): string {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-gcc-'));
  try {
    return compiled(folder, labelled(text), model);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** For each input: '1' an assertion fails, '0' it does not, '?' the program crashes. */
function compiled(folder: string, text: string, model: DataModel): string {
  writeFileSync(join(folder, 'x.c'), PRELUDE + text + DRIVER);
  const files = ['-o', join(folder, 'x'), join(folder, 'x.c'), '-lm'];
  const compiler = runProgram('gcc', [
    '-w',
    '-Wno-packed-bitfield-compat',
    '-fwrapv',
    ...FLAGS[model],
    ...files,
  ]);
  const said = compiler.stderr;
  // Some programs are too much for gcc itself, and some literals that it overrides are no constants to it.
  if (/internal compiler error|initializer element is not constant/.test(said)) return '';
  expect(said).toBe('');
  return runProgram(join(folder, 'x'), []).stdout;
}

const ASSUMED = 'int v = __VERIFIER_nondet_int(); __VERIFIER_assume(v >= 0 && v < 4); return v;';
const CUT = 'return __VERIFIER_nondet_int() & 3;';

/** The program assumes nothing of its inputs, but cuts them down: what is assumed of an input is part of every question, though nothing depends on it. */
export const cutInputs = (text: string): string => text.replace(ASSUMED, CUT);

/** About half of the programs. */
export const withInputs = (text: string): string => (text.length % 2 === 0 ? text : cutInputs(text));

async function judged(text: string, dataModel: DataModel): Promise<'proved' | 'refuted' | 'unknown'> {
  const end = performance.now() + SECONDS * 1000;
  const { properties, diagnostics } = await checkC({
    path: 'x.c',
    files: { read: (path) => (path === 'x.c' ? text : null) },
    defines: [],
    includes: [],
    properties: [],
    dataModel,
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

/** Each program means what it means to gcc, and no verdict is wrong. */
export async function compareWithGcc(comparison: Comparison): Promise<Counts> {
  const { programs, count, seed, dataModel = 'LP64', defined } = comparison;
  const folder = mkdtempSync(join(tmpdir(), 'spillway-gcc-'));
  const counts: Counts = { runs: 0, failing: 0, undefined: 0, proved: 0, refuted: 0, unknown: 0 };
  let number = 0;
  const compare = async (drawn: string): Promise<void> => {
    const text = withInputs(drawn);
    const expected = compiled(folder, (defined?.elsewhere ?? '') + text, dataModel);
    if (expected === '') return;
    const program = await programOf(text, {}, () => null, dataModel);
    const guesses: boolean[] = [];
    const ours = [...expected].map((_, n) => {
      const { outcome, guessed } = runWith(program, [n & 3, (n >> 2) & 3, n >> 4].map(BigInt));
      guesses.push(guessed !== null);
      if (guessed !== null) return '?';
      // The inputs satisfy every assumption: a run that no edge continues is an edge that is missing.
      if (outcome === 'blocked') return 'b';
      if (outcome === 'undefined' && defined !== undefined) return 'u';
      return outcome === 'error' ? '1' : outcome === 'end' ? '0' : '?';
    });
    counts.runs += ours.length;
    counts.failing += ours.filter((mark) => mark === '1').length;
    counts.undefined += ours.filter((mark) => mark === '?').length;
    // Where a run is undefined or cut off, gcc may do as it likes.
    expect(ours.join('')).toBe([...expected].map((mark, n) => (ours[n] === '?' ? '?' : mark)).join(''));
    if (++number % comparison.judged !== 0) return;
    const verdict = await judged(text, dataModel);
    counts[verdict]++;
    const marks = defined === undefined ? ours : [...expected];
    const fails = marks.includes('1');
    // Of runs that guess something gcc shows one: where that fails nothing is proved, and where it does not another may.
    const guessesFailing = guesses.some((guess, n) => guess && expected[n] === '1');
    if (verdict === 'proved') expect(fails || guessesFailing).toBe(false);
    if (verdict === 'refuted') expect(fails || guesses.includes(true)).toBe(true);
  };
  try {
    if (comparison.goOn === true) await compareAll(fc.sample(programs, { numRuns: count, seed }), compare);
    else await fc.assert(fc.asyncProperty(programs, compare), { numRuns: count, seed });
  } finally {
    rmSync(folder, { recursive: true });
  }
  return counts;
}

/** A disagreement does not end the run, so that one run tells of all of them. */
async function compareAll(texts: readonly string[], compare: (text: string) => Promise<void>): Promise<void> {
  const failures: string[] = [];
  for (const text of texts)
    try {
      await compare(text);
    } catch (error) {
      failures.push(`${error}\n${text}`);
      console.log(`disagreement ${failures.length}: ${failures.at(-1)}`);
    }
  expect(failures).toEqual([]);
}
