// Invariants that do not hold, or do not say enough, are refused.

import { expect, test } from 'vitest';
import { UNLIMITED } from '../../base/budget.ts';
import { InvariantSearch } from '../reach/invariants.ts';
import { liveCells } from '../reach/liveness.ts';
import { Oracle } from '../reach/oracle.ts';
import { isErrorLocation, programOf } from '../testing.ts';
import { auditProgram } from './audit.ts';
import { INVARIANTS_KIND, type InvariantsProof } from './invariants.ts';

const TEXT = `extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, j = 0;
  while (i < n) { if (__VERIFIER_nondet_int()) { i++; j++; } else { i += 2; j += 2; } }
  assert(i == j);
  return 0;
}`;

async function proofOf(text: string) {
  const program = await programOf(text);
  const isError = (location: number) => isErrorLocation(program, location);
  const oracle = new Oracle(UNLIMITED);
  const search = new InvariantSearch(program, isError, liveCells(program, []), oracle, UNLIMITED);
  const proof = await search.bySimpleGuesses(UNLIMITED);
  oracle.dispose();
  const audited = async (document: InvariantsProof) =>
    (await auditProgram(program, isError, { kind: INVARIANTS_KIND, ...document }, UNLIMITED)).kind;
  return { proof: proof!, audited };
}

test('a proof passes; without its tests, without a head, or with a test too many it does not', async () => {
  const { proof, audited } = await proofOf(TEXT);
  expect(await audited(proof)).toBe('accepted');
  const [[location, numbers]] = proof.invariants as [InvariantsProof['invariants'][number]];
  expect(await audited({ ...proof, invariants: [[location, []]] })).toBe('rejected');
  expect(await audited({ ...proof, invariants: [] })).toBe('rejected');
  const [cell] = /c\d+/.exec(proof.tests.join())!;
  const wrong = { ...proof, tests: [...proof.tests, `(slt ${cell} 5:32)`] };
  expect(await audited({ ...wrong, invariants: [[location, [...numbers, proof.tests.length]]] })).toBe(
    'rejected',
  );
});

test('a false test excludes everything behind it, and is itself to be shown', async () => {
  const { proof, audited } = await proofOf(TEXT);
  const [[location]] = proof.invariants as [InvariantsProof['invariants'][number]];
  expect(await audited({ cells: {}, tests: ['0:0'], invariants: [[location, [0]]] })).toBe('rejected');
});

test('without loops nothing needs to be written, and errors are still found', async () => {
  const main = (check: string) =>
    `extern int __VERIFIER_nondet_int(void); int main(void) { int x = __VERIFIER_nondet_int(); if (x > 5) x = 5; assert(${check}); return 0; }`;
  const nothing = { cells: {}, tests: [], invariants: [] };
  expect(await (await proofOf(main('x <= 5'))).audited(nothing)).toBe('accepted');
  expect(await (await proofOf(main('x < 5'))).audited(nothing)).toBe('rejected');
});

test('what holds for any number of 32 bits is used for such numbers only', async () => {
  const program = await programOf(`extern int __VERIFIER_nondet_int(void); int a[1000];
int main(void) {
  for (int i = 0; i < 1000; i++) a[i] = i == 500 ? 8 : 7;
  int j = __VERIFIER_nondet_int();
  if (j >= 0 && j < 1000) assert(a[j] == 7);
  return 0;
}`);
  const isError = (location: number) => isErrorLocation(program, location);
  const { id } = program.cells.find(({ array }) => array !== undefined)!;
  const incoming = (location: number) => program.edges.filter(({ to }) => to === location).length;
  const head = program.locations.find((location) => incoming(location.id) > 1)!.id;
  const audited = (...tests: string[]) => {
    const document = { kind: INVARIANTS_KIND, tests, invariants: [[head, tests.map((_, i) => i)]] };
    return auditProgram(program, isError, document, UNLIMITED);
  };
  const read = (at: string) => `(select c${id} ${at})`;
  // Both hold everywhere. The second one is wrong of 2^31, which the address in the first suggests.
  for (const place of ['(add k 0:32)', '(mul k 1:32)', '(add (mul k 1:32) 0:32)'])
    expect(
      await audited(
        `(ule ${read('2147483648:64')} 4294967295:32)`,
        `(disj (sle (sext:64 k) 2147483647:64) (ult ${read(`(sext:64 ${place})`)} 0:32))`,
      ),
    ).toMatchObject({ kind: 'rejected', reason: expect.stringContaining('an error can be reached') });
  // Numbers of any size could be multiplied for ever.
  expect(await audited('(eq (mul 1:100000 1:100000) 1:100000)')).toMatchObject({
    kind: 'rejected',
    reason: expect.stringContaining('is not understood'),
  });
});
