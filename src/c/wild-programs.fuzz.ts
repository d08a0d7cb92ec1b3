// Random C programs with all sorts of types, pointers and statements, for comparison with gcc: three inputs from 0 to 3.

import fc from 'fast-check';

/** For labels, which must differ. */
const labelNumber = fc.noShrink(fc.noBias(fc.nat(1e9)));

const PLACES =
  'a b c u l uc sc us g s.x s.y s.z[1] s.low s.sign *p **pp p[0] q->x q->y q->z[0] q->low q->sign ss[1].x t[1] m[1][0] big.in.v (*q).y w.a w.b w.c w.d w.e w.f wp->b wp->c ws[1].d'.split(
    ' ',
  );
const LITERALS = '0 1 2 3 -1 5 7u 0x80000000 2147483647 255 -128 3L 0xffUL ONE MANY'.split(' ');
const place = fc.oneof(
  fc.constantFrom(...PLACES),
  fc.constantFrom('t[@]', 'ss[@].z[1]', 'm[@][1]', '*ptrs[@]', 'both[@].x->y', 'bytes[@]', 'un.b[@]'),
);
const literal = fc.constantFrom(...LITERALS);
const binary = fc.constantFrom(...'+ - * & | ^ < <= == != > >= && ||'.split(' '));
const cast = fc.constantFrom(
  ...'!|-|~|+|(unsigned char)|(signed char)|(short)|(unsigned short)|(unsigned)|(long)|(unsigned long)|(_Bool)|twice|negated|fac|narrow'.split(
    '|',
  ),
);

