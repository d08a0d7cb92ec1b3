// Pointers that the analysis must not lose.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { checkC } from './check-c.ts';

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
