// Unrolling of whole programs: proofs where all loops end, whatever the inputs are; runs to errors behind many decisions; nothing where loops go on. The loops lie in each
// other, overlap and jump in all ways that C allows: the order in which the unrolled graph is made is what goes wrong first.

import { expect, test } from 'vitest';
import { UNLIMITED } from '../../base/budget.ts';
import { auditProgram } from '../audit/audit.ts';
import { unrollingCertificate } from '../audit/verdict.ts';
import { isErrorLocation, programOf } from '../testing.ts';
import { liveCells } from './liveness.ts';
import { Oracle } from './oracle.ts';
import { byUnrolling } from './unrolling.ts';

const START = 'extern void reach_error(void); extern unsigned char __VERIFIER_nondet_uchar(void);';
const main = (body: string): string => `${START} int main(void) { ${body} return 0; }`;

async function said(text: string): Promise<string> {
  const program = await programOf(text);
  const isError = (location: number) => isErrorLocation(program, location);
  const oracle = new Oracle(UNLIMITED);
  try {
    const result = await byUnrolling(program, liveCells(program, []), isError, oracle, UNLIMITED);
    if (result === null) return 'nothing';
    if ('run' in result) return result.run.edges[0]!.from === program.entry ? 'a run' : 'a stretch of a run';
    const certificate = unrollingCertificate('assertions', result.proof);
    return `a proof, ${(await auditProgram(program, isError, certificate, UNLIMITED)).kind}`;
  } finally {
    oracle.dispose();
  }
}

const N = '__VERIFIER_nondet_uchar()';
const PROOF = 'a proof, accepted';

/** What is right, and the same with something changed that makes it wrong. */
test.each([
  [
    'no loop',
    `unsigned char x = ${N}; if (x > 9) x = 9; if (x > 9) reach_error();`,
    `unsigned char x = ${N}; if (x > 9) x = 10; if (x > 9) reach_error();`,
  ],
  [
    'ways that meet again with nothing between them that matters',
    `unsigned char x = ${N}, y = ${N}, z = 0; if (x > 9) z = 1; else z = 2; z = y; if (z > y) reach_error();`,
    `unsigned char x = ${N}, y = ${N}, z = 0; if (x > 9) z = 1; else z = 2; z = y; if (z > 9) reach_error();`,
  ],
  [
    'a loop that an input ends',
    `int n = ${N} % 20, i = 0; while (i < n) i++; if (i != n) reach_error();`,
    `int n = ${N} % 20, i = 0; while (i < n) i += 2; if (i != n) reach_error();`,
  ],
  [
    'a way out of the middle',
    `unsigned char a[6]; for (int i = 0; i < 6; i++) a[i] = ${N}; int k; for (k = 0; k < 6; k++) if (a[k] == 7) break; if (k < 6 && a[k] != 7) reach_error();`,
    `unsigned char a[6]; for (int i = 0; i < 6; i++) a[i] = ${N}; int k; for (k = 0; k < 5; k++) if (a[k] == 7) break; if (a[k] != 7) reach_error();`,
  ],
  [
    'loops in each other, the inner one as long as the outer one says',
    `int s = 0, n = ${N} % 5; for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) s++; if (s != n * (n - 1) / 2) reach_error();`,
    `int s = 0, n = ${N} % 5; for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) s++; if (s > 9) reach_error();`,
  ],
  [
    'a loop that is entered in its middle',
    `int x = 0, n = ${N}; if (n > 9) goto middle; top: x += 2; middle: x++; if (x < 12) goto top; if (x > 14) reach_error();`,
    `int x = 0, n = ${N}; if (n > 9) goto middle; top: x += 2; middle: x++; if (x < 12) goto top; if (x > 12) reach_error();`,
  ],
  [
    'two loops that share a head',
    `int x = 0, t = 0; again: t++; if (t > 8) goto out; if (${N} & 1) { x++; goto again; } if (${N} & 1) { x += 2; goto again; } out: if (x > 16) reach_error();`,
    `int x = 0, t = 0; again: t++; if (t > 8) goto out; if (${N} & 1) { x++; goto again; } if (${N} & 1) { x += 2; goto again; } out: if (x > 15) reach_error();`,
  ],
  [
    'back to the outer loop from the inner one',
    `int c = 0; for (int i = 0; i < 4; i++) { for (int j = 0; j < 4; j++) { if (${N} == j) goto next; c++; } next:; } if (c > 16) reach_error();`,
    `int c = 0; for (int i = 0; i < 4; i++) { for (int j = 0; j < 4; j++) { if (${N} == j) goto next; c++; } next:; } if (c > 15) reach_error();`,
  ],
  [
    'addresses that inputs decide',
    `int a[4] = {0}, i = ${N} & 3, j = ${N} & 3; a[i] = 5; a[j] += 1; if (i != j && a[i] != 5) reach_error();`,
    `int a[4] = {0}, i = ${N} & 3, j = ${N} & 3; a[i] = 5; a[j] += 1; if (a[i] != 5) reach_error();`,
  ],
  [
    'sorted',
    `unsigned char a[4]; for (int i = 0; i < 4; i++) a[i] = ${N}; for (int i = 0; i < 4; i++) for (int j = 0; j < 3 - i; j++) if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; } for (int i = 0; i < 3; i++) if (a[i] > a[i + 1]) reach_error();`,
    `unsigned char a[4]; for (int i = 0; i < 4; i++) a[i] = ${N}; for (int i = 0; i < 3; i++) for (int j = 0; j < 2 - i; j++) if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; } for (int i = 0; i < 3; i++) if (a[i] > a[i + 1]) reach_error();`,
  ],
])('%s', { timeout: 0 }, async (_, right, wrong) => {
  expect(await said(main(right))).toBe(PROOF);
  expect(await said(main(wrong))).toBe('a run');
});

test('nothing is said of loops that go on', { timeout: 0 }, async () => {
  expect(await said(main(`int x = 0; while (${N}) x = !x; if (x > 1) reach_error();`))).toBe('nothing');
});

test('a graph that leaves a way out is no proof', { timeout: 0 }, async () => {
  const program = await programOf(
    main(`int n = ${N} % 3, i = 0; while (i < n) i++; if (i != n) reach_error();`),
  );
  const isError = (location: number) => isErrorLocation(program, location);
  const oracle = new Oracle(UNLIMITED);
  const result = await byUnrolling(program, liveCells(program, []), isError, oracle, UNLIMITED);
  oracle.dispose();
  if (result === null || !('proof' in result)) return expect.fail('no proof');
  const { places } = result.proof;
  let refused = 0;
  for (const [i, place] of places.entries())
    for (const [k, target] of place.entries()) {
      if (k === 0 || target === -1) continue;
      const changed = places.map((other, at) => (at === i ? place.with(k, -1) : other));
      const certificate = unrollingCertificate('assertions', { places: changed });
      const audit = await auditProgram(program, isError, certificate, UNLIMITED);
      if (audit.kind === 'rejected') refused++;
      // What is left out can be taken, unless nothing leads there at all.
      else expect(place).not.toBe(places[0]);
    }
  expect(refused).toBeGreaterThan(places.length / 2);
});
