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

const BOX = `extern int __VERIFIER_nondet_int(void); int x = 7, y = 8;
struct box { int n, a[4], *p; short m[2][3]; }; struct two { struct box b[2]; int *q; };
void put(struct box *b, int i) { if (i >= 0 && i < 4) b->a[i] = 1; }
int main(void) { int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int(); if (i < 0 || i > 3 || j < 0 || j > 1) return 0;`;

// What lies beside an array in a struct is not touched through its indices.
test.each([
  ['struct box s = { 0 }; s.p = &x; s.a[i] = 3; assert(*s.p == 7 && s.n == 0);', 'proved'],
  ['struct box s = { 0 }; s.p = &x; s.m[j][i % 3] = 3; assert(*s.p == 7);', 'proved'],
  ['struct box s = { 0 }; s.p = &x; put(&s, i); assert(*s.p == 7);', 'proved'],
  [
    'struct two t = { 0 }; t.q = t.b[0].p = t.b[1].p = &x; t.b[j].a[i] = 3; assert(*t.b[j].p == 7 && t.q == &x);',
    'proved',
  ],
  ['struct two t = { 0 }; t.b[0].p = &x; t.b[1].p = &y; t.b[j].a[i] = 3; assert(*t.b[j].p == 7);', 'refuted'],
  ['struct box s = { 0 }; s.p = &x; s.a[i] = 3; assert(s.a[2] == 0);', 'refuted'],
  ['struct box s = { 0 }; s.p = s.a; s.a[i] = 3; assert(*s.p == 0);', 'refuted'],
  ['union { struct box s; int w[8]; } u = { { 0 } }; u.w[i] = 3; assert(u.s.a[0] == 0);', 'refuted'],
  // An array that begins before the object it is taken to lie in: an index leads back into it.
  [
    `int w[8] = { 0 }; struct { int a[4]; } *p; long far = __VERIFIER_nondet_int() * 2654435761u == 0x12345678u;
     p = (void *)((struct { int u, v; } *)&w[1] - far); if (i > 0) { p->a[i] = 5; assert(w[0] == 0); }`,
    'refuted',
  ],
  ['union { struct box s; int w[8]; } u = { { 0 } }; u.w[i] = 3; assert(u.s.a[3] == 0);', 'proved'],
])('%s', async (body, expected) => {
  expect(await verdictOf(`${BOX} ${body} return 0; }`, 'assertions')).toBe(expected);
});
