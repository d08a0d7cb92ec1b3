// Indices of arrays that are rows of others, as gcc's -fsanitize=bounds sees them.

import { expect, test } from 'vitest';
import { verdictOf } from '../../check/testing.ts';

const AROUND = (body: string) => `
int __VERIFIER_nondet_int(void);
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 3) return 0; ${body} return 0; }`;

test.each([
  ['int a[3][4]; a[0][n] = 1;', 'proved'],
  ['int a[4][3]; a[0][n] = 1;', 'refuted'],
  ['int a[3][n]; a[0][n - 1] = 1;', 'proved'],
  ['int a[3][n]; a[0][n] = 1;', 'refuted'],
  ['int a[3][n]; int *end = &a[0][n];', 'proved'],
  ['int a[3][n]; int *end = &a[0][n + 1];', 'refuted'],
  ['int a[3][n]; a[1][-1] = 1;', 'refuted'],
  ['int a[3][n]; int m = n; n = 9; a[0][m - 1] = 1;', 'proved'],
  ['int a[2][n][2]; a[0][n - 1][1] = 1;', 'proved'],
  ['int a[2][n][2]; a[0][n][0] = 1;', 'refuted'],
  ['int a[2][2][n]; a[0][1][n - 1] = 1;', 'proved'],
  ['int a[2][2][n]; a[0][2][0] = 1;', 'refuted'],
  ['int a[8], (*p)[n] = (int (*)[n])a; (*p)[n - 1] = 1;', 'proved'],
  ['int a[8], (*p)[n] = (int (*)[n])a; (*p)[n] = 1;', 'refuted'],
])('%s', async (body, expected) => {
  expect(await verdictOf(AROUND(body), 'no-undefined')).toBe(expected);
});
