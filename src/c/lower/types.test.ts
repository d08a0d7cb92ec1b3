// Types, alignments, literals, initialisers and builtins in corners where only gcc's word counts: each program ends without a failing assertion, here and there.

import { expect, test } from 'vitest';
import { hasGcc, hasGcc32, marksByGcc } from '../gcc-comparison.fuzz.ts';
import { programOf, runWith } from '../testing.ts';

const IS =
  '#define IS(e, ...) (_Generic((e), __VA_ARGS__: 1, default: 0))\n#define SAME(a, b) __builtin_types_compatible_p(a, b)\n';

interface Case {
  readonly name: string;
  readonly outside?: string;
  readonly tests: readonly string[];
  /** Not for i386. */
  readonly wide?: true;
}

const CASES: readonly Case[] = [
  {
    name: 'bytes of a _Bool that are copied',
    outside: `#include <string.h>
struct rec { _Bool used; unsigned char len; } r[2]; unsigned char raw[4] = { 2, 1, 255, 3 }, back[4], set[2];
int copied(void) { memcpy(r, raw, sizeof r); memcpy(back, r, sizeof r); return memcmp(raw, back, 4); }
int filled(int n) { _Bool b[2]; memset(b, n, 2); memmove(set, b, 2); return set[1]; }
int moved(void) { _Bool b, c; unsigned char q = 5, s; memcpy(&b, &q, 1); memcpy(&c, &b, 1); memcpy(&s, &c, 1); return s; }`,
    tests: ['copied() == 0', 'filled(5) == 5', 'filled(0x1ff) == 255', 'moved() == 5'],
  },
  {
    name: 'members of unions with nothing in them',
    outside: `union none { long n : 8; short s; struct {} e; int z[0]; struct { int m; } a[1][2]; }; struct in { union none u; int k; };
struct in a = { 4, .u.e = 3 }, b = { .u = { .n = 4, .e = {} } }, c = { 4, .u.s = 3, .u.z = { 3 }, 9 }, d = { .u.e = {}, .u.a = 5, 3 };`,
    tests: ['a.u.n == 4', 'b.u.n == 4', 'c.u.n == 3 && c.k == 9', 'd.u.n == 5 && d.k == 0'],
  },
  {
    name: 'results of builtins',
    tests: [
      'IS(__builtin_bswap64(1), __UINT64_TYPE__)',
      'IS(__builtin_bswap32(1), unsigned)',
      'IS(__builtin_bswap16(1), unsigned short)',
      'IS(__builtin_object_size("", 0), __SIZE_TYPE__)',
    ],
  },
  {
    name: 'qualifiers of what is pointed to',
    outside: `int n; const int c = 1; struct S { int m, arr[2]; } s; const struct S cs; typedef int two[2]; const two ct; int *restrict *rp; volatile int v;
const int *pc; int *p; const int f(void);`,
    tests: [
      ...['!IS(p, const int *)', 'IS(pc, const int *)', '!SAME(int *, const int *)', 'SAME(const int, int)'],
      ...[
        'IS(&c, const int *)',
        'IS(c, int)',
        '!IS(c, const int)',
        'IS(&cs.m, const int *)',
        'IS(ct, const int *)',
      ],
      ...[
        'IS(cs.arr, const int *)',
        'IS(&cs.arr, const int (*)[2])',
        '!IS(rp, int **)',
        'IS(&v, volatile int *)',
      ],
      ...[
        'SAME(const int[3], int[3])',
        'SAME(int *const, int *)',
        '!SAME(int *const *, int **)',
        'IS(f, int (*)(void))',
      ],
      ...[
        'IS(&(__typeof__(c)){1}, const int *)',
        'SAME(int (*)(const int), int (*)(int))',
        'IS(&*pc, const int *)',
      ],
    ],
  },
  {
    name: 'functions with and without a rest',
    outside: 'int g(int); int v(int, ...);',
    tests: [
      ...[
        'IS(&g, int (*)(int))',
        '!IS(&g, int (*)(int, ...))',
        'SAME(int (*)(), int (*)(int))',
        '!SAME(int (*)(), int (*)(char))',
      ],
      ...[
        'SAME(int (*)(), int (*)(void))',
        '!SAME(int (*)(), int (*)(int, ...))',
        '!SAME(int (*)(int), int (*)(unsigned))',
      ],
    ],
  },
  {
    name: 'enumerations and formats are types of their own',
    outside: 'enum A { a1 } ea; enum B { b1 }; _Float64 x; double d; _Atomic int at;',
    tests: [
      ...[
        '!SAME(enum A, enum B)',
        'SAME(enum A, unsigned)',
        'IS(ea, enum A)',
        '!IS(ea, enum B)',
        'IS(ea + 0, enum B)',
      ],
      ...[
        '!SAME(double, _Float64)',
        '!SAME(float, _Float32)',
        '!SAME(_Float32x, _Float64)',
        'SAME(__float128, _Float128)',
      ],
      ...[
        'IS(x + d, _Float64)',
        'IS(1.0f32, _Float32)',
        'IS(at, int)',
        '!SAME(_Atomic int *, int *)',
        '!SAME(char, signed char)',
      ],
    ],
  },
  {
    name: 'choices between pointers',
    outside: 'int k; int *p; const int *pc; void *pv; const void *pcv; long l; enum { ZERO };',
    tests: [
      ...[
        'IS(k ? pc : p, const int *)',
        'IS(k ? p : pv, void *)',
        'IS(k ? pv : p, void *)',
        'IS(k ? pc : pv, const void *)',
      ],
      ...[
        'IS(k ? p : 0, int *)',
        'IS(k ? (void *)0 : p, int *)',
        'IS(k ? (void *)(l * 0) : p, void *)',
        'IS(k ? p : ZERO, int *)',
      ],
      ...[
        'IS(k ? p : (void *)(0 * 1L), int *)',
        'IS(k ? p : (const void *)0, const void *)',
        'sizeof(*(8 ? (void *)(5L * 0) : (int *)8)) == 4',
      ],
    ],
  },
  {
    name: 'bit-fields of aligned types',
    outside: `typedef int I16 __attribute__((aligned(16))); typedef short H4 __attribute__((aligned(4))); typedef char C4 __attribute__((aligned(4)));
struct a { char c; I16 b : 8; char z; } a; struct b { char c; I16 b : 30; char z; } b; struct c { char c[3]; I16 b : 9; char z; } c; struct d { char c[3]; I16 : 8; char z; } d;
struct e { char c[2]; H4 b : 16; char z; } e; struct f { char c[3]; H4 b : 16; char z; } f; struct g { char c[3]; H4 b : 4; char z; } g; struct h { char c[3]; C4 b : 8; char z; } h; struct i { char c[3]; C4 b : 3; char z; } i;
struct j { char c : 1; I16 b : 8 __attribute__((aligned(1))); char z; }; struct k { char c; I16 b : 8 __attribute__((aligned(2))); char z; }; struct l { char c : 1; int b : 8 __attribute__((aligned(1))); char z; };`,
    tests: [
      ...[
        'a, z) == 2',
        'b, z) == 20',
        'c, z) == 18',
        'd, z) == 4',
        'e, z) == 4',
        'f, z) == 6',
        'g, z) == 5',
      ].map((rest) => `__builtin_offsetof(struct ${rest}`),
      '__builtin_offsetof(struct h, z) == 4',
      '__builtin_offsetof(struct i, z) == 5',
      '__builtin_offsetof(struct j, z) == 17 && __builtin_offsetof(struct k, z) == 3 && __builtin_offsetof(struct l, z) == 2',
      '(a.c = 1, a.b = -3, a.z = 5, a.c == 1 && a.b == -3 && a.z == 5 && sizeof a == 16)',
    ],
  },
  {
    name: 'alignments of variables, members, typedefs and expressions',
    outside: `typedef int I16 __attribute__((aligned(16))); typedef int I1 __attribute__((aligned(1))); typedef struct { int a; } TS __attribute__((aligned(16)));
typedef int last __attribute__((aligned(16), aligned(8))); struct S { int a; _Alignas(int) char d; char e __attribute__((aligned(8))); } s, *sp = &s;
struct P { char c; int i; } __attribute__((packed)) p; I16 g16; I1 *p1; _Alignas(32) char g32; int most __attribute__((aligned(16), aligned(8)));
struct F { char c; I16 x; }; struct G { char c; I1 x; }; struct H { char c; _Alignas(16) _Alignas(8) int y; }; extern int again __attribute__((aligned(64))); int again; double d;
struct B { char c : 3; char b : 3 __attribute__((aligned(1))); }; struct S __attribute__((aligned(32))) behind;`,
    tests: [
      ...[
        '_Alignof(I16) == 16',
        '_Alignof(I1) == 1',
        '_Alignof(TS) == 16',
        'sizeof(TS) == 4',
        '_Alignof(last) == 8',
        '_Alignof(most) == 16',
      ],
      ...[
        '_Alignof(s.d) == 4',
        '__alignof__(sp->e) == 8',
        '_Alignof(p.i) == 1',
        '_Alignof(g16) == 16',
        '_Alignof(*p1) == 1',
        '_Alignof(g32) == 32',
      ],
      ...[
        'sizeof(struct F) == 32',
        'sizeof(struct G) == 5',
        'sizeof(struct H) == 32',
        '_Alignof(again) == 64',
        '_Alignof((0, g16)) == 16',
      ],
      ...[
        '_Alignof(*(char *)&d) == 8',
        '_Alignof(d) == 8',
        '_Alignof(g16 + 1) == 4',
        'sizeof(struct B) == 2',
        '_Alignof(behind) == 32',
      ],
      ...[
        '__alignof__(double) == 8',
        '_Alignof("abc") == 1',
        '_Alignof(&d) == sizeof(void *)',
        '_Alignof(long double) == _Alignof(long double[2])',
      ],
    ],
  },
  {
    name: '#pragma pack',
    outside: `#pragma pack(push, 2)
struct A { char c; int i; long long l; };
#pragma pack(pop)
struct N { char c; int i; };
#define TIGHT 2
#pragma pack(1)
#pragma pack(TIGHT)
struct C { char c; int i : 5; int j : 20; long long k : 40; short s; };
#pragma pack(push, here, 4)
#pragma pack(push)
#pragma pack(3)
struct E { char c; double d; _Alignas(16) int x; };
#pragma pack(pop, here)
struct O { char c; int i; };
#pragma pack()
_Pragma("pack(1)") struct Q { char c; int i; }; _Pragma("pack(0)") struct R { char c; int i; };`,
    tests: [
      ...[
        'sizeof(struct A) == 14',
        '_Alignof(struct A) == 2',
        'sizeof(struct N) == 8',
        'sizeof(struct C) == 12',
        'sizeof(struct E) == 16',
      ],
      ...['sizeof(struct O) == 5', 'sizeof(struct Q) == 5', 'sizeof(struct R) == 8'],
    ],
  },
  {
    name: 'macros put away, lines called otherwise',
    outside: `#define X 1
#pragma push_macro("X")
#undef X
#define X 2
enum { TWO = X };
#pragma pop_macro("X")
#define L(x) (__LINE__ + x)
#define P(a, b) a b
#line 100 "other.h"
enum { A = L(
  0), B = P(__LINE__,
  + L(0)) };
static const char file[] = __FILE__;`,
    tests: ['TWO == 2', 'X == 1', 'A == 100', 'B == 101 + 102', 'sizeof file == 8'],
  },
  {
    name: 'what the compiler has',
    outside: `#if __has_builtin(__builtin_rotateleft32) || __has_attribute(no_such_attribute) || !__has_builtin(__builtin_expect) || !__has_attribute(__packed__)
#error
#endif`,
    tests: ['1'],
  },
  {
    name: 'literals by their prefixes',
    tests: [
      ...[
        'sizeof("a" u"b") == 6',
        'sizeof(U"a" "b") == 12',
        'sizeof(u"\\U0001F600") == 6',
        'sizeof(U"\\U0001F600") == 8',
        'sizeof(u8"\\u00e9") == 3',
      ],
      ...[
        "sizeof(u'a') == 2",
        "!(-1 < U'a')",
        "-1 < u'a'",
        "u'\\U0001F600' == 0xde00",
        'u"\\x12345"[0] == 0x2345',
        '("\\xff" L"b")[0] == 0xff',
      ],
      ...["IS(u'a', unsigned short)", "IS(L'a', __WCHAR_TYPE__)", 'IS(*L"a", __WCHAR_TYPE__)'],
    ],
  },
  {
    name: 'numbers too large for long long',
    wide: true,
    tests: [
      'sizeof(9223372036854775808) == 16',
      '-9223372036854775808 < 0',
      'sizeof(18446744073709551615LL) == 16',
      'sizeof(0xffffffffffffffff) == 8',
    ],
  },
  {
    name: 'a tag that an inner block declares again',
    tests: [
      '({ struct T { int a; } o; int n; { struct T; struct T *p; struct T { char c; }; n = sizeof *p; } n == 1 && sizeof o == 4; })',
    ],
  },
  {
    name: 'members that declare nothing',
    outside: 'struct M { int a; struct I { int b; }; enum K { k1 = 4 }; int; struct { int c; }; };',
    tests: ['sizeof(struct M) == 8', 'sizeof(struct I) == 4', 'k1 == 4'],
  },
  {
    name: 'the length that an initialiser gives',
    outside: `struct { int x, y; } a[] = { [2].x = 1, 5 }; int b[][2] = { [1] = 1, 2 }, c[][2] = { [3][1] = 1, 2 }, d[][2] = { {}, {} }, e[] = { [0 ... 3] = 1, [1] = 2 };
static struct F { int n; int a[]; } f = { 2, { 5, 6 } }; static struct { char k; char s[]; } t = { 1, "abc" };`,
    tests: [
      ...[
        'sizeof a == 24 && a[2].y == 5',
        'sizeof b == 16',
        'sizeof c == 40',
        'sizeof d == 16',
        'sizeof e == 16 && e[1] == 2',
      ],
      ...['f.a[1] == 6 && sizeof f == 4', "t.s[2] == 'c' && t.s[3] == 0 && sizeof t == 1"],
    ],
  },
  {
    name: 'parts with nothing in them take a value all the same',
    outside: `struct E {}; struct A { struct E e; int v, w; } a = { 1, 2, 3 }; struct B { struct { int : 8; }; int v, w; } b[] = { 1, 2, 3, 4, 5, 6 };
struct C { int none[0]; union {} u; int v; } c = { 1, 2, 3 }; struct D { struct { struct E e[2]; } d; int v; } d = { 1, 2, 3 }; struct E e[] = { 1, 2 };`,
    tests: [
      ...['a.v == 2 && a.w == 3', 'sizeof b == 2 * sizeof *b && b[1].v == 5', 'c.v == 3', 'd.v == 3'],
      ...['sizeof e == 0', '({ struct A l = { a.e, 4 }, m = { {}, 4 }; l.v == 4 && m.v == 4; })'],
    ],
  },
  {
    name: 'what a later item takes back',
    outside: `struct B { int a : 3; char c; int b : 3; } gb = { .b = 3, .c = 5, .a = 1 }; union U { struct { int x, y; } s; int z; } gu = { .s = { 1, 2 }, .z = 5 };
struct P { int x, y; }; struct Q { struct P s; int k; }; static struct Q gq = { .s = (struct P){ 3, 4 }, .s.x = 5 };`,
    tests: [
      ...['gb.a == 1 && gb.b == 3 && gb.c == 5', 'gu.s.x == 5 && gu.s.y == 0', 'gq.s.x == 5 && gq.s.y == 4'],
      '({ struct B b = { .b = 3, .c = 5, .a = 1, .b = 2 }; b.a == 1 && b.b == 2 && b.c == 5; })',
      '({ struct P g = { 3, 4 }; struct Q q = { .s = g, .s.x = 5 }; q.s.x == 5 && q.s.y == 0; })',
    ],
  },
  {
    name: 'what is given to a range of elements is computed once',
    outside: `int c, n = 2, arr[4] = { 5, 6, 7, 8 }; struct P { int x, y; }; int f(void) { return ++c; } struct P g(void) { struct P p = { ++c, 9 }; return p; }
struct B { unsigned a : 3, b : 5; };`,
    tests: [
      '({ c = 0; int k[3] = { [0 ... 2] = ++c }; c == 1 && k[0] == 1 && k[2] == 1; })',
      '({ c = 0; struct P a[3] = { [0 ... 2] = { f(), f() } }; c == 2 && a[0].x == 1 && a[0].y == 2 && a[2].x == 1 && a[2].y == 2; })',
      '({ c = 0; struct P a[2] = { [0 ... 1] = g() }; c == 1 && a[1].x == 1 && a[1].y == 9; })',
      '({ c = 0; struct P a[2] = { [0 ... 1] = (struct P){ f(), f() } }; c == 2 && a[0].x == 1 && a[1].y == 2; })',
      '({ c = 0; struct P a[2] = { [0 ... 1] = f(), f() }; c == 2 && a[0].x == 1 && a[1].x == 1 && a[0].y == 0 && a[1].y == 2; })',
      '({ c = 0; struct B a[2] = { [0 ... 1] = { f() + 7, f() } }; c == 2 && a[0].a == 0 && a[0].b == 2 && a[1].b == 2; })',
      '({ int *p = arr; double k[2] = { [0 ... 1] = *p++ + *p++ }; p == arr + 2 && k[0] == 11 && k[1] == 11; })',
      '({ int x = n, k[2] = { [0 ... 1] = ({ int t = x++; t + 1; }) }; x == 3 && k[0] == 3 && k[1] == 3; })',
    ],
  },
  {
    name: 'whole structs among the items',
    outside: `struct I { int a, b; } g = { 3, 4 }; struct O { struct I i; int k; }; struct W { struct O o; int z; }; struct I f(void) { return g; }
static struct W st = { (struct I){ 3, 4 }, 5, 6 }; struct V { struct { int i[2]; int k; } o; int z; }; int one = 1;
#define RIGHT(w) ((w).o.i.a == 3 && (w).o.i.b == 4 && (w).o.k == 5 && (w).z == 6)`,
    tests: [
      ...[
        'RIGHT(st)',
        'RIGHT(((struct W){ g, 5, 6 }))',
        'RIGHT(((struct W){ f(), 5, 6 }))',
        'RIGHT(((struct W){ (struct I){ 3, 4 }, 5, 6 }))',
      ],
      ...[
        'RIGHT(((struct W){ ({ g; }), 5, 6 }))',
        'RIGHT(((struct W){ (struct I)g, 5, 6 }))',
        'RIGHT(((struct W){ one ? g : f(), 5, 6 }))',
      ],
      ...[
        'RIGHT(((struct W){ (one, g), 5, 6 }))',
        'RIGHT(((struct W){ _Generic(1, int: g), 5, 6 }))',
        'RIGHT(((struct W){ .o = f(), 5, 6 }))',
      ],
      '({ struct V v = { ({ one + 2; }), (int){ 4 }, 5, 6 }; v.o.i[0] == 3 && v.o.i[1] == 4 && v.o.k == 5 && v.z == 6; })',
      '({ struct I h; RIGHT(((struct W){ h = g, 5, 6 })); })',
    ],
  },
  {
    name: 'builtins',
    outside:
      'int arr[7], x = 1; struct { unsigned a : 3; _Bool b : 1; unsigned char c : 8; long long d : 16, e : 32, f : 33; char g : 8; } bf = { 7 };',
    tests: [
      ...[
        'sizeof(__builtin_expect(1, 1)) == sizeof(long)',
        'IS(__builtin_expect(1u, 0), long)',
        '__builtin_add_overflow_p(bf.a, 1, bf.a)',
      ],
      // What is assigned to a bit-field keeps its type; the last argument is evaluated.
      ...[
        '__builtin_add_overflow_p(bf.a = 7, 1, bf.a = 0)',
        '__builtin_mul_overflow_p(3, 3, bf.a++)',
        '__builtin_add_overflow_p(7, 1, (x, --bf.a))',
        '({ int y = 1; !__builtin_add_overflow_p(7, 1, y = 5) && y == 5; })',
        '_Generic(bf.a = 1, int: 0, unsigned: 0, default: 1)',
        '_Generic((x, bf.a), int: 0, unsigned: 0, default: 1)',
        '_Generic(({ bf.a; }), int: 0, unsigned: 0, default: 1)',
        '_Generic(({ struct { int n : 4; } one; here: ({ one.n; }); }), int: 0, default: 1)',
        // One that is as wide as a type of C has that type.
        'IS(bf.b, _Bool) && IS(bf.c, unsigned char) && IS(bf.g, char)',
        'IS(bf.d, short) && IS(bf.e, int) && IS(bf.d = 1, short) && !IS(bf.f, long long)',
        '__builtin_add_overflow_p(200, 100, bf.c) && __builtin_add_overflow_p(32767, 1, bf.d)',
      ],
      ...[
        'sizeof(__builtin_choose_expr(1, arr, x)) == 28',
        '({ __builtin_choose_expr(1, x, 2) = 7; x == 7; })',
        'IS(__builtin_assume_aligned(arr, 4), void *)',
      ],
      ...[
        '__builtin_constant_p(3 + 4)',
        '!__builtin_constant_p(x)',
        '!__builtin_constant_p(&x)',
        '!__builtin_constant_p((x, 3))',
        '!__builtin_constant_p(x++ * 0)',
      ],
      ...[
        '__builtin_constant_p("abc")',
        '__builtin_constant_p(1.5)',
        '!__builtin_constant_p(arr[1] + 1)',
        'IS(__builtin_strlen("a"), __SIZE_TYPE__)',
      ],
    ],
  },
  {
    name: 'a builtin of 128 bits',
    wide: true,
    tests: ['__builtin_bswap128((unsigned __int128)1 << 120) == 1'],
  },
  {
    name: 'attributes before the type of a cast',
    outside: 'int f(void) { return 42; } void *p = &f;',
    tests: ['((__attribute__((noinline)) int (*)(void))p)() == 42'],
  },
];

