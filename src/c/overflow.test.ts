// `no-overflow`: programs by name, and random ones whose every run gcc judges. SPILLWAY_FUZZ=N tries N of these for each data model.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { checkModel } from '../check/check.ts';
import { answerC } from './check-c.ts';
import { hasGcc, hasGcc32 } from './gcc-comparison.fuzz.ts';
import { loadC } from './load-c.ts';
import { NO_OVERFLOW } from './lower/overflow.ts';
import { overflowPrograms, overflowShown, overflowsOfGcc, RUNS } from './overflow-programs.fuzz.ts';
import { askedOf } from './properties.ts';
import { runWith } from './testing.ts';

const PROGRAMS = Number(process.env['SPILLWAY_FUZZ'] ?? 12);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 7);
/** The verdict is asked for of every so many programs: executions cost far less. */
const JUDGED = Number(process.env['SPILLWAY_JUDGED'] ?? 6);

const requestOf = (text: string, dataModel: 'ILP32' | 'LP64' = 'LP64') => ({
  path: 'x.c',
  files: { read: (path: string) => (path === 'x.c' ? text : null) },
  ...{ defines: [], includes: [], dataModel, observer: SILENT },
});

/** Counted in looks at the clock: no test depends on how fast the machine is. */
function looks(most: number) {
  let left = most;
  const timeLeft = () => left-- > 0;
  return { ...UNLIMITED, timeLeft };
}

async function answer(text: string, dataModel: 'ILP32' | 'LP64' = 'LP64', budget = UNLIMITED) {
  const request = requestOf(text, dataModel);
  const { loaded, diagnostics } = await loadC(request);
  if (loaded === null) throw new Error(diagnostics.map(({ message }) => message).join());
  return (await answerC(loaded, NO_OVERFLOW, { ...request, budget })).answer;
}

const main = (body: string): string => `#include <limits.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void); extern long __VERIFIER_nondet_long(void); extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);
struct bits { int b : 6; unsigned c : 31; };
int twice(int x) { return x + x; }
int main(void) { int n = __VERIFIER_nondet_int(); long l = __VERIFIER_nondet_long(); char c = __VERIFIER_nondet_char(); ${body} }`;

const PROVED: readonly (readonly [string, string])[] = [
  ['unsigned numbers wrap around', 'unsigned u = n; u += 5; u *= u; return -u;'],
  ['short and char are promoted', 'short s = n; s++; s += s; c *= c; c = -c; return s * s / (c | 1);'],
  ['conversions are no operations', 'int k = l; short s = l; return k ^ s;'],
  ['bounded before', 'if (n > 100 || n < -100) return 0; return n * n * n + 7;'],
  ['the other side is not computed', 'return n < INT_MAX ? n + 1 : n;'],
  ['after &&', 'return n != INT_MIN && -n > 3;'],
  ['in a wider type', 'long long w = (long long)n * n; return w > 9;'],
  ['sizes are not computed', 'return sizeof(n + INT_MAX) + sizeof(int[n > 0 ? 1 : 2]);'],
  ['pointers', 'int a[4]; int *p = a + 4; p -= 3; return p - a;'],
  [
    'builtins tell of it',
    'int r; return __builtin_add_overflow(n, INT_MAX, &r) + __builtin_smul_overflow(n, n, &r);',
  ],
  ['a left shift that fits', 'if (n < 0 || n > 3) return 0; return n << 29;'],
  ['an assertion that fails ends the run', 'if (n == INT_MAX) reach_error(); return n + 1;'],
  ['a loop', 'int s = 0; if (n > 1000) return 0; for (int i = 0; i < n; i++) s += 2; return s;'],
  ['a remainder', 'return n % 10 * 1000 + n / 10;'],
  ['small bit-fields', 'struct bits f = {n, n}; f.b++; f.b = f.b * 33; return f.b;'],
  [
    'atomic additions wrap around',
    '__atomic_fetch_add(&n, INT_MAX, 5); __sync_fetch_and_add(&n, 1); return 0;',
  ],
  ['the value of a constant that is not chosen', 'static int a[1 ? 2 : INT_MAX + 1]; return sizeof a;'],
];

const REFUTED: readonly (readonly [string, string, string])[] = [
  ['a sum', 'return n + 1;', "'+' does not fit int"],
  ['a difference', 'return 0 - n;', "'-' does not fit int"],
  ['a negation', 'return -n;', "'-' does not fit int"],
  ['a product', 'return n * n;', "'*' does not fit int"],
  ['a product by a constant', 'return n * 3;', "'*' does not fit int"],
  ['a product by -1', 'return n * -1;', "'*' does not fit int"],
  ['a quotient', 'return n == 0 ? 0 : INT_MIN / n;', "'/' does not fit int"],
  ['a remainder', 'return l == 0 ? 0 : LONG_MIN % l;', "'%' does not fit long"],
  ['an increment', 'n++; return 0;', "'+' does not fit int"],
  ['a decrement', 'return --n;', "'-' does not fit int"],
  ['an assignment that computes', 'n -= 5; return n;', "'-' does not fit int"],
  ['in the common type', 'int k = 0; k += l + 1; return 0;', "'+' does not fit long"],
  ['a left shift', 'return n < 0 ? 0 : n << 1;', "'<<' does not fit int"],
  ['into the sign', 'return 1 << 31;', "'<<' does not fit int"],
  ['a left shift of what is negative', 'return n != -1 ? 0 : n << 1;', "'<<' does not fit int"],
  ['an argument', 'return twice(n) == 4 ? 1 : 0;', "'+' does not fit int"],
  ['abs', 'return abs(n);', 'the absolute value'],
  ['behind a loop', 'int s = 1; for (int i = 0; i < 40; i++) s += s; return s;', "'+' does not fit int"],
];

