// Random programs whose functions call themselves and each other over numbers and variables outside of functions: what contracts can speak of. Three
// inputs from 0 to 3 decide the depth. A call stands alone: the order of evaluation inside an expression is open.

import fc from 'fast-check';

const NAMES = ['f', 'g'] as const;
const plain = fc.constantFrom(
  'x',
  'k',
  'n',
  'count',
  'x + k',
  'n * 2 - x',
  'k ^ n',
  'state',
  '1',
  '3',
  '(x & 3) + n',
  '-k',
);
/** Calls only with less: every program ends. */
const call = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom('n - 1', 'n - 2', 'n / 2'), plain)
  .map(([name, n, x]) => `${name}(${n}, ${x})`);
const statement = fc.oneof(
  fc
    .tuple(fc.constantFrom('x', 'k', 'count', 'state'), fc.constantFrom('=', '+=', '^=', '&='), plain)
    .map(([at, op, e]) => `${at} ${op} ${e};`),
  call.map((c) => `{ int s = ${c}; k += s; }`),
  call.map((c) => `{ short s = ${c}; count = s; }`),
  fc.tuple(call, plain).map(([c, e]) => `{ int s = ${c}; x = s - (${e}); }`),
  fc.tuple(plain, call, plain).map(([test, c, e]) => `if ((${test}) & 1) k = ${c}; else x -= ${e};`),
  fc.tuple(call, plain).map(([c, e]) => `for (int i = 0; i < 2; i++) { int s = ${c}; k += s & (${e}); }`),
);
const result = fc
  .tuple(plain, fc.constantFrom('', '& 7', '& 1', '% 5', '> 2', '| 1'))
  .map(([e, op]) => `(${e}) ${op}`);
const body = fc.tuple(fc.array(statement, { minLength: 1, maxLength: 3 }), result, result);
const HOLDS = [
  'r >= 0',
  'r <= 7',
  'r != 2',
  'state >= 0',
  'r + 7 >= 0 && r < 8',
  'count != 5',
  'r * 2 == r + r',
  'r % 7 != 3',
  'a == b || r < 6',
  'once == 1',
];

export const recursiveNumbers = fc
  .tuple(body, body, fc.constantFrom(...HOLDS), fc.constantFrom(...HOLDS))
  .map(
    ([f, g, first, last]) => `int count, state, once;
${NAMES.map((name) => `int ${name}(int n, int x);`).join(' ')}
${[f, g]
  .map(
    ([statements, base, value], i) => `int ${NAMES[i]}(int n, int x) {
  int k = x + n;
  once = 1;
  if (n <= 0) return ${base};
  ${statements.join('\n  ')}
  return ${value};
}`,
  )
  .join('\n')}
int input(void) { int v = __VERIFIER_nondet_int(); __VERIFIER_assume(v >= 0 && v < 4); return v; }
int main(void) {
  int a = input(), b = input(), c = input();
  int r = f(a, b);
  assert(${first});
  r = g(c, r);
  assert(${last});
  return 0;
}
`,
  );