const textOf = ({ outside = '', tests }: Case, include = ''): string =>
  `${include}${IS}${outside}
int main(void) {
${tests.map((one) => `assert(${one});`).join('\n')}
return 0; }`;

const MODELS = [
  { model: 'LP64' as const, hasCompiler: hasGcc },
  { model: 'ILP32' as const, hasCompiler: hasGcc32 },
];
if (!hasGcc) console.log('skipped: corners of types against gcc (no gcc on PATH)');

for (const { model, hasCompiler } of MODELS) {
  const cases = CASES.filter(({ wide }) => model === 'LP64' || wide === undefined);
  test.each(cases)(`${model}: $name`, async (one) => {
    const { outcome, guessed } = runWith(await programOf(textOf(one), {}, () => null, model), []);
    expect({ outcome, guessed }).toEqual({ outcome: 'end', guessed: null });
  });
  test.skipIf(!hasCompiler).each(cases)(`${model}, gcc: $name`, (one) => {
    expect(marksByGcc(textOf(one), model)).toBe('0'.repeat(64));
  });
}

test.each([
  ['__sync_add_and_fetch(&n);', 'takes at least 2 arguments, not 1'],
  ['__builtin_popcount();', 'takes 1 argument, not 0'],
  ['__atomic_load_n(&n, 5, 5);', 'takes 2 arguments, not 3'],
  ['abs();', 'takes 1 argument, not 0'],
  ['realloc(&n);', 'takes 2 arguments, not 1'],
  ['declared(1, 2);', 'takes 1 argument, not 2'],
  ['__builtin_no_such(n);', "the builtin '__builtin_no_such' is not supported"],
  ['n = &weak == 0;', 'which is weak and not defined'],
  ['n = sizeof(u"a" L"b");', 'different prefixes'],
  ['n = 18446744073709551616;', 'too large'],
])('refused: %s', async (statement, message) => {
  const text = `extern int weak __attribute__((weak)); extern int declared(int); int main(void) { int n = 0; ${statement} return n; }`;
  await expect(programOf(text)).rejects.toThrow(message);
});

test.each(['#pragma scalar_storage_order big-endian', '#pragma weak f', '_Pragma("redefine_extname a b")'])(
  'refused: %s',
  async (pragma) => {
    await expect(programOf(`${pragma}\nint main(void) { return 0; }`)).rejects.toThrow('is not supported');
  },
);

test('whether gcc has a function of the library depends on declarations', async () => {
  const text = '#if __has_builtin(strlen)\n#endif\nint main(void) { return 0; }';
  await expect(programOf(text)).rejects.toThrow('what __has_builtin(strlen) says is not known');
});

test('what gcc simplifies is left open', async () => {
  for (const one of ['x * 0', 'x % 1', '__builtin_abs(-3)', '"abc"[0]']) {
    const text = `int main(void) { int x = 1; assert(__builtin_constant_p(${one})); return 0; }`;
    expect(runWith(await programOf(text), []).guessed).not.toBe(null);
  }
});