/** gcc simplifies these before it puts its tests in. */
const SIMPLIFIED: readonly (readonly [string, string, string])[] = [
  ['a value that nobody uses', 'n + 1; return 0;', "'+' does not fit int"],
  ['a value that is multiplied by 0', 'return (n + 1) * 0;', "'+' does not fit int"],
  ['what cancels out', 'return n + 1 - 1 == n;', "'+' does not fit int"],
  ['an index', 'int a[2]; return (n + 1 ? a : a) == a;', "'+' does not fit int"],
  [
    'constants as the program runs',
    'return INT_MAX + (c | 1) > 0 ? 0 : INT_MAX + 1;',
    "'+' does not fit int",
  ],
];

test.each(PROVED)('%s: no overflow', async (_, body) => {
  expect((await answer(main(body))).verdict).toBe('proved');
});

async function refutation(body: string, why: string): Promise<string> {
  const given = await answer(main(body));
  if (given.verdict !== 'refuted') throw new Error(`${given.verdict}: ${given.reason}`);
  expect(given.evidence.run.title).toContain(why);
  return given.evidence.harness!;
}

test.each(REFUTED)('%s: overflows, and gcc shows it', async (_, body, why) => {
  const harness = await refutation(body, why);
  if (hasGcc) expect(overflowShown(harness)).toBe(true);
});

test.each(SIMPLIFIED)('%s: overflows', async (_, body, why) => {
  await refutation(body, why);
});

test('a constant expression that overflows is none', async () => {
  const given = await answer(main('static int k = INT_MAX + 1; return k;'));
  expect(given).toMatchObject({ verdict: 'unknown' });
  expect(given.reason).toContain('overflows, which C does not allow');
});

test.each([
  ['proved', 'int k = 3; int v[k * 2]; v[0] = 1; return sizeof v;'],
  ['proved', 'if (n < 1 || n > 10) return 0; char v[n + 1]; return sizeof v + sizeof(char[n * 2]);'],
  ['refuted', 'return n > 0 ? sizeof(char[n + 1]) > 5 : 0;'],
])('sizes of arrays that are computed: %s, %s', async (verdict, body) => {
  expect((await answer(main(body))).verdict).toBe(verdict);
});

test('the size of a parameter is computed, too', async () => {
  const text = `static int of(int n, char v[n + 1]) { return 0; }\n${main('char c[4]; return of(n, c);')}`;
  expect((await answer(text)).verdict).toBe('refuted');
});

test('only on i386 is long as wide as int', async () => {
  const text = main('return n + 1L > 0;');
  expect((await answer(text, 'LP64')).verdict).toBe('proved');
  expect((await answer(text, 'ILP32')).verdict).toBe('refuted');
});

test('other properties do not see it', async () => {
  const report = await checkModel({
    paths: ['x.c'],
    files: requestOf(main('int k = n + 1; if (n == INT_MAX && k != INT_MIN) reach_error(); return 0;')).files,
  });
  expect(report.properties.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    'assertions proved',
    'no-undefined proved',
  ]);
});

const MODELS = ['LP64', ...(hasGcc32 ? ['ILP32' as const] : [])] as const;

test.skipIf(!hasGcc).each(MODELS)(
  'random programs overflow where gcc says so (%s)',
  { timeout: 0 },
  async (dataModel) => {
    const counts = { overflows: 0, runs: 0, refused: 0, proved: 0, refuted: 0, unknown: 0 };
    let number = 0;
    await fc.assert(
      fc.asyncProperty(overflowPrograms, async (text) => {
        const expected = overflowsOfGcc(text, dataModel as 'LP64');
        if (expected === null) {
          counts.refused++;
          return;
        }
        const { loaded } = await loadC(requestOf(text, dataModel as 'LP64'));
        const { program } = askedOf(loaded!, NO_OVERFLOW)!;
        for (let n = 0; n < RUNS; n++) {
          const run = runWith(program, [BigInt(n & 7), BigInt(n >> 3)]);
          counts.runs++;
          if (run.outcome === 'error') counts.overflows++;
          if ((run.outcome === 'error') !== expected[n])
            throw new Error(`with ${n & 7} and ${n >> 3}: ${run.outcome}, but gcc's says ${expected[n]}`);
        }
        if (number++ % JUDGED !== 0) return;
        const { verdict } = await answer(text, dataModel as 'LP64', looks(3_000));
        counts[verdict as 'proved']++;
        if (verdict === 'proved') expect(expected).not.toContain(true);
        if (verdict === 'refuted') expect(expected).toContain(true);
      }),
      { numRuns: PROGRAMS, seed: SEED, endOnFailure: process.env['SPILLWAY_FUZZ'] === undefined },
    );
    console.log(`${PROGRAMS} random programs with overflows (${dataModel}): ${JSON.stringify(counts)}`);
  },
);
