// Programs with one run: proofs by executing it, which the audit repeats, and what must not be proved that way. SPILLWAY_FUZZ=N runs N random programs of each kind.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { checkC } from '../check/testing.ts';
import { auditProgram, auditTermination } from './audit/audit.ts';
import { runCertificate } from './audit/verdict.ts';
import { withoutInputs } from './fixed-programs.fuzz.ts';
import { floatPrograms } from './float-programs.fuzz.ts';
import { hasGcc, marksByGcc } from './gcc-comparison.fuzz.ts';
import { singleRun } from './probe/single-run.ts';
import { recursivePrograms } from './recursive-programs.fuzz.ts';
import { smallPrograms } from './small-programs.fuzz.ts';
import { isErrorLocation, programOf } from './testing.ts';
import { wildPrograms } from './wild-programs.fuzz.ts';

const COUNT = Number(process.env['SPILLWAY_FUZZ'] ?? 8);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 7);
if (!hasGcc) console.log('skipped: the only run against gcc (no gcc on PATH)');

async function asked(text: string, property: string): Promise<string> {
  const files = { read: (path: string) => (path === 'x.c' ? text : null) };
  const { properties } = await checkC({ path: 'x.c', files, properties: [property], observer: SILENT });
  const [{ verdict, evidence }] = properties as [(typeof properties)[0]];
  return evidence?.kind === 'certificate' ? `${verdict} by ${evidence.certificate.kind}` : verdict;
}

const main = (body: string): string => `#include <assert.h>\nint main(void) { ${body} return 0; }`;

test.each([
  ['a byte that goes round', 'unsigned char c = 7; while (c) c -= 3;', 'terminates'],
  ['a sum', 'int s = 0; for (int i = 0; i < 3000; i++) s += i % 7; assert(s == 8994);', 'assertions'],
  ['Collatz', 'unsigned n = 27; while (n != 1) n = n % 2 ? 3 * n + 1 : n / 2;', 'terminates'],
  [
    'without end, and the same again',
    'unsigned x = 1; for (;;) { x = x * 5 % 1021; assert(x); }',
    'assertions',
  ],
  [
    'what is open and decides nothing',
    'int a[400], b; b = a[3]; a[5] = b + 1; assert(sizeof a == 1600);',
    'assertions',
  ],
  [
    'wide and local',
    'int a[400]; for (int i = 0; i < 400; i++) a[i] = i; assert(a[399] == 399);',
    'assertions',
  ],
])('%s', async (_, body, property) => {
  expect(await asked(main(body), property)).toBe('proved by c-run');
});

test.each([
  ['an input decides', 'int x = __VERIFIER_nondet_int(); if (x != 0) assert(0);', 'assertions'],
  ['what nobody wrote decides', 'int x; if (x != 0) assert(0);', 'assertions'],
  ['… in an array', 'int a[400]; a[0] = 1; if (a[1] != 0) assert(0);', 'assertions'],
  [
    '… in its second life',
    'for (int i = 0; i < 2; i++) { int a[400]; if (i) assert(a[1] == 5); else a[1] = 5; }',
    'assertions',
  ],
  ['… that was allocated', 'int *p = __builtin_malloc(1600); if (p[7] != 0) assert(0);', 'assertions'],
  ['an index outside', 'int a[400]; int i = 400; a[i] = 1;', 'no-undefined'],
  ['a run without end', 'unsigned x = 1; while (x) x = x * 5 % 1021;', 'terminates'],
  [
    'a failure after a while',
    'int s = 0; for (int i = 0; i < 900; i++) s += i; assert(s == 1);',
    'assertions',
  ],
  [
    'bytes between members after a copy',
    'struct s { char c; int i; } g = {0}, x = {1, 2}; unsigned char *p = (void *)&x; p[1] = 7; x = g; assert(p[1] == 7);',
    'assertions',
  ],
  [
    '… in an array',
    'static struct s { char c; int i; } g, a[300]; unsigned char *p = (void *)&a[200]; p[1] = 7; a[200] = g; assert(p[1] == 7);',
    'assertions',
  ],
  [
    'bytes behind a long double',
    'long double x = 1; unsigned char *p = (void *)&x; assert(p[12] == 0);',
    'assertions',
  ],
  [
    '… that another member of a union shares',
    'union { long double l; unsigned char c[16]; } u; u.l = 1; assert(u.c[12] == 0);',
    'assertions',
  ],
  [
    '… written through a pointer',
    'static union { long double l; unsigned char c[16]; } u[2]; long double *p = &u[0].l; for (int i = 0; i < 2; i++) *p++ = 1; assert(u[1].c[12] == 0);',
    'assertions',
  ],
  ['a pointer to no function', 'void (*f)(void) = 0; f();', 'no-undefined'],
])('no proof: %s', async (_, body, property) => {
  expect(await asked(main(body), property)).not.toContain('proved');
});

