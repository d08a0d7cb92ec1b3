// What was unrolled is gone through again: turns that are missing, too many, or said to be impossible are noticed, and so are errors.

import { expect, test } from 'vitest';
import { UNLIMITED } from '../../base/budget.ts';
import { InvariantSearch } from '../reach/invariants.ts';
import { liveCells } from '../reach/liveness.ts';
import { Oracle } from '../reach/oracle.ts';
import { isErrorLocation, programOf } from '../testing.ts';
import { auditProgram } from './audit.ts';
import { UNROLLING_KIND, type UnrollingProof } from './unrolling.ts';

const sorted = (from: number, check: string) => `extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[3], i, j;
  for (i = 0; i < 3; i++) a[i] = __VERIFIER_nondet_int();
  for (i = 0; i < 3; i++)
    for (j = ${from}; j < 2 - i; j++)
      if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
  assert(${check});
  return 0;
}`;
const ORDER = 'a[0] <= a[1] && a[1] <= a[2]';

async function unrolled(text: string) {
  const program = await programOf(text);
  const isError = (location: number) => isErrorLocation(program, location);
  const isEnd = (location: number) => isError(location) || program.locations[location]!.kind === 'cut';
  const oracle = new Oracle(UNLIMITED);
  const search = new InvariantSearch(program, isEnd, liveCells(program, []), oracle, UNLIMITED);
  const proof = await search.byUnrolling(UNLIMITED);
  oracle.dispose();
  const audited = async (document: object) =>
    (await auditProgram(program, isError, { kind: UNROLLING_KIND, ...document }, UNLIMITED)).kind;
  return { proof, audited };
}

test('a proof passes, and not one with other turns', async () => {
  const { proof, audited } = await unrolled(sorted(0, ORDER));
  const { turns } = proof!;
  expect(await audited({ turns })).toBe('accepted');
  expect(await audited({ turns: turns.slice(0, -1) })).toBe('rejected');
  expect(await audited({ turns: turns.slice(1) })).toBe('rejected');
  expect(await audited({ turns: [] })).toBe('rejected');
  expect(await audited({ turns: [[turns[0]![0], 1]] })).toBe('rejected');
  expect(await audited({})).toBe('rejected');
  expect(await audited({ turns: [[-1, 0]] })).toBe('rejected');
  expect(await audited({ turns: turns.map(([head]) => [head, 2]) })).toBe('rejected');
});

test('the turns of one program do not prove another', async () => {
  const { proof } = await unrolled(sorted(0, ORDER));
  const { proof: none, audited } = await unrolled(sorted(0, `${ORDER} && a[0] != 7`));
  expect(none).toBeNull();
  expect(await audited(proof!)).toBe('rejected');
});

test.each<readonly [string, string, boolean]>([
  [
    'a bound that an assumption gives',
    'if (n < 0 || n > 20) return 0; while (i < n) { i++; s += 2; } assert(s == 2 * n);',
    true,
  ],
  [
    '… and that may be passed',
    'if (n < 0 || n > 20) return 0; while (i <= n) { i++; s += 2; } assert(s == 2 * n);',
    false,
  ],
  ['one loop behind the other', 'while (i < 3 && n != i) i++; while (s < i) s++; assert(s <= 3);', true],
  [
    'a loop that is left in the middle',
    'for (; i < 9; i++) { if (n == i) break; s += i; } assert(s != 37 && (i < 9 || s == 36));',
    true,
  ],
  ['a loop without an end', 'while (n != i) { i++; s = 1; } assert(s < 2);', false],
])('%s', async (_, body, isProved) => {
  const text = `extern int __VERIFIER_nondet_int(void);
int main(void) { int n = __VERIFIER_nondet_int(), i = 0, s = 0; ${body} return 0; }`;
  const { proof, audited } = await unrolled(text);
  expect(proof !== null).toBe(isProved);
  if (proof !== null) expect(await audited(proof)).toBe('accepted');
});

test('turns that cannot be are written down, and shown again', async () => {
  const { proof, audited } = await unrolled(`extern int __VERIFIER_nondet_int(void);
int main(void) { unsigned n = __VERIFIER_nondet_int() & 3u, i = 0; while (i * i < n) i++; assert(i <= 2); return 0; }`);
  const { turns } = proof as UnrollingProof;
  expect(turns.some(([, isImpossible]) => isImpossible === 1)).toBe(true);
  expect(await audited({ turns })).toBe('accepted');
  expect(await audited({ turns: turns.slice(0, 2).map(([head], i) => [head, i]) })).toBe('rejected');
});
