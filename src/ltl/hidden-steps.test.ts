// What the criterion promises, on words: a hidden step put in or taken out changes nothing.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FormulaFactory } from './formula.ts';
import { ignoresHiddenSteps } from './hidden-steps.ts';
import { parseText } from './parser.ts';
import { openVocabulary, toFormula } from './syntax.ts';
import { satisfies } from './words.ts';

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 150);

const { formula } = fc.letrec<{ formula: string }>((tie) => ({
  formula: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('p', 'q', 'event:a', 'event:b', '!event:a', 'true', 'false'),
    fc.tuple(fc.constantFrom('!', 'F', 'G'), tie('formula')).map(([op, f]) => `${op} (${f})`),
    fc
      .tuple(
        tie('formula'),
        fc.constantFrom('&&', '||', '->', '<->', '^', 'U', 'W', 'R', 'M'),
        tie('formula'),
      )
      .map(([f, op, g]) => `((${f}) ${op} (${g}))`),
  ),
}));

/** Propositions p and q as bits, and the event: 0 hidden, 1 a, 2 b. */
interface Letter {
  readonly propositions: number;
  readonly event: number;
}

const word = fc
  .array(fc.record({ propositions: fc.nat(3), event: fc.nat(2) }), { minLength: 1, maxLength: 6 })
  .chain((letters) => fc.record({ letters: fc.constant(letters), loopStart: fc.nat(letters.length - 1) }));

/** One hidden step more before the position. */
function insert(letters: readonly Letter[], loopStart: number, at: number) {
  const more = letters.toSpliced(at, 0, { propositions: letters[at]!.propositions, event: 0 });
  return { letters: more, loopStart: at < loopStart ? loopStart + 1 : loopStart };
}

function holdsOf(text: string, { letters, loopStart }: { letters: readonly Letter[]; loopStart: number }) {
  const factory = new FormulaFactory();
  const core = toFormula(factory, parseText(text, openVocabulary()).formula!);
  const isTrue = ({ propositions, event }: Letter, name: string): boolean =>
    ({ p: (propositions & 1) > 0, q: (propositions & 2) > 0, a: event === 1, b: event === 2 })[name]!;
  return satisfies(core, {
    length: letters.length,
    loopStart,
    holds: (position, atom) => isTrue(letters[position]!, factory.atoms[atom]!.name),
  });
}

test('formulas that ignore hidden steps do', () => {
  let blind = 0;
  let seen = 0;
  fc.assert(
    fc.property(formula, word, fc.nat(5), (text, { letters, loopStart }, place) => {
      const at = place % letters.length;
      const same = holdsOf(text, { letters, loopStart }) === holdsOf(text, insert(letters, loopStart, at));
      if (!same) seen++;
      if (!ignoresHiddenSteps(parseText(text, openVocabulary()).formula!)) return;
      if (text.includes('event')) blind++;
      expect(same).toBe(true);
    }),
    { numRuns: RUNS, seed: 20311 },
  );
  expect(Math.min(blind, seen), `${blind} ${seen}`).toBeGreaterThan(RUNS / 50);
});

test.each([
  ['G (event:a -> F event:b)', true],
  ['G (p -> F q)', true],
  ['(!event:a) U event:b', true],
  ['G (event:a -> p)', true],
  ['G (event:a -> ((!event:b) W event:a))', true],
  ['p U q', true],
  ['p U event:a', false],
  ['event:a', false],
  ['G (p -> event:a)', false],
  ['event:a U event:b', false],
  ['X p', false],
])('%s: %s', (text, expected) => {
  expect(ignoresHiddenSteps(parseText(text, openVocabulary()).formula!)).toBe(expected);
});

test.each([
  ['G (event:a -> F event:b)', true],
  ['F event:step', false],
  ['G (event:step -> p)', false],
  ['event:a <-> event:a', false],
  ['F (p <-> q)', true],
])('where hidden steps bear the event `step`: %s: %s', (text, expected) => {
  const vocabulary = openVocabulary();
  const { formula } = parseText(text, vocabulary);
  const step = vocabulary.find('event', 'step', true);
  expect(ignoresHiddenSteps(formula!, (event) => event === step)).toBe(expected);
});
