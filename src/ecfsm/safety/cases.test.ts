// The cases of a channel against all short words: none is missed, none is made up.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contains, languageOf, words } from '../language/language.ts';
import type { Regex } from '../language/regex.ts';
import { choice, EMPTY, letter, plus, sequence, star } from '../language/regex.ts';
import type { Operation } from './cases.ts';
import { CaseFinder } from './cases.ts';

const LETTERS = 2;

const regexes: fc.Arbitrary<Regex> = fc.letrec<{ regex: Regex }>((tie) => ({
  regex: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.integer({ min: 0, max: LETTERS - 1 }).map(letter),
    fc.constant(EMPTY),
    fc.tuple(tie('regex'), tie('regex')).map(([a, b]) => sequence(a, b)),
    fc.array(tie('regex'), { minLength: 1, maxLength: 2 }).map(choice),
    tie('regex').map(star),
    tie('regex').map(plus),
  ),
})).regex;

const operations: fc.Arbitrary<Operation> = fc.oneof(
  fc.constant<Operation>({ kind: 'none' }),
  fc.record({ kind: fc.constantFrom('send' as const, 'receive' as const), type: fc.nat(LETTERS - 1) }),
);
const typeSets = fc.subarray([[0], [1], [0, 1]]);

describe('cases', () => {
  test('are exactly those of the words', () => {
    fc.assert(
      fc.property(
        regexes,
        fc.array(regexes, { maxLength: 3 }),
        operations,
        typeSets,
        fc.integer({ min: 1, max: 3 }),
        (source, targets, operation, sets, cap) => {
          const language = languageOf(source, LETTERS)!;
          const targetLanguages = targets.map((target) => languageOf(target, LETTERS)!);
          const expected = new Set<string>();
          for (const word of words(language, 9)) {
            if (operation.kind === 'receive' && word[0] !== operation.type) continue;
            const untouched = operation.kind === 'receive' ? word.slice(1) : word;
            const after = operation.kind === 'send' ? [...word, operation.type] : untouched;
            const counts = sets.map((types) =>
              Math.min(cap, untouched.filter((type) => types.includes(type)).length),
            );
            const members = targetLanguages.map((target) => contains(target, after));
            expected.add(JSON.stringify([counts, members]));
          }
          const found = new CaseFinder().cases(language, operation, targetLanguages, sets, cap)!;
          const keys = found.map(({ counts, members }) => JSON.stringify([counts, members]));
          expect(new Set(keys).size).toBe(keys.length);
          // Words longer than the enumeration may give further cases; each comes with a word that shows it.
          for (const one of found) {
            if (one.word.length >= 8) continue;
            expect([...expected]).toContain(JSON.stringify([one.counts, one.members]));
          }
          for (const key of expected) expect(keys).toContain(key);
        },
      ),
      { seed: 1, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 60) },
    );
  });
});
