import { expect, test } from 'vitest';
import { SourceFile } from '../source/source.ts';
import { preprocess } from './preprocess.ts';

const DIALECT = {
  marks: '##',
  cWords: true,
  anglesLookBeside: false,
  argumentsKeepPlace: false,
  mostTokens: 1000,
};

function wordsOf(text: string): { words: string; problems: string[] } {
  const problems: string[] = [];
  const reporter = {
    report: (_: string, __: string, ___: unknown, message: string) => void problems.push(message),
  };
  const { tokens } = preprocess(new SourceFile('x.c', text), { read: () => null }, {}, DIALECT, reporter);
  return {
    words: tokens
      .map((token) => token.text)
      .join(' ')
      .trim(),
    problems,
  };
}

test.each([
  ['__LINE__\n#line 100\n__LINE__ __FILE__\n__LINE__', '1 100 "x.c" 101'],
  ['#line 7 "y.c"\n__LINE__ __FILE__\n#line 3\n__FILE__ __LINE__', '7 "y.c" "y.c" 3'],
  ['# 50 "z.c"\n__LINE__ __FILE__', '50 "z.c"'],
  ['# 50 "z.c" 1 3 4\n__LINE__', '50'],
  ['#define N 40 "n.c"\n#line N\n__LINE__ __FILE__', '40 "n.c"'],
  ['#line 2\\\n0\n__LINE__', '20'],
  ['#define L(x) __LINE__ x\nL(\n__LINE__\n)', '2 3'],
  // As gcc has it: arguments are where the macro is used that brought the name, if that one has no parentheses.
  ['#define G(x) x\n#define C G\nC (a\n__LINE__)', 'a 3'],
  ['#define G(x) x\n#define C G\n#define A __LINE__\nC (a\nG(\nA) __LINE__) __LINE__', 'a 4 4 6'],
  ['#define G(x) x\n#define J() G\nJ() (a\n__LINE__)', 'a 4'],
  ['#define G(x) x\n#define C G\nG (a\nC(\n__LINE__))', 'a 5'],
  ['#if 0\n#line 9\n#endif\n__LINE__', '4'],
])('%j', (text, words) => {
  expect(wordsOf(text)).toEqual({ words, problems: [] });
});

test('a mark without a number', () => {
  expect(wordsOf('#line x\n__LINE__')).toEqual({
    words: '2',
    problems: ['#line needs a number and perhaps a "name"'],
  });
});
