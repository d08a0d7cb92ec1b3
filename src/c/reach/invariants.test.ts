// Invariants at the heads of loops, each accepted by the audit.

import { expect, test } from 'vitest';
import { UNLIMITED } from '../../base/budget.ts';
import { auditProgram } from '../audit/audit.ts';
import { INVARIANTS_KIND } from '../audit/invariants.ts';
import { isErrorLocation, programOf } from '../testing.ts';
import { nullSpace } from './affine.ts';
import { InvariantSearch } from './invariants.ts';
import { liveCells } from './liveness.ts';
import { Oracle } from './oracle.ts';

/** Is there a proof, and does the audit accept it? */
async function proved(text: string, way: 'bySimpleGuesses' | 'byClauses', limit = 1e6): Promise<string> {
  const program = await programOf(text);
  const isError = (location: number) => isErrorLocation(program, location);
  const end = performance.now() + limit;
  const remaining = () => Math.max(0, end - performance.now());
  const budget = { ...UNLIMITED, remaining, timeLeft: () => remaining() > 0 };
  const oracle = new Oracle(budget);
  const search = new InvariantSearch(program, isError, liveCells(program, []), oracle, budget);
  const proof = await search[way](budget);
  oracle.dispose();
  if (proof === null) return 'none';
  return (await auditProgram(program, isError, { kind: INVARIANTS_KIND, ...proof }, budget)).kind;
}

const input = 'extern int __VERIFIER_nondet_int(void);\n';

test('sums of three variables, with bounds that exclude wrap-around', { timeout: 0 }, async () => {
  const loop = `int n = __VERIFIER_nondet_int(), i = 0, j = 0, k = 0;
    if (n < 0 || n > 1000000) return 0;
    while (i < n) { i++; j += 2; k += 3; }`;
  const main = (check: string) => `${input} int main(void) { ${loop} assert(${check}); return 0; }`;
  for (const way of ['bySimpleGuesses', 'byClauses'] as const)
    expect(await proved(main('j == 2 * i && k == i + j'), way)).toBe('accepted');
});

test('what only holds without wrap-around is refused', { timeout: 0 }, async () => {
  // It fails after 128 rounds, so that no time is long enough for a proof.
  const text = `${input} int main(void) { signed char i = 0; while (__VERIFIER_nondet_int()) i++; assert(i >= 0); return 0; }`;
  for (const way of ['bySimpleGuesses', 'byClauses'] as const)
    expect(await proved(text, way, 2000)).toBe('none');
});

test('fifteen locks: one passage around the loop', { timeout: 0 }, async () => {
  const each = (make: (i: number) => string) => Array.from({ length: 15 }, (_, i) => make(i)).join('\n');
  const text = `${input} int main(void) {
    ${each((i) => `int p${i} = __VERIFIER_nondet_int(), lk${i};`)}
    while (__VERIFIER_nondet_int()) {
      ${each((i) => `lk${i} = 0;`)}
      ${each((i) => `if (p${i}) lk${i} = 1;`)}
      ${each((i) => `if (p${i}) { if (lk${i} != 1) { ERROR: return 1; } lk${i} = 0; }`).replace(/ERROR:/g, 'goto ERROR;')}
    }
    return 0;
    ERROR: return 1;
  }`;
  expect(await proved(text, 'bySimpleGuesses')).toBe('accepted');
});

test('equations of the space that vectors span', () => {
  expect(nullSpace([[1n, 2n, 3n]], 3)).toEqual([
    [-2n, 1n, 0n],
    [-3n, 0n, 1n],
  ]);
  expect(
    nullSpace(
      [
        [2n, 4n, 6n],
        [1n, 0n, 1n],
      ],
      3,
    ),
  ).toEqual([[-1n, -1n, 1n]]);
});
