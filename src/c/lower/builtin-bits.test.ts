// How many bits of a number are set: of numbers that are known, and as a formula.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { checkC } from '../../check/testing.ts';

async function verdict(body: string): Promise<string> {
  const text = `#include <assert.h>
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
int main(void) { unsigned long long x = __VERIFIER_nondet_ulonglong(); ${body} return 0; }`;
  const { properties } = await checkC({
    ...{ path: 'x.c', files: { read: (path) => (path === 'x.c' ? text : null) } },
    ...{ defines: [], includes: [], properties: ['assertions'], budget: UNLIMITED, observer: SILENT },
  });
  return properties[0]!.verdict;
}

const ones = (n: bigint): number => n.toString(2).replaceAll('0', '').length;
const NUMBERS = [0n, 1n, 0x8000_0000n, 0xffff_ffffn, 1n << 63n, 0xf0f0_1234_5678_9abdn, (1n << 64n) - 1n];

test.each([
  [
    'of known numbers',
    NUMBERS.map(
      (n) =>
        `assert(__builtin_popcountll(${n}ULL) == ${ones(n)} && __builtin_parityll(${n}ULL) == ${ones(n) % 2} && __builtin_popcount(${n}ULL) == ${ones(n & 0xffff_ffffn)});`,
    ).join(' '),
    'proved',
  ],
  [
    'none, one and all of them',
    'int n = __builtin_popcountll(x); assert(n >= 0 && n <= 64 && (n != 64 || x == -1ULL) && (n != 0 || x == 0) && (n != 1 || (x & (x - 1)) == 0));',
    'proved',
  ],
  [
    'in two numbers that hang together',
    'assert(__builtin_popcountll(x) != 37 || __builtin_popcountll(x * 3) != 29);',
    'refuted',
  ],
])('%s', async (_, body, expected) => {
  expect(await verdict(body)).toBe(expected);
});