test('variables of headers that nobody uses decide nothing', async () => {
  const text =
    '#include <stdio.h>\nextern int elsewhere; int main(void) { for (int i = 0; i < 40; i++) ; return 0; }';
  expect(await asked(text, 'terminates')).toBe('proved by c-run');
  const endless = '#include <stdio.h>\nint main(void) { for (;;) ; }';
  expect(await asked(endless, 'terminates')).toBe('refuted');
  const called = '#include <assert.h>\nextern int (*f)(void); int main(void) { assert(f() == 1); return 0; }';
  expect(await asked(called, 'assertions')).toBe('unknown');
});

test('a certificate that says something else is refused', async () => {
  const program = await programOf(main('int s = 0; for (int i = 0; i < 9; i++) s += i; assert(s == 36);'));
  const isError = (location: number) => isErrorLocation(program, location);
  const found = singleRun(program, isError, UNLIMITED);
  if (found?.kind !== 'over') throw new Error('the run is over');
  const look = async (change: object) =>
    (await auditProgram(program, isError, runCertificate('assertions', { ...found, ...change }), UNLIMITED))
      .kind;
  expect(await look({})).toBe('accepted');
  for (const change of [
    { steps: found.steps - 1 },
    { steps: found.steps + 1 },
    { steps: -1 },
    { repeats: 3 },
  ])
    expect(await look(change)).toBe('rejected');
  // The place of the failure, were there one.
  const everywhere = () => true;
  const wrong = await auditProgram(program, everywhere, runCertificate('assertions', found), UNLIMITED);
  expect(wrong.kind).toBe('rejected');
});

const KINDS = [
  { name: 'small ones', programs: smallPrograms },
  { name: 'wild ones', programs: wildPrograms },
  { name: 'ones with floats', programs: floatPrograms },
  { name: 'recursive ones', programs: recursivePrograms },
];

test.skipIf(!hasGcc).each(KINDS)(
  'random programs with one run: $name',
  { timeout: 0 },
  async ({ name, programs }) => {
    const counts = { proved: 0, refuted: 0, open: 0 };
    const judge = async (text: string): Promise<void> => {
      const mark = marksByGcc(text)[0];
      if (mark === undefined) return;
      const program = await programOf(text);
      const isError = (location: number) => isErrorLocation(program, location);
      const found = singleRun(program, isError, UNLIMITED);
      if (found === null) {
        counts.open++;
        return;
      }
      if (found.kind === 'error') {
        expect(mark).toBe('1');
        counts.refuted++;
        return;
      }
      const audit = await auditProgram(program, isError, runCertificate('assertions', found), UNLIMITED);
      const ends = await auditTermination(program, runCertificate('terminates', found), UNLIMITED);
      expect(ends.kind).toBe(audit.kind);
      if (audit.kind !== 'accepted') counts.open++;
      else {
        expect(mark).toBe('0');
        counts.proved++;
      }
    };
    await fc.assert(fc.asyncProperty(withoutInputs(programs), judge), { numRuns: COUNT, seed: SEED });
    console.log(`${COUNT} random programs with one run, ${name}: ${JSON.stringify(counts)}`);
    expect(counts.open).toBeLessThanOrEqual(COUNT / 2);
  },
);
