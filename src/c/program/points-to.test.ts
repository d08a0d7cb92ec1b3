// Pointers that the analysis must not lose.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { checkC } from '../../check/testing.ts';

async function verdict(text: string): Promise<string> {
  const { properties } = await checkC({
    path: 'x.c',
    files: { read: (path) => (path === 'x.c' ? text : null) },
    defines: [],
    includes: [],
    properties: [],
    budget: UNLIMITED,
    observer: SILENT,
  });
  return properties[0]!.verdict;
}

test.each([
  ['p = p + i * -4L', 'refuted'],
  ['p = p - i * 4', 'refuted'],
  ['p = p + -i * 4', 'refuted'],
  ['p = p + i * -3L', 'proved'],
])('%s', async (step, expected) => {
  const text = `extern int __VERIFIER_nondet_int(void); char buf[16];
    int main(void) { int k = __VERIFIER_nondet_int(); long i = k; if (i < 0 || i > 3) return 0;
      char *p = buf + 12; ${step}; *p = 1; assert(!buf[8]); return 0; }`;
  expect(await verdict(text)).toBe(expected);
});

test.each([
  'extern void change(void); const char *p; int main(void) { change(); assert(p == 0); return 0; }',
  'int x = 1, y = 2; const int *q = &x; int main(void) { const int **pp = &q; *pp = &y; assert(*q == 1); return 0; }',
  'int x = 1, y = 2; void set(const int **pp) { *pp = &y; } int main(void) { const int *r = &x; set(&r); assert(*r == 1); return 0; }',
  `struct S { const char *name; int n; }; const struct S *s; struct S a = { 0, 1 }, b = { 0, 2 };
   void pick(const struct S **out) { *out = __VERIFIER_nondet_int() ? &a : &b; } int main(void) { pick(&s); assert(s->n != 2); return 0; }`,
  `int x = 1, y = 2; const int *all[2] = { &x, &x }; void set(const int **pp) { *pp = &y; }
   int main(void) { set(all + 1); assert(*all[1] == 1); return 0; }`,
])('a pointer to something constant is not constant: %s', async (text) => {
  expect(await verdict(`extern int __VERIFIER_nondet_int(void); ${text}`)).not.toBe('proved');
});

test('what is constant stays as it is', async () => {
  const text = `extern void change(void); const int limit = 3, table[2] = { 1, 2 };
    int main(void) { change(); assert(limit == 3 && table[1] == 2); return 0; }`;
  expect(await verdict(text)).toBe('proved');
});

const NOT_PROVED: Readonly<Record<string, string>> = {
  'what a function from elsewhere is given the address of':
    'extern void set(int *p); int main(void) { int x = 0; set(&x); assert(x == 0); return 0; }',
  'what it was given before':
    'extern void keep(int *p); extern void later(void); int main(void) { int x = 0; keep(&x); x = 0; later(); assert(x == 0); return 0; }',
  'a part of an array':
    'extern void fill(void *p); int main(void) { int a[3] = { 0 }; fill(a + 1); assert(a[0] == 0); return 0; }',
  'a function that is in none of the files':
    'struct S { void (*f)(int *); }; extern struct S *dev(void); int main(void) { int x = 0; dev()->f(&x); assert(x == 0); return 0; }',
  'moving what overlaps':
    'int main(void) { int a[4] = { 1, 2, 3, 4 }; memmove(a + 1, a, 12); assert(a[3] != 3); return 0; }',
  'a part of a variable':
    'int x; int main(void) { memset((char *)&x + 1, 255, 1); assert(x == 0); return 0; }',
  'whatever a function does that is handed out':
    'extern void later(void (*f)(void)); int g; void h(void) { assert(g == 0); } int main(void) { later(h); g = 1; return 0; }',
  'an address as a number':
    'int main(void) { int x = 0; long l = (long)&x; int *p = (int *)l; *p = 5; assert(x == 0); return 0; }',
  'a number that is handed out':
    'extern void set(long at); int main(void) { int x = 0; set((long)&x); assert(x == 0); return 0; }',
};

test.each(Object.entries(NOT_PROVED))('%s can change', async (_, text) => {
  expect(await verdict(`#include <string.h>\n${text}`)).not.toBe('proved');
});
