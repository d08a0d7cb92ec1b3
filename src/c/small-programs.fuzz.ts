// Random small C programs that an analysis can decide: counters, flags, a lock, aliases; three inputs from 0 to 3.

import fc from 'fast-check';

/** For labels, which must differ. */
const labelNumber = fc.noShrink(fc.noBias(fc.nat(1e9)));

const variable = fc.constantFrom(
  'a',
  'b',
  'c',
  'd',
  'd2',
  'h',
  'v',
  's.x',
  's.y',
  'g',
  '*p',
  't[1]',
  'w->x',
  'p[0]',
);
const { expression, statement, block } = fc.letrec<{ expression: string; statement: string; block: string }>(
  (tie) => ({
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(variable, fc.integer({ min: -2, max: 5 }).map(String)),
      fc
        .tuple(
          tie('expression'),
          fc.constantFrom('+', '-', '*', '&', '|', '^', '<', '<=', '==', '!=', '>', '&&', '||'),
          tie('expression'),
        )
        .map(([l, op, r]) => `(${l} ${op} ${r})`),
      tie('expression').map((e) => `t[${e} & 1]`),
      fc
        .tuple(fc.constantFrom('!', '-', '~', '(unsigned char)', '(short)', '(unsigned)'), tie('expression'))
        .map(([op, e]) => `${op}(${e})`),
      fc
        .tuple(tie('expression'), tie('expression'), tie('expression'))
        .map(([x, y, z]) => `(${x} ? ${y} : ${z})`),
      fc.tuple(tie('expression'), fc.integer({ min: 1, max: 4 })).map(([e, k]) => `(${e} % ${k})`),
      fc.tuple(tie('expression'), fc.integer({ min: 0, max: 3 })).map(([e, k]) => `(${e} >> ${k})`),
    ),
    statement: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc
        .tuple(variable, fc.constantFrom('=', '+=', '-='), tie('expression'))
        .map(([v, op, e]) => `${v} ${op} ${e};`),
      fc
        .tuple(
          fc.constantFrom(
            ...[
              'a++',
              '--b',
              'c--',
              's.x++',
              'lock()',
              'unlock()',
              'p = &b',
              'p = &g',
              'p = t',
              'h += 100',
              'v *= 3',
            ],
            ...[
              'bump(&a)',
              'bump(p)',
              'exchange(&b, p)',
              'p = a > b ? &a : &b',
              'w = &s',
              'w = ss + (b & 1)',
              'ss[0] = s',
            ],
          ),
          fc.constant(0),
        )
        .map(([s]) => `${s};`),
      tie('expression').map((e) => `t[(${e}) & 1] = ${e};`),
      fc.tuple(tie('expression'), tie('block'), tie('block')).map(([e, x, y]) => `if (${e}) ${x} else ${y}`),
      fc
        .tuple(fc.integer({ min: 1, max: 3 }), tie('block'), fc.constantFrom('i', 'j'))
        .map(([n, b, i]) => `for (int ${i} = 0; ${i} < ${n}; ${i}++) ${b}`),
      fc
        .tuple(tie('expression'), tie('statement'), tie('statement'), fc.boolean())
        .map(
          ([e, x, y, fall]) =>
            `switch (${e}) { case 0: ${x} ${fall ? '' : 'break;'} case 1: case 3: ${y} break; default: g ^= 1; }`,
        ),
      fc
        .tuple(tie('expression'), tie('statement'))
        .map(([e, s]) => `{ int n = 0; while (${e}) { if (++n > 4) break; ${s} } }`),
      tie('expression').map((e) => `{ int k = twice(${e}); a = k; }`),
      tie('expression').map((e) => `__VERIFIER_assume((${e}) != 2);`),
      tie('expression').map((e) => `if (${e}) goto done;`),
      fc
        .tuple(tie('expression'), tie('expression'), tie('statement'))
        .map(
          ([x, y, s]) =>
            `for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) { if (${x}) continue; if (${y}) break; ${s} }`,
        ),
      fc
        .tuple(tie('expression'), tie('statement'), labelNumber)
        .map(([e, s, n]) => `{ int k = 0; again${n}: ${s} if (++k < 3 && (${e})) goto again${n}; }`),
    ),
    block: fc
      .array(tie('statement'), {
        minLength: 1,
        maxLength: 3,
        depthIdentifier: 'block',
        depthSize: 'xsmall',
      } as never)
      .map((list) => `{ ${list.join(' ')} }`),
  }),
);

export const smallPrograms = fc
  .tuple(
    fc.array(statement, { minLength: 1, maxLength: 5 }),
    expression,
    fc.constantFrom('int', 'unsigned', 'short', 'unsigned char', 'signed char', 'long'),
    block,
  )
  .map(
    ([body, check, type, tail]) => `#include <assert.h>
int g, held; struct S { int x; unsigned char y; } s, ss[2];
void lock(void) { if (held) { ERROR: g = 0; } held = 1; }
void unlock(void) { held = 0; }
int twice(int n) { return n * 2; }
void bump(int *n) { *n = *n < 3 ? *n + 1 : 0; }
void exchange(int *x, int *y) { int k = *x; *x = *y; *y = k; }
int input(void) { int v = __VERIFIER_nondet_int(); __VERIFIER_assume(v >= 0 && v < 4); return v; }
int main(void) {
  int a = input(); ${type} d2 = a; int b = input(), c = 0; short d = 1; int t[2] = {0, 3}; int *p = &c; unsigned char h = 200; signed char v = -5;
  struct S *w = ss;
  ${body.join('\n  ')}
  d = input();
  ${tail}
done:
  assert(${check});
  return 0;
}
`,
  );