type Trees = { expression: string; statement: string; block: string };
const { expression, statement } = fc.letrec<Trees>((tie) => {
  const target = fc.tuple(place, tie('expression')).map(([at, e]) => at.replace('@', `1 & (${e})`));
  return {
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(fc.constantFrom(...PLACES), literal),
      fc.tuple(tie('expression'), binary, tie('expression')).map(([l, op, r]) => `(${l} ${op} ${r})`),
      fc.tuple(cast, tie('expression')).map(([op, e]) => `${op}(${e})`),
      fc
        .tuple(
          tie('expression'),
          fc.constantFrom('/ 3', '% 4', '/ 2u', '% 5L', '>> 2', '<< 3', '>> 7u', '/ -1', '% -3'),
        )
        .map(([e, op]) => `((${e}) ${op})`),
      fc
        .tuple(tie('expression'), fc.constantFrom('/', '%'), tie('expression'))
        .map(([x, op, y]) => `((${x}) ${op} (${y} | 1))`),
      fc
        .tuple(tie('expression'), fc.constantFrom('<<', '>>'), tie('expression'))
        .map(([x, op, y]) => `((${x}) ${op} (${y} & 15))`),
      fc.tuple(tie('expression'), tie('expression')).map(([x, y]) => `(${x}, ${y})`),
      tie('expression').map((e) => `*(t + (1 & (${e})))`),
      fc.constantFrom(
        '(p == t)',
        '(pp == &p)',
        '(q - ss)',
        '(q == &ss[1])',
        '(p != &g)',
        'sizeof(s.z)',
        'pick(&a, &b)',
        'sizeof(struct S)',
        'sizeof(struct W)',
        'sizeof ws',
        'offsetof(struct W, f)',
        '_Alignof(struct W)',
        "'ab'",
        'table[2] + table[5]',
        'sizeof table',
        'sizeof(_Generic(a, int: t, default: a))',
        '_Generic(l, long: t, default: pad)[1]',
        '(int)(long)&((struct W *)0)->f',
        '(int)(unsigned)&((struct S *)0)->z[1]',
        'named()',
        'shared[1]',
        'only->y',
      ),
      fc
        .tuple(tie('expression'), tie('expression'), tie('expression'))
        .map(([x, y, z]) => `(${x} ? ${y} : ${z})`),
      // GNU C
      fc.tuple(tie('expression'), tie('expression')).map(([x, y]) => `(${x} ?: ${y})`),
      fc
        .tuple(tie('expression'), tie('expression'), labelNumber)
        .map(
          ([x, y, n]) =>
            `({ __typeof__((${x}) + 0) v${n} = (${x}); if (v${n} > 3) v${n} -= 2; v${n} ^ (${y}); })`,
        ),
      fc
        .tuple(
          fc.constantFrom('popcount', 'popcountl', 'parity', 'ffs', 'clrsb', 'bswap32', 'bswap16', 'bswap64'),
          tie('expression'),
        )
        .map(([f, e]) => `__builtin_${f}(${e})`),
      fc
        .tuple(fc.constantFrom('clz', 'ctz', 'clzl', 'ctzll'), tie('expression'))
        .map(([f, e]) => `__builtin_${f}((${e}) | 8)`),
      tie('expression').map(
        (e) => `_Generic((${e}), int: 1, unsigned: 2, long: 3, unsigned long: 4, default: 5)`,
      ),
      fc.tuple(tie('expression'), tie('expression')).map(([x, y]) => `(int)((__int128)(${x}) * (${y}) >> 3)`),
      target,
    ),
    statement: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc
        .tuple(target, fc.constantFrom('=', '+=', '-=', '*=', '&=', '|=', '^='), tie('expression'))
        .map(([at, op, e]) => `${at} ${op} ${e};`),
      fc
        .tuple(target, fc.constantFrom('<<= 1', '>>= 1', '/= 3', '%= 3', '++', '--'))
        .map(([at, op]) => `${at} ${op};`),
      fc
        .constantFrom(
          ...[
            'p = &b',
            'p = &g',
            'p = t + 1',
            'p = &s.x',
            'q = &s',
            'q = ss + 1',
            's = *q',
            'ss[0] = s',
            'q->x = uc++',
          ],
          ...[
            'memset(&s, 0, sizeof s)',
            'memcpy(&ss[1], &s, sizeof s)',
            'f = twice',
            'f = &negated',
            'big.in = inner',
          ],
          ...[
            't[0] = (a++, b)',
            'g = sizeof s.z / sizeof *s.z',
            'p == &b ? a++ : b--',
            'inner.v = -uc',
            'b = *p++, p = t',
          ],
          ...[
            'bump(&a)',
            'bump(p)',
            'exchange(&a, p)',
            'exchange(t, t + 1)',
            'pp = a > 1 ? &p : &r',
            '*pp = &g',
            'r = p',
            'fill(&s, b)',
            'fill(q, a)',
            'p = t + 1, p[-1] = 4, p = t',
            'us--',
            'inner.w = (long)a << 33',
            'memcpy(t, t + 1, sizeof *t)',
            'bytes = (unsigned char *)t + (a & 3)',
            'bytes = (unsigned char *)&s + (b & 1)',
            'bytes = un.b + 1',
            'p = t + 1, p = p + (a & 1) * -1L, *p = 6',
            'ptrs[a & 1] = &g',
            'ptrs[1] = ptrs[0]',
            'p = ptrs[b & 1]',
            'both[1] = both[0]',
            'both[a & 1].x = &ss[b & 1]',
            'bytes = un.b + 3, bytes = bytes + (a & 3) * -1L, *bytes = 6',
            'cp = &b',
            'setc(&cp)',
            'a = *cp',
            'cp = cs[a & 1]',
            'setc(cs + (b & 1))',
            'un.i = a',
            'g = un.i',
            'f = fs[a & 1]',
            'vu.b[1] = a',
            'vp->s[1] = b',
            'vp->b[a & 3] = b',
            'vu.i += 3',
            'vu = (union V)(a)',
            'g = vu.s[0]',
            'l = vu.w',
            '*(short *)vu.b = a',
            '*(short *)(vu.b + 1) = c',
            'g = *(int *)pad',
            '*(int *)(pad + 2) = a',
            'pad[a & 7] = b',
            'ti = a * 100 + b',
            'g = ti + hi.f',
            'hi.f = g * 300',
            'f = half',
            'fs[b & 1] = half',
            'g = through(half, a)',
            'g = through(negated, b)',
            'g = through(f, c)',
            'ops.run = half',
            'ops.run = twice',
            'g = ops.run(g)',
            'g = (a & 1 ? half : *f)(b)',
            'q = q == ss ? ss + 1 : ss',
            'p == &b ? bump(&c) : 0',
            'shared[a & 1] += b',
            'q = only',
            'p = shared + 1',
            'c = takes(&b)',
            'c = takes(p)',
          ],
        )
        .map((s) => `${s};`),
      // What has effects stands alone: the order of evaluation inside an expression is open.
      fc
        .tuple(
          fc.constantFrom('add', 'sub', 'mul'),
          tie('expression'),
          tie('expression'),
          fc.constantFrom('a', 'u', 'l', 'uc', 'sc', 'us'),
        )
        .map(([op, x, y, at]) => `c = __builtin_${op}_overflow((${x}), (${y}), &${at});`),
      fc
        .tuple(
          fc.constantFrom(
            'fetch_add',
            'sub_fetch',
            'fetch_and',
            'or_fetch',
            'fetch_xor',
            'nand_fetch',
            'exchange_n',
          ),
          fc.constantFrom('a', 'g', 'us', 'l', 't[1]'),
          tie('expression'),
        )
        .map(([op, at, e]) => `b = __atomic_${op}(&${at}, (${e}), 5);`),
      fc
        .tuple(tie('expression'), tie('expression'))
        .map(([x, y]) => `b = __sync_val_compare_and_swap(&g, (${x}), (${y}));`),
      fc
        .tuple(tie('expression'), tie('expression'), labelNumber)
        .map(([x, y, n]) => `a = ({ int v${n} = ${x}; uc ^= 1; v${n} + (${y}); });`),
      tie('expression').map((e) => `g = f(${e});`),
      tie('expression').map((e) => `s = made(${e});`),
      tie('expression').map((e) => `a = sum(s, ${e});`),
      fc.tuple(tie('expression'), tie('expression')).map(([x, y]) => `${x} && (b = ${y}) || c++;`),
      fc.tuple(tie('expression'), tie('block'), tie('block')).map(([e, x, y]) => `if (${e}) ${x} else ${y}`),
      fc
        .tuple(fc.integer({ min: 1, max: 3 }), tie('block'), tie('expression'))
        .map(([n, b, e]) => `for (int i = 0; i < ${n}; i++) { if (${e}) continue; ${b} }`),
      fc
        .tuple(tie('expression'), tie('block'))
        .map(([e, b]) => `{ int n = 0; do { ${b} if (n == 2) break; } while (++n < 4 && (${e})); }`),
      fc
        .tuple(tie('expression'), tie('expression'), tie('statement'), labelNumber)
        .map(
          ([x, y, s, n]) =>
            `{ int k = 0; again${n}: if (${x}) goto out${n}; ${s} if (++k < 3) goto again${n}; out${n}: if (${y}) c++; }`,
        ),
      fc
        .tuple(tie('expression'), tie('expression'), tie('statement'))
        .map(
          ([x, y, s]) =>
            `for (int i = 0; i < 3; i++) { for (int j = i; j < 3; j++) { if (${x}) break; if (${y}) continue; ${s} } if (i && a > b) break; }`,
        ),
      fc
        .tuple(
          tie('expression'),
          tie('statement'),
          tie('statement'),
          fc.constantFrom('', 'break;', 'c = 9; break;'),
        )
        .map(
          ([e, x, y, end]) =>
            `switch (${e}) { case 0: ${x} ${end} default: a ^= 1; case ONE: case 3: ${y} break; case -1: b = 1; }`,
        ),
      fc
        .tuple(tie('expression'), tie('statement'), tie('statement'))
        .map(
          ([e, x, y]) =>
            `switch (${e}) { case -3 ... -1: ${x} case 0 ... 2: ${y} break; case 3 ... 1000: c++; }`,
        ),
      fc
        .tuple(tie('expression'), tie('statement'))
        .map(
          ([x, s]) =>
            `{ __label__ next, out; int k = 0; next: if (++k > 2 || (${x})) goto out; ${s} goto next; out: c ^= k; }`,
        ),
      fc
        .tuple(tie('expression'), tie('expression'), labelNumber)
        .map(
          ([x, y, n]) =>
            `{ int n${n} = 1 + ((${x}) & 3), *h${n} = malloc(n${n} * sizeof(int)); for (int i = 0; i < n${n}; i++) h${n}[i] = i ^ (${y}); c += h${n}[n${n} - 1]; free(h${n}); }`,
        ),
      fc
        .tuple(tie('expression'), tie('expression'), labelNumber)
        .map(
          ([x, y, n]) =>
            `{ int n${n} = 1 + ((${x}) & 3), va${n}[n${n}]; for (int i = 0; i < n${n}; i++) va${n}[i] = i + (${y}); c += va${n}[n${n} - 1] + sizeof va${n}; }`,
        ),
    ),
    block: fc.array(tie('statement'), { minLength: 1, maxLength: 2 }).map((list) => `{ ${list.join(' ')} }`),
  };
});

