// Pointers compared by `<`: within an object the answer is known, between objects it is open.

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
])('proved: %s', async (_, text) => {
  expect(await verdict(text)).toBe('proved');
});

test('a fault behind comparisons within an object is found beside others', async () => {
  const text =
    'int main(void) { int c = __VERIFIER_nondet_int(); int *p = c ? x : y, *end = c ? x + 4 : y + 6; int n = 0; while (p < end) { p++; n++; } if (n == 6) reach_error(); }';
  expect(await verdict(text)).toBe('refuted');
});
