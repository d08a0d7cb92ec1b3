// Arrays of more elements than are told apart: right programs are proved, wrong ones refuted, and what is not known of them is not claimed.

import { expect, test } from 'vitest';
import { UNLIMITED } from '../base/budget.ts';
import { checkC, verdictOf } from '../check/testing.ts';
import { auditProgram } from './audit/audit.ts';
import { INVARIANTS_KIND, type InvariantsProof } from './audit/invariants.ts';
import { InvariantSearch } from './reach/invariants.ts';
import { liveCells } from './reach/liveness.ts';
import { Oracle } from './reach/oracle.ts';
import { isErrorLocation, programOf } from './testing.ts';

const DECLARED =
  'extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern void other(void), *memset(void *, int, unsigned long), *malloc(unsigned long), *calloc(unsigned long, unsigned long); extern int *get(void);\n';

async function verdictOn(text: string): Promise<string> {
  const { properties, diagnostics } = await checkC({
    path: 'test.c',
    files: { read: (path) => (path === 'test.c' ? DECLARED + text : null) },
    defines: [],
    includes: [],
    properties: ['assertions'],
    budget: UNLIMITED,
    observer: { stage: () => {}, progress: () => {}, now: () => 0 },
  });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return properties[0]!.verdict;
}

const UP_TO_N = 'int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 0;';

test.each([
  [
    'two writes',
    'int a[1000]; int main(void) { unsigned i = __VERIFIER_nondet_uint() % 1000, j = __VERIFIER_nondet_uint() % 1000; a[i] = 5; a[j] = 6; assert(a[j] == 6 && (CHECK)); return 0; }',
    'i == j || a[i] == 5',
    'a[i] == 5',
  ],
  [
    'all elements',
    `int a[1000]; int main(void) { ${UP_TO_N} for (int i = 0; i < n; i++) a[i] = 42; for (int i = 0; i < n; i++) assert(CHECK); return 0; }`,
    'a[i] == 42',
    'a[i] == 42 && i < 3',
  ],
  [
    'by their indices',
    `int a[1000]; int main(void) { ${UP_TO_N} for (int i = 0; i < n; i++) a[i] = 2 * i + 1; int k = __VERIFIER_nondet_int(); if (k >= 0 && k < n) assert(CHECK); return 0; }`,
    'a[k] == 2 * k + 1',
    'a[k] != 7',
  ],
  [
    'a copy',
    `int a[1000], b[1000]; int main(void) { ${UP_TO_N} for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++) b[i] = a[i]; for (int i = 0; i < n; i++) assert(CHECK); return 0; }`,
    'a[i] == b[i]',
    'b[i] != 17',
  ],
  [
    'the largest',
    `int a[1000]; int main(void) { ${UP_TO_N} for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int(); int m = a[0]; for (int i = 1; i < n; i++) if (a[i] > m) m = a[i]; for (int i = 0; i < n; i++) assert(CHECK); return 0; }`,
    'a[i] <= m',
    'a[i] < m',
  ],
  [
    'members of structs',
    `struct s { int id; short tag; } a[1000]; int main(void) { ${UP_TO_N} for (int i = 0; i < n; i++) { a[i].id = i; a[i].tag = 3; } for (int i = 0; i < n; i++) assert(CHECK); return 0; }`,
    'a[i].id == i && a[i].tag == 3',
    'a[i].id < 2',
  ],
  [
    'on the heap',
    'int main(void) { int *a = calloc(1000, 4); unsigned k = __VERIFIER_nondet_uint() % 1000; assert(CHECK); return 0; }',
    'a[k] == 0',
    'a[k] != 0',
  ],
  [
    'bytes of numbers',
    'int a[1000]; int main(void) { unsigned i = __VERIFIER_nondet_uint() % 1000; a[i] = 0x01020304; ((unsigned char *)a)[4 * i + 1] = 9; assert(CHECK); return 0; }',
    'a[i] == 0x01020904',
    'a[i] == 0x01020304',
  ],
  [
    'a ring',
    'int q[1024]; unsigned h, t; int main(void) { while (__VERIFIER_nondet_int()) { if (__VERIFIER_nondet_int()) { if (t - h < 1024) { q[t % 1024] = 1; t++; } } else if (h != t) { int v = q[h % 1024]; h++; assert(CHECK); } } return 0; }',
    'v == 1 || v == 0',
    'v == 0',
  ],
  [
    'a flag',
    `int a[1000]; int main(void) { ${UP_TO_N} int x = __VERIFIER_nondet_int(), f = 0; for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++) if (a[i] == x) f = 1; if (!f) for (int i = 0; i < n; i++) assert(CHECK); return 0; }`,
    'a[i] != x',
    'a[i] < x',
  ],
])('%s', { timeout: 0 }, async (_, text, right, wrong) => {
  expect(await verdictOn(text.replace('CHECK', right))).toBe('proved');
  expect(await verdictOn(text.replace('CHECK', wrong))).toBe('refuted');
});

