import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExpressionError, evaluate, type Surroundings } from './expression.ts';

const around: Surroundings = {
  state: {
    values: new Map([
      ['x', '3'],
      ['ready', 'true'],
      ['state', 'idle'],
      ['a[0]', '5'],
      ['a[1]', '7'],
      ['client[0].x', '9'],
      ['client[0].t.n', '2'],
      ['client[0].out', 'q'],
    ]),
    queues: new Map([
      ['q', ['m1', '4']],
      ['r', []],
    ]),
  },
  process: 'client[0]',
  capacities: new Map([
    ['q', 2],
    ['r', null],
  ]),
};

describe('expressions about a moment', () => {
  test.each([
    ['x', 9],
    ['client[0].x - 2*3', 3],
    ['a[0] + a[a[0] - 4]', 12],
    ['t.n << 3', 16],
    ['ready && !(x == 3)', 1],
    ['state == idle', 1],
    ['state != busy', 1],
    ['len(q) >= 2 && full(q) && empty(r) && nfull(r)', 1],
    ['len(out)', 2],
    ['q[1] * 2', 8],
    ['q[0] == m1', 1],
    ['2147483647 + 1', -2147483648],
    ['-7 / 2', -3],
    ['-7 % 2', -1],
    ['~0', -1],
  ])('%s is %j', (text, value) => {
    expect(evaluate(text, around)).toBe(value);
  });

  test('names of arrays, structures and queues stand for what they hold', () => {
    expect(evaluate('a', around)).toEqual({ kind: 'group', name: 'a' });
    expect(evaluate('client[0]', around)).toEqual({ kind: 'group', name: 'client[0]' });
    expect(evaluate('out', around)).toEqual({ kind: 'queue', name: 'q' });
  });

  test.each([
    ['', 'missing'],
    ['x +', 'missing'],
    ['y', "no variable or queue 'y'"],
    ['y + 1', "no variable or queue 'y'"],
    ['q + 1', 'len'],
    ['x / 0', 'zero'],
    ['(x', "')'"],
    ['x $ 1', "'$'"],
    ['len(x)', 'queue'],
    ['q[5]', 'no message 5'],
    ['x x', "'x'"],
    ['('.repeat(500), 'too long'],
  ])('%s is refused', (text, message) => {
    expect(() => evaluate(text, around)).toThrow(message);
  });

  test('whatever is typed, there is a value or an error in words', () => {
    const word = fc.constantFrom(
      'x',
      'a',
      'q',
      'len(q)',
      '[',
      ']',
      '.',
      '(',
      ')',
      '+',
      '-',
      '==',
      '0',
      '7',
      '!',
      '?',
      '&&',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (words) => {
        try {
          evaluate(words.join(' '), around);
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
        }
      }),
    );
  });
});
