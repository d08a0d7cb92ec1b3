// Pointers that the analysis must not lose.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { checkC } from './check-c.ts';

async function verdict(text: string): Promise<string> {
  const { properties } = await checkC({
    path: 'x.c',
    files: { read: (path) => (path === 'x.c' ? text : null) },
    defines: [],
    includes: [],
    properties: [],
    budget: UNLIMITED,
    observer: SILENT,
  });
  return properties[0]!.verdict;
}

test.each([
  ['p = p + i * -4L', 'refuted'],
  ['p = p - i * 4', 'refuted'],
  ['p = p + -i * 4', 'refuted'],
  ['p = p + i * -3L', 'proved'],
])('%s', async (step, expected) => {
  const text = `extern int __VERIFIER_nondet_int(void); char buf[16];
    int main(void) { int k = __VERIFIER_nondet_int(); long i = k; if (i < 0 || i > 3) return 0;
      char *p = buf + 12; ${step}; *p = 1; assert(!buf[8]); return 0; }`;
  expect(await verdict(text)).toBe(expected);
});
