// Random C programs that compute with floating-point numbers, for comparison with gcc: three inputs from 0 to 3. Bits of NaN are never
// looked at: gcc and the processor do not agree on them.

import fc from 'fast-check';

const NUMBERS =
  '0.0 -0.0 1.0 0.5f 0.1 0.1f 3 -2 1e10 1e-10f 16777217 1.5L -7.25 0x1.8p4 1e308 1e-320 FLT_MAX DBL_MIN 2147483647 INFINITY NAN 1e20f'.split(
    ' ',
  );
const PLACES = 'd e f h x y l a b c u s.d s.f arr[1] arr[@] p->f *q'.split(' ');
const FUNCTIONS = 'fabs floor ceil trunc round rint sqrt half fabsf floorf sqrtf roundf truncf'.split(' ');
const CLASSES =
  '!!isnan|!!isinf|!!isfinite|!!isnormal|fpclassify|!!|(_Bool)|(float)|(double)|(long double)|-|+'.split('|');

type Trees = { number: string; whole: string; test: string; statement: string };
const { number, whole, test, statement } = fc.letrec<Trees>((tie) => {
  const target = fc
    .tuple(fc.constantFrom(...PLACES), tie('whole'))
    .map(([at, e]) => at.replace('@', `1 & (${e})`));
  return {
    number: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...NUMBERS),
      target,
      fc
        .tuple(tie('number'), fc.constantFrom(...'+ - * /'.split(' ')), tie('number'))
        .map(([l, op, r]) => `(${l} ${op} ${r})`),
      fc
        .tuple(fc.constantFrom(...FUNCTIONS, ...CLASSES), tie('number'))
        .map(([f, e]) => `${f}((${e}) * 1.0f)`),
      fc
        .tuple(fc.constantFrom('fmin', 'fmax', 'fmod', 'fdim', 'fminf', 'mean'), tie('number'), tie('number'))
        .map(([f, l, r]) => `${f}(${l}, ${r})`),
      fc.tuple(tie('test'), tie('number'), tie('number')).map(([x, y, z]) => `(${x} ? ${y} : ${z})`),
      tie('whole'),
    ),
    // NaN becomes the lower bound, what is large the upper one: every conversion is defined.
    whole: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('a', 'b', 'c', '2', '(int)u'),
      fc
        .tuple(fc.constantFrom('(int)', '(long)', '(short)', '(signed char)'), tie('number'))
        .map(([type, e]) => `${type}within(${e}, -100)`),
      fc
        .tuple(
          fc.constantFrom('(unsigned)', '(unsigned char)', '(unsigned long)', '(unsigned short)'),
          tie('number'),
        )
        .map(([type, e]) => `(int)${type}within(${e}, 0)`),
      fc
        .tuple(fc.constantFrom('lround', 'lrint', 'llrintf'), tie('number'))
        .map(([f, e]) => `(int)${f}(within(${e}, -100))`),
      tie('test'),
    ),
    test: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc
        .tuple(tie('number'), fc.constantFrom(...'< <= == != > >='.split(' ')), tie('number'))
        .map(([l, op, r]) => `(${l} ${op} ${r})`),
      fc
        .tuple(
          fc.constantFrom('isless', 'isgreaterequal', 'isunordered', 'islessgreater'),
          tie('number'),
          tie('number'),
        )
        .map(([f, l, r]) => `!!${f}((${l}) * 1.0f, (${r}) * 1.0f)`),
      fc
        .tuple(tie('number'), fc.constantFrom('&&', '||'), tie('test'))
        .map(([l, op, r]) => `(${l} ${op} ${r})`),
      tie('number').map((e) => `!(${e})`),
    ),
    statement: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc
        .tuple(
          fc.constantFrom('d', 'e', 'f', 'h', 'x', 'y', 'l', 's.d', 's.f', 'arr[0]', 'arr[1]', 'p->f', '*q'),
          fc.constantFrom('=', '+=', '-=', '*=', '/='),
          tie('number'),
        )
        .map(([at, op, e]) => `${at} ${op} ${e};`),
      fc.tuple(fc.constantFrom('a', 'b', 'u'), tie('whole')).map(([at, e]) => `${at} = ${e};`),
      fc.constantFrom(
        'd++;',
        '--f;',
        'q = &arr[a & 1];',
        'q = &d;',
        'p = &t;',
        's = *p;',
        'x = y = d;',
        'e = sum(3, 0.5);',
        'd = modf(e * 3.7, &x);',
        'h = modff(f, &f);',
        'c += u > 2.5;',
      ),
      fc
        .tuple(tie('test'), tie('statement'), tie('statement'))
        .map(([e, x, y]) => `if (${e}) { ${x} } else { ${y} }`),
      fc
        .tuple(tie('statement'), tie('test'))
        .map(([s, e]) => `for (float i = 0; i < 0.5f; i += 0.2f) { ${s} if (${e}) break; }`),
    ),
  };
});

export const floatPrograms = fc
  .tuple(
    fc.array(statement, { minLength: 1, maxLength: 5 }),
    whole,
    test,
    number,
    fc.constantFrom(
      '(a + b + c + K) % 7 != 3',
      'K % 3 != 1',
      '!(d < e && e < d)',
      'f == f || f != f',
      'x != x || x <= x + 1 || x < -10',
    ),
  )
  .map(
    ([body, w, check, last, holds]) => `#include <math.h>
#include <float.h>
struct S { float f; double d; } s = { 1.5, -2 }, t = { .d = 1e300 }, *p = &s;
double arr[2] = { 0.1, -3.5f }, *q = arr; static float g = 1 / 3.0;
static float half(float v) { return v / 2; }
static double mean(double v, float w) { return (v + w) * 0.5; }
static double within(double v, double least) { return fmin(fmax(v, least), 100); }
static double sum(int n, double v) { double r = 0; for (int i = 0; i < n; i++) r += v * i; return r; }
int input(void) { int v = __VERIFIER_nondet_int(); __VERIFIER_assume(v >= 0 && v < 4); return v; }
int main(void) {
  int a = input(), b = input(), c = input(); unsigned u = 3000000000u; float f = a, h = b / 2.0f; double d = a * 0.1, e = -1.5, x = c, y = 1e15 + a; long double l = b;
  ${body.join('\n  ')}
  c = ${w};
  if (${check}) b ^= 5;
  d = ${last};
  int K = (int)within(e * 16, -100) + (int)within(f * 8, -100) + (int)within(h, -100) + (int)within(s.f + s.d, -100) + (int)within(l * 4, -100) + (isnan(d) ? 2 : (int)within(d, -100));
  assert(${holds});
  return 0;
}
`,
  );
