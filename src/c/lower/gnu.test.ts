// Corners of C and GNU C that gcc compiles: each program ends without a failing assertion.

import { expect, test } from 'vitest';
import { programOf, runWith } from '../testing.ts';

const CASES: readonly (readonly [name: string, text: string])[] = [
  [
    'a variable whose only value comes from a cast to a union is no constant',
    'int f(int n) { return n; } union { int i; long w; } x = { 5 }; int main(void) { x = (__typeof__(x))f(7); assert(x.i == 7); }',
  ],
  [
    'a cast to a union gives one member, and 0 to the bytes beside it',
    `union u { short h; int i; unsigned char b[4]; long w; } x = { .w = -1 }; union large { int i; char b[600]; } y;
int f(int n) { return n; }
int main(void) { for (int i = 0; i < 2; i++) { if (i) x = (union u)(short)f(3); else x = (union u)(f(7) * -1L);
  assert(i ? x.w == 3 && x.b[0] == 3 : x.i == -7 && x.b[3] == 255); }
  x = (union u)f(70000); y = (union large)f(5); assert(x.i == 70000 && x.h == 4464 && x.w == 70000 && y.i == 5); }`,
  ],
  [
    'members as long as variables that nothing changes say',
    `void f(int n) { struct { char c; int a[n]; short b; } s; s.b = 1; s.a[2] = 7; assert(sizeof s == 20 && s.b == 1 && (char *)&s.b - (char *)&s == 16); }
int main(void) { int i = 3, j = 5; struct s { double d; struct t { char c; int a[i][j]; } t; } s; s.t.a[2][4] = 7;
  struct u { int a[i][2]; } u; assert(sizeof s == 72 && sizeof u == 24 && *(int *)((char *)&s + 68) == 7); f(3); f(3); }`,
  ],
  ['a size that assigns', 'int main(void) { int n = 3; int a[n += 1]; assert(sizeof a == 16 && n == 4); }'],
  [
    'digits apart',
    `int main(void) { assert(1'000 == 1000 && 0xff'ff == 65535 && 0b1'1 == 3 && 1'0.5 == 10.5 && 'a' == 97); }`,
  ],
  [
    'bytes that are no UTF-8, and backslashes before more than ASCII',
    `int main(void) { char s[] = "a\u{10ffe9}\\é"; assert(sizeof s == 5 && s[1] == '\\351' && s[2] == '\\303' && s[3] == '\\251');
  assert('\u{10ffe9}' == -23 && '\u{10ffe9}\u{10ffff}' == 0xe9ff && '\\é' == 0xc3a9); }`,
  ],
  [
    'members of the structs that va_arg gives',
    `struct s { char c[3]; int n; }; int f(int i, ...) { __builtin_va_list l; __builtin_va_start(l, i);
  int r = __builtin_va_arg(l, struct s).c[i] * 10 + (__builtin_va_arg(l, struct s)).n; __builtin_va_end(l); return r; }
int main(void) { assert(f(1, (struct s){ { 1, 2 } }, (struct s){ { 3 }, 4 }) == 24); }`,
  ],
  [
    'a length that an earlier declaration tells',
    'extern int a[4]; int a[] = { 1, 2 }; static int b[]; static int b[2]; int main(void) { assert(sizeof a == 16 && a[1] == 2 && a[3] == 0 && sizeof b == 8); }',
  ],
  [
    'attributes in double brackets inside of functions',
    `[[nodiscard]] int f(void) { return 0; } int main(void) { [[maybe_unused]] int x = f(); [[gnu::unused]] static int y;
  switch (x) { case 0: x = 1; [[fallthrough]]; case 1: x += 2; } [[]]; assert(x == 3 && y == 0); }`,
  ],
  [
    'what is not chosen in a constant expression is not computed',
    'enum { A = 0 && 1 / 0, B = 1 || 1 / 0, C = 1 ? 2 : 1 / 0 }; int t[B ? C : 1 / 0]; int main(void) { assert(A == 0 && B == 1 && C == 2 && sizeof t == 8); }',
  ],
  [
    '_Alignas of a member without a name',
    `struct A { _Alignas(16) struct { int a; }; int b; };
struct B { char c; _Alignas(8) union { int x; char y; }; _Alignas(8) int z; };
int main(void) {
  assert(sizeof(struct A) == 16 && _Alignof(struct A) == 16);
  assert(sizeof(struct B) == 24 && __builtin_offsetof(struct B, x) == 8);
}`,
  ],
  [
    '_Generic is the place it chooses, an array among them',
    `int arr[7];
int main(void) {
  int i = 0;
  assert(sizeof(_Generic(i, int: arr, default: i)) == 28);
  _Generic(i, int: arr)[2] = 5; _Generic(i, int: i, default: arr) = 3;
  assert(arr[2] == 5 && i == 3);
}`,
  ],
  [
    'literals outside of functions',
    `struct s { int x; }; int *p = (int[]){ 3, 4, 5 }; struct s *q = &(struct s){ .x = 42 };
struct t { void *p; } t = { (void *) & (struct s) { .x = 43 } };
int main(void) { p[1]++; assert(p[1] == 5 && p[2] == 5 && q->x == 42 && ((struct s *)t.p)->x == 43); }`,
  ],
  [
    'functions that are called at the end, the last one first',
    `extern int atexit(void (*)(void)); extern void exit(int); int n;
static void one(void) { assert(n == 7); n = 2; } static void two(void) { n += 2; } static void three(void) { assert(n == 5); }
void out(int x) { if (x) exit(0); }
int main(void) { atexit(one); atexit(&two); atexit(three); n = 5; out(n); assert(0); }`,
  ],
  [
    'equal literals are one object',
    `const char *a = "abc"; int main(void) { const char *b = "abc"; assert(a == b && a != "abcd" && __func__ != "main"); }`,
  ],
  [
    'a label before the value of a block',
    `#define F(x) ({ __label__ out; int r = 0; if (x) goto out; r = 1; out: r; })
int main(void) { assert(F(1) == 0 && F(0) == 1); int v = ({ int w = 3; one: two: w + 1; }); assert(v == 4); }`,
  ],
  [
    'attributes in double brackets',
    'struct [[gnu::packed]] s { char c; int i; }; int main(void) { assert(sizeof(struct s) == 5); }',
  ],
  [
    'the name of the function',
    `void f(void) { assert(__func__[0] == 'f' && sizeof(__FUNCTION__) == 2); }
int main(void) { f(); assert(__PRETTY_FUNCTION__[1] == 'a'); }`,
  ],
  [
    'a choice between nothing and a number',
    `int n; void hit(void) { n++; } int main(void) { n == 0 ? hit() : 0; n == 0 ? 0 : hit(); assert(n == 2); }`,
  ],
  [
    'offsets written as addresses',
    `struct S { char a; int b[4]; }; enum { E = (long)&((struct S *)0)->b[2] };
char pad[(unsigned)&((struct S *)0)->b]; int main(void) { assert(E == 12 && sizeof pad == 4); }`,
  ],
  ['types without a length', 'int main(void) { assert(__builtin_types_compatible_p(int[5], int[])); }'],
  [
    'labels of a block',
    `int main(void) {
  int x = 4;
  { __label__ here; goto here; x = 9; here: x++; }
  for (int i = 0; i < 2; i++) { __label__ here, there; goto there; here: x += 10; continue; there: goto here; }
  assert(x == 25);
}`,
  ],
  [
    'a table of labels',
    `int run(const unsigned char *code, int x) {
  static const void *const table[] = { &&inc, &&dbl, &&neg, &&stop };
  goto *table[*code++];
  inc: x++; goto *table[*code++];
  dbl: x *= 2; goto *table[*code++];
  neg: x = -x; goto *table[*code++];
  stop: return x;
}
int main(void) {
  unsigned char p[] = { 0, 1, 2, 3 }, q[] = { 1, 1, 0, 3 };
  assert(run(p, 4) == -10 && run(q, 3) == 13);
}`,
  ],
  [
    'addresses of labels: in calls of one function they are the same, those of blocks are their own',
    `int twice(int n) { void *to = n > 0 ? &&more : &&done; goto *to; more: return twice(n - 1) + 2; done: return 0; }
void *again(void *p) { if (p) goto *p; return &&here; here: return 0; }
#define PICK(c) ({ __label__ yes, no, out; int r; void *p = (c) ? &&yes : &&no; goto *p; yes: r = 1; goto out; no: r = 0; out: r; })
int main(void) {
  void *a = &&one, *b = &&two; int n = 0;
  assert(a != b && a == &&one && a && twice(3) == 6 && PICK(1) + 2 * PICK(0) == 1 && again(again(0)) == 0);
  one: n++; if (n < 5) goto *a;
  two: n++; if (n == 6) goto *b;
  assert(n == 7);
}`,
  ],
  [
    'arrays of several variable sizes, as variables and parameters',
    `int sum(int n, int m, int a[n][m]) {
  int s = 0;
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j];
  assert(sizeof a[0] == m * sizeof(int));
  return s;
}
int at(int m, int (*p)[m], int i, int j) { return p[i][j]; }
int last(int n, int a[*][n], int k); int last(int n, int a[][n], int k) { return *(*(a + k) + n - 1); }
int rec(int n) { char a[n][2]; a[n - 1][1] = n; return n == 1 ? a[0][1] : rec(n - 1) + a[n - 1][1]; }
int three(int a, int b, int c) {
  int x[a][b][c];
  x[a - 1][b - 1][c - 1] = 7;
  assert(sizeof x == a * b * c * 4 && sizeof x[0] == b * c * 4 && sizeof x[0][0] == c * 4 && *(x[a - 1][b - 1] + c - 1) == 7);
  return &x[1][0][0] - &x[0][0][0];
}
int main(void) {
  int n = 2, m = 3, a[n][m], fixed[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = 10 * i + j;
  assert(sum(n, m, a) == 36 && at(m, a, 1, 2) == 12 && last(3, a, 1) == 12 && sum(2, 3, fixed) == 21);
  int (*q)[m] = a; q++; assert((*q)[1] == 11 && q - a == 1);
  assert(rec(3) == 6 && three(1, 2, 2) == 4 && three(2, 1, 3) == 3);
}`,
  ],
  [
    'sizes that are computed, once',
    `#include <stdlib.h>
int main(void) {
  int n = 2, m = 3, k = 1, a[n][m], b[2][m + 1];
  assert(sizeof a == 24 && sizeof a[0] == 12 && sizeof(int[n][m + 1]) == 32 && sizeof(int[n]) == 8 && sizeof b == 32);
  typedef short row[n]; n = 5; row r; __typeof__(b) c; assert(sizeof r == 4 && sizeof(row) == 4 && sizeof c == 32);
  assert(sizeof(char[k++]) == 1 && k == 2 && sizeof(a[--k]) == 12 && k == 1);
  int (*h)[m] = malloc(sizeof(int[2][m])); h[1][2] = 4; assert(h[1][2] == 4);
  for (int i = 1; i < 7; i++) { int v[i]; v[i - 1] = i; assert(v[i - 1] == i && sizeof v == 4 * i); }
}`,
  ],
  [
    'sizes that are named by casts',
    `int g = 3;
static int next(int x) { g++; return x; }
int main(void) {
  int n = 4, a[24];
  for (int i = 0; i < 24; i++) a[i] = i;
  __typeof__(*(int (*)[n])a) x; __typeof__((int (*)[n + 1])0) q = (void *)a; typedef int row[n]; row *rows = (row *)a;
  n = 2;
  assert(sizeof x == 16 && sizeof *q == 20 && q[1][1] == 6 && rows[2][3] == 11 && sizeof *rows == 16);
  assert(sizeof(*(int (*)[n][n + 1])a) == 24 && sizeof((*(int (*)[n][n + 1])a)[0]) == 12 && sizeof(((int (*)[n][n + 1])a)[0][1]) == 12);
  assert(sizeof(*(int (*)[next(n)])a) == 8 && g == 4 && sizeof((0, (int (*)[n])a)[0]) == 8 && sizeof(*(__typeof__(int (*)[n + 7]))a) == 36);
  assert(((__typeof__(*(int (*)[n])a) *)a)[3][1] == 7 && sizeof(**(row **)&rows) == 16);
}`,
  ],
  [
    'types of calls in constants',
    `static unsigned char small(void) { return 1; }
static int (*pointer)(int);
_Static_assert(_Generic(small(), unsigned char: 1, default: 0) && sizeof(small()) == 1, "");
static int a[_Generic(small() + 0, int: 3, default: 1)];
enum { N = sizeof(pointer(3)) + _Generic(pointer(small()), int: 1, default: 7) };
int main(void) {
  assert(sizeof a == 12 && N == 5 && __builtin_choose_expr(sizeof(small()) == 1, 5, 6) == 5);
  switch (4) { case sizeof(pointer(2)): return 0; }
  assert(0);
}`,
  ],
  [
    'types that are too large for any variable',
    'union u { char c[(1L << 30) * 500]; short s; }; int main(void) { assert(sizeof(union u) == 536870912000 && sizeof(char[1L << 39]) >> 39 == 1); }',
  ],
  [
    'arguments behind the dots',
    `#define va_list __builtin_va_list
#define va_start __builtin_va_start
#define va_arg __builtin_va_arg
#define va_copy __builtin_va_copy
#define va_end __builtin_va_end
struct p { int x, y; };
int sum(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n-- > 0) s += va_arg(l, int); va_end(l); return s; }
int vsum(int n, va_list l) { int s = 0; for (int i = 0; i < n; i++) s += va_arg(l, int); return s; }
int wrap(int n, ...) { va_list l, k; va_start(l, n); va_copy(k, l); int a = vsum(n, l); int b = vsum(n, k); va_end(l); va_end(k); return a == b ? a : -1; }
double mix(const char *f, ...) {
  va_list l; va_start(l, f); double r = 0;
  for (; *f; f++) switch (*f) {
    case 'i': r += va_arg(l, int); break;
    case 'u': r += va_arg(l, unsigned); break;
    case 'l': r += va_arg(l, long); break;
    case 'd': r += va_arg(l, double); break;
    case 'p': r += *va_arg(l, int *); break;
    case 's': { struct p q = va_arg(l, struct p); r += q.x * q.y; break; }
  }
  va_end(l); return r;
}
void set(int n, ...) { va_list l; va_start(l, n); while (n--) { int *p = va_arg(l, int *); *p = va_arg(l, int); } va_end(l); }
int rec(int n, ...) { va_list l; va_start(l, n); int v = va_arg(l, int); va_end(l); return n == 0 ? v : rec(n - 1, v + n); }
int none(int n, ...) { va_list l; va_start(l, n); va_end(l); return n; }
int main(void) {
  char c = -1; unsigned char uc = 200; float f = 1.5f; struct p q = { 3, 4 }; int x = 5, y;
  assert(sum(3, 1, 2, 3) == 6); assert(sum(0) == 0 && sum(2, c, uc) == 199);
  assert(wrap(3, 4, 5, 6) == 15 && wrap(1, 7) == 7);
  assert(mix("idlups", 1, f, 2L, 3u, &x, q) == 24.5);
  set(2, &x, 8, &y, 9); assert(x == 8 && y == 9);
  assert(rec(3, 10) == 16 && none(4) == 4 && none(4, "x") == 4);
  int (*fp)(int, ...) = sum; assert(fp(2, 20, 22) == 42);
  return 0;
}`,
  ],
  [
    'variables that nothing changes, but jumps that pass them',
    `#include <stdlib.h>
int one(void) { return 1; }
int f(int k) {
  int n = 12, a[n], m = n + 1; a[11] = k;
  for (int i = 0; i < 2; i++) { int q = 3; { int q = i; assert(q == i); } assert(q == 3); }
  int z = one(), y = ({ int t = 4; t; }); assert(z == 1 && y == 4 && m == 13);
  if (k > 5) goto out;
  return a[11] + sizeof a;
  out: return 0;
}
int g(int k) { int d = k * 2; return d; }
int passed(int k) { int *p = 0; again: if (p) { *p = 8; goto late; } { int v = 3; late: if (!k) return v; p = &k; k = 0; } goto again; }
int main(void) {
  int n = 10, *p = malloc(n * sizeof(int)), w = 5, *r = &w; p[9] = 4; *r = 6;
  assert(p[9] == 4 && f(2) == 50 && f(3) == 51 && f(6) == 0 && g(2) == 4 && g(3) == 6 && w == 6);
}`,
  ],
  [
    'attributes behind a declarator are its own',
    `void stop(void) __attribute__((noreturn)), go(void); int n; int __attribute__((mode(HI))) both, of;
int a __attribute__((mode(QI))), b; struct S { int x __attribute__((mode(QI))), y; } s; typedef int A __attribute__((aligned(16))), B;
struct T { char c; B b; }; int f(int __attribute__((mode(QI))) x, int y __attribute__((mode(DI)))) { return x + sizeof y; }
void go(void) { n++; }
int main(void) {
  assert(sizeof a == 1 && sizeof b == 4 && sizeof s.x == 1 && sizeof s.y == 4 && sizeof s == 8 && sizeof(struct T) == 8);
  assert(sizeof both == 2 && sizeof of == 2 && f(257, 0) == 9 && (int __attribute__((mode(QI))))300 == 44);
  go(); assert(n == 1);
}`,
  ],
  [
    'the types of enumerations',
    `enum __attribute__((packed)) E { A, B = 200 }; enum F { C = -1, D = 70 } __attribute__((packed)); enum G { L = 0x80000000, M = 1 };
enum H { N = 1LL << 40 };
int main(void) {
  assert(sizeof(enum E) == 1 && sizeof(enum F) == 1 && sizeof(enum G) == 4 && sizeof(enum H) == 8 && sizeof A == 4);
  assert(L + L == 0 && M - 2 < 0 && (enum E)300 == 44 && sizeof L == 4 && sizeof N == 8);
}`,
  ],
  [
    'the streams of the library',
    `#include <stdio.h>
int main(void) { FILE *f = stdin; assert(f == stdin && stdin != stdout && stderr != 0); }`,
  ],
  [
    'calls and blocks that say how large arrays are',
    `int n = 100, calls; int two(void) { calls++; return 2; } int same(int n) { return n; }
int rows(int (*a)[two()]) { return calls; } int f(int n, int a[same(n)]) { return n + sizeof(int[same(n)]); }
int sum(int n) { if (n == 0) return 0; int a[same(n)]; a[n - 1] = n; return sum(n - 1) + a[n - 1]; }
int main(void) {
  int n = 1, z[4]; int a[two()]; n++; assert(n == 2 && calls == 1 && sizeof a == 8);
  int b[({ int n = 3; n; })]; assert(n == 2 && sizeof b == 12); two(); int r = rows((void *)z); assert(r == 3 && calls == 3);
  for (int i = 1; i < 3; i++) { char c[same(n + i)]; if (sizeof c == 4) break; assert(i == 1); }
  switch (n) { case 2: { typedef int T[same(3)]; n = sizeof(T); break; } default: n = 0; }
  assert(n == 12 && f(3, z) == 15 && sum(3) == 6 && same(4) == 4);
}`,
  ],
  [
    'variable arguments without bytes',
    `struct none {}; int last(int n, ...) {
  __builtin_va_list l; __builtin_va_start(l, n); struct none e; int r = 0;
  while (n--) { e = __builtin_va_arg(l, struct none); r = 10 * r + __builtin_va_arg(l, int); }
  e = __builtin_va_arg(l, struct none); __builtin_va_end(l); return r;
}
int main(void) { struct none e; assert(last(0, e) == 0 && last(2, e, 1, e, 2, e) == 12); }`,
  ],
  [
    'a transparent union',
    `typedef union { int *p; char *q; } both __attribute__((transparent_union));
int f(both b) { return *b.p; } int main(void) { int x = 4; assert(f(&x) == 4); }`,
  ],
];