test.each([
  [
    'a function from elsewhere may write to it',
    'int a[1000]; int main(void) { unsigned i = __VERIFIER_nondet_uint() % 1000; a[i] = 5; other(); assert(a[i] == 5); return 0; }',
  ],
  [
    'a pointer from elsewhere may mean it',
    'int a[1000]; int main(void) { unsigned i = __VERIFIER_nondet_uint() % 1000; a[i] = 5; *get() = 6; assert(a[i] == 5); return 0; }',
  ],
  [
    'where things lie is not known',
    'long a[1000]; int x; int main(void) { unsigned i = __VERIFIER_nondet_uint() % 1000; a[i] = (long)&x; assert(a[i] % 4096 == 0 || a[i] == 5); return 0; }',
  ],
])('not proved, for %s', { timeout: 0 }, async (_, text) => {
  expect(await verdictOn(text)).not.toBe('proved');
});

test('a certificate that says too much of all elements, or too little, is refused', async () => {
  const program = await programOf(
    `extern int __VERIFIER_nondet_int(void); int a[1000]; int main(void) { ${UP_TO_N} for (int i = 0; i < n; i++) a[i] = 42; int k = __VERIFIER_nondet_int(); if (k >= 0 && k < n) assert(a[k] == 42); return 0; }`,
  );
  const isError = (location: number) => isErrorLocation(program, location);
  const oracle = new Oracle(UNLIMITED);
  const search = new InvariantSearch(program, isError, liveCells(program, []), oracle, UNLIMITED);
  const proof = (await search.bySimpleGuesses(UNLIMITED))!;
  oracle.dispose();
  const audited = async (document: InvariantsProof) =>
    (await auditProgram(program, isError, { kind: INVARIANTS_KIND, ...document }, UNLIMITED)).kind;
  const changed = (change: (test: string) => string) => audited({ ...proof, tests: proof.tests.map(change) });
  expect(proof.tests.some((text) => /\bk\b/.test(text))).toBe(true);
  expect(await audited(proof)).toBe('accepted');
  expect(await changed((text) => (/\bk\b/.test(text) ? '1:0' : text))).toBe('rejected');
  expect(await changed((text) => (/\bk\b/.test(text) ? text.replace('42:32', '41:32') : text))).toBe(
    'rejected',
  );
  // Of every element, not only of those before `i`.
  expect(await changed((text) => /\(eq \(select.*42:32\)/.exec(text)?.[0] ?? text)).toBe('rejected');
  expect(await changed((text) => text.replace('(select c', '(store c'))).toBe('rejected');
});

const OF_ANY_SIZE = `#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct pair { char tag; int n; };
int main(void) {
  int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
  if (n <= 0 || n > 100000 || k < 0 || k >= n) return 0;
  TYPE *a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++) a[i]MEMBER = i;
  assert(a[k]MEMBER WHAT);
  return 0;
}
`;

test.each([
  ['int', '', '== k', 'proved'],
  ['struct pair', '.n', '== k', 'proved'],
  ['int', '', '!= 3', 'refuted'],
])('contents of memory of any size: %s%s %s', async (type, member, what, expected) => {
  const text = OF_ANY_SIZE.replaceAll('TYPE', type).replaceAll('MEMBER', member).replaceAll('WHAT', what);
  expect(await verdictOf(text, 'assertions')).toBe(expected);
});
