// Errors deeper inside of calls than recursion is inlined; and the machine with a stack of calls against gcc.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../base/budget.ts';
import { verdictOf } from '../../check/testing.ts';
import { hasGcc, marksByGcc } from '../gcc-comparison.fuzz.ts';
import { lowerWithContracts } from '../lower/lower.ts';
import { recursiveNumbers } from '../recursive-numbers.fuzz.ts';
import { recursivePrograms } from '../recursive-programs.fuzz.ts';
import { isErrorLocation, unitOf } from '../testing.ts';
import { execute } from './failing-calls.ts';

const IN = '#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n';
const PARITY =
  'int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); } int odd(int n) { return n == 0 ? 0 : even(n - 1); }';
const FILL =
  'int a[200]; void fill(int *p, int n) { if (n > 0) { *p = n; fill(n % 200 ? p + 1 : a, n - 1); } }';

test.each<readonly [what: string, text: string]>([
  ['a sum', 'int f(int n) { return n ? 1 + f(n - 1) : 0; } int main(void) { assert(f(1400) != 1400); }'],
  ['two functions', `${PARITY} int main(void) { assert(even(1000) == 0); }`],
  ['an array', `${FILL} int main(void) { fill(a, 700); assert(a[1] != 198); }`],
  [
    'as deep as an input says',
    'int f(int n) { return n > 0 ? 1 + f(n - 1) : 0; } int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1000) assert(f(n) < 99); }',
  ],
  [
    'in the middle of it',
    'int g; void f(int n) { g++; assert(g < 700); if (n > 0) f(n - 1); } int main(void) { f(5000); }',
  ],
])('%s: refuted', { timeout: 0 }, async (_, text) => {
  expect(await verdictOf(IN + text, 'assertions')).toBe('refuted');
});

test.each<readonly [what: string, text: string]>([
  [
    'a run that is undefined before',
    'int g, *p; void f(int n) { if (n > 0) f(n - 1); else { { int x; p = &x; } g = *p; } } int main(void) { f(700); assert(0); }',
  ],
  [
    'a run that begins with what is not modelled',
    'double sin(double); int f(int n) { return n ? 1 + f(n - 1) : 0; } int main(void) { double a = sin(1.0); assert(f(1400) != 1400 || a != 0); }',
  ],
  [
    'what another file may define',
    'extern int x; int f(int n) { return n > 0 ? 1 + f(n - 1) : 0; } int main(void) { int r = f(500); assert(x != 0 || r != 500); }',
  ],
  ['an assertion that holds', `${PARITY} int main(void) { assert(even(1000) == 1); }`],
])('%s: not refuted', { timeout: 0 }, async (_, text) => {
  expect(await verdictOf(IN + text, 'assertions')).not.toBe('refuted');
});

/** No pointers to variables of functions that call themselves. */
const globalPointers = recursivePrograms.map((text) => text.replaceAll('&k', 'p').replaceAll('&x', '&count'));

/** What the program does on a stack of calls for each of the 64 inputs: '1' an assertion fails, '0' it comes to its end; null where contracts cannot speak of it. */
async function marksOnStack(text: string): Promise<string | null> {
  const unit = await unitOf(text);
  const entry = { function: 'main', arguments: [], span: null };
  const program = lowerWithContracts([unit], entry, null, UNLIMITED, {
    calling: 'entered',
    mayUseAddresses: true,
  });
  if (program === null) return null;
  const isError = (location: number) => isErrorLocation(program, location);
  const marks = Array.from({ length: 64 }, (_, n) => {
    const inputs = [n & 3, (n >> 2) & 3, n >> 4].map(BigInt);
    const { fails, isOver } = execute(
      program,
      isError,
      () => true,
      () => inputs.shift() ?? 0n,
    );
    return fails ? '1' : isOver ? '0' : '?';
  });
  return marks.join('');
}

test.skipIf(!hasGcc).each([
  ['over numbers', recursiveNumbers],
  ['with pointers', globalPointers],
])('random programs %s do on a stack of calls what they do with gcc', { timeout: 0 }, async (_, programs) => {
  let marks = 0;
  const compare = async (text: string) => {
    const ours = await marksOnStack(text);
    if (ours === null) return;
    const expected = marksByGcc(text);
    expect(ours).toBe([...expected].map((mark, n) => (ours[n] === '?' ? '?' : mark)).join(''));
    marks += ours.replaceAll('?', '').length;
  };
  const numRuns = Number(process.env['SPILLWAY_FUZZ'] ?? 8);
  await fc.assert(fc.asyncProperty(programs, compare), { numRuns, seed: 11 });
  expect(marks).toBeGreaterThan(numRuns * 16);
});

/** One of the variables is another file's. */
const withElsewhere = recursiveNumbers
  .map((text) => text.replace('int count, state, once;', 'extern int count; int state, once;'))
  .filter((text) => text.split('count').length > 2);

test('random programs that use what another file may define do nothing for sure', {
  timeout: 0,
}, async () => {
  const sure: string[] = [];
  const look = async (text: string) => {
    if (/[01]/.test((await marksOnStack(text)) ?? '')) sure.push(text);
  };
  const numRuns = Number(process.env['SPILLWAY_FUZZ'] ?? 8);
  await fc.assert(fc.asyncProperty(withElsewhere, look), { numRuns, seed: 11 });
  expect(sure).toEqual([]);
});
