// Functions that call themselves, far beyond what inlining could follow: executed, proved and refuted.

import { expect, test } from 'vitest';
import { checkC } from '../../check/testing.ts';
import { programOf, runWith } from '../testing.ts';

const HEAD = 'extern void reach_error(void);\n';
const FIB = 'int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }';
const ACK =
  'int ack(int m, int n) { if (m == 0) return n + 1; if (n == 0) return ack(m - 1, 1); return ack(m - 1, ack(m, n - 1)); }';
const EVEN =
  'int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); } int odd(int n) { return n == 0 ? 0 : even(n - 1); }';
const HANOI =
  'int moves; void hanoi(int n, int a, int b, int c) { if (n == 0) return; hanoi(n - 1, a, c, b); moves++; hanoi(n - 1, c, b, a); }';
// Each calls itself and the other, in both orders: what is running decides which variables are free.
const KNOT = `int g(int n); int f(int n) { int k = n; if (n <= 0) return 1; int r = f(n - 1); r += g(n - 2); return r + k - n; }
int g(int n) { int k = n; if (n <= 0) return 2; int r = g(n - 2); r += f(n - 1); return r + k - n; }`;
const TREE = `struct t { int v; struct t *l, *r; } nodes[7];
int sum(struct t *t) { if (!t) return 0; return t->v + sum(t->l) + sum(t->r); }
int total(void) { for (int i = 0; i < 7; i++) { nodes[i].v = i; nodes[i].l = i < 3 ? &nodes[2 * i + 1] : 0; nodes[i].r = i < 3 ? &nodes[2 * i + 2] : 0; } return sum(nodes); }`;

const VALUES = [
  [FIB, 'fib(13)', 233],
  [ACK, 'ack(2, 3)', 9],
  [EVEN, 'even(20)', 1],
  [EVEN, 'even(101)', 0],
  [HANOI, '(hanoi(6, 0, 1, 2), moves)', 63],
  [KNOT, 'f(5)', 21],
  [TREE, 'total()', 21],
  ['int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }', 'down(150)', 150],
] as const;

const programWith = (functions: string, call: string, value: number): string =>
  `${HEAD}${functions}\nint main(void) { if (${call} != ${value}) reach_error(); return 0; }`;

/** As deep as an input says, which an assumption bounds. */
const upTo = (assumed: string, wrong: string): string =>
  `${HEAD} extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);
   int up(int n) { if (n <= 0) return 0; return 1 + up(n - 1); }
   int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(${assumed}); if (${wrong}) reach_error(); return 0; }`;

test.each(VALUES)('%s: %s is %i', { timeout: 0 }, async (functions, call, value) => {
  const right = await programOf(programWith(functions, call, value));
  expect(runWith(right, [], 1_000_000).outcome).toBe('end');
  const wrong = await programOf(programWith(functions, call, value + 1));
  expect(runWith(wrong, [], 1_000_000).outcome).toBe('error');
});

test.each([
  [programWith(EVEN, 'even(20)', 1), 'proved'],
  [programWith(FIB, 'fib(12)', 145), 'refuted'],
  [programWith(ACK, 'ack(2, 3)', 8), 'refuted'],
  [programWith(KNOT, 'f(5)', 1), 'refuted'],
  [upTo('n >= 0 && n < 25', 'up(n) != n'), 'proved'],
  [upTo('n >= 0 && n < 60', 'up(n) == 55'), 'refuted'],
] as const)('%s is %s', { timeout: 0 }, async (text, verdict) => {
  const files = { read: (path: string) => (path === 'x.c' ? text : null) };
  const { properties } = await checkC({ path: 'x.c', files, properties: ['assertions'] });
  expect(properties.map((property) => property.verdict)).toEqual([verdict]);
});

test('what goes deeper than anything is cut off, and says so', async () => {
  const program = await programOf(
    `${HEAD} int f(int n) { return f(n + 1); } int main(void) { return f(0); }`,
  );
  const { outcome, why } = runWith(program, []);
  expect([outcome, why]).toEqual(['cut', "the recursion of 'f' goes deeper than 40"]);
});
