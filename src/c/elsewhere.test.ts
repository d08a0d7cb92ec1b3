// Variables that are declared here and defined elsewhere, or defined without a value: what they hold at the start.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { checkC } from '../check/testing.ts';

async function verdict(text: string): Promise<string> {
  const { properties, diagnostics } = await checkC({
    path: 'x.c',
    files: { read: (path) => (path === 'x.c' ? text : null) },
    defines: [],
    includes: [],
    properties: [],
    budget: UNLIMITED,
    observer: SILENT,
  });
  return properties[0]?.verdict ?? diagnostics[0]!.code;
}

const failingWhen = (test: string) => `int main(void) { if (${test}) { ERROR: return 1; } return 0; }`;

const withNumbers = (test: string) => `int y; static unsigned long const x = (unsigned long)&y;
unsigned long t[3] = { 1, (unsigned long)&y + 4, 3 }; const unsigned long w[300] = { 1, (unsigned long)&y, 3 };
${failingWhen(test)}`;

test.each([
  [
    'a definition after an extern declaration is 0',
    `extern int x; int x; ${failingWhen('x == 5')}`,
    'proved',
  ],
  ['… before it, too', `int x; extern int x; ${failingWhen('x == 5')}`, 'proved'],
  ['and keeps its value', `extern int x; int x = 5; extern int x; ${failingWhen('x == 5')}`, 'refuted'],
  ['a second definition changes nothing', `int x = 5; int x; ${failingWhen('x != 5')}`, 'proved'],
  ['nobody defines it: any value', `extern int x; ${failingWhen('x == 5')}`, 'unknown'],
  ['… but one value', `extern int x; int y; ${failingWhen('x - x != y')}`, 'proved'],
  [
    'a pointer from elsewhere can point to what we do not see',
    `struct n { int v; struct n *next; }; extern struct n *head; ${failingWhen('head != 0 && head->v == 4')}`,
    'unknown',
  ],
  [
    'the size comes with a later declaration',
    `extern int a[]; int a[3]; ${failingWhen('(a[2] = 2) == 2')}`,
    'refuted',
  ],
  ['the size comes never: anything', `extern int a[]; ${failingWhen('a[1] == 2')}`, 'unknown'],
  ['… also 0', `extern int a[]; ${failingWhen('a[1] == 0')}`, 'unknown'],
  ['… where a function declares it', `${failingWhen('({ extern int a[]; a[1] == 0; })')}`, 'unknown'],
  ['… of a struct', `struct m; extern struct m mod; ${failingWhen('*(int *)&mod == 0')}`, 'unknown'],
  ['a large one holds anything', `extern int a[9000]; ${failingWhen('a[1] == 0')}`, 'unknown'],
  ['… of structs', `extern struct { int k, v; } t[9000]; ${failingWhen('t[7].v == 0')}`, 'unknown'],
  [
    '… at indices that a loop finds',
    `extern int a[300]; int i; ${failingWhen('({ while (i < 9 && a[i] == 0) i++; i > 3; })')}`,
    'unknown',
  ],
  ['… where a function declares it', `${failingWhen('({ extern int a[9000]; a[1] == 0; })')}`, 'unknown'],
  ['… until something is written', `extern int a[9000]; ${failingWhen('(a[1] = 3) != a[1]')}`, 'proved'],
  ...['extern int a[]', 'extern int a[9000]', 'struct m; extern struct m a'].flatMap((declaration) =>
    ['==', '!='].map((is) => [
      `among threads: ${declaration}, ${is}`,
      `#include <pthread.h>
void *f(void *x) { return x; } ${declaration};
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); if (*(int *)&a ${is} 0) { ERROR: return 1; } return 0; }`,
      'unknown',
    ]),
  ),
  ['… after it was used', `extern int a[]; int *p = a; int a[3]; ${failingWhen('p != a')}`, 'SPW5012'],
  [
    'the address of what nobody shows is one address',
    `struct m; extern struct m mod; struct d { struct m *m; int k; } d = { &mod, 3 }; int y;
${failingWhen('d.m != &mod || !d.m || d.k != 3 || d.m == (void *)&y')}`,
    'proved',
  ],
  [
    '… where anything lies',
    `struct m; extern struct m mod; struct m *p = &mod; ${failingWhen('*(int *)p == 7')}`,
    'unknown',
  ],
  ['a number made from an address is any number', withNumbers('x == 0'), 'unknown'],
  ['… in an array', withNumbers('t[1] == 0'), 'unknown'],
  ['… in a large one', withNumbers('w[1] == 0'), 'unknown'],
  ['… and those beside it are what they are', withNumbers('t[0] != 1 || t[2] != 3 || x != x'), 'proved'],
  ['a bit-field beyond int', `struct { unsigned long f : 40; } s; ${failingWhen('s.f == 2')}`, 'proved'],
  ['… which does not matter as long as it is not used', `extern int a[]; ${failingWhen('0')}`, 'proved'],
  [
    'what scanf reads is any value',
    `#include <stdio.h>\n${failingWhen('({ int x = 7; scanf("%d", &x); x == 5; })')}`,
    'refuted',
  ],
  [
    '… but only where it says that it read something',
    `#include <stdio.h>\n${failingWhen('({ int x = 7; int n = scanf("%d", &x); n < 1 && x != 7 || n > 1; })')}`,
    'proved',
  ],
  [
    'a text that scanf reads is not followed',
    `#include <stdio.h>\n${failingWhen('({ char x[4] = "abc"; scanf("%s", x); x[0] == 5; })')}`,
    'unknown',
  ],
  [
    'recursion as deep as it goes',
    `int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); } ${failingWhen('sum(20) != 210')}`,
    'proved',
  ],
  ['a local without a size', 'int main(void) { int a[]; ERROR: return a[0]; }', 'SPW5011'],
  [
    'an extern declaration that a local variable hides',
    'int x = 1; int main(void) { int x = 2; { extern int x; if (x != 1) { ERROR: return 1; } } return 0; }',
    'proved',
  ],
  [
    '… of what comes later',
    `int f(void) { extern int x; int g(int); return g(x); } int x = 3; int g(int y) { return y + 1; } ${failingWhen('f() != 4')}`,
    'proved',
  ],
  [
    '… of what two functions change',
    `void f(void) { extern int x; x = 5; } int g(void) { extern int x; return x; } ${failingWhen('({ f(); g() != 5; })')}`,
    'proved',
  ],
  [
    '… of what nobody defines',
    `int f(void) { extern int x; return x; } ${failingWhen('f() == 5')}`,
    'unknown',
  ],
  ['… but one value', `int f(void) { extern int x; return x; } ${failingWhen('f() != f()')}`, 'proved'],
  [
    '… of what a function from elsewhere may change',
    `void out(void); int f(void) { extern int x; x = 4; out(); return x; } ${failingWhen('f() != 4')}`,
    'unknown',
  ],
  [
    '… of a function that a local variable hides',
    `int g(void) { return 7; } ${failingWhen('({ int g = 2; ({ int g(void); g(); }) + g != 9; })')}`,
    'proved',
  ],
  ['… which nobody calls', `int f(void) { extern int x; return x; } ${failingWhen('0')}`, 'proved'],
  [
    'another name of a variable',
    `int x = 3; extern int y __attribute__((alias("x"))); ${failingWhen('({ y++; x != 4 || &x != &y; })')}`,
    'proved',
  ],
  [
    '… that comes before it',
    `extern int y __attribute__((alias("x"))); int *p = &y; int x = 3; ${failingWhen('({ y++; x != 4 || p != &x; })')}`,
    'proved',
  ],
  [
    '… that is static',
    `extern int y[2] __attribute__((alias("x"))); static int x[] = {3, 4}; ${failingWhen('({ y[1]++; x[1] != 5; })')}`,
    'proved',
  ],
  [
    'another name of a function',
    `int h(void) { return 3; } int k(void) __attribute__((alias("h"))); ${failingWhen('k() != 3 || k != h')}`,
    'proved',
  ],
  [
    '… that comes before it',
    `int k(int) __attribute__((weak, alias("h"))); int (*p)(int) = k; int h(int x) { return x + 1; } ${failingWhen('k(1) != 2 || p(3) != 4 || p != h')}`,
    'proved',
  ],
  [
    '… that the assembler knows',
    `void h(void) { ERROR:; } void k(void) __asm__("" "h"); int main(void) { k(); return 0; }`,
    'refuted',
  ],
  [
    '… of another name',
    `int k(void) __attribute__((alias("j"))); int j(void) __attribute__((alias("h"))); static int h(void) { return 3; } ${failingWhen('k() != 3')}`,
    'proved',
  ],
  [
    '… of another type',
    `int h(void) { return 3; } int k(int) __asm__("h"); ${failingWhen('k(1) != 3')}`,
    'unknown',
  ],
])('%s', async (_, text, expected) => {
  expect(await verdict(text)).toBe(expected);
});
