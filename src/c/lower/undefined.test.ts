// Undefined behaviour: what the property finds, and what it leaves alone. The compiler's own tests (UBSan, ASan) judge random programs.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { answerC } from '../check-c.ts';
import { loadC } from '../load-c.ts';
import { NO_UNDEFINED } from './undefined.ts';

async function verdict(text: string): Promise<string> {
  const files = { read: (path: string) => (path === 'x.c' ? text : null) };
  const request = { path: 'x.c', files, defines: [], includes: [], budget: UNLIMITED, observer: SILENT };
  const { loaded, diagnostics } = await loadC(request);
  if (loaded === null) return diagnostics[0]!.message;
  const { answer } = await answerC(loaded, NO_UNDEFINED, request);
  return answer.verdict === 'refuted' ? `${answer.evidence.run.title}` : answer.verdict;
}

const INPUT = 'extern int __VERIFIER_nondet_int(void);';
const INVALID = 'a read through an invalid pointer is undefined';
const main = (body: string): string => `${INPUT} int a[3]; int main(void) { ${body} return 0; }`;

test.each([
  ['an index past the array', main('int i = 5; a[i] = 1;'), "a write outside of 'a' is undefined"],
  [
    '… by an input',
    main('int i = __VERIFIER_nondet_int(); if (i >= 0 && i <= 3) return a[i];'),
    "a read outside of 'a' is undefined",
  ],
  ['an index inside', main('int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 3) return a[i];'), 'proved'],
  [
    'a division by zero',
    main('int d = __VERIFIER_nondet_int(); return 10 / d;'),
    'a division by zero is undefined',
  ],
  [
    '… that cannot be',
    main('int d = __VERIFIER_nondet_int(); if (d != 0 && d != -1) return 10 / d;'),
    'proved',
  ],
  [
    'a quotient too large',
    main('int d = __VERIFIER_nondet_int(); if (d != 0) return d / -1;'),
    'a quotient that does not fit is undefined',
  ],
  [
    'a shift',
    main('int d = __VERIFIER_nondet_int(); return 1 << d;'),
    'a shift by its width or more is undefined',
  ],
  ['a null pointer', main('int *p = 0; return *p;'), 'a read through an invalid pointer is undefined'],
  ['an uninitialised pointer', main('int *p; int x = *p;'), 'a read through an invalid pointer is undefined'],
  ...[
    '*p;',
    '(void)*p;',
    '(int)*p;',
    'int r = (*p, 0);',
    'int r = ({ *p; 1; });',
    'for (*p; 0;) ;',
    'for (int i = 0; i < 1; i++, *p) ;',
    'int r = *p * 0;',
    'int r = *p && 0;',
    'struct S { int x, y; } *q = 0; *q;',
    'int printf(const char *, ...); printf("%d", *p);',
    'int isdigit(int); isdigit(*p);',
    'void exit(int); exit(*p);',
    'void other(int); other(*p);',
  ].map((body): [string, string, string] => [
    `a value that nobody uses: ${body}`,
    main(`int *p = 0; ${body}`),
    INVALID,
  ]),
  ['a quotient that nobody uses', main('int d = 0; 1 / d;'), 'a division by zero is undefined'],
  ['an address that nobody uses', main('int *p = 0; &*p; &p[1];'), 'proved'],
  ...[
    ['static const int t[4] = {1};', '*(int *)&t[2] = 5;', 't'],
    ['const struct { int a; unsigned b : 3; } t = {1, 2};', '*(int *)&t.a = 5;', 't'],
    ['static const int t[400] = {1};', '((int *)t)[2] = 5;', 't'],
    ['const char t[] = "abc";', '((char *)t)[1]++;', 't'],
    ['', 'static const int t = 3; *(int *)&t = 4;', 't'],
    ['', '((char *)"abc")[1] = 0;', '"…"'],
  ].map(([outside, body, what]): [string, string, string] => [
    `a constant at a known place: ${outside}${body}`,
    `${outside} ${main(body!)}`,
    `a write to the constant '${what}' is undefined`,
  ]),
  [
    'constants that get their values',
    main('for (int i = 0; i < 2; i++) { const int c = i, t[2] = {i, c}; a[c] = t[1]; }'),
    'proved',
  ],
  [
    'a constant',
    `int main(void) { char *s = "ab"; s[0] = 'x'; return 0; }`,
    `a write to the constant '"…"' is undefined`,
  ],
  ...[
    '*(int *)&n = 5;',
    '++*(int *)&n;',
    '*(int *)&n += 1;',
    '((char *)&n)[1] = 1;',
    'void *memset(void *, int, unsigned long); memset((void *)&n, 0, 2);',
    'void *memcpy(void *, const void *, unsigned long); memcpy((void *)&n, a, 4);',
    'char *strcpy(char *, const char *); strcpy((char *)&n, "ab");',
    'char *strncpy(char *, const char *, unsigned long); strncpy((char *)&n, "ab", 1);',
    '__atomic_store_n((int *)&n, 3, 5);',
    'struct s { int x : 3; }; ((struct s *)&n)->x = 1;',
    'struct s { int x; } s = {4}; *(struct s *)&n = s;',
  ].map((body): [string, string, string] => [
    `a constant at a known place: ${body}`,
    `const int n = 2; ${main(body)}`,
    "a write to the constant 'n' is undefined",
  ]),
  ...[
    'const int n = __VERIFIER_nondet_int();',
    'for (int i = 0; i < 2; i++) { const int n = i, m[2] = {n, i}; const char s[] = "ab"; }',
    'struct s { char c; int x : 3; long l; }; const struct s s = {1, 2, 3}, t = s; const int *p = (const int[]){4, t.x};',
    'const int n = ({ const int m = a[0]; m; }); const long double d = 2;',
    'char *strncpy(char *, const char *, unsigned long); strncpy("ab", "c", 0);',
  ].map((body): [string, string, string] => [`a constant gets its value: ${body}`, main(body), 'proved']),
  [
    'a call through a null pointer',
    main('void (*f)(void) = 0; f();'),
    'a call of what is no such function is undefined',
  ],
  [
    'a call of a variable',
    main('void (*f)(void) = (void (*)(void))a; f();'),
    'a call of what is no such function is undefined',
  ],
  ['a loop over an array', main('for (int i = 0; i < 3; i++) a[i] = i;'), 'proved'],
  [
    'a loop one too far',
    main('for (int i = 0; i <= 3; i++) a[i] = i;'),
    "a write outside of 'a' is undefined",
  ],
  [
    'a place as far from one array as this is from another: that is any place',
    'int a[4], b[4]; int main(void) { int *p = b; *(int *)((char *)p - (char *)a + (char *)b) = 5; return 0; }',
    'unknown',
  ],
  ['a failing assertion is none', `extern void reach_error(void); ${main('reach_error();')}`, 'proved'],
  [
    'what comes after an assertion is not reached',
    'void assert(int); int main(void) { assert(0); return 1 / 0; }',
    'proved',
  ],
])('%s', async (_, text, expected) => {
  expect(await verdict(text)).toBe(expected);
});
