// What the linker makes of names that several files, or several declarations of one, define.

import { expect, test } from 'vitest';
import { checkModel } from '../../check/check.ts';

const ASSERT = '#include <assert.h>\n';

async function verdict(first: string, second = '', header = ''): Promise<string> {
  const files: Record<string, string> = {
    't.yml': "input_files: ['a.c', 'b.c']\n",
    'a.c': ASSERT + first,
    'b.c': second,
    'h.h': header,
  };
  const report = await checkModel({
    paths: ['t.yml'],
    properties: ['assertions'],
    files: { read: (name) => files[name] ?? null },
  });
  return report.properties[0]?.verdict ?? `${report.diagnostics[0]?.code}`;
}

const WEAK = '__attribute__((weak))';

test.each([
  ['a weak variable', `${WEAK} int v = 1;`, 'v == 2', 'int v = 2;', 'proved'],
  [
    '… that another declaration makes so',
    `extern int v ${WEAK}; int v = 1;`,
    'v == 2',
    'int v = 2;',
    'proved',
  ],
  ['… beside one without a value', `${WEAK} int v = 1;`, 'v == 0', 'int v;', 'proved'],
  ['two weak ones: the first', `${WEAK} int v = 1;`, 'v == 1', `${WEAK} int v = 2;`, 'proved'],
  ['weak arrays', `${WEAK} int v[] = { 1, 2 };`, 'v[1] == 4', 'int v[] = { 3, 4 };', 'proved'],
  ['… of another length', `${WEAK} int v[] = { 1, 2 };`, 'v[1] == 4', 'int v[] = { 3, 4, 5 };', 'SPW5014'],
  [
    'one of two variables',
    `int v ${WEAK} = 1, w = 3;`,
    'v == 2 && w == 3',
    'int v = 2; extern int w;',
    'proved',
  ],
  ['a weak function', `${WEAK} int f(void) { return 1; }`, 'f() == 2', 'int f(void) { return 2; }', 'proved'],
  [
    '… that another declaration makes so',
    `int f(void) ${WEAK}; int f(void) { return 1; }`,
    'f() == 2',
    'int f(void) { return 2; }',
    'proved',
  ],
  [
    'two weak functions: the first',
    `${WEAK} int f(void) { return 1; }`,
    'f() == 1',
    `${WEAK} int f(void) { return 2; }`,
    'proved',
  ],
  ['two that count', 'int f(void) { return 1; }', 'f() == 1', 'int f(void) { return 1; }', 'SPW5014'],
  ['two values', 'int v = 1;', 'v == 1', 'int v = 2;', 'SPW5014'],
  ['two in one file', 'int v = 1; int v = 2;', 'v == 1', '', 'SPW5014'],
  ['one value, and none', 'int v; extern int v; int v;', 'v == 2', 'int v = 2;', 'proved'],
  ['static ones', 'static int v = 1;', 'v == 1', 'static int v = 2; int w = 1;', 'proved'],
  [
    'static by an earlier declaration',
    'static int f(void); int f(void) { return 1; }',
    'f() == 1',
    'int f(void) { return 2; }',
    'proved',
  ],
  [
    'inline, which differ',
    'inline int f(void) { return 1; }',
    'f() == 2',
    'int f(void) { return 2; }',
    'SPW5014',
  ],
  [
    'inline for itself, with a variable of the file',
    'static int n = 1; inline int f(void) { return n; }',
    'f() == 2',
    'static int n = 2; inline int f(void) { return n; } extern int f(void);',
    'proved',
  ],
  [
    'inline in the old way of GNU C, in one file',
    'extern inline __attribute__((gnu_inline)) int f(int x) { return x + 1; } int f(int x) { return x + 1; }',
    'f(2) == 3',
    '',
    'proved',
  ],
  [
    'another name in the assembler',
    'extern int v __asm__("w");',
    'v == 3',
    'int v = 5; int w = 3;',
    'SPW5012',
  ],
  [
    '… of a function',
    'int f(int) __asm__("g");',
    'f(1) == 2',
    'int f(int x) { return x; } int g(int x) { return x + 1; }',
    'SPW5012',
  ],
  [
    '… of a function by which others call it',
    'static int n; int h(void); int f(void) __asm__("g"); int f(void) { return ++n; }',
    '(h(), n == 0)',
    'int g(void); int h(void) { return g(); }',
    'SPW5012',
  ],
  ['… that is the same', 'extern int v __asm__("v");', 'v == 5', 'int v = 5;', 'proved'],
  [
    'another name of a variable that another file defines',
    `int f = 1; extern int g __attribute__((weak, alias("f")));`,
    'f == 1',
    'int g = 5;',
    'SPW5012',
  ],
])('%s', async (_, outside, holds, second, expected) => {
  const first = `${outside}\nint main(void) { assert(${holds}); return 0; }`;
  expect(await verdict(first, second)).toBe(expected);
});

test('which file comes first does not matter', async () => {
  const first = 'int v = 2; int f(void) { return 2; }';
  const second = `${ASSERT}${WEAK} int v = 1; ${WEAK} int f(void) { return 1; }
int main(void) { assert(v == 2 && f() == 2); return 0; }`;
  expect(await verdict(first, second)).toBe('proved');
});

test('an inline function of a header is one function', async () => {
  const header = 'inline int f(int x) { return x + 1; }';
  const first = `#include "h.h"\nint (*g(void))(int);
int main(void) { assert(f(1) == 2 && f == g() && g()(2) == 3); return 0; }`;
  const second = '#include "h.h"\nextern inline int f(int); int (*g(void))(int) { return f; }';
  expect(await verdict(first, second, header)).toBe('proved');
});
