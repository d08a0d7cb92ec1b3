// The lowering against gcc: each snippet's assertions hold when compiled, so they must hold in our machine.

import { describe, expect, test } from 'vitest';
import { expectAgreement } from '../agreement.fuzz.ts';
import { programOf, runWith } from '../testing.ts';

const SNIPPETS: Readonly<Record<string, string>> = {
  'integers wrap and convert': `
    unsigned char c = 255; c++; assert(c == 0);
    signed char s = 127; s++; assert(s == -128);
    short h = (short)70000; assert(h == 4464);
    unsigned u = 0; u--; assert(u == 4294967295u); assert(u > 0);
    int i = -1; assert((unsigned)i > 5); assert(i < 5u == 0);
    long l = 1L << 40; assert(l == 1099511627776L); assert((int)l == 0);
    assert(-7 / 2 == -3); assert(-7 % 2 == -1); assert((-7 >> 1) == -4); assert((unsigned)-7 >> 28 == 15);
    unsigned long long ull = -1; assert(ull == 18446744073709551615ULL);
    char ch = 'a'; assert(ch + 1 == 'b'); assert('\\n' == 10); assert('\\x41' == 65); assert('\\101' == 65);
    assert(0x10 == 16 && 010 == 8 && 0b11 == 3);
    _Bool b = 5; assert(b == 1); b = 0; assert(!b);
    int big = 2147483647; big = big + 1; assert(big < 0);
    unsigned short us = 40000; assert(us * 2 == 80000); assert(~us < 0);
    assert(sizeof(us + us) == sizeof(int)); assert((1 ? -1 : 0u) > 0);`,
  'increments and compound assignments': `
    int i = 3; int j = i++ + 2; assert(j == 5 && i == 4); j = ++i * 2; assert(j == 10 && i == 5);
    i += 3; i -= 1; i *= 2; i /= 3; i %= 3; assert(i == 1); i <<= 4; i |= 3; i &= ~1; i ^= 5; i >>= 1; assert(i == 11);
    int a[3] = {1, 2, 3}; int *p = a; assert(*p++ == 1 && *p == 2); assert(*++p == 3); *p-- = 9; assert(a[2] == 9 && p == &a[1]);
    int k = 0; a[k++] = 5; assert(k == 1 && a[0] == 5); int x = (k = 4, k + 1); assert(x == 5);`,
  'short circuits': `
    int n = 0; int *q = 0; if (q && *q) assert(0); if (!q || *q) n = 1; assert(n == 1);
    int r = (q && *q) || (n == 1 && !q); assert(r); int t = n ? n++ ? 7 : 8 : 9; assert(t == 7 && n == 2);
    int z = 0; (void)(z || (z = 5)); assert(z == 5); z = z && (n = 0); assert(z == 0 && n == 0);`,
  'loops, break, continue, goto': `
    int s = 0; for (int i = 0; i < 10; i++) { if (i == 3) continue; if (i == 7) break; s += i; } assert(s == 18);
    int w = 0; while (1) { if (++w > 4) break; } assert(w == 5); do { w--; } while (w > 2); assert(w == 2);
    int i = 0; again: i++; if (i < 5) goto again; assert(i == 5); for (;;) { goto out; } out: ;
    int k; for (k = 0, s = 0; k < 4; s += k, k++) ; assert(s == 6);`,
  'switch with fall-through': `
    int r = 0; for (int i = 0; i < 6; i++) { switch (i) { case 0: r += 1; case 1: r += 10; break; case 4: { r += 100; break; }
      default: r += 1000; case 2: r += 5; } } assert(r == 1 + 10 + 10 + 5 + 1005 + 100 + 1005);
    switch (7) { case 1: assert(0); } char c = -1; switch (c) { case -1: r = 1; break; default: r = 0; } assert(r == 1);
    unsigned u = 4294967295u; switch (u) { case -1: r = 2; } assert(r == 2);
    switch (3) { case 1: if (0) { case 3: r = 33; } } assert(r == 33);`,
  'structs, nesting, copies': `
    struct point { int x, y; }; struct line { struct point a, b; char name; } l = {{1, 2}, {3, 4}, 'n'}, m;
    m = l; m.b.y = 9; assert(l.b.y == 4 && m.a.x == 1 && m.name == 'n'); struct point *p = &m.a; p->x = 7; assert(m.a.x == 7);
    struct point ps[3] = {[1] = {5, 6}, {.y = 8}}; assert(ps[0].x == 0 && ps[1].y == 6 && ps[2].x == 0 && ps[2].y == 8);
    int i = 2; ps[i].x = 4; ps[i - 1] = ps[i]; assert(ps[1].x == 4 && ps[1].y == 8); assert(sizeof(struct line) == 20);
    struct { unsigned f : 3; int g : 4; } bits; bits.f = 9; bits.g = 9; assert(bits.f == 1 && bits.g == -7);
    struct point q = *(&ps[2]); assert(q.x == 4); p = ps; p++; assert(p->x == 4); assert(p - ps == 1);`,
  'bit-fields and undefined values in a choice': `
    struct { unsigned f : 3; unsigned w : 32; } b = { 5, 7 }; int neg = -2, zero = 0;
    assert((zero ? b.f : neg) < 0); assert((zero ? b.w : neg) > 0); assert((zero ? neg : b.f) - 6 < 0);
    int d = zero ? neg / 0 : 3; assert(d == 3); assert(zero == 0 || neg % 0); d = zero ? neg << 40 : 4; assert(d == 4);`,
  'literals with the length of their list': `
    int *p = (int[]){1, 2, 3}; assert(p[2] == 3 && p[0] == 1); double *d = (double[]){[1] = 2, 3}; assert(d[2] == 3 && d[0] == 0);
    assert(sizeof((int[]){1, 2, 3}) == 12 && sizeof((short[4]){1}) == 8); char *t = (char[]){"abc"}; assert(t[2] == 'c' && t[3] == 0);`,
  'members that are aligned': `
    struct a { char c; int l __attribute__((aligned(16))); }; struct b { char c; __attribute__((aligned(16))) short l, m; };
    struct d { char c; _Alignas(8) int l; char e; }; struct e { char c; _Alignas(double) char l; }; struct f { char c; __attribute__((packed)) int l; };
    struct g { char c; int l __attribute__((aligned(2))); char e; } __attribute__((packed)); struct h { int a : 3; int b __attribute__((aligned(8))); };
    assert(sizeof(struct a) == 32 && sizeof(struct b) == 48 && sizeof(struct d) == 16 && sizeof(struct e) == 16 && sizeof(struct f) == 5);
    assert(sizeof(struct g) == 8 && sizeof(struct h) == 16); struct a x = {1, 2}; assert(((char *)&x)[16] == 2);
    struct { long b : 40; } wide = {1}; assert(sizeof(wide.b + 0) == 8);`,
  'types that are aligned': `
    typedef int A __attribute__((aligned(16))); typedef A B; struct y { char c; int i; }; typedef struct y Z __attribute__((aligned(32)));
    struct v { char c; A a; }; struct x { char c; B *p; char d; B b; char e; }; struct q { char c; Z z; }; struct w { char c; short l __attribute__((aligned)); };
    assert(sizeof(struct v) == 32 && sizeof(struct x) == 48 && sizeof(A) == 4 && sizeof(struct q) == 64 && sizeof(struct w) == 32);
    struct x r = {1, 0, 2, 3, 4}; assert(((char *)&r)[32] == 3 && ((char *)&r)[16] == 2);`,
  'the bytes of a long double': `
    union { long double l; unsigned char c[16]; unsigned long w[2]; } v; v.l = 1; assert(v.c[9] == 0x3f && v.c[8] == 0xff && (v.w[1] & 0xffff) == 0x3fff && v.w[0] == 1ul << 63 && v.l == 1);`,
  'unions and bytes': `
    union { unsigned u; unsigned char b[4]; } v; v.u = 0x01020304; assert(v.b[0] == 4 && v.b[3] == 1); v.b[1] = 0xff; assert(v.u == 0x0102ff04);
    unsigned w = 0x11223344; unsigned char *c = (unsigned char *)&w; assert(c[2] == 0x22);`,
  pointers: `
    int x = 1, y = 2; int *p = &x, **pp = &p; **pp = 5; assert(x == 5); *pp = &y; *p = 6; assert(y == 6 && x == 5);
    int *n = NULL; assert(!n && n != p); int a[4] = {0}; int (*pa)[4] = &a; (*pa)[2] = 3; assert(a[2] == 3 && 2[a] == 3);
    p = a; *(p + 3) = 8; assert(a[3] == 8); assert(&a[3] - p == 3); assert(p < &a[1]); const char *s = "ab"; assert(s[1] == 'b' && s[2] == 0);
    assert(sizeof(a) == 16 && sizeof(p) == 8 && sizeof "abc" == 4); int (*g)[4] = pa; assert(g == pa);`,
  'arrays of arrays': `
    int m[2][3] = {{1, 2, 3}, {4, 5}}; int t = 0; for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) t = t * 10 + m[i][j];
    assert(t == 123450); int e[2][2] = {1, 2, 3, 4}; assert(e[1][0] == 3); char s[] = "hey"; assert(sizeof s == 4 && s[3] == 0);
    char w[5] = "ab"; assert(w[2] == 0 && w[4] == 0); int big[1000]; for (int i = 0; i < 1000; i++) big[i] = i; assert(big[777] == 777);`,
  'memory functions': `
    struct s { int a; long b; } x = {1, 2}, y; memcpy(&y, &x, sizeof x); assert(y.b == 2); memset(&x, 0, sizeof(x)); assert(x.a == 0 && x.b == 0);
    int *h = malloc(sizeof(int)); *h = 4; int *k = malloc(sizeof *k); *k = 5; assert(*h == 4 && h != k); free(h);
    int *z = calloc(3, sizeof(int)); assert(z[2] == 0); memset(z, 255, 3 * sizeof(int)); assert(z[1] == -1); assert(abs(-4) == 4);`,
};

