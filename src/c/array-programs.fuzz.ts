// Random small programs with arrays of more elements than are told apart: numbers of several widths, structs, rows, the same bytes in other widths, memory on the heap;
// written and read at open places, in loops and through pointers. Three inputs from 0 to 3.

import fc from 'fast-check';

/** Places of these are always inside. */
const places = (index: string, other: string): readonly string[] => [
  `a[(${index}) & 255]`,
  `a[${index} & 7]`,
  `b[(${index}) & 255]`,
  `b[${index} & 3]`,
  `r[(${index}) & 63].x`,
  `r[(${index}) & 3].y`,
  `r[(${index}) & 3].z`,
  `m[(${index}) & 15][(${other}) & 7]`,
  `w[(${index}) & 7]`,
  `h[(${index}) & 127]`,
  `h[p]`,
  `f[(${index}) & 3]`,
  `at[(${index}) & 7]`,
];

const { expression, place } = fc.letrec<{ expression: string; place: string }>((tie) => ({
  place: fc
    .tuple(tie('expression'), tie('expression'), fc.nat(12))
    .map(([index, other, which]) => places(index, other)[which]!),
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('p', 'q', 'n', 'i', 't', '0', '1', '2', '5', '255', '-1'),
    tie('place'),
    fc
      .tuple(tie('expression'), fc.constantFrom('+', '-', '*', '&', '^', '<', '=='), tie('expression'))
      .map(([left, op, right]) => `(${left} ${op} ${right})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
  ),
}));

/** Writes of the same bytes in other widths, and as a whole: each makes the elements of its array smaller, so a program has few of them. */
const others = fc.constantFrom(
  '((unsigned char *)a)[(p + 4 * q) & 31] = n + 1;',
  '((unsigned short *)a)[2 * p + 1] = 7;',
  '*(int *)(b + 4 * q) = 0x01020304;',
  'memset(b, n, 9);',
  'memset(a, 0, 12);',
  'memcpy(b + 1, b + 5 + p, 3);',
  'memcpy(h, a, 16);',
  'r[q] = r[p + 1];',
  'free(h); h = calloc(300, sizeof *h);',
  'at = a + p;',
  'at = h + 2 * q;',
  'at = n ? a : h;',
  'change(at, q);',
);

const { block } = fc.letrec<{ statement: string; block: string }>((tie) => ({
  statement: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 6, arbitrary: fc.tuple(place, expression).map(([to, from]) => `${to} = ${from};`) },
    { weight: 2, arbitrary: expression.map((e) => `t = ${e};`) },
    { weight: 1, arbitrary: others },
    {
      weight: 2,
      arbitrary: fc
        .tuple(expression, tie('block'), tie('block'))
        .map(([test, yes, no]) => `if (${test}) { ${yes} } else { ${no} }`),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('n', '3', 'p + 1', '5'), tie('block'))
        .map(([end, body]) => `for (i = 0; i < ${end}; i++) { ${body} }`),
    },
  ),
  block: fc
    .array(tie('statement'), { minLength: 1, maxLength: 3, depthIdentifier: 'block' })
    .map((list) => list.join(' ')),
}));

/** Loops through the first elements, of which any may be asked about. */
const sweeps = fc.oneof(
  fc.constant(''),
  fc
    .tuple(
      fc.constantFrom('i', 'p', '3', 'i * 2 + q', 'a[i]', '(i & 1) + n', 'i == 7 ? p : 1'),
      fc.constantFrom('9', '4 * n', 'n'),
    )
    .map(([value, end]) => `for (i = 0; i < ${end}; i++) a[i] = ${value};`),
  fc.constantFrom('for (i = 9; i >= 0; i--) { b[i] = 2; }', 'for (i = 0; i < 12; i++) h[i] = a[i];'),
);

export const arrayPrograms = fc
  .tuple(sweeps, block, block, place, fc.constantFrom('<=', '!=', '==', '<'), expression)
  .map(
    ([sweep, first, second, left, op, right]) => `extern int __VERIFIER_nondet_int(void);
extern void *memset(void *, int, unsigned long), *memcpy(void *, const void *, unsigned long);
extern void *malloc(unsigned long), *calloc(unsigned long, unsigned long), free(void *);
int a[300] = { 4, 3, 2, [200] = 1 }; unsigned char b[400]; struct s { int x; short y; char z; } r[120]; short m[20][16]; long w[300]; unsigned f[300];
static void change(int *to, int by) { for (int k = 0; k < by; k++) to[k] += k + 1; }
int main(void) {
  int p = __VERIFIER_nondet_int() & 3, q = __VERIFIER_nondet_int() & 3, n = __VERIFIER_nondet_int() & 3, i = 0, t = 0;
  int *h = calloc(300, sizeof *h), *at = a;
  ${sweep}
  ${first}
  ${second}
  assert(${left} ${op} ${right});
  return 0;
}
`,
  );
