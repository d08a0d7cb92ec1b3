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
  'what is pointed to from where a pointer from elsewhere leads':
    'struct s { int *p; }; struct s *get(void); void out(void); int main(void) { int x = 0; get()->p = &x; out(); assert(x == 0); return 0; }',
  'what is pointed to from something that was given away':
    'struct s { int *p; }; struct s *ext(struct s *); int main(void) { int x = 0, y = 0; struct s s; s.p = &x; ext(&s)->p = &y; *s.p = 5; assert(y == 0); return 0; }',
  'what a variable from elsewhere has a pointer of ours mean':
    'extern int **pp; int *g; int main(void) { int y = 0; *pp = &y; *g = 5; assert(y == 0); return 0; }',
  'what bytes from elsewhere mean':
    'void get(char *); static int y; int main(void) { char b[8]; int *q; get(b); memcpy(&q, b, 8); *q = 5; assert(y == 0); return 0; }',
  'what is given by ... to a function of ours':
    'void set(int k, ...) { __builtin_va_list l; __builtin_va_start(l, k); *__builtin_va_arg(l, int *) = 5; } int main(void) { int x = 0; set(1, &x); assert(x == 0); return 0; }',
  'what is kept in a function that is called from elsewhere':
    'void out(void *); int bump(void) { static int k; return k++; } void h(void) { bump(); } int main(void) { void *p = (void *)h; out(p); assert(bump() == 0); return 0; }',
};

test.each(Object.entries(NOT_PROVED))('%s can change', async (_, text) => {
  expect(await verdict(`#include <string.h>\n${text}`)).not.toBe('proved');
});

/** A pointer to y goes another way than pointers do, and comes back as q. */
const DETOURS: Readonly<Record<string, string>> = {
  'a large array': 'int *t[300]; t[7] = p; int i = 0; while (i < 7) i++; q = t[i];',
  'a structure in a large array':
    'struct { int *p; int k; } t[200]; t[7].p = p; int i = 0; while (i < 7) i++; q = t[i].p;',
  'a place in a large array of characters':
    'char room[4096]; int **t = (int **)(room + 64); t[7] = p; int i = 0; while (i < 7) i++; q = t[i];',
};

const detour = (way: string, claim: string) =>
  `#include <string.h>\nint main(void) { int y = 0; int *p = &y, *q; ${way} *q = 5; assert(${claim}); return 0; }`;

test.each(Object.entries(DETOURS))('a pointer comes back by way of %s', async (_, way) => {
  expect(await verdict(detour(way, 'y == 0'))).toBe('refuted');
  expect(await verdict(detour(way, 'y == 5'))).not.toBe('refuted');
});

/** On the way it is a number, or parts of it are, and what these are depends on where things lie. */
const AS_NUMBERS: Readonly<Record<string, string>> = {
  'a number rotated':
    'unsigned long n, m; memcpy(&n, &p, 8); m = n << 8 | n >> 56; m = m >> 8 | m << 56; memcpy(&q, &m, 8);',
  'bytes copied at once': 'char b[8]; memcpy(b, &p, 8); memcpy(&q, b, 8);',
  'bytes copied one by one': 'for (int i = 0; i < 8; i++) ((char *)&q)[i] = ((char *)&p)[i];',
  'two halves': 'union { int *p; unsigned w[2]; } u, v; u.p = p; v.w[1] = u.w[1]; v.w[0] = u.w[0]; q = v.p;',
  'bytes changed and changed back':
    'unsigned char b[8]; memcpy(b, &p, 8); for (int i = 0; i < 8; i++) b[i] ^= 7; for (int i = 0; i < 8; i++) b[i] ^= 7; memcpy(&q, b, 8);',
  'a number changed and changed back':
    'unsigned long n, m; memcpy(&n, &p, 8); m = n ^ 0x55; m ^= 0x55; memcpy(&q, &m, 8);',
  'a negative number': 'unsigned long n, m; memcpy(&n, &p, 8); m = -n; m = -m; memcpy(&q, &m, 8);',
  'the distance to another variable':
    'int z; int *r = &z; unsigned long n, m, d; memcpy(&n, &p, 8); memcpy(&m, &r, 8); d = m - n; m = m - d; memcpy(&q, &m, 8);',
  'the sum with another address':
    'int z; int *r = &z; unsigned long n, m, s; memcpy(&n, &p, 8); memcpy(&m, &r, 8); s = n + m; s = m - s; s = -s; memcpy(&q, &s, 8);',
  'bit by bit':
    'union { int *p; unsigned long n; } u, v; u.p = p; v.n = 0; for (unsigned long b = 1; b; b <<= 1) if (u.n & b) v.n += b; q = v.p;',
  'parts that are added up':
    'union { int *p; unsigned h[2]; } u; union { int *p; unsigned long n; } v; u.p = p; v.n = u.h[0] + ((unsigned long)u.h[1] << 32); q = v.p;',
  'a number of 128 bits':
    'union { int *p; unsigned long n; } u, v; u.p = p; __int128 w = u.n; w += 1; w -= 1; v.n = w; q = v.p;',
  'a cast and a union': 'union { unsigned long n; int *p; } v; v.n = (unsigned long)p; q = v.p;',
  'a function of the number':
    'union { unsigned long n; int *p; } u, v; u.p = p; v.n = u.n % 2 ? u.n : u.n + 0; q = v.p;',
};

