// Random C programs whose functions call themselves and each other, with variables whose addresses go down the calls: three inputs from 0 to 3. A call
// stands alone: the order of evaluation inside an expression is open.

import fc from 'fast-check';

const NAMES = ['f', 'g', 'h'] as const;

const plain = fc.constantFrom(
  'x',
  'k',
  'n',
  '*p',
  'count',
  'x + k',
  'n * 3 - x',
  'k ^ n',
  '*p - x',
  '1',
  '2',
  '(x & 3) + n',
);
/** Calls only with less: every program ends. */
const call = fc
  .tuple(
    fc.constantFrom(...NAMES),
    fc.constantFrom('n - 1', 'n - 2', 'n / 2'),
    plain,
    fc.constantFrom('p', '&k', '&x', '&count'),
  )
  .map(([name, n, x, p]) => `${name}(${n}, ${x}, ${p})`);
const statement = fc.oneof(
  fc
    .tuple(fc.constantFrom('x', 'k', '*p', 'count'), fc.constantFrom('=', '+=', '^='), plain)
    .map(([at, op, e]) => `${at} ${op} ${e};`),
  call.map((c) => `{ int s = ${c}; k += s; }`),
  call.map((c) => `{ int s = ${c}; *p = s; }`),
  fc.tuple(call, plain).map(([c, e]) => `{ int s = ${c}; x = s - (${e}); }`),
  fc.tuple(plain, call, plain).map(([test, c, e]) => `if ((${test}) & 1) k = ${c}; else x -= ${e};`),
  fc.tuple(call, call).map(([first, second]) => `{ int s = ${first}; int t = ${second}; k = s * 2 + t; }`),
);
const body = fc.tuple(fc.array(statement, { minLength: 1, maxLength: 3 }), plain, plain);

export const recursivePrograms = fc
  .tuple(
    body,
    body,
    body,
    fc.integer({ min: 2, max: 4 }),
    fc.constantFrom('r % 5 != 2', 'r % 7 != 1', 'r * 2 == r + r'),
  )
  .map(
    ([f, g, h, depth, holds]) => `int count;
${NAMES.map((name) => `int ${name}(int n, int x, int *p);`).join(' ')}
${[f, g, h]
  .map(
    ([statements, base, result], i) => `int ${NAMES[i]}(int n, int x, int *p) {
  int k = x + n;
  count++;
  if (n <= 0) return ${base};
  ${statements.join('\n  ')}
  return ${result};
}`,
  )
  .join('\n')}
int input(void) { int v = __VERIFIER_nondet_int(); __VERIFIER_assume(v >= 0 && v < 4); return v; }
int main(void) {
  int a = input(), b = input(), c = input();
  int r = f(${depth} - (a & 1), b, &c);
  int s = g(2, c, &a);
  r += s + count;
  assert(${holds});
  return 0;
}
`,
  );
