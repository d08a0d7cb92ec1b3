// Formulas found from nothing: the textbook protocols of the corpus, and the pieces of the search.

import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { Analysis } from '../analyse.ts';
import { showAtoms, showModel } from '../report/print.ts';
import { induct, modelOf } from '../testing/testing.ts';
import { affineHull } from './affine.ts';
import { findInvariant } from './find.ts';

const folder = new URL('../../../corpus/ecfsm/', import.meta.url);
const bare = readdirSync(folder)
  .filter((name) => name.endsWith('.ecfsm') && !name.includes('broken'))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }))
  .filter(({ text }) => !text.includes('invariant {'));

/** They take half of the time of all. */
const LONG = ['relay-credit.ecfsm', 'credit-two-kinds.ecfsm'];
const IS_LONG = process.env['SPILLWAY_FUZZ'] !== undefined;
if (!IS_LONG)
  console.log(`left out: ${LONG.join(', ')}, session.ecfsm; SPILLWAY_FUZZ=1 finds their formulas`);

test('the corpus has twenty protocols without a formula', () => {
  expect(bare.length).toBeGreaterThanOrEqual(20);
});

test.each(bare.filter(({ name }) => IS_LONG || !LONG.includes(name)))(
  '$name: a formula is found and proved',
  { timeout: 0 },
  async ({ text }) => {
    const model = modelOf(text);
    const invariant = await findInvariant(model.protocol, UNLIMITED, SILENT);
    const { failures } = await induct({ ...model, invariant }, 1);
    expect(failures).toEqual([]);
  },
);

test('credit without a limit: the sum of what is granted, in the words of a person', async () => {
  const { text } = bare.find(({ name }) => name === 'credit-unbounded.ecfsm')!;
  const { protocol } = modelOf(text);
  const formula = await findInvariant(protocol, UNLIMITED, SILENT);
  expect(formula.map((disjunct) => showAtoms(protocol, disjunct).at(-1))).toEqual([
    'S.cr = R.out',
    'S.cr + len(R->S) = R.out',
    'S.cr + len(S->R) = R.out',
    'S.cr + len(S->R) + len(R->S) = R.out',
  ]);
});

const SESSION = 'the session of [QLive] 5.2, from nothing: safe, and every goal live';
test.runIf(IS_LONG)(SESSION, { timeout: 0 }, async () => {
  const written = modelOf(readFileSync(new URL('session.ecfsm', folder), 'utf8'));
  const invariant = await findInvariant(written.protocol, UNLIMITED, SILENT);
  const model = modelOf(showModel({ ...written, invariant }, 'as written'));
  const analysis = new Analysis(model, UNLIMITED, SILENT);
  const verdicts = [(await analysis.safe()).verdict];
  for (const goal of model.goals) verdicts.push((await analysis.live(goal)).verdict);
  analysis.dispose();
  expect(verdicts).toEqual(Array.from({ length: 12 }, () => 'proved'));
});

describe('the affine hull', () => {
  test('holds in every point, and nothing is missed', () => {
    const point = fc.tuple(fc.nat(9), fc.nat(9));
    fc.assert(
      fc.property(
        fc.array(point, { minLength: 4, maxLength: 12 }),
        fc.integer({ min: -2, max: 2 }),
        fc.integer({ min: -2, max: 2 }),
        fc.nat(5),
        (points, a, b, c) => {
          // z is a x + b y + c: there is an equation with z in it.
          const rows = points.map(([x, y]) => [x, y, a * x + b * y + c]);
          const found = affineHull(rows);
          for (const { factors, constant } of found)
            for (const row of rows)
              expect(row.reduce((sum, value, i) => sum + value * factors[i]!, constant)).toBe(0);
          expect(found.some(({ factors }) => factors[2] !== 0)).toBe(true);
        },
      ),
      { numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 40), seed: 20331 },
    );
  });
});
