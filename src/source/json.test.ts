import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, plainJson } from './json.ts';
import { SourceFile } from './source.ts';

const read = (text: string) => parseJson(new SourceFile('a.json', text));

test('reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 1, 3), (text, indent) => {
      const shown = JSON.stringify(JSON.parse(text), null, indent);
      const { value, problems } = read(shown);
      expect(problems).toEqual([]);
      expect(JSON.stringify(plainJson(value!))).toBe(JSON.stringify(JSON.parse(shown)));
    }),
  );
});

test('refuses what JSON.parse refuses, and never throws', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom(',', '}', ']', '"', 'x', '', '//', ':'),
      (text, at, other) => {
        const place = at % (text.length + 1);
        const broken = text.slice(0, place) + other + text.slice(place + 1);
        let valid = true;
        try {
          JSON.parse(broken);
        } catch {
          valid = false;
        }
        const { problems } = read(broken);
        // A key given twice is legal JSON, and a mistake.
        expect(problems.filter(({ message }) => !message.includes('given twice')).length === 0).toBe(valid);
      },
    ),
  );
});

test.each([
  ['{"a": 1,}', "there is a comma too many before '}'", 7],
  ['[1, 2, ]', "there is a comma too many before ']'", 5],
  ['{"a": 1 "b": 2}', "a ',' or '}' is missing before '\"'", 8],
  ['{"a" 1}', 'a \':\' is missing after "a"', 5],
  ['{"a": }', "a value is missing before '}'", 6],
  ['{"a": 1, "a": 2}', 'the key "a" is given twice', 9],
  ['{"a": "x', 'the closing quote of this string is missing', 6],
  ['// note\n{}', 'JSON has no comments', 0],
  ['{} {}', 'something follows the end of the value', 3],
])('%s', (text, message, start) => {
  const [problem] = read(text).problems;
  expect(problem).toMatchObject({ message, span: { start } });
});
