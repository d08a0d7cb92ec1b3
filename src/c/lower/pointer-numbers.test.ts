// Pointers as numbers and numbers as pointers: exact where no object can lie, anything elsewhere.

import { expect, test } from 'vitest';
import { verdictOf } from '../../check/testing.ts';

const HEAD = `#include <assert.h>
extern int __VERIFIER_nondet_int(void); extern long __VERIFIER_nondet_long(void); extern unsigned long __VERIFIER_nondet_ulong(void);
#define ERR_PTR(e) ((void *)(long)(e))
#define IS_ERR(p) ((unsigned long)(p) >= (unsigned long)-4095)
int x, y;
`;
const main = (body: string) =>
  `${HEAD}int main(void) { int n = __VERIFIER_nondet_int(); long w = __VERIFIER_nondet_long(); ${body} return 0; }\n`;
const SMALL = 'if (n < 0 || n > 4095) return 0;';

test.each<readonly [what: string, text: string, expected: string]>([
  ['small numbers come back', main(`${SMALL} void *p = (void *)(long)n; assert((long)p == n);`), 'proved'],
  ['and in fewer bits', main(`${SMALL} void *p = (void *)(long)n; assert((int)(long)p == n);`), 'proved'],
  [
    'they differ as numbers do',
    main(`${SMALL} void *p = (void *)(long)n; assert(p != (void *)7);`),
    'refuted',
  ],
  ['null is 0', main(`${SMALL} void *p = (void *)(long)n; assert(p || n == 0);`), 'proved'],
  ['errors come back', main('if (n >= 0 || n < -4095) return 0; assert(IS_ERR(ERR_PTR(n)));'), 'proved'],
  ['what no object can be', main('void *p = n ? &x : ERR_PTR(-5); assert(IS_ERR(p) == !n);'), 'proved'],
  ['an error that is forgotten', main('void *p = n ? &x : ERR_PTR(-5); assert(!IS_ERR(p));'), 'refuted'],
  ['other numbers may be anything', main('void *p = (void *)w; assert((long)p == w);'), 'unknown'],
  ['also an object', main('assert((void *)w != &x);'), 'unknown'],
  ['an address may be any number', main('assert((long)&x != 123456);'), 'unknown'],
  ['but no small one', main('assert((unsigned long)&x >= 4096);'), 'proved'],
  ['nor one that nobody has', main('assert((unsigned long)&x < 1ul << 47);'), 'proved'],
  ['its lower bits may be any', main('assert((unsigned char)(long)&x != 77);'), 'unknown'],
  ['two of them may be far apart', main('assert((long)&x < (long)&y);'), 'unknown'],
  [
    'a number that nobody uses',
    main('unsigned long i = (unsigned long)&x + (unsigned long)&n; if (i < 0) return 0; assert(n != 5);'),
    'refuted',
  ],
  [
    'pieces of addresses are anything',
    main(
      'int *p = &x; unsigned long k = 0; __builtin_memcpy(&k, &p, 1); void *q = (void *)k; assert(q != (void *)77);',
    ),
    'unknown',
  ],
  [
    'and as numbers again',
    main('int *p = &x; unsigned long k = 0; __builtin_memcpy(&k, &p, 1); assert((long)(void *)k != 77);'),
    'unknown',
  ],
])('%s', async (_, text, expected) => {
  expect(await verdictOf(text, 'assertions')).toBe(expected);
});

test('in pointers of 32 bits', async () => {
  const text = main(`${SMALL} void *p = (void *)n; assert((int)p == n); assert((unsigned)&x < 0xfffff000u);`);
  expect(await verdictOf(text, 'assertions', 'ILP32')).toBe('proved');
});

test('a number that is given to a thread, calculated with, and returned', async () => {
  const text = `#include <assert.h>
#include <pthread.h>
void *f(void *given) { return (void *)((long)given * 2 + 42); }
int main(void) { pthread_t t; void *result; pthread_create(&t, 0, f, (void *)4); pthread_join(t, &result); assert(result == (void *)50); return 0; }
`;
  expect(await verdictOf(text, 'assertions')).toBe('proved');
});

/** gcc: the highest bit of a pointer is a sign where the number is wider. */
test.each<readonly ['LP64' | 'ILP32', string, string]>([
  ['ILP32', 'assert((long long)ERR_PTR(-5) == -5);', 'proved'],
  ['ILP32', 'assert((unsigned long long)ERR_PTR(-1) == 0xffffffff);', 'refuted'],
  ['ILP32', 'assert((unsigned long long)&x <= 0xffffffff);', 'unknown'],
  ['ILP32', 'assert(*(int *)(unsigned long long)&x == 0);', 'proved'],
  ['LP64', 'assert((__int128)ERR_PTR(-5) == -5);', 'proved'],
  ['LP64', 'assert((unsigned __int128)ERR_PTR(-5) >> 64 == 0);', 'refuted'],
])('%s, wider numbers: %s', async (model, body, expected) => {
  expect(await verdictOf(main(body), 'assertions', model)).toBe(expected);
});

/** Each holds with pointers of 32 bits, which wrap around as numbers of 32 bits do. */
test.each([
  'char *p = (char *)-1; assert(p == -1);',
  'if (n > 0 || n < -4000) return 0; char *p = (char *)n; assert(p == n);',
  'char *p = (char *)-4; assert(p + 8 == (char *)4); assert((char *)4 - 8 == p);',
  'int *p = (int *)-4, *q = p + 2; assert(q - p == 2 && p - q == -2);',
  'char *p = (char *)-4; assert(!(p + 4)); _Bool some = p + 4; assert(!some);',
])('32 bits: %s', async (body) => {
  expect(await verdictOf(main(body), 'assertions', 'ILP32')).toBe('proved');
});