test.each(CASES)('%s', async (_, text) => {
  const { outcome, guessed } = runWith(await programOf(text), []);
  expect({ outcome, guessed }).toEqual({ outcome: 'end', guessed: null });
});

test('when a program is compiled is not known', async () => {
  for (const test of ["__TIME__[0] == '0'", "__DATE__[4] != '9'", '("on " __DATE__)[3] == 0']) {
    const { guessed } = runWith(await programOf(`int main(void) { assert(${test}); return 0; }`), []);
    expect(guessed).not.toBe(null);
  }
  const size =
    'int main(void) { assert(sizeof __TIME__ == 9 && sizeof __DATE__ == 12 && sizeof __TIMESTAMP__ == 25); }';
  expect(runWith(await programOf(size), [])).toMatchObject({ outcome: 'end', guessed: null });
});

test('a function declared beside one that does not return', async () => {
  const text = 'void stop(void) __attribute__((noreturn)), go(void); int main(void) { go(); assert(0); }';
  expect(runWith(await programOf(text), []).outcome).toBe('error');
});

test('a function that is only declared is no target of a call through a pointer', async () => {
  const program = await programOf(
    'extern int elsewhere(void); static int f(void) { return 1; } int main(void) { int (*p)(void) = f; assert(p() == 1); }',
  );
  expect(program.notes).toEqual([]);
});

test.each([
  ['cleanup', 'void f(int *x) {} int main(void) { int x __attribute__((cleanup(f))) = 0; return x; }'],
  ['constructor', '__attribute__((constructor)) void f(void) {} int main(void) { return 0; }'],
  [
    'destructor',
    'void f(void) __attribute__((__destructor__)); void f(void) {} int main(void) { return 0; }',
  ],
  ['vector_size', 'typedef int v __attribute__((vector_size(16))); int main(void) { return sizeof(v); }'],
  ['weak', 'extern void f(void) __attribute__((weak)); int main(void) { return f == 0; }'],
])('refused, since it changes what a program does: %s', async (_, text) => {
  await expect(programOf(text)).rejects.toThrow('is not supported');
});
