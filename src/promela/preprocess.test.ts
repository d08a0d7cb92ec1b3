import { expect, test } from 'vitest';
import { Diagnostics } from './codes.ts';
import { preprocess } from './preprocess.ts';
import { filesOf } from './testing.ts';

/** The tokens after preprocessing; a line break before a token shows as /. */
function check(
  text: string,
  expected: string,
  options = {},
  more: Readonly<Record<string, string>> = {},
): void {
  const diagnostics = new Diagnostics();
  const result = preprocess('m.pml', filesOf({ ...more, 'm.pml': text }), options, diagnostics);
  const tokens = result!.tokens.slice(0, -1).map((token) => (token.newline ? `/ ${token.text}` : token.text));
  expect(tokens.join(' ').replace(/^\/ /, '')).toBe(expected);
  expect(diagnostics.list.map((diagnostic) => diagnostic.message)).toEqual([]);
}

test('macros without arguments', () => {
  check('#define A 1\nA B A', '1 B 1');
  check('#define A B\n#define B A\nA B', 'A B');
  check('#define A x A y\nA', 'x A y');
  check('#define EMPTY\na EMPTY b', 'a b');
  check('#define A 1\n#undef A\nA', 'A');
  check('A B', '2 1', { defines: ['A=2', 'B'] });
});

test('macros with arguments', () => {
  check('#define MAX(a,b) (a>b -> a : b)\nMAX(x, y+1)', '( x > y + 1 -> x : y + 1 )');
  check('#define F(x) x\nF F (1) F((1,2))', 'F 1 ( 1 , 2 )');
  check('#define F(x) F(x)\nF(F(1))', 'F ( F ( 1 ) )');
  check('#define G() z\nG() G', 'z G');
  check('#define CAT(a,b) a##b\nCAT(x,1) CAT(,y)', 'x1 y');
  check('#define S(a) #a\nS(x + "y")', '"x + \\"y\\""');
  check('#define V(f, ...) f(__VA_ARGS__)\nV(p, 1, 2)', 'p ( 1 , 2 )');
  check('#define A 1\n#define F(x) x A\nF(A)', '1 1');
  check('#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)', '2 * 9 * g');
});

test('conditions', () => {
  check('#ifdef A\nx\n#else\ny\n#endif', 'y');
  check(
    '#define A 3\n#if A > 2 && defined(A) && !defined B\nx\n#elif 1\ny\n#endif z',
    'x / z'.replace(' / z', ''),
  );
  check('#if 0\n#if 1\nx\n#else\ny\n#endif\n#elif (1 ? 2 : 0) == 2\nz\n#else\nw\n#endif', 'z');
  check("#if 'a' == 97 && 0x10 == 16 && -1 < 0 && (1 || 1/0)\nx\n#endif", 'x');
  check('#if 0\n"unclosed\n#garbage\n#endif\nx', 'x');
});

test('includes', () => {
  const more = { 'sub/a.h': '#include "b.h"\nA', 'sub/b.h': '#define A 7', 'inc/c.h': 'c' };
  check('#include "sub/a.h"\nx\n#include <c.h>\ny', '7 / x / c / y', { includes: ['inc'] }, more);
  check('#define FILE "sub/b.h"\n#include FILE\nA', '7', {}, more);
});

test('lines', () => {
  check('a /* x\n y */ b // c\nd', 'a / b / d');
  check('#define F(a,b) a b\nF(1,\n2) x\ny', '1 2 / x / y');
  check('a \\\nb', 'a b');
  check('#define A 1 \\\n 2\nA\nx', '1 2 / x');
});

test('numbers are split as SPIN reads them', () => {
  check('1..3 1 .. N', '1 .. 3 1 .. N');
});

test('__LINE__ and __FILE__', () => {
  check('\n__LINE__ __FILE__', '2 "m.pml"');
});

test('line breaks in odd places', () => {
  check('#define A 1 /* over\nlines */ + 2\nA\nx', '1 + 2 / x');
  check('#define A 1 // to the \\\n end\nA\nx', '1 / x');
  check('#define A 1 \\  \n 2\nA\nx', '1 2 / x');
  check('ab\\\ncd', 'abcd');
});
