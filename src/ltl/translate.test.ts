import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { findAcceptedPath } from './check.ts';
import { degeneralise } from './degeneralise.ts';
import { FormulaFactory } from './formula.ts';
import { parseText } from './parser.ts';
import { asWord, pathStructure, recipes, words } from './random.fuzz.ts';
import { simplify } from './rewrite.ts';
import { openVocabulary, toFormula } from './syntax.ts';
import { translate } from './translate.ts';
import { satisfies } from './words.ts';

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 150);

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

test('large formulas end in an automaton or in null, not in an exception', () => {
  const parse = (text: string) => {
    const factory = new FormulaFactory();
    const { formula } = parseText(text, openVocabulary());
    return { factory, core: toFormula(factory, formula!) };
  };
  const many = (n: number, part: (i: number) => string, operator: string) =>
    Array.from({ length: n }, (_, i) => `(${part(i)})`).join(` ${operator} `);
  const pairs = many(40, (i) => many(i, (j) => `!(w${i} && w${j})`, '&&') || 'true', '&&').replaceAll(
    '()',
    'true',
  );
  const sizes = [
    `!G(${pairs})`,
    many(5, (i) => `G(a${i} -> F b${i})`, '&&'),
    many(14, (i) => `G F p${i}`, '<->'),
    `${'X '.repeat(200)} p`,
    many(5000, (i) => `p${i % 7}`, '&&'),
  ].map((text) => {
    const { factory, core } = parse(text);
    const automaton = translate(factory, core);
    return automaton === null ? null : degeneralise(automaton).edges.length;
  });
  expect(sizes).toEqual([2, expect.any(Number), null, expect.any(Number), 2]);
});
