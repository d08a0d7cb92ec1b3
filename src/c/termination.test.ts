// Loops that end and loops that do not, with wrap-around as it is; and random loops over bytes, judged by running them until a state repeats.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { countedBudget } from '../testing/counted-budget.ts';
import { isRecurrent } from './audit/recurrent.ts';
import { auditDocument } from './audit-document.ts';
import { answerC } from './check-c.ts';
import { loadC } from './load-c.ts';
import { liveCells } from './reach/liveness.ts';
import { Oracle } from './reach/oracle.ts';
import { recurrentRun } from './reach/recurrent.ts';
import { TERMINATES } from './termination.ts';
import { programOf, runWith } from './testing.ts';

const HEAD = 'extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);\n';

async function answerTo(text: string) {
  const files = { read: (path: string) => (path === 't.c' ? text : null) };
  const request = { path: 't.c', files, defines: [], includes: [] };
  const { loaded, diagnostics } = await loadC(request);
  if (loaded === null) throw new Error(diagnostics.map(({ message }) => message).join());
  // Of a limit every stage takes a share, as it does for users.
  const budget = countedBudget(100_000);
  const { answer } = await answerC(loaded, TERMINATES, { ...request, budget, observer: SILENT });
  return { answer, request, program: loaded.program };
}

const main = (body: string) => `${HEAD}int main(void) { ${body} return 0; }`;
const N = 'int n = __VERIFIER_nondet_int();';
const FUZZ = Number(process.env['SPILLWAY_FUZZ'] ?? 0);
/** Half of the time of all, and there are shorter ones of their kind. */
const LONG = [
  'up, then down',
  'Euclid by remainders',
  'odd numbers by two',
  'powers of three',
  'nested, both with bounds of their own',
  'an inner loop that ends, an outer one that does not',
];
if (FUZZ === 0) console.log(`left out: ${LONG.join('; ')}; SPILLWAY_FUZZ=1 asks them`);

