// Numbers made from pointers that become pointers again, and those of which that is not known.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { checkC } from '../../check/testing.ts';
import { expectAgreement } from '../agreement.fuzz.ts';

const HEADERS = `#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
`;

async function verdictOf(body: string, dataModel: 'LP64' | 'ILP32' = 'LP64') {
  const { properties } = await checkC({
    path: 'x.c',
    files: { read: (path) => (path === 'x.c' ? HEADERS + body : null) },
    defines: [],
    includes: [],
    properties: ['assertions'],
    dataModel,
    budget: UNLIMITED,
    observer: SILENT,
  });
  return properties[0]!.verdict;
}

/** A program with a number that its assertion asks for. */
const KNOWN: readonly (readonly [string, (value: number) => string])[] = [
  [
    'a variable',
    (v) => `int main(void) { int m = 6; uintptr_t n = (uintptr_t)&m; assert(*(int *)n == ${v}); }`,
  ],
  [
    'a part of an array',
    (v) =>
      `int main(void) { int a[3] = {4, 5, 6}; uintptr_t n = (uintptr_t)a; assert(*(int *)(n + 8) == ${v}); }`,
  ],
  [
    'steps through several numbers',
    (v) => `int main(void) {
      int a[4] = {0, 6, 0, 0};
      uintptr_t n = (uintptr_t)&a[2], k = n + 4, l = k - 8;
      int *p = (int *)l;
      assert(*p == ${v});
    }`,
  ],
  [
    'parameters, results and members',
    (v) => `struct handle { int kind; uintptr_t place; };
      static uintptr_t given(uintptr_t n) { return n; }
      static int read(struct handle h) { return *(int *)h.place; }
      int main(void) { int m = 6; struct handle h = {1, given((uintptr_t)&m)}; assert(read(h) == ${v}); }`,
  ],
  [
    'memory that is allocated',
    (v) => `int main(void) {
      int *p = malloc(2 * sizeof *p);
      p[1] = 6;
      unsigned long n = (unsigned long)(p + 1);
      p = 0;
      assert(*(int *)n == ${v});
    }`,
  ],
  [
    'a write',
    (v) => `int main(void) { int m = 1; uintptr_t n = (uintptr_t)&m; *(int *)n = 6; assert(m == ${v}); }`,
  ],
  [
    'one of two, decided before it becomes a number',
    (v) => `int main(void) {
      int a = 6, b = 6;
      int *p = __VERIFIER_nondet_int() ? &a : &b;
      intptr_t n = (intptr_t)p;
      assert(*(int *)n == ${v});
    }`,
  ],
];

test.each(KNOWN)('%s is found again', async (_, program) => {
  for (const model of ['LP64', 'ILP32'] as const) {
    expect(await verdictOf(program(6), model)).toBe('proved');
    expect(await verdictOf(program(7), model)).toBe('refuted');
  }
});

/** Each would be proved of a program that takes the number for what it was before. */
test.each([
  [
    'another pointer by the same cast',
    `int main(void) {
      int a = 1, b = 2, i;
      uintptr_t first = 0, n = 0;
      for (i = 0; i < 2; i++) { if (i == 1) first = n; n = (uintptr_t)(i ? &b : &a); }
      assert(*(int *)first == 2);
    }`,
  ],
  [
    'a number that another way changes',
    `int main(void) {
      int a = 1, b = 2;
      uintptr_t n = (uintptr_t)&a;
      if (__VERIFIER_nondet_int()) n = (uintptr_t)&b;
      assert(*(int *)n == 1);
    }`,
  ],
  [
    'a number that is written through a pointer',
    `int main(void) {
      int a = 1, b = 2;
      uintptr_t n = (uintptr_t)&a, m = 0, *p = __VERIFIER_nondet_int() ? &n : &m;
      *p = (uintptr_t)&b;
      assert(*(int *)n == 1);
    }`,
  ],
  [
    'a number of which a byte is written',
    `int main(void) {
      int a[64] = {1};
      union { uintptr_t n; unsigned char c; } u;
      u.n = (uintptr_t)a;
      u.c += 4;
      assert(*(int *)u.n == 1);
    }`,
  ],
  [
    'one freed, where another may lie',
    `int main(void) {
      int *p = malloc(4);
      uintptr_t n = (uintptr_t)p;
      free(p);
      int *q = malloc(4);
      assert((int *)n != q);
    }`,
  ],
  [
    'a variable whose block has ended',
    `int main(void) { uintptr_t n; { int a; n = (uintptr_t)&a; } { int b; assert((int *)n != &b); } }`,
  ],
  [
    'a variable whose call has ended',
    `static uintptr_t f(void) { int a; return (uintptr_t)&a; }
    static int g(uintptr_t n) { int b; return (int *)n != &b; }
    int main(void) { uintptr_t n = f(); assert(g(n)); }`,
  ],
  [
    'half of an address',
    `int main(void) { int a = 1; *(volatile int *)(uintptr_t)(uint32_t)(uintptr_t)&a = 2; assert(a == 1); }`,
  ],
  [
    'a place outside',
    `int main(void) { int a = 1, b = 1; uintptr_t n = (uintptr_t)&a, m = (uintptr_t)&b; *(int *)(n + 4) = 2; assert(b == 1); }`,
  ],
])('%s is not', async (_, body) => {
  expect(await verdictOf(body)).not.toBe('proved');
});

test('gcc means the same', async () => {
  for (const [, program] of KNOWN)
    await expectAgreement(
      `#include <stdint.h>\nstatic int __VERIFIER_nondet_int(void) { return 1; }\n${program(6)}`,
    );
});
