// Loops that end and loops that do not, with wrap-around as it is; and random loops over bytes, judged by running them until a state repeats.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { auditDocument } from './audit-document.ts';
import { answerC, loadC } from './check-c.ts';
import { TERMINATES } from './termination.ts';
import { runWith } from './testing.ts';

const HEAD = 'extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);\n';

async function answerTo(text: string) {
  const files = { read: (path: string) => (path === 't.c' ? text : null) };
  const request = { path: 't.c', files, defines: [], includes: [] };
  const { loaded, diagnostics } = await loadC(request);
  if (loaded === null) throw new Error(diagnostics.map(({ message }) => message).join());
  let looks = 0;
  const budget = { ...UNLIMITED, timeLeft: () => ++looks < 1_000_000 };
  const { answer } = await answerC(loaded, TERMINATES, { ...request, budget, observer: SILENT });
  return { answer, request, program: loaded.program };
}

const main = (body: string) => `${HEAD}int main(void) { ${body} return 0; }`;
const N = 'int n = __VERIFIER_nondet_int();';

test.each<readonly [what: string, body: string, expected: string]>([
  ['up to a bound', `${N} for (int i = 0; i < n; i++) ;`, 'proved'],
  ['up to and with the largest number', `${N} for (int i = 0; i <= n; i++) ;`, 'unknown'],
  ['down to zero', 'unsigned x = __VERIFIER_nondet_uint(); while (x != 0) x--;', 'proved'],
  ['below zero and round to zero', `${N} while (n != 0) n--;`, 'proved'],
  ['past zero', 'for (unsigned char i = 5; i >= 0; i--) ;', 'refuted'],
  ['by two, past zero', 'unsigned char x = 5; while (x != 0) x -= 2;', 'refuted'],
  ['for ever', 'while (1) ;', 'refuted'],
  ['as long as somebody wants', 'while (__VERIFIER_nondet_int()) ;', 'refuted'],
  [
    'Euclid',
    `unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(); if (a == 0 || b == 0) return 0;
     while (a != b) if (a > b) a -= b; else b -= a;`,
    'proved',
  ],
  ['nested', `${N} for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) ;`, 'proved'],
  ['one after the other', `${N} int i = 0; while (i < n) i++; while (i > 0) i--;`, 'proved'],
  [
    'one of two',
    `int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
     while (x > 0 && y > 0) { if (__VERIFIER_nondet_int()) { x--; y = __VERIFIER_nondet_int(); } else y--; }`,
    'proved',
  ],
  ['without loops', `${N} if (n) n = 1;`, 'proved'],
  ['halved', `${N} while (n > 0) n /= 2;`, 'proved'],
])('%s', async (_, body, expected) => {
  const { answer, request } = await answerTo(main(body));
  expect(answer.verdict).toBe(expected);
  if (answer.verdict === 'refuted')
    expect(answer.evidence.kind === 'run' && answer.evidence.run.loopStart).not.toBeNull();
  if (answer.verdict !== 'proved' || answer.evidence.kind !== 'certificate') return;
  const document = answer.evidence.certificate;
  const audited = await auditDocument({ ...request, document, budget: UNLIMITED });
  expect(audited.kind === 'audited' && audited.result.kind).toBe('accepted');
  const { seal: _seal, ...unsealed } = document as unknown as { seal: string; ranks: [number, string[]][] };
  if (unsealed.ranks.length === 0) return;
  const still = { ...unsealed, ranks: unsealed.ranks.map(([location]) => [location, ['0:128']]) };
  const again = await auditDocument({ ...request, document: still, budget: UNLIMITED });
  expect(again.kind === 'audited' && again.result.kind).toBe('rejected');
});

/** Statements over two bytes. */
const value = fc.constantFrom('x', 'y', '1', '2', '3', '7', '200');
const test_ = fc
  .tuple(value, fc.constantFrom('<', '<=', '!=', '>', '=='), value)
  .map(([a, op, b]) => `${a} ${op} ${b}`);
const step = fc
  .tuple(fc.constantFrom('x', 'y'), fc.constantFrom('+=', '-=', '='), value)
  .map(([a, op, b]) => `${a} ${op} ${b};`);
const loop = fc
  .tuple(test_, test_, fc.array(step, { minLength: 1, maxLength: 2 }), fc.array(step, { maxLength: 2 }))
  .map(
    ([guard, branch, yes, no]) =>
      `while (${guard}) { if (${branch}) { ${yes.join(' ')} } else { ${no.join(' ')} } }`,
  );
const FUZZ = Number(process.env['SPILLWAY_FUZZ'] ?? 0);

test('random loops over bytes', { timeout: 0 }, async () => {
  const start = fc.tuple(fc.nat(255), fc.nat(255));
  const verdicts = { proved: 0, refuted: 0, unknown: 0 };
  await fc.assert(
    fc.asyncProperty(start, fc.array(loop, { minLength: 1, maxLength: 2 }), async ([x, y], loops) => {
      const text = `int main(void) { unsigned char x = ${x}, y = ${y}; ${loops.join(' ')} return 0; }`;
      const { answer, program } = await answerTo(text);
      // There are 65,536 states at each of a few places.
      const ends = runWith(program, [], 3_000_000).outcome !== 'limit';
      verdicts[answer.verdict]++;
      if (answer.verdict !== 'unknown') expect(answer.verdict, text).toBe(ends ? 'proved' : 'refuted');
    }),
    { numRuns: FUZZ > 0 ? FUZZ : 12, seed: 5 },
  );
  expect(verdicts.proved).toBeGreaterThan(2);
  expect(verdicts.refuted).toBeGreaterThan(2);
});
