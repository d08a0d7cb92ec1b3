// Jumps over declarations: the variable is there, but nothing was written to it, so that it holds any value.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { answerC } from '../check-c.ts';
import { loadC } from '../load-c.ts';

async function verdict(body: string): Promise<string> {
  const text = `extern void reach_error(void); extern int __VERIFIER_nondet_int(void); int main(void) { ${body} return 0; }`;
  const files = { read: (path: string) => (path === 'x.c' ? text : null) };
  const request = { path: 'x.c', files, defines: [], includes: [], budget: UNLIMITED, observer: SILENT };
  const { loaded } = await loadC(request);
  return (await answerC(loaded!, 'assertions', request)).answer.verdict;
}

const WRONG = 'if (n != 3) reach_error();';

test.each([
  ['a goto', `if (__VERIFIER_nondet_int()) goto l; int n = 3; l: ${WRONG}`, 'refuted'],
  ['a goto into a block', `if (__VERIFIER_nondet_int()) goto l; { int n = 3; l: ${WRONG} }`, 'refuted'],
  ['a case', `switch (__VERIFIER_nondet_int()) { int n; case 1: n = 3; case 2: ${WRONG} }`, 'refuted'],
  [
    'a case behind it',
    `switch (__VERIFIER_nondet_int()) { case 1:; int n = 3; default: ${WRONG} }`,
    'refuted',
  ],
  [
    'an address',
    `void *t[] = { &&k, &&l }; goto *t[__VERIFIER_nondet_int() & 1]; k:; int n = 3; l: ${WRONG}`,
    'refuted',
  ],
  [
    'two variables',
    `if (__VERIFIER_nondet_int()) goto l; int n = 3, m = n; l: if (m != n) reach_error();`,
    'refuted',
  ],
  ['a goto behind it', `int n = 3; if (__VERIFIER_nondet_int()) goto l; n = 3; l: ${WRONG}`, 'proved'],
  ['a goto back', `int i = 0; int n = 3; l: ${WRONG} if (i++ < 2) goto l;`, 'proved'],
  ['a switch elsewhere', `int n = 3; switch (__VERIFIER_nondet_int()) { case 1: ${WRONG} }`, 'proved'],
])('%s', async (_, body, expected) => {
  expect(await verdict(body)).toBe(expected);
});
