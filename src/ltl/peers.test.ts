import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import type { Automaton, BuchiAutomaton } from './automaton.ts';
import { findAcceptedPath } from './check.ts';
import { degeneralise } from './degeneralise.ts';
import { FormulaFactory } from './formula.ts';
import { available, countSpinStates, lbtSize, readNeverClaim, spinNeverClaim } from './peers.fuzz.ts';
import { asWord, PROPOSITIONS, pathStructure, recipes, words } from './random.fuzz.ts';
import { translate } from './translate.ts';
import { satisfies } from './words.ts';
import { writeNever } from './write.ts';

const FUZZ = Number(process.env['SPILLWAY_FUZZ'] ?? 0);
const CASES = Math.max(40, FUZZ / 10);
const hasSpin = available('spin');
const hasLbt = available('lbt');
if (!hasSpin) console.log('spin is not installed: the comparison with its automata is skipped');
if (!hasLbt) console.log('lbt is not installed: the comparison with its automata is skipped');

const samples = fc.array(words, { minLength: 3, maxLength: 6 });

/** State-based acceptance as marks on the edges that leave accepting states. */
function asAutomaton(buchi: BuchiAutomaton): Automaton {
  const edges = buchi.edges.map((list, state) =>
    list.map((edge) => ({ ...edge, marks: buchi.accepting[state] ? 1 : 0 })),
  );
  return { ...buchi, marks: 1, edges };
}

test('accepting states accept the same words, and so does the never claim as printed', () => {
  fc.assert(
    fc.property(recipes({ events: false, next: true }), samples, (recipe, sample) => {
      const factory = new FormulaFactory();
      const formula = recipe.build(factory);
      const buchi = degeneralise(translate(factory, formula)!);
      const claim = readNeverClaim(writeNever(buchi, recipe.toString()), PROPOSITIONS);
      for (const letters of sample) {
        const expected = satisfies(formula, asWord(letters, factory));
        for (const automaton of [asAutomaton(buchi), claim]) {
          const found = findAcceptedPath(pathStructure(letters), automaton, UNLIMITED, SILENT);
          expect(found.kind === 'violated').toBe(expected);
        }
      }
    }),
    { numRuns: Math.max(250, FUZZ), seed: 11 },
  );
});

test.skipIf(!hasSpin)('the automata of spin -f accept the same words and are never smaller', () => {
  let compared = 0;
  fc.assert(
    fc.property(recipes({ events: false, next: false, weak: false, depth: 3 }), samples, (recipe, sample) => {
      const text = spinNeverClaim(recipe.toString(), 1);
      if (text === null) return;
      const factory = new FormulaFactory();
      const formula = recipe.build(factory);
      const ours = degeneralise(translate(factory, formula)!);
      const theirs = readNeverClaim(text, PROPOSITIONS);
      for (const letters of sample) {
        const expected = satisfies(formula, asWord(letters, factory));
        const found = findAcceptedPath(pathStructure(letters), theirs, UNLIMITED, SILENT);
        expect(found.kind === 'violated').toBe(expected);
      }
      expect(ours.edges.length).toBeLessThanOrEqual(countSpinStates(text));
      compared++;
    }),
    { numRuns: CASES, seed: 12 },
  );
  expect(compared).toBeGreaterThan(CASES / 2);
});

test.skipIf(!hasLbt)('generalised automata are never larger than those of lbt', () => {
  fc.assert(
    fc.property(recipes({ events: false, next: true, depth: 3 }), (recipe) => {
      const factory = new FormulaFactory();
      const formula = recipe.build(factory);
      const theirs = lbtSize(formula, 2);
      // lbt has no state at all for the empty language.
      if (theirs === null || theirs.states === 0) return;
      expect(translate(factory, formula)!.edges.length).toBeLessThanOrEqual(theirs.states);
    }),
    { numRuns: CASES, seed: 13 },
  );
});
