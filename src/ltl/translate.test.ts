import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { findAcceptedPath } from './check.ts';
import { FormulaFactory } from './formula.ts';
import { asWord, pathStructure, recipes, words } from './random.fuzz.ts';
import { simplify } from './rewrite.ts';
import { translate } from './translate.ts';
import { satisfies } from './words.ts';

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 3000);

test('an automaton accepts a word exactly when the formula holds of it', () => {
  let accepted = 0;
  fc.assert(
    fc.property(
      recipes({ events: true, next: true }),
      fc.array(words, { minLength: 3, maxLength: 6 }),
      (recipe, sample) => {
        const factory = new FormulaFactory();
        const formula = recipe.build(factory);
        const automaton = translate(factory, formula);
        expect(automaton).not.toBeNull();
        for (const letters of sample) {
          const expected = satisfies(formula, asWord(letters, factory));
          const path = findAcceptedPath(pathStructure(letters), automaton!, UNLIMITED, SILENT);
          if (expected) accepted++;
          expect(path.kind === 'violated').toBe(expected);
        }
      },
    ),
    { numRuns: RUNS, seed: 1 },
  );
  expect(accepted).toBeGreaterThan(RUNS);
});

test('simplification keeps the meaning', () => {
  fc.assert(
    fc.property(
      recipes({ events: true, next: true, depth: 5 }),
      fc.array(words, { minLength: 3, maxLength: 6 }),
      (recipe, sample) => {
        const factory = new FormulaFactory();
        const formula = recipe.build(factory);
        const simple = simplify(factory, formula);
        for (const letters of sample) {
          const word = asWord(letters, factory);
          expect(satisfies(simple, word)).toBe(satisfies(formula, word));
        }
      },
    ),
    { numRuns: RUNS, seed: 2 },
  );
});
