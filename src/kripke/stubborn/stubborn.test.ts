// Reduced and unreduced answers agree, the second look reduces by itself and agrees, too, and what is left out is something.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { searchDeadlock } from '../../deadlock/explicit.ts';
import { ignoresHiddenSteps } from '../../ltl/hidden-steps.ts';
import { parseText } from '../../ltl/parser.ts';
import { auditReducedDeadlock, auditReducedFormula } from '../audit/stubborn.ts';
import { loadCorpus } from '../corpus.fuzz.ts';
import { modelCheck } from '../model-check.ts';
import type { Recipe } from '../random.fuzz.ts';
import { build, formulaTexts, naiveProduct, recipes } from '../random.fuzz.ts';
import { isPath } from '../replay.ts';
import { compose, isDeadlock } from '../system.ts';
import { violatesFormula } from '../violation.ts';
import { vocabularyOf } from '../vocabulary.ts';
import { reducedDeadlock } from './deadlock.ts';
import { reducedFormula } from './formula.ts';

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 60);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 20779);
/** A component that goes from state to state by an event of its own and shared ones, and then stops, stays or begins again: such systems leave much to leave out. */
const walker = (own: string): fc.Arbitrary<Recipe> => {
  const event = fc.constantFrom(own, own, 'f', 'g', 'h');
  const aside = fc.tuple(fc.nat(3), event, fc.nat(3));
  return fc
    .record({
      steps: fc.array(event, { minLength: 1, maxLength: 4 }),
      end: fc.constantFrom('stop', 'stay', 'again'),
      asides: fc.array(aside, { maxLength: 1 }),
      holds: fc.tuple(fc.array(fc.nat(4), { maxLength: 2 }), fc.array(fc.nat(4), { maxLength: 2 })),
    })
    .map(({ steps, end, asides, holds }) => {
      const last = steps.length;
      const onward = steps.map((name, state): [number, string, number] => [state, name, state + 1]);
      const closing: [number, string, number][] =
        end === 'stop' ? [] : [[last, own, end === 'stay' ? last : 0]];
      const odd = asides.filter(([from, , to]) => from <= last && to <= last);
      const edges = [...onward, ...closing, ...odd];
      return {
        alphabet: [...new Set([own, ...edges.map(([, name]) => name)])],
        states: last + 1,
        initial: [0],
        edges,
        holds: holds.map((states) => states.filter((state) => state <= last)),
      };
    });
};
const walkers = fc
  .integer({ min: 2, max: 4 })
  .chain((count) => fc.tuple(...['a', 'b', 'c', 'd'].slice(0, count).map(walker)));
const systems: fc.Arbitrary<readonly Recipe[]> = fc.oneof(recipes(5, 4, 8, 4), walkers, walkers);
const always = (): boolean => true;

test('deadlock: random compositions against the naive product', () => {
  const counts = { free: 0, deadlock: 0, smaller: 0 };
  fc.assert(
    fc.property(systems, (all) => {
      const { states } = naiveProduct(all);
      const stuck = states.some(({ next }) => next.length === 0);
      const system = compose(build(all));
      const result = reducedDeadlock(system, UNLIMITED);
      expect(result.kind).toBe(stuck ? 'found' : 'none');
      expect(auditReducedDeadlock(system.components, always)).toBe(stuck ? 'violated' : 'holds');
      counts[stuck ? 'deadlock' : 'free']++;
      if (result.kind === 'none' && result.states < states.length) counts.smaller++;
      if (result.kind !== 'found') return;
      expect(isPath(system, result.path)).toBe(true);
      expect(isDeadlock(system, result.path.states.at(-1)!)).toBe(true);
    }),
    { numRuns: RUNS, seed: SEED },
  );
  console.log(`reduced searches for deadlocks: ${JSON.stringify(counts)}`);
  expect(Math.min(counts.free, counts.deadlock, counts.smaller)).toBeGreaterThan(RUNS / 20);
});

test('formulas: random ones on random compositions against the whole product', () => {
  const counts = { holds: 0, violated: 0, blind: 0, smaller: 0 };
  // Half of the formulas name propositions only: mostly these cannot see hidden steps.
  const formula = fc.oneof(
    formulaTexts('p0_0', 'p0_1', 'p1_0'),
    formulaTexts('p0_0', 'p1_0', 'a', 'b', 'true'),
    fc.constantFrom('G F a', 'F G !a', 'G (F a && F b)', 'F G p0_0', 'G (p0_0 -> F p1_0)', 'G F a -> G F b'),
    fc.constantFrom(
      '!b U a',
      'G (a -> G !b)',
      'F (a && F b)',
      'F b',
      '(F a) -> (F b)',
      '!b W a',
      'F (p0_0 && p1_0)',
    ),
  );
  fc.assert(
    fc.property(systems, formula, (all, text) => {
      const system = compose(build(all));
      const syntax = parseText(text, vocabularyOf(system)).formula;
      fc.pre(syntax !== null);
      const whole = modelCheck(system, syntax!, { monolithic: true }, UNLIMITED, SILENT);
      const result = reducedFormula(system, syntax!, UNLIMITED, SILENT);
      expect(result.kind).toBe(whole.kind);
      expect(auditReducedFormula(system, syntax!, always)).toBe(whole.kind);
      if (result.kind === 'limit') return;
      counts[result.kind]++;
      if (ignoresHiddenSteps(syntax!)) counts.blind++;
      if (result.kind === 'holds' && result.stats.largestProduct < naiveProduct(all).states.length)
        counts.smaller++;
      if (result.kind === 'violated')
        expect(violatesFormula(system, result.path, result.factory, result.formula)).toBe(true);
    }),
    { numRuns: RUNS, seed: SEED },
  );
  console.log(`reduced searches for formulas: ${JSON.stringify(counts)}`);
  expect(Math.min(counts.holds, counts.violated, counts.blind)).toBeGreaterThan(RUNS / 20);
  if (RUNS >= 400) expect(counts.smaller).toBeGreaterThan(0);
});

test.each([
  ['dpn', 7],
  ['ucosn', 8],
  ['chain', 8],
])('%s with n = %i: fewer configurations than the whole product', (name, n) => {
  const { system } = loadCorpus(name, [`N=${n}`]);
  const reduced = reducedDeadlock(system, UNLIMITED);
  const whole = searchDeadlock(system, UNLIMITED);
  expect(reduced.kind).toBe(whole.kind);
  expect(2 * reduced.states).toBeLessThan(whole.states);
});
