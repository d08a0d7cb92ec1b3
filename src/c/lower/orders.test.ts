// Pointers compared by `<`, or subtracted: within an object the answer is known, between objects it is open.

import { expect, test } from 'vitest';
import { verdictOf } from '../../check/testing.ts';

const HEAD = `#include <stdlib.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int x[4], y[6]; struct account { int id, sum; } a = { 1, 10 }, b = { 2, 20 };
`;
const verdict = (text: string) => verdictOf(HEAD + text, 'assertions');

test.each<readonly [what: string, text: string]>([
  ['variables', 'int main(void) { int *p = x, *q = y; if (p < q) reach_error(); }'],
  ['variables the other way round', 'int main(void) { int *p = x, *q = y; if (p >= q) reach_error(); }'],
  ['what is a constant', 'int main(void) { if (&a > &b) reach_error(); }'],
  ['members', 'int main(void) { if (&a.sum <= &b.id) reach_error(); }'],
  ['one behind the end', 'int main(void) { if (&x[4] < &y[0]) reach_error(); }'],
  ['as a value', 'int main(void) { int first = x < y; if (first == 1) reach_error(); }'],
  [
    'by a function',
    'int order; void move(struct account *from, struct account *to) { order = from < to ? 1 : 2; } int main(void) { move(&a, &b); if (order != 1) reach_error(); }',
  ],
  [
    'what is allocated',
    'int main(void) { char *p = malloc(4), *q = malloc(4); if (!p || !q) return 0; if (p > q) reach_error(); }',
  ],
  [
    'a fault that one order alone shows',
    'int main(void) { int *p = x, *q = y; for (int i = 0; i < 4; i++) x[i] = i; if (p < q) q[0] = p[0]; else q[1] = 7; if (y[1]) reach_error(); }',
  ],
  ['in the size of an array', 'int main(void) { char v[x < y ? 1 : 2]; if (sizeof v == 2) reach_error(); }'],
  [
    'in the size of an array, the other way round',
    'int main(void) { char v[x > y ? 1 : 2]; if (sizeof v == 2) reach_error(); }',
  ],
  ['how far they are apart', 'int main(void) { if (&a - &b > 0) reach_error(); }'],
  ['how far they are apart, with another sign', 'int main(void) { if (&a - &b < 0) reach_error(); }'],
  [
    'how far either is from either',
    'int main(void) { int *p = __VERIFIER_nondet_int() ? x : y, *q = __VERIFIER_nondet_int() ? x : y; if (p - q < 0) reach_error(); }',
  ],
  [
    'how far it is from no object',
    'int main(void) { char *none = 0, *p = (char *)x; if (p - none < 5000) reach_error(); }',
  ],
  [
    'as far as that from another place',
    'int main(void) { int *p = x + (y - x); *p = 1; if (y[0] != 1) reach_error(); }',
  ],
])('the order of objects is not known: %s', async (_, text) => {
  expect(await verdict(text)).toBe('unknown');
});

test.each<readonly [what: string, text: string]>([
  [
    'both orders are right',
    'void lock(struct account *one) { one->id = -one->id; } int main(void) { struct account *p = &a, *q = &b; if (p < q) { lock(p); lock(q); } else { lock(q); lock(p); } if (a.id != -1 || b.id != -2) reach_error(); }',
  ],
  [
    'a function of two arrays',
    'int sum(int *p, int *end) { int n = 0; while (p < end) n += *p++; return n; } int main(void) { x[1] = 3; y[5] = 4; if (sum(x, x + 4) + sum(y, y + 6) != 7 || (x < y && y < x && 0)) reach_error(); }',
  ],
  [
    'either array, but the same one',
    'int main(void) { int c = __VERIFIER_nondet_int(); int *p = c ? x : y, *end = c ? x + 4 : y + 6; int n = 0; while (p < end) { *p++ = 1; n++; } if (n != (c ? 4 : 6)) reach_error(); }',
  ],
  [
    'no object',
    'int main(void) { int *p = __VERIFIER_nondet_int() ? x : y, *q = __VERIFIER_nondet_int() ? p : 0; if (q >= p && q != p) reach_error(); if (!q && !(q < p)) reach_error(); }',
  ],
  [
    'how far places of one array are apart, of two',
    'int main(void) { int c = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int(); if (k < 0 || k > 4) return 0; int *p = c ? x : y, *q = (c ? x : y) + k; if (q - p != k) reach_error(); }',
  ],
  [
    'constants that are known',
    'static int apart = &x[3] - &x[1], order = &x[1] < &x[3]; int main(void) { char v[&x[1] < &x[3] ? 1 : 2]; if (apart != 2 || order != 1 || sizeof v != 1) reach_error(); }',
  ],
])('proved: %s', async (_, text) => {
  expect(await verdict(text)).toBe('proved');
});

test('a fault behind comparisons within an object is found beside others', async () => {
  const text =
    'int main(void) { int c = __VERIFIER_nondet_int(); int *p = c ? x : y, *end = c ? x + 4 : y + 6; int n = 0; while (p < end) { p++; n++; } if (n == 6) reach_error(); }';
  expect(await verdict(text)).toBe('refuted');
});

test('how far strings are apart that are copied is no question of the order', async () => {
  const text = `char *strcpy(char *, const char *);
static unsigned deep(unsigned n) { return n ? deep(n - 1) + 1 : 0; }
int main(void) { char from[8] = "abc", to[8] = ""; from[__VERIFIER_nondet_int() & 3] = 0; strcpy(to, from); unsigned n = __VERIFIER_nondet_int(); if (to[3] || deep(n) != n) reach_error(); }`;
  expect(await verdict(text)).toBe('proved');
});