const PROGRAMS: Readonly<Record<string, string>> = {
  'functions, recursion, pointers to functions': `
    static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
    int add(int a, int b) { return a + b; } int mul(int a, int b) { return a * b; }
    int apply(int (*f)(int, int), int a, int b) { return f(a, b); }
    void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
    struct pair { int a, b; }; struct pair make(int a) { struct pair p = {a, a + 1}; return p; }
    int counter(void) { static int n = 10; return n++; }
    typedef int (*op)(int, int); op table[2] = {add, mul};
    int main(void) { assert(fact(4) == 24); assert(apply(add, 2, 3) == 5 && apply(&mul, 2, 3) == 6);
      int x = 1, y = 2; swap(&x, &y); assert(x == 2 && y == 1); assert(make(3).b == 4); struct pair p = make(7); assert(p.a == 7);
      counter(); counter(); assert(counter() == 12); for (int i = 0; i < 2; i++) x = table[i](x, 5); assert(x == 35);
      assert(add(add(1, 2), add(3, 4)) == 10); op o = x > 3 ? add : mul; assert(o(4, 4) == 8); assert((*o)(1, 1) == 2); return 0; }`,
  'globals, enums, typedefs': `
    enum color { RED, GREEN = 5, BLUE }; typedef enum { A = -1, B } ab; typedef unsigned char byte;
    int g = BLUE, arr[] = {1, [3] = 4}; static long sl; int *gp = &arr[3]; char *msg = "hi"; struct { int a; byte b[2]; } gs = {1, {2, 3}};
    byte id(byte b) { return (byte)(b + 1); }
    int main(void) { enum color c = RED; assert(c - 1 > 0); ab n = A; assert(n < 0); assert(g == 6 && sizeof arr == 16 && *gp == 4 && sl == 0);
      assert(msg[1] == 'i' && gs.b[1] == 3); assert(id(255) == 0); int x = (byte)-1 + (byte)(300); assert(x == 255 + 44);
      { int g = 1; assert(g == 1); } assert(g == 6); assert((byte)(g) - 1 == 5); return 0; }`,
  'macros and conditions': `
    #define SQ(x) ((x) * (x))
    #define CAT(a, b) a ## b
    #define STR(x) #x
    #define LOG(fmt, ...) count(fmt, ##__VA_ARGS__)
    #define MULTI(x) do { \\
       x++; \\
    } while (0)
    #if defined(SQ) && (SQ(3) == 9) && !defined NOPE
    #define OK 1
    #elif 1
    #error no
    #else
    #define OK 0
    #endif
    #ifndef OK
    int broken = ;
    #endif
    int count(const char *s, int n) { return s[0] + n; }
    int self = 3;
    #define self (self + 1)
    int main(void) { int CAT(va, lue) = SQ(1 + 2); assert(value == 9 && OK); assert(STR(a b)[2] == 'b'); MULTI(value); assert(value == 10);
      assert(self == 4); assert(LOG("a", 2) == 99); assert(__LP64__); return 0; }`,
};

