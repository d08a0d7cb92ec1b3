import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { render } from '../source/diagnostic.ts';
import { LTL_CODES } from './codes.ts';
import { FormulaFactory } from './formula.ts';
import { parseText } from './parser.ts';
import { printFormula } from './print.ts';
import { recipes } from './random.fuzz.ts';
import type { Vocabulary } from './syntax.ts';
import { openVocabulary, toFormula } from './syntax.ts';

const closed = (propositions: readonly string[], events: readonly string[]): Vocabulary => ({
  find: (kind, name) => {
    const index = (kind === 'event' ? events : propositions).indexOf(name);
    return index < 0 ? null : index;
  },
  names: () => [...propositions, ...events],
});

function core(text: string): string {
  const { formula, diagnostics } = parseText(text, openVocabulary());
  expect(diagnostics).toEqual([]);
  const factory = new FormulaFactory();
  return printFormula(toFormula(factory, formula!), factory.atoms);
}

describe('spellings', () => {
  test.each([
    ['[] <> p', 'G F p'],
    ['always (p implies eventually q)', 'G (F q || !p)'],
    ['not p and q or r', '(!p && q) || r'],
    ['p U q', 'p U q'],
    ['p V q', 'p R q'],
    ['p W q', 'q R (p || q)'],
    ['p M q', 'q U (p && q)'],
    ['! (p U q)', '!p R !q'],
    ['p -> q -> r', 'r || !q || !p'],
    ['p /\\ q \\/ ~r', '(p && q) || !r'],
    ['□ (p → ◇ q)', 'G (F q || !p)'],
    ['X !X p', 'X X !p'],
    ['fork[1][2] && left.get && m=2', 'fork[1][2] && left.get && m=2'],
    ['"x > 3" U event:done', '"x > 3" U event:done'],
    ['1 U 0', 'false'],
    ['p xor q', '(p && !q) || (q && !p)'],
    ['"U" U "GF"', '"U" U "GF"'],
    ['GF p -> XX q', 'X X q || F G !p'],
  ])('%s', (text, expected) => {
    expect(core(text)).toBe(expected);
  });
});

describe('diagnostics', () => {
  const vocabulary = closed(['ready', 'r', 'both'], ['request', 'both']);
  test.each([
    ['G (ready -> ', 'SPW3202', 'a formula is expected here'],
    ['G (ready', 'SPW3203', 'not closed'],
    ['ready request', 'SPW3204', 'an operator is missing'],
    ['ready)', 'SPW3204', 'closes nothing'],
    ['(ready request)', 'SPW3204', 'an operator is missing'],
    ['', 'SPW3202', 'a formula is expected'],
    ['G redy', 'SPW3205', "did you mean 'ready'?"],
    ['G (request -> XFr)', 'SPW3205', 'X F r'],
    ['event:ready', 'SPW3205', "no event 'ready'"],
    ['G both', 'SPW3206', 'event:both'],
    ['ready U request U r', 'SPW3207', 'tools disagree'],
    ['ready > 3', 'SPW3201', 'double quotes'],
    ['"ready', 'SPW3209', 'does not end'],
    [`${'('.repeat(2000)}r`, 'SPW3208', '400'],
    ['!'.repeat(100_000), 'SPW3208', '400'],
  ])('%#', (text, code, words) => {
    const { diagnostics } = parseText(text, vocabulary);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code]);
    expect(render(diagnostics[0]!)).toContain(words);
    expect(Object.hasOwn(LTL_CODES, code)).toBe(true);
  });

  test('every unknown name is reported', () => {
    const { diagnostics, formula } = parseText('G (foo -> F bar)', vocabulary);
    expect(formula).toBeNull();
    expect(diagnostics).toHaveLength(2);
  });

  test('parentheses silence the warning about chains', () => {
    expect(parseText('ready U (request U r)', vocabulary).diagnostics).toEqual([]);
    expect(parseText('(ready U request) U r', vocabulary).diagnostics).toEqual([]);
  });
});

test('any text gives a formula or an error, never an exception', () => {
  const pieces = fc.constantFrom(
    'G',
    'F',
    'U',
    'p',
    '(',
    ')',
    '!',
    '&&',
    '->',
    '<->',
    '[]',
    '"',
    ' ',
    'é',
    '\n',
    '=',
    '1',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string())), (parts) => {
      const { formula, diagnostics } = parseText(parts.join(''), openVocabulary());
      expect(formula === null).toBe(diagnostics.some((diagnostic) => diagnostic.severity === 'error'));
    }),
    { numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 250), seed: 4 },
  );
});

test('what is printed reads back as the same formula', () => {
  fc.assert(
    fc.property(recipes({ events: false, next: true }), (recipe) => {
      const factory = new FormulaFactory();
      const formula = recipe.build(factory);
      const names = factory.atoms.map((atom) => atom.name);
      const vocabulary: Vocabulary = {
        find: (kind, name) => (kind === 'event' ? null : factory.atoms[names.indexOf(name)]!.id),
        names: () => names,
      };
      const text = printFormula(formula, factory.atoms);
      expect(toFormula(factory, parseText(text, vocabulary).formula!)).toBe(formula);
    }),
    { numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 150), seed: 5 },
  );
});
