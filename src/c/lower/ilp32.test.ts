// Memory under ILP32, with the numbers of the ABI for i386: gcc -m32 says the same where it is installed (gcc.test.ts).

import { expect, test } from 'vitest';
import { programOf, runWith } from '../testing.ts';

const TEXT = `#include <stddef.h>
#include <limits.h>
#include <stdint.h>
struct A { char c; long long l; char d; double e; };
struct B { char c; void *p; short s; long n; };
struct C { char c; long double x; };
struct D { int a : 20; long long b : 40; char c; };
struct Node { int v; struct Node *next; };
union U { struct Node *p; unsigned n; unsigned char b[4]; };
int main(void) {
  struct Node x = { 1, 0 }, y = { 2, &x }, *list[2] = { &x, &y };
  __typeof__(&x) held = list[1];
  assert(sizeof(void *) == 4 && sizeof(size_t) == 4 && sizeof(ptrdiff_t) == 4 && sizeof(long long) == 8);
  assert(sizeof(long double) == 12 && sizeof(int64_t) == 8 && sizeof held == 4 && sizeof list == 8);
  assert(sizeof(struct A) == 24 && offsetof(struct A, l) == 4 && offsetof(struct A, e) == 16);
  assert(sizeof(struct B) == 16 && offsetof(struct B, p) == 4 && offsetof(struct B, n) == 12);
  assert(sizeof(struct C) == 16 && offsetof(struct C, x) == 4 && sizeof(struct D) == 12);
  assert(LONG_MAX == 2147483647 && ULONG_MAX == 4294967295u && SIZE_MAX == 4294967295u && sizeof(SIZE_MAX) == 4);
  assert(held->next->v == 1 && list[1]->next == list[0] && &list[1] - &list[0] == 1);
  held->next = 0;
  assert(y.next == 0 && (char *)&list[1] - (char *)&list[0] == 4);
  union U u; u.n = 0; assert(u.p == 0 && sizeof u == 4);
  long big = 2147483647; big++;
  assert(big < 0 && -1L > 0u == 1 && (unsigned long)-1 == 4294967295u && -1LL < 0u);
  assert(!__builtin_memcmp("abc", "abd", 0x100000002LL));
  return 0;
}
`;

test('sizes, places and numbers are those of i386', async () => {
  const program = await programOf(TEXT, {}, () => null, 'ILP32');
  const { outcome, edges } = runWith(program, []);
  const last = edges.at(-1)!.span;
  expect([outcome, outcome === 'end' ? '' : TEXT.slice(last.start, last.end)]).toEqual(['end', '']);
});
