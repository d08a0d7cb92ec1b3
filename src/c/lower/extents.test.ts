// Memory of a size that inputs decide: its bounds, its end, and what the size is computed from.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { checkC, verdictOf } from '../../check/testing.ts';

const HEAD = `#include <stdlib.h>
#include <string.h>
#include <alloca.h>
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned long __VERIFIER_nondet_ulong(void); extern void reach_error(void);
`;

interface Case {
  readonly about: string;
  readonly body: string;
  readonly expected: 'proved' | 'refuted' | 'unknown';
  readonly property?: 'assertions' | 'no-leaks' | 'terminates';
  readonly dataModel?: 'ILP32';
}

const INT = 'int n = __VERIFIER_nondet_int(); if (n <= 0 || n > 100000) return 0; ';
const UNSIGNED = 'unsigned n = __VERIFIER_nondet_uint(); if (n > 40000) return 0; ';

const CASES: readonly Case[] = [
  {
    about: 'a loop over all of it',
    body: `${INT}int *a = malloc(n * sizeof *a); for (int i = 0; i < n; i++) a[i] = i; free(a);`,
    expected: 'proved',
  },
  {
    about: '… on i386',
    body: `${INT}int *a = malloc(n * sizeof *a); for (int i = 0; i < n; i++) a[i] = i; free(a);`,
    expected: 'proved',
    dataModel: 'ILP32',
  },
  {
    about: '… and one more',
    body: `${INT}int *a = malloc(n * sizeof *a); for (int i = 0; i < n; i++) a[i] = i; a[n] = 0; free(a);`,
    expected: 'refuted',
  },
  {
    about: 'one too far, of many only',
    body: `${INT}if (n < 1000) return 0; int *a = malloc(n * sizeof *a); a[n] = 0; free(a);`,
    expected: 'refuted',
  },
  {
    about: 'one before',
    body: `${INT}char *a = malloc(n); a[-1] = 0; free(a);`,
    expected: 'refuted',
  },
  {
    about: 'a part of the last element is beyond',
    body: `${INT}int *a = malloc(4 * n - 1); a[n - 1] = 0; free(a);`,
    expected: 'refuted',
  },
  {
    about: 'as many as an int says',
    body: 'int n = __VERIFIER_nondet_int(); if (n <= 0) return 0; int *a = malloc(n * sizeof *a); for (int i = 0; i < n; i++) a[i] = i; free(a);',
    expected: 'proved',
  },
  {
    about: '… on i386, where the product wraps around',
    body: 'int n = __VERIFIER_nondet_int(); if (n <= 0) return 0; int *a = malloc(n * sizeof *a); if (a) a[n - 1] = 1; free(a);',
    expected: 'refuted',
    dataModel: 'ILP32',
  },
  {
    about: 'a product that wraps around',
    body: 'unsigned long n = __VERIFIER_nondet_ulong(); int *p = malloc(n * 4); if (!p || n < 9) return 0; p[8] = 1; free(p);',
    expected: 'refuted',
  },
  {
    about: '… which calloc looks at',
    body: 'unsigned long n = __VERIFIER_nondet_ulong(); if (n < 9 || (n > 1000 && n < 1ul << 62)) return 0; int *p = calloc(n, 4); if (!p) return 0; p[8] = 1; free(p);',
    expected: 'proved',
  },
  {
    about: 'a negative number is more than there is',
    body: 'int n = __VERIFIER_nondet_int(); if (n >= 0) return 0; char *p = malloc(n); if (p) reach_error();',
    property: 'assertions',
    expected: 'proved',
  },
  {
    about: '… and nobody looks',
    body: 'int n = __VERIFIER_nondet_int(); if (n == 0 || n > 5000) return 0; char *p = malloc(n); p[0] = 1; free(p);',
    expected: 'refuted',
  },
  {
    about: '… and somebody looks',
    body: 'int n = __VERIFIER_nondet_int(); if (n == 0 || n > 5000) return 0; char *p = malloc(n); if (!p) return 0; p[0] = 1; free(p);',
    expected: 'proved',
  },
  {
    about: 'nothing, or more',
    body: `${UNSIGNED}char *p = malloc(n); p[0] = 1; free(p);`,
    expected: 'refuted',
  },
  {
    about: 'a constant size that is large',
    body: 'char *p = malloc(100000000); p[99999999] = 1; free(p);',
    expected: 'proved',
  },
  {
    about: '… and one beyond',
    body: 'char *p = malloc(100000000); p[100000000] = 1; free(p);',
    expected: 'refuted',
  },
  {
    about: 'an array of variable length',
    body: 'int n = __VERIFIER_nondet_int(); if (n < 1 || n > 5000) return 0; int a[n]; for (int i = 0; i < n; i++) a[i] = i;',
    expected: 'proved',
  },
  {
    about: '… and one more',
    body: 'int n = __VERIFIER_nondet_int(); if (n < 1 || n > 5000) return 0; int a[n]; for (int i = 0; i <= n; i++) a[i] = i;',
    expected: 'refuted',
  },
  {
    about: '… without elements',
    body: 'int n = __VERIFIER_nondet_int(); if (n > 50) return 0; char a[n];',
    expected: 'refuted',
  },
  {
    about: 'what ends with the function',
    body: 'int n = __VERIFIER_nondet_int(); if (n < 1) n = 1; int *a = alloca(n * sizeof *a); for (int i = 0; i < n; i++) a[i] = 0;',
    expected: 'proved',
  },
  {
    about: 'filled by the library',
    body: `${UNSIGNED}char *p = malloc(n); memset(p, 0, n); free(p);`,
    expected: 'proved',
  },
  {
    about: '… and one more',
    body: `${UNSIGNED}char *p = malloc(n); memset(p, 0, n + 1); free(p);`,
    expected: 'refuted',
  },
  {
    about: 'a struct with bytes behind it',
    body: `${UNSIGNED}struct s { int len; char data[]; } *p = malloc(sizeof *p + n); p->len = n; for (unsigned i = 0; i < n; i++) p->data[i] = 0; free(p);`,
    expected: 'proved',
  },
  {
    about: '… and one more',
    body: `${UNSIGNED}struct s { int len; char data[]; } *p = malloc(sizeof *p + n); p->len = n; for (unsigned i = 0; i <= n; i++) p->data[i] = 0; free(p);`,
    expected: 'refuted',
  },
  {
    about: 'two, the second at least as long',
    body: 'int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(); if (n < 1 || m < n) return 0; int *a = malloc(n * sizeof *a), *b = malloc(m * sizeof *b); for (int i = 0; i < n; i++) a[i] = b[i] = i; free(a); free(b);',
    expected: 'proved',
  },
  {
    about: '… the first',
    body: 'int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(); if (n < 50 || m < n) return 0; int *a = malloc(n * sizeof *a), *b = malloc(m * sizeof *b); a[m] = b[m - 1]; free(a); free(b);',
    expected: 'refuted',
  },
  {
    about: 'used after it was freed',
    body: `${INT}char *p = malloc(n + 100); free(p); p[1] = 1;`,
    expected: 'refuted',
  },
  {
    about: 'freed',
    body: `${INT}char *p = malloc(n); p[n - 1] = 1; free(p);`,
    property: 'no-leaks',
    expected: 'proved',
  },
  {
    about: 'not always freed',
    body: `${INT}char *p = malloc(n); if (n == 3999) return 1; free(p);`,
    property: 'no-leaks',
    expected: 'refuted',
  },
  {
    about: 'shrunk, and used beyond',
    body: `${INT}if (n < 2) return 0; char *p = malloc(n); p = realloc(p, n - 1); p[n - 1] = 1; free(p);`,
    expected: 'refuted',
  },
  {
    about: 'more than there is: the old memory stays',
    body: 'unsigned long n = __VERIFIER_nondet_ulong(); if (n < 1ul << 63) return 0; char *p = malloc(9), *q = realloc(p, n); if (q) reach_error(); p[8] = 1; free(p);',
    expected: 'proved',
  },
  {
    about: 'a loop that ends',
    body: `${INT}char *p = malloc(n); int i = 0; while (i < n) { p[i] = 0; i++; } free(p);`,
    property: 'terminates',
    expected: 'proved',
  },
  {
    about: 'what it holds is known where it is executed',
    body: `${INT}if (n < 51) return 0; int *p = malloc(n * sizeof *p); for (int i = 0; i < n; i++) p[i] = i; if (p[40] == 40) reach_error(); free(p);`,
    property: 'assertions',
    expected: 'refuted',
  },
];

test.each(CASES)('$about ($expected)', async ({ body, expected, property, dataModel }) => {
  const text = `${HEAD}int main(void) { ${body} return 0; }`;
  const files = { read: (path: string) => (path === 'x.c' ? text : null) };
  const { properties, diagnostics } = await checkC({
    ...{ path: 'x.c', files, properties: [property ?? 'no-undefined'], budget: UNLIMITED, observer: SILENT },
    ...(dataModel === undefined ? {} : { dataModel }),
  });
  expect(properties[0]?.verdict ?? diagnostics[0]!.message).toBe(expected);
});

test.each([
  ['n', 'proved'],
  ['n + 1', 'unknown'],
])('room for what a function of the library writes: %s bytes of n', async (bytes, expected) => {
  const text = `#include <stdio.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 50 || n > 60) return 0; char *a = malloc(n); fread(a, 1, ${bytes}, stdin); return 0; }
`;
  expect(await verdictOf(text, 'no-undefined')).toBe(expected);
});