const all = [
  ...Object.entries(SNIPPETS).map(
    ([name, body]) => [name, `int main(void) {${body}\n return 0; }\n`] as const,
  ),
  ...Object.entries(PROGRAMS),
];

describe('our machine agrees with gcc', () => {
  test.each(all)('%s', (_, text) => expectAgreement(text));
});

test('a failing assertion is an error at its place', async () => {
  const text = `int main(void) {\n  int x = __VERIFIER_nondet_int();\n  assert(x != 42);\n}\n`;
  const program = await programOf(text);
  expect(runWith(program, [41n]).outcome).toBe('end');
  const bad = runWith(program, [42n]);
  expect(bad.outcome).toBe('error');
  const { span } = bad.edges.at(-1)!;
  expect(span.file.position(span.start).line).toBe(3);
});

test('undefined behaviour ends a run without an error', async () => {
  for (const body of [
    'int *p = 0; *p = 1;',
    'int z = 0; z = 1 / z;',
    'int a[2]; int i = 2; a[i] = 0;',
    'int s = 40; s = 1 << s;',
  ])
    expect(runWith(await programOf(`int main(void) { ${body} reach_error(); }`), []).outcome).toBe(
      'undefined',
    );
});

test('a bit-field counts as int, and (_Bool) converts', async () => {
  const program = await programOf(`struct S { unsigned low : 3; unsigned long wide : 20; } s = { 6, 9 };
    int main(void) {
      if (s.low + -7 < 0 && s.wide - 10 < 0 && (_Bool)(4) == 1 && (_Bool)(s.low) + 1 == 2) { ERROR: return 1; }
      return 0;
    }`);
  expect(runWith(program, []).outcome).toBe('error');
});

test.each([
  ['int main(void) { return 0; }', false],
  ['void unused(void) { reach_error(); } int main(void) { return 0; }', false],
  ['void used(void) { reach_error(); } int main(void) { int x = 1; if (x > 2) used(); return 0; }', true],
  ['int main(void) { assert(sizeof(int) == 4); return 0; }', true],
  ['int main(void) { if (0) reach_error(); return 0; }', true],
  ['int main(void) { return 0; ERROR: return 1; }', true],
])('is there anything to check in %s', async (text, stated) => {
  expect((await programOf(text)).statesProperty).toBe(stated);
});

test('a volatile variable is named', async () => {
  const program = await programOf('volatile int flag; int main(void) { volatile int k = flag; return k; }');
  expect(program.notes.map(({ message }) => message.split(':')[0])).toEqual([
    "'flag' is volatile",
    "'k' is volatile",
  ]);
});