test.each(
  (
    [
      ['up to a bound', `${N} for (int i = 0; i < n; i++) ;`, 'proved'],
      ['up to and with the largest number', `${N} for (int i = 0; i <= n; i++) ;`, 'refuted'],
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
      [
        'one falls when the other has fallen below zero',
        `int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); while (x > 0) { x += y; y--; }`,
        'proved',
      ],
      [
        'Euclid by remainders',
        'unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(); while (b != 0) { unsigned t = a % b; a = b; b = t; }',
        'proved',
      ],
      [
        'by three to a value, round if need be',
        'unsigned x = __VERIFIER_nondet_uint(); while (x != 7) x += 3;',
        'proved',
      ],
      ['over the largest number', `${N} while (n >= 0) n++;`, 'proved'],
      [
        'up and with a number that is not the largest',
        `${N} if (n == 2147483647) return 0; for (int i = 0; i <= n; i++) ;`,
        'proved',
      ],
      [
        'from both sides to zero',
        `${N} while (n != 0) { if (n > 0) n = -n + 1; else n = -n - 1; }`,
        'proved',
      ],
      ['past each other', 'unsigned i = 0, j = 101; while (i != j) { i++; j--; }', 'refuted'],
      ['without loops', `${N} if (n) n = 1;`, 'proved'],
      ['halved', `${N} while (n > 0) n /= 2;`, 'proved'],
      ['divided, below zero too', `${N} while (n != 0) n /= 3;`, 'proved'],
      ['shifted out', 'unsigned x = __VERIFIER_nondet_uint(); while (x) x <<= 1;', 'proved'],
      ['each bit once', `${N} for (unsigned bit = 1; bit != 0; bit <<= 1) if (n & bit) n ^= bit;`, 'proved'],
      ['lowest bits taken away', 'unsigned x = __VERIFIER_nondet_uint(); while (x) x &= x - 1;', 'proved'],
      [
        'nested, both with bounds of their own',
        `${N} int m = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) ;`,
        'proved',
      ],
      [
        'up, then down',
        `${N} int x = 1, up = 1; if (n > 100 || n < 1) return 0; while (x > 0) { if (up) { x++; if (x >= n) up = 0; } else x--; }`,
        'proved',
      ],
      [
        // No variable, difference or sum of two falls; 5x + 2y does.
        'two that feed each other',
        `int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
     while (x > 0 && x < 1000 && y > 2 && y < 1000) if (__VERIFIER_nondet_int()) { x--; y += 2; } else { y -= 3; x++; }`,
        'proved',
      ],
      ['odd numbers by two', 'unsigned long long x = 1; while (x != 0) x += 2;', 'refuted'],
      ['never equal', `${N} int m = __VERIFIER_nondet_int(); while (n != m) { n++; m++; }`, 'refuted'],
      ['powers of three', 'unsigned x = 1; while (x != 0) x *= 3;', 'refuted'],
      ['up and round again', `${N} while (n > 0) { n++; if (n < 0) n = 5; }`, 'refuted'],
      [
        'an inner loop that ends, an outer one that does not',
        `${N} while (n > 0) { unsigned j = n; while (j != 0) j--; n = n < 2147483647 ? n + 1 : 1; }`,
        'refuted',
      ],
    ] as readonly (readonly [what: string, body: string, expected: string])[]
  ).filter(([what]) => FUZZ > 0 || !LONG.includes(what)),
)('%s', async (_, body, expected) => {
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

test.each<readonly [what: string, body: string, holds: string, accepted: boolean]>([
  ['odd stays odd', 'x -= 2;', '(eq (and x 1:32) 1:32)', true],
  ['odd does not stay odd', 'x -= 1;', '(eq (and x 1:32) 1:32)', false],
  ['it stays, but the loop is left in it', 'x -= 2;', '(eq (and x 1:32) 0:32)', false],
  ['a division may end the run', 'x = x / y;', '(eq x x)', false],
  ['memory through an address', '*p = x;', '(slt 0:32 x)', false],
])('a set that no run leaves: %s', async (_, body, holds, accepted) => {
  const program = await programOf(
    main(`${N} int x = n, y = n, *p = n ? &y : &x; while (x != 0) { ${body} }`),
  );
  const cell = (name: string) => program.cells.find((one) => one.name === name)!.id;
  const text = holds.replaceAll('x', `c${cell('x')}`);
  const heads = program.locations.filter(
    ({ id }) => program.edges.some(({ from, to }) => to === id && from > id && from !== id) && id > 0,
  );
  const claims = await Promise.all(
    heads.map(({ id }) =>
      isRecurrent(program, { cells: {}, tests: [text], invariants: [[id, [0]]] }, UNLIMITED),
    ),
  );
  expect(claims.includes(true)).toBe(accepted);
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

test('random loops over bytes', { timeout: 0 }, async () => {
  const start = fc.tuple(fc.nat(255), fc.nat(255));
  const verdicts = { proved: 0, refuted: 0, unknown: 0 };
  let sets = 0;
  await fc.assert(
    fc.asyncProperty(start, fc.array(loop, { minLength: 1, maxLength: 2 }), async ([x, y], loops) => {
      const text = `int main(void) { unsigned char x = ${x}, y = ${y}; ${loops.join(' ')} return 0; }`;
      const { answer, program } = await answerTo(text);
      // There are 65,536 states at each of a few places.
      const ends = runWith(program, [], 3_000_000).outcome !== 'limit';
      verdicts[answer.verdict]++;
      // Sets that no run leaves, also where a state would come again soon.
      const oracle = new Oracle(UNLIMITED);
      const goesOn = await recurrentRun(program, liveCells(program, []), oracle, UNLIMITED);
      oracle.dispose();
      if (goesOn !== null) expect(ends, text).toBe(false);
      if (goesOn !== null) sets++;
      if (answer.verdict !== 'unknown') expect(answer.verdict, text).toBe(ends ? 'proved' : 'refuted');
    }),
    { numRuns: FUZZ > 0 ? FUZZ : 12, seed: 5 },
  );
  expect(verdicts.proved).toBeGreaterThan(2);
  expect(verdicts.refuted).toBeGreaterThan(2);
  expect(sets).toBeGreaterThan(2);
});

/** With inputs: some of them may go on for ever. Sums and products by two go round sets that no run leaves. */
const wilder = fc
  .tuple(
    fc.constantFrom('x', 'y'),
    fc.constantFrom('+=', '-=', '*=', '^=', '|=', '&='),
    fc.constantFrom('2', '3', 'x', 'y', '4', '1'),
  )
  .map(([a, op, b]) => `${a} ${op} ${b};`);
const wilderLoop = fc
  .tuple(
    test_,
    fc.array(fc.oneof(step, wilder), { minLength: 1, maxLength: 2 }),
    test_,
    fc.array(wilder, { maxLength: 1 }),
  )
  .map(
    ([guard, body, branch, more]) =>
      `while (${guard}) { ${body.join(' ')} if (${branch}) { ${more.join(' ')} } }`,
  );

test('random loops over bytes that inputs decide', { timeout: 0 }, async () => {
  const verdicts = { proved: 0, refuted: 0, unknown: 0 };
  let sets = 0;
  const input = '__VERIFIER_nondet_uchar() & 7';
  await fc.assert(
    fc.asyncProperty(fc.array(wilderLoop, { minLength: 1, maxLength: 2 }), async (loops) => {
      const text = `int main(void) { unsigned char x = ${input}, y = ${input}; ${loops.join(' ')} return 0; }`;
      const { answer, program } = await answerTo(text);
      let ends = true;
      for (let n = 0; n < 64 && ends; n++)
        ends = runWith(program, [BigInt(n & 7), BigInt(n >> 3)], 1_000_000).outcome !== 'limit';
      verdicts[answer.verdict]++;
      const oracle = new Oracle(UNLIMITED);
      const goesOn = await recurrentRun(program, liveCells(program, []), oracle, UNLIMITED);
      oracle.dispose();
      if (goesOn !== null) {
        expect(ends, text).toBe(false);
        sets++;
      }
      if (answer.verdict !== 'unknown') expect(answer.verdict, text).toBe(ends ? 'proved' : 'refuted');
    }),
    { numRuns: FUZZ > 0 ? FUZZ : 6, seed: Number(process.env['SPILLWAY_SEED'] ?? 9) },
  );
  console.log(`random loops with inputs: ${JSON.stringify(verdicts)}, ${sets} by sets that no run leaves`);
  expect(verdicts.proved + verdicts.refuted).toBeGreaterThan(1);
});