test.each(Object.entries(AS_NUMBERS))('… and is not lost by way of %s', async (_, way) => {
  expect(await verdict(detour(way, 'y == 0'))).not.toBe('proved');
  expect(await verdict(detour(way, 'y == 5'))).not.toBe('refuted');
});

test.each([
  'union { int *p; unsigned long n; } u; u.p = &x; assert(u.n < 0x10000000ul);',
  'union { int *p; unsigned long n; } u; u.p = &x; assert(u.n > 0x10000000ul);',
  'union { unsigned long n; int *p; } u; u.p = &x; assert(u.n % 64 == 0);',
  'int *p = &x; unsigned char *c = (unsigned char *)&p; assert(c[5] == c[4]);',
  'int *p = &x; unsigned long n; memcpy(&n, &p, 8); assert(n > 5000);',
  'union { int *p; unsigned long n; } u, v; u.p = &x; v.p = &y; assert(u.n < v.n);',
  'int *t[300]; t[5] = &x; assert(((unsigned *)t)[10] == 0);',
  'int *p = &x; ((char *)&p)[0] = 0; assert(p == &x);',
  'int *p = &x; ((char *)&p)[0] = 0; assert(p != &x);',
  'union { char *p; unsigned tag : 3; } u; u.p = (char *)&x; u.tag = 0; assert(u.p == (char *)&x);',
  'union { int *p; struct { unsigned lo, hi; } h; } u, v; u.p = &x; v.p = &y; u.h.hi = v.h.hi; assert(u.p == &x);',
  'long n = input(); int *p; memcpy(&p, &n, 8); assert(p != &x);',
  'char *p = (char *)&x; assert((p - (char *)0) % 64 == 0);',
  'int *p = &x; struct { unsigned lo : 9, hi : 23; } b; memcpy(&b, &p, 4); assert(b.lo == 0);',
])('where things lie is not seen: %s', async (body) => {
  const text = `#include <string.h>\nextern long __VERIFIER_nondet_long(void); static long input(void) { return __VERIFIER_nondet_long(); }
    static int x, y; int main(void) { ${body} return 0; }`;
  expect(await verdict(text)).toBe('unknown');
});

test.each([
  ['int *q = &x + 1; q--; *q = 1; assert(x == 1);', 'proved'],
  ['int a[4] = { 0 }; for (int *q = a + 4; q != a; ) *--q = 1; assert(a[0] == 1 && a[3] == 1);', 'proved'],
  ['int a[4] = { 0 }; int *one = a - 1; one[1] = 7; assert(a[0] == 7);', 'proved'],
  ['int a[4] = { 0 }; long i = 2000; if (x) i = 2001; (a - 2000)[i] = 5; assert(a[0] == 5);', 'proved'],
  ['int a[4] = { 0 }; for (long i = 1000; i < 1004; i++) a[i - 1000] = 5; assert(a[2] == 5);', 'proved'],
  [
    'char a[4] = { 0 }; for (long i = 400000000; i < 400000004; i++) a[i - 400000000] = 5; assert(a[2] == 5);',
    'proved',
  ],
  [
    'char a[4] = { 0 }; long i = 2000000000; if (x) i++; *(i - 2000000000 + a) = 5; assert(a[0] == 5);',
    'proved',
  ],
])('an address that lies beside its object for a moment: %s', async (body, expected) => {
  expect(await verdict(`static int x; int main(void) { ${body} return 0; }`)).toBe(expected);
});

test('memory at a fixed address may be there', async () => {
  const text = (claim: string) =>
    `static int *const g = (int *)0x5000; static int x; int main(void) { *(int *)0x40021000 = 1; *g = 2; assert(${claim}); return 0; }`;
  expect(await verdict(text('0'))).not.toBe('proved');
  expect(await verdict(text('x == 0'))).not.toBe('refuted');
});

test('a distance within an array that a variable holds is one, too', async () => {
  const text = `int a[10]; int main(void) { int *p = a + 4, *q = a + 1; long d = p - q, e = p - a; int k = d * 2 + e; assert(k == 10 && d < e); return 0; }`;
  expect(await verdict(text)).toBe('proved');
});

test('a distance within an array is a number like any other', async () => {
  const text = `int a[10], b[4] = { 7, 7, 7, 7 }, n = 3; int main(void) { int *p = a + 4, *q = a + 1; b[p - q] = 5; assert(n == 3 && b[0] == 7 && b[3] == 5); return 0; }`;
  expect(await verdict(text)).toBe('proved');
});

test('a distance from the start of an array is one, wherever the start is written as a constant', async () => {
  const text = `struct { int x; short z[2]; } s = { 1, { 2, 3 } }; int u[4], t[2] = { 8, -9 };
    int main(void) { int n = __VERIFIER_nondet_int() & 3, *q = u + (n & 1); t[1 & n / (q - u | 1)] <<= 1; assert(s.z[1] == 3); return 0; }`;
  expect(await verdict(`extern int __VERIFIER_nondet_int(void); ${text}`)).toBe('proved');
  // Of one of two arrays it is none: behind it may lie anything.
  const other = `int u[4], v[4], x; int main(void) { int *q = n() ? u : v; *(q - u + v) = 5; assert(v[0] == 0); return 0; }`;
  expect(await verdict(`extern int n(void); ${other}`)).not.toBe('proved');
});
