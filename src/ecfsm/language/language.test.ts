// Languages against JavaScript's regular expressions, on every short word.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aliveStates, contains, isNone, isOnlyEmpty, languageOf, words } from './language.ts';
import type { Regex } from './regex.ts';
import {
  beginningWith,
  choice,
  derivative,
  EMPTY,
  letter,
  NONE,
  nonEmptyPart,
  plus,
  sequence,
  showRegex,
  star,
} from './regex.ts';

const LETTERS = 3;
const NAMES = ['a', 'b', 'c'];

const regexes: fc.Arbitrary<Regex> = fc.letrec<{ regex: Regex }>((tie) => ({
  regex: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.integer({ min: 0, max: LETTERS - 1 }).map(letter),
    fc.constantFrom(EMPTY, NONE),
    fc.tuple(tie('regex'), tie('regex')).map(([a, b]) => sequence(a, b)),
    fc.array(tie('regex'), { minLength: 1, maxLength: 3 }).map(choice),
    tie('regex').map(star),
    tie('regex').map(plus),
  ),
})).regex;

function toSource(regex: Regex): string {
  switch (regex.kind) {
    case 'none':
      return '[^\\s\\S]';
    case 'empty':
      return '';
    case 'letter':
      return NAMES[regex.letter]!;
    case 'star':
      return `(?:${toSource(regex.body)})*`;
    case 'choice':
      return `(?:${regex.options.map(toSource).join('|')})`;
    case 'sequence':
      return `(?:${toSource(regex.first)})(?:${toSource(regex.rest)})`;
  }
}

const allWords = (length: number): number[][] =>
  length === 0
    ? [[]]
    : allWords(length - 1).flatMap((word) => [
        word,
        ...(word.length === length - 1 ? [0, 1, 2].map((x) => [...word, x]) : []),
      ]);
const WORDS = allWords(4);
const spell = (word: readonly number[]): string => word.map((x) => NAMES[x]).join('');
const accepted = (regex: Regex, keep: (word: readonly number[]) => boolean = () => true): string[] => {
  const language = languageOf(regex, LETTERS)!;
  return WORDS.filter((word) => keep(word) && contains(language, word)).map(spell);
};

describe('languages', () => {
  test('agree with regular expressions', () => {
    fc.assert(
      fc.property(regexes, (regex) => {
        const pattern = new RegExp(`^(?:${toSource(regex)})$`);
        expect(accepted(regex)).toEqual(WORDS.map(spell).filter((word) => pattern.test(word)));
      }),
      { seed: 1, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 100) },
    );
  });

  test('equal languages, and only they, have equal keys', () => {
    fc.assert(
      fc.property(regexes, regexes, (a, b) => {
        const [first, second] = [languageOf(a, LETTERS)!, languageOf(b, LETTERS)!];
        if (first.key === second.key) expect(accepted(a)).toEqual(accepted(b));
        else if (first.next.length + second.next.length < 5) expect(accepted(a)).not.toEqual(accepted(b));
        expect(languageOf(choice([a, a]), LETTERS)!.key).toBe(first.key);
        expect(languageOf(star(star(a)), LETTERS)!.key).toBe(languageOf(star(a), LETTERS)!.key);
      }),
      { seed: 2, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 80) },
    );
  });

  test('parts: without the empty word, beginning with a letter, derivative', () => {
    fc.assert(
      fc.property(regexes, fc.integer({ min: 0, max: 2 }), (regex, first) => {
        expect(accepted(nonEmptyPart(regex))).toEqual(accepted(regex, (word) => word.length > 0));
        expect(accepted(beginningWith(regex, first))).toEqual(accepted(regex, (word) => word[0] === first));
        const rest = languageOf(derivative(regex, first), LETTERS)!;
        const whole = languageOf(regex, LETTERS)!;
        for (const word of WORDS.filter((one) => one.length < 4))
          expect(contains(rest, word)).toBe(contains(whole, [first, ...word]));
      }),
      { seed: 3, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 80) },
    );
  });

  test('words are enumerated shortest first, all of them', () => {
    fc.assert(
      fc.property(regexes, (regex) => {
        const language = languageOf(regex, LETTERS)!;
        const found = [...words(language, 4)];
        expect(found.map(spell).sort()).toEqual(accepted(regex).sort());
        expect(found.map((word) => word.length)).toEqual(
          found.map((word) => word.length).sort((x, y) => x - y),
        );
        expect(isNone(language)).toBe(!aliveStates(language)[0]);
        if (isOnlyEmpty(language)) expect(accepted(regex)).toEqual(['']);
      }),
      { seed: 4, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 60) },
    );
  });

  test('are shown as they are written', () => {
    expect(showRegex(sequence(letter(0), star(letter(0))), NAMES)).toBe('a+');
    expect(showRegex(sequence(star(choice([letter(0), letter(1)])), letter(2)), NAMES)).toBe('(a | b)* c');
    expect(showRegex(EMPTY, NAMES)).toBe('e');
  });
});
