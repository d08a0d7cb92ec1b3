// Functions that call themselves as deep as inputs say, proved by contracts; and what must not be proved that way.

import { expect, test } from 'vitest';
import { type Budget, SILENT, UNLIMITED } from '../base/budget.ts';
import { sealed } from '../base/digest.ts';
import { checkC } from '../check/testing.ts';
import { SourceFile } from '../source/source.ts';
import { auditDocument } from './audit-document.ts';
import { entryOf } from './lower/entry.ts';
import { lowerWithContracts } from './lower/lower.ts';
import { parseC } from './syntax/parse.ts';

const main = (body: string): string =>
  `int main(void) { int n = __VERIFIER_nondet_int(); ${body} return 0; }`;

const MCCARTHY = 'int f(int x) { return x > 100 ? x - 10 : f(f(x + 11)); }';
const SUM = 'int add(int m, int n) { return n == 0 ? m : n > 0 ? add(m + 1, n - 1) : add(m - 1, n + 1); }';
const PARITY = `int even(int n); int odd(int n) { return n == 0 ? 0 : n == 1 ? 1 : even(n - 1); }
int even(int n) { return n == 0 ? 1 : n == 1 ? 0 : odd(n - 1); }`;
const FIBONACCI =
  'int calls; int fib(int n) { calls = 1; if (n < 2) return n == 1; return (fib(n - 1) + fib(n - 2)) & 0xffff; }';
const GCD =
  'int gcd(int a, int b) { if (a <= 0 || b <= 0) return 0; return a == b ? a : a > b ? gcd(a - b, b) : gcd(a, b - a); }';

const PROVED: readonly (readonly [string, string])[] = [
  ['McCarthy 91', `${MCCARTHY} ${main('int r = f(n); assert(r == 91 || (n > 100 && r == n - 10));')}`],
  [
    'a sum that wraps around',
    `${SUM} ${main('int m = __VERIFIER_nondet_int(); assert(add(n, m) == n + m);')}`,
  ],
  ['even and odd', `${PARITY} ${main('if (n >= 0) { int r = odd(n); assert(r == 1 || n % 2 == 0); }')}`],
  ['Fibonacci, and a variable', `${FIBONACCI} ${main('int r = fib(n); assert(r >= 0 && calls == 1);')}`],
  [
    'a variable of its own that stays',
    `int f(int n) { static int on; on = 1; return n <= 0 ? on : f(n - 1); } ${main('assert(f(n) == 1);')}`,
  ],
  [
    'what nobody defines',
    `int get(void); int f(int n) { if (n <= 0) return 0; return get() ? f(n - 1) : 1; } ${main('int r = f(n); assert(r == 0 || r == 1);')}`,
  ],
  // The solver for Horn clauses goes through so many calls one by one.
  [
    'many calls, as many as the text says',
    'int f(int n) { return n <= 0 ? 0 : f(n - 1) + 1; } int main(void) { assert(f(2000) == 2000); return 0; }',
  ],
  [
    'many calls that count in a variable',
    'int g; int f(int n) { if (n <= 0) return 0; g++; return f(n - 1) + 1; } int main(void) { assert(f(2000) == 2000 && g == 2000); return 0; }',
  ],
  ['greatest common divisor', `${GCD} ${main('int r = gcd(n, 12); assert(n <= 0 || (r > 0 && r <= 12));')}`],
];

const WRONG: readonly (readonly [string, string])[] = [
  ['McCarthy 91', `${MCCARTHY} ${main('int r = f(n); assert(r == 91 || n > 102);')}`],
  ['a sum', `${SUM} ${main('assert(add(n, 7) != 1000000);')}`],
  ['even and odd', `${PARITY} ${main('if (n >= 0) assert(odd(n) == 0 || n < 5000);')}`],
  [
    'a variable that stays, and was changed',
    `int f(int n) { static int s; s++; return n <= 0 ? s : f(n - 1); } ${main('f(n); assert(f(0) < 9);')}`,
  ],
  [
    'a variable that others change meanwhile',
    `int v; void out(void); void f(int n) { int old = v; if (n > 0) { f(n - 1); assert(v == old); } else out(); } ${main('f(n);')}`,
  ],
  [
    'many calls',
    'int g; int f(int n) { if (n <= 0) return 0; g++; return f(n - 1) + 1; } int main(void) { g = 1; f(2000); assert(g == 2000); return 0; }',
  ],
  ['a variable', `${FIBONACCI} ${main('fib(n); assert(calls == 0);')}`],
  [
    'what an inner call does to a variable',
    `int v; void f(int n) { int old = v; if (n > 0) { f(n - 1); assert(v == old); } v = n & 1; } ${main('f(n);')}`,
  ],
  [
    'an assertion inside, with arguments of its own',
    `void f(int n, int x) { assert(x != 3); if (n > 0) f(n - 1, x + 1); } ${main('f(n, 0);')}`,
  ],
];

async function asked(text: string, budget: Budget): Promise<string> {
  const files = { read: (path: string) => (path === 'x.c' ? text : null) };
  const request = { path: 'x.c', files, properties: ['assertions'], budget, observer: SILENT };
  const { properties } = await checkC(request);
  const [{ verdict, evidence }] = properties as [(typeof properties)[0]];
  if (evidence?.kind !== 'certificate') return verdict;
  const again = { document: evidence.certificate, path: 'x.c', files, defines: [], includes: [] };
  const audit = await auditDocument({ ...again, budget: UNLIMITED });
  const accepted = audit.kind === 'audited' && audit.result.kind === 'accepted';
  return `${verdict} by ${evidence.certificate.kind}${accepted ? '' : ', not accepted'}`;
}