const SUM =
  '(a + b + c + g + vu.i + vu.s[1] + pad[0] + pad[3] + ti + s.x + s.y + s.sign + ss[1].x + t[0] + t[1] + m[1][1] + uc + sc + us + (int)l + (int)u)';

export const wildPrograms = fc
  .tuple(
    fc.array(statement, { minLength: 1, maxLength: 6 }),
    fc.array(statement, { maxLength: 3 }),
    expression,
    // Some input nearly always gives a sum that 7 divides; the rest holds on every input, or mostly.
    fc.constantFrom(
      ...[
        'SUM % 7 != 0',
        'SUM % 1009 != 0',
        's.low < 8 && s.sign >= -8 && s.sign <= 7',
        'uc <= 255 && sc < 128 && sc >= -128',
      ],
      ...[
        '(a < b) + (b < a) + (a == b) == 1',
        'c >= 0 || c < 0',
        '(u & 3) < 4 && (unsigned char)(uc + 1) != uc',
        'a * 2 == a + a',
      ],
    ),
    fc.boolean(),
  )
  .map(
    ([body, tail, check, holds, both]) => `#include <stddef.h>
#include <stdlib.h>
enum { ONE = 1, MANY = 1000000 };
struct W { unsigned a : 3, b : 7; long c : 40; signed char d : 5; unsigned : 0; unsigned short e : 9; char f; } w = { 1, 2, 3, -4, 5 }, ws[2] = { { .d = 3 }, { 7, 7 } }, *wp = &ws[1];
int table[] = { [1 ... 3] = 4, [5] = 6, 7 };
struct S { int x; unsigned char y; short z[2]; unsigned low : 3; int sign : 4; };
struct In { signed char v; long w; };
extern int g; int g; static unsigned char uc = 250; unsigned short us = 3; signed char sc = -3;
struct S s = { 1, .z = { 2, 3 } }, ss[2] = { { 4, 5 }, { .low = 6, .x = 7 } };
struct In inner = { 100, -1 }; struct { int n; struct In in; } big = { 3, { -5 } };
int t[2] = { 8, -9 }; short m[2][2] = { { 1 }, { 2, 3 } };
union { int i; unsigned char b[4]; } un; unsigned char *bytes = un.b; struct Two { struct S *x; int n; } both[2] = { { &s }, { ss } };
int *shared = (int[]){ 3, -4 }; struct S *only = &(struct S){ .y = 9, .x = -2 };
typedef union { int *i; char *c; } either __attribute__((transparent_union)); int takes(either e) { return *e.i + 1; }
int named(void) { return __func__[1] + sizeof __func__; }
int twice(int n) { return n * 2; }
int negated(int n) { return -n; }
union V { int i; unsigned char b[4]; short s[2]; long w; } vu = { .s = { 1, 2 } }, *vp = &vu;
unsigned char pad[8] = { 1, 2, 3, 4, 5 }; typedef int tiny __attribute__((mode(QI))); tiny ti = -7;
struct { char c; unsigned f __attribute__((__mode__(__HI__))); char d; } hi = { 1, 65535, 2 };
static int half(int n) { return n / 2; }
static int through(int (*negated)(int), int half) { return negated(half) + 1; }
struct { int n; int (*run)(int); } ops = { 1, half };
int fac(int n) { n &= 3; return n == 0 ? 1 : n * fac(n - 1); }
struct S made(int n) { static int calls = 1; struct S r = { n, n, { n, ~n }, n, n }; r.x += calls++; return r; }
unsigned char narrow(short n) { return n; }
const int limit = 4; void setc(const int **at) { *at = *at == &g ? &limit : &g; }
void bump(int *n) { if (*n < 100) (*n)++; else *n = 0; }
void exchange(int *x, int *y) { int k = *x; *x = *y; *y = k; }
int pick(int *x, int *y) { return *x > *y ? *x : *y; }
void fill(struct S *r, int n) { r->x = n; r->z[n & 1] = n; r->low++; }
int sum(struct S r, int n) { r.x += n; return r.x + r.y + r.z[0] - r.z[1] + r.low * r.sign; }
int input(void) { int v = __VERIFIER_nondet_int(); __VERIFIER_assume(v >= 0 && v < 4); return v; }
int main(void) {
  int a = input(), b = input(), c = 0; unsigned u = 3; long l = -7; int *p = &c, *r = &b, **pp = &p; struct S *q = &ss[0]; int (*f)(int) = twice; int *ptrs[2] = { &a, t }; const int *cp = &limit, *cs[2] = { &a, &g }; int (*fs[2])(int) = { negated, twice };
  ${body.join('\n  ')}
  c = input();
  ${tail.join('\n  ')}
  ${both ? `assert(${check});` : ''}
  assert(${holds.replace('SUM', SUM)});
  return 0;
}
`,
  );
