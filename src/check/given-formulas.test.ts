// Formulas and invariants of the command line: the same answers as for the same formula inside the model, and as SPIN's.

import { describe, expect, test } from 'vitest';
import { runPan } from '../testing/pan.ts';
import { hasProgram } from '../testing/programs.ts';
import { checkModel } from './check.ts';
import { uselessOptions } from './options.ts';

const MODEL = `
#define small (x < 3)
byte x, G;
chan q = [2] of { byte };
proctype Worker(byte n) { byte mine; mine = n; at: x = x + mine }
active proctype Producer() {
  byte i;
  do
  :: i < 2 -> q ! i; i++; busy: x++
  :: else -> break
  od
}
active proctype Consumer() {
  byte got;
end: do
  :: q ? got -> x--
  od
}
init { run Worker(1); run Worker(2) }
`;

async function check(
  given: { formulas?: readonly string[]; invariants?: readonly string[] },
  text: string = MODEL,
) {
  const report = await checkModel({
    paths: ['m.pml'],
    files: { read: (path) => (path === 'm.pml' ? text : null) },
    options: given,
  });
  const verdicts = Object.fromEntries(report.properties.map(({ id, verdict }) => [id, verdict]));
  return { report, verdicts };
}

/** As given; as SPIN writes it in an `ltl` block. */
const FORMULAS: readonly (readonly [string, string])[] = [
  ['G small', '[] small'],
  ['[] (len(q) <= 2)', '[] (len(q) <= 2)'],
  ['G (len(q) < 2)', '[] (len(q) < 2)'],
  ['F (Producer:i == 2)', '<> (Producer:i == 2)'],
  ['G (Producer@busy -> F !Producer@busy)', '[] (Producer@busy -> <> !Producer@busy)'],
  ['(x == 0) U (len(q) > 0)', '(x == 0) U (len(q) > 0)'],
  ['F G (len(q) == 0)', '<> [] (len(q) == 0)'],
  ['G F (x == 3)', '[] <> (x == 3)'],
  ['(x > 200) R (G == 0)', '(x > 200) V (G == 0)'],
  ['G <> (G < 1) && G[] (G != 2)', '[] <> (G < 1) && [] [] (G != 2)'],
  ['F Worker[3]@at', '<> Worker[3]@at'],
  ['G (Worker[3]:mine < 2)', '[] (Worker[3]:mine < 2)'],
];

describe.skipIf(!hasProgram('spin') || !hasProgram('gcc'))('SPIN says the same (spin and gcc needed)', () => {
  test.each(FORMULAS)('%s', { timeout: 0 }, async (given, inline) => {
    const { verdicts } = await check({ formulas: [given] });
    const answer = runPan(`${MODEL}\nltl p { ${inline} }\n`, {
      compile: ['-DNOREDUCE', '-DNXT'],
      run: ['-a', '-m50000', '-w16'],
      small: true,
    })!;
    expect(verdicts[`ltl:${given}`]).toBe(answer.errors > 0 ? 'refuted' : 'proved');
  });
});

test('they are asked beside what the model is asked anyway, and no warning says that they change nothing', async () => {
  const options = { formulas: ['none = G (G == 0)'], invariants: ['len(q) <= 2', 'x < 3'] };
  const { verdicts } = await check(options);
  expect(verdicts).toMatchObject({
    'deadlock-free': 'proved',
    assertions: 'proved',
    'ltl:none': 'proved',
    'ltl:[] (len(q) <= 2)': 'proved',
    'ltl:[] (x < 3)': 'refuted',
  });
  expect(uselessOptions([{ paths: ['m.pml'], options }])).toEqual([[]]);
});

test.each([
  [{ formulas: ['G (small && '] }, 'SPW1001', '<formula 1>', 12, 'found the end of the formula'],
  [{ formulas: ['G small', 'F (x == yy)'] }, 'SPW1101', '<formula 2>', 9, "'yy'"],
  [{ invariants: ['x < 3) && (1'] }, 'SPW1001', '<invariant 1>', 6, "found ')'"],
  [{ formulas: [''] }, 'SPW1001', '<formula 1>', 1, 'expected an expression'],
  [{ formulas: ['G Producer@nowhere'] }, 'SPW1103', '<formula 1>', 12, 'nowhere'],
])('%j is an error at its place', async (given, code, file, column, message) => {
  const { report } = await check(given);
  expect(report.properties).toEqual([]);
  expect(report.diagnostics[0]).toMatchObject({ severity: 'error', code, at: { file, line: 1, column } });
  expect(report.diagnostics[0]!.message).toContain(message);
  expect(report.sources).toHaveProperty([file]);
});

test('a name that a formula of the model has is refused; the same text twice is asked once', async () => {
  const { report } = await check({ formulas: ['p=G small'] }, `${MODEL}\nltl p { [] small }`);
  expect(report.diagnostics[0]).toMatchObject({ code: 'SPW1102', at: { file: '<formula 1>' } });
  const { report: once } = await check({ formulas: ['G small', ' G small'] });
  expect(once.properties.filter(({ id }) => id.startsWith('ltl:'))).toHaveLength(1);
});

test("in the model's own formulas G and F stay names, as in SPIN", async () => {
  const { report } = await check({}, `${MODEL}\nltl p { G small }`);
  expect(report.diagnostics[0]).toMatchObject({ severity: 'error', at: { file: 'm.pml' } });
});