test.each(PROVED)('%s', async (_, text) => {
  expect(await asked(text, UNLIMITED)).toBe('proved by c-contracts');
});

test.each(WRONG)('not proved: %s', async (_, text) => {
  const end = performance.now() + 3000;
  const remaining = () => end - performance.now();
  const budget = { ...UNLIMITED, remaining, timeLeft: () => remaining() > 0 };
  expect(await asked(text, budget)).not.toContain('proved');
});

async function read(text: string) {
  const file = new SourceFile('x.c', text);
  const unit = await parseC(file, { files: { read: () => null }, defines: [], includes: [] });
  if (!unit.ok) throw new Error('it does not parse');
  return lowerWithContracts([unit.value], entryOf(), null);
}

test.each([
  ['nothing calls itself', `int f(int n) { return n; } ${main('f(n);')}`],
  ['a pointer', `int f(int *p) { return *p > 0 ? f(p) : 0; } ${main('f(&n);')}`],
  ['memory', `int a[9]; int f(int n) { a[n] = 1; return n ? f(n - 1) : 0; } ${main('f(n);')}`],
  [
    'the address of a variable, as a number',
    `int f(long p, int n) { int x; return n ? f((long)&x, n - 1) : p == (long)&x; } ${main('f(0, n);')}`,
  ],
  [
    'an array that stays',
    `int f(int n) { static int a[2]; a[n & 1]++; return n ? f(n - 1) : 0; } ${main('f(n);')}`,
  ],
  [
    'a call through a pointer',
    `int (*h)(int); int f(int n) { return n ? h(n - 1) + f(n - 1) : 0; } ${main('h = f; f(n);')}`,
  ],
  [
    'a struct',
    `struct s { int x; } f(int n) { struct s r = { 1 }; return n ? f(n - 1) : r; } ${main('f(n);')}`,
  ],
  [
    'members that share bytes',
    `union { int x; char c; } u; int f(int n) { u.x = n; return n ? f(u.c) : 0; } ${main('f(n);')}`,
  ],
])('no contracts: %s', async (_, text) => {
  expect(await read(text)).toBe(null);
});

test('a certificate with another contract is refused', async () => {
  const text = PROVED[1]![1];
  const files = { read: (path: string) => (path === 'x.c' ? text : null) };
  const { properties } = await checkC({ path: 'x.c', files, properties: ['assertions'], observer: SILENT });
  const evidence = properties[0]!.evidence;
  if (evidence?.kind !== 'certificate') throw new Error('it is proved');
  const document = evidence.certificate as unknown as { contracts: { ensures: string[] }[] };
  const change = async (ensures: readonly string[], requires: readonly string[] = []) => {
    const { digest: _, ...rest } = document as unknown as Record<string, unknown>;
    const contracts = [{ ...document.contracts[0]!, ensures, requires }];
    const request = { path: 'x.c', files, defines: [], includes: [], budget: UNLIMITED };
    const audit = await auditDocument({ ...request, document: sealed({ ...rest, contracts }) });
    return audit.kind === 'audited' ? audit.result.kind : audit.kind;
  };
  const [right] = document.contracts[0]!.ensures as [string];
  expect(await change([right])).toBe('accepted');
  for (const wrong of [[], ['(eq 0:32 1:32)'], ['(eq c0 c0)'], ['(what)'], [right, '(slt 0:32 c2)']])
    expect(await change(wrong)).toBe('rejected');
  expect(await change([right], ['(eq 0:32 1:32)'])).toBe('rejected');
  expect(await change([right], ['(slt c3 9:32)'])).toBe('rejected');
});

/** Nothing is required, nothing ensured. */
async function auditedWithoutContracts(property: string, text: string): Promise<unknown> {
  const contracts = [{ function: 'f', requires: [], ensures: [] }];
  const proof = { kind: 'c-invariants', tests: [], invariants: [] };
  const document = { property, kind: 'c-contracts', contracts, proof };
  const request = { path: 'x.c', files: { read: () => text }, defines: [], includes: [], budget: UNLIMITED };
  const audit = await auditDocument({ ...request, document });
  return audit.kind === 'audited' && audit.result.kind;
}

test.each([
  ['return', 'int *p = malloc(4);', 'free(p);', 'accepted'],
  // Whoever looks at the function by itself does not see what is allocated where it is called.
  ['exit', 'int *p = malloc(4);', 'free(p);', 'rejected'],
  ['exit', '', '', 'accepted'],
])('no-leaks where a function that calls itself may %s: %s', async (how, before, after, expected) => {
  const text = `extern void *malloc(unsigned long); extern void free(void *), exit(int);
int f(int n) { if (n == 100000) ${how}(0); return n > 0 ? f(n - 1) : 0; } ${main(`${before} f(n); ${after}`)}`;
  expect(await auditedWithoutContracts('no-leaks', text)).toBe(expected);
});

test.each([
  ['nothing', '', 'accepted'],
  ['reads', 'getchar();', 'rejected'],
  ['calls what may go back there', 'out();', 'rejected'],
])('the end of the input stays the end where a function %s', async (_, does, expected) => {
  const text = `extern int getchar(void); extern void out(void);
int f(int n) { ${does} return n > 0 ? f(n - 1) : 0; }
${main('if (getchar() == -1) { f(n); assert(getchar() == -1); }')}`;
  expect(await auditedWithoutContracts('assertions', text)).toBe(expected);
});
