// Invariants from Horn clauses, each accepted by the audit.

import { expect, test } from 'vitest';
import { UNLIMITED } from '../../base/budget.ts';
import { auditProgram } from '../audit/audit.ts';
import { CERTIFICATE_KIND } from '../audit/proof.ts';
import { isErrorLocation, programOf } from '../testing.ts';
import { blockGraph } from './blocks.ts';
import { hornProof } from './horn.ts';
import { liveCells } from './liveness.ts';
import { Oracle } from './oracle.ts';
import { writeComponent } from './write.ts';

/** Is there a proof that the audit accepts? `offered`: how many the audit was shown. */
async function proved(text: string, limit = 1e6): Promise<{ found: boolean; offered: number }> {
  const program = await programOf(text);
  const isError = (location: number) => isErrorLocation(program, location);
  const graph = blockGraph(program, isError);
  const budget = { ...UNLIMITED, remaining: () => limit };
  const oracle = new Oracle(budget);
  let offered = 0;
  const proof = await hornProof(graph, liveCells(program, []), isError, oracle, budget, async (guess) => {
    offered++;
    const components = [writeComponent('main', program, guess, () => [])];
    const audit = await auditProgram(program, isError, { kind: CERTIFICATE_KIND, components }, budget);
    return audit.kind === 'accepted';
  });
  oracle.dispose();
  return { found: proof !== null, offered };
}

const input = 'extern int __VERIFIER_nondet_int(void);\n';

test('sums of three variables, with bounds that exclude wrap-around', { timeout: 0 }, async () => {
  const loop = `int n = __VERIFIER_nondet_int(), i = 0, j = 0, k = 0;
    if (n < 0 || n > 1000000) return 0;
    while (i < n) { i++; j += 2; k += 3; }`;
  const main = (check: string) => `${input} int main(void) { ${loop} assert(${check}); return 0; }`;
  expect((await proved(main('j == 2 * i && k == i + j'))).found).toBe(true);
});

test('what only holds without wrap-around is refused', { timeout: 0 }, async () => {
  // It fails after 128 rounds, so that no time is long enough for a proof.
  const text = `${input} int main(void) { signed char i = 0; while (__VERIFIER_nondet_int()) i++; assert(i >= 0); return 0; }`;
  const { found, offered } = await proved(text, 2000);
  expect(found).toBe(false);
  expect(offered).toBeGreaterThan(0);
});

test('locks: as many as there are variables, one relation at each place', { timeout: 0 }, async () => {
  const each = (make: (i: number) => string) => Array.from({ length: 6 }, (_, i) => make(i)).join('\n');
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
  expect(await proved(text)).toEqual({ found: true, offered: 1 });
});
