import { expect, test } from 'vitest';
import { evaluateCondition } from './condition.ts';

const evaluate = (text: string) =>
  evaluateCondition(
    (text.match(/\w+|[<>=!]=|&&|\|\||<<|>>|\S/g) ?? []).map((word) => ({
      text: word,
      kind: /^[A-Za-z_]/.test(word) ? 'name' : 'number',
    })),
  );

test.each([
  ['1 + 2 * 3', 7n],
  ['(1 + 2) * 3', 9n],
  ['1 << 3 | 1', 9n],
  ['0x10 + 010 + 0b11', 27n],
  ['UNKNOWN', 0n],
  ['!UNKNOWN && 2 > 1', 1n],
  ['1 ? 2 : 3 ? 4 : 5', 2n],
  ['0 ? 2 : 0 ? 4 : 5', 5n],
  ['0 && 1 / 0', 0n],
  ['1 || 1 % 0', 1n],
  ['1 ? 7 : 1 / 0', 7n],
  ['1, 0', 0n],
  ['(3, 4) == 4 && (1 ? 0, 2 : 3) == 2', 1n],
  ['0 ? 1 : 2, 5', 5n],
  ['~0 == -1', 1n],
  ['0xFFFFFFFFFFFFFFFFUL > 4294967295', 1n],
  ['9223372036854775807 + 1 < 0', 1n],
])('%s is %s', (text, value) => {
  expect(evaluate(text)).toBe(value);
});

test.each([
  ['1 / 0', 'division by zero'],
  ['1 +', 'a value is missing'],
  ['(1,)', "')' is no integer"],
  ['', 'a value is missing'],
  ['(1', "expected ')'"],
  ['1 ? 2', "expected ':'"],
  ['1 2', "unexpected '2'"],
  ['1.5', "unexpected '.'"],
  ['('.repeat(5000), 'the expression is nested too deeply'],
])('%s is none', (text, problem) => {
  expect(evaluate(text)).toBe(problem);
});
