// Functions of the library that are called through pointers, or that are not modelled: what they do to memory and to numbers counts there as well.

import { expect, test } from 'vitest';
import { verdictOf } from '../check/testing.ts';

const HEAD = `#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);
`;
const main = (body: string): string => `${HEAD}int main(void) { ${body} return 0; }`;

test.each([
  [
    'no-undefined',
    'refuted',
    'void *(*p)(void *, const void *, size_t) = memcpy; char a[2], b[4] = {1}; p(a, b, 4);',
  ],
  [
    'no-undefined',
    'refuted',
    'void *(*p)(void *, const void *, size_t) = memmove; char a[4], b[2] = {1}; p(a, b, 4);',
  ],
  [
    'no-undefined',
    'proved',
    'void *(*p)(void *, const void *, size_t) = memcpy; char a[4], b[4] = {1}; p(a, b, 4); p(a, b, 0);',
  ],
  ['no-undefined', 'refuted', 'void *(*p)(void *, int, size_t) = memset; char a[2]; p(a, 0, 3);'],
  ['no-undefined', 'unknown', 'char *(*p)(char *, const char *) = strcpy; char a[2]; p(a, "abcdef");'],
  ['no-undefined', 'unknown', 'div_t (*p)(int, int) = div; p(1, 0);'],
  ['no-undefined', 'refuted', 'char a[2], b[4] = "abc"; mempcpy(a, b, 4);'],
  ['no-undefined', 'refuted', 'char a[2]; bzero(a, 3);'],
  ['no-undefined', 'refuted', 'char a[2], b[4] = "abc"; bcopy(b, a, 3);'],
  ['no-leaks', 'unknown', 'void *(*p)(size_t) = malloc; p(4);'],
  ['no-leaks', 'unknown', 'char *(*p)(const char *) = strdup; p("a");'],
  ['no-leaks', 'unknown', 'aligned_alloc(16, 16);'],
  ['no-leaks', 'unknown', 'void *p; posix_memalign(&p, 16, 16);'],
  ['no-leaks', 'unknown', 'char *p; asprintf(&p, "abc");'],
  ['no-leaks', 'unknown', 'char *p = reallocarray(0, 4, 4);'],
  ['no-leaks', 'proved', 'if (0) aligned_alloc(16, 16); free(malloc(3));'],
  ['no-overflow', 'unknown', 'int (*p[2])(int) = {abs, abs}; int x = __VERIFIER_nondet_int(); p[x & 1](x);'],
  ['no-overflow', 'refuted', 'imaxabs(__VERIFIER_nondet_long());'],
  ['no-overflow', 'refuted', 'imaxdiv(INTMAX_MIN, -1);'],
  ['no-overflow', 'proved', 'imaxabs(__VERIFIER_nondet_int());'],
])('%s is %s: %s', async (property, expected, body) => {
  expect(await verdictOf(main(body), property)).toBe(expected);
});

test('what the program defines itself is called through pointers, too', async () => {
  const text = `int abs(int x) { return x < 0 ? 0 : x; } int (*p)(int) = abs; extern int __VERIFIER_nondet_int(void);
    int main(void) { return p(__VERIFIER_nondet_int()); }`;
  expect(await verdictOf(text, 'no-overflow')).toBe('proved');
});
