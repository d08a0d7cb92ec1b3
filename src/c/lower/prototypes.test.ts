// Arguments become what prototypes say, also where the function is known by its name; and calls of functions that are declared nowhere.

import { expect, test } from 'vitest';
import { programOf, runWith } from '../testing.ts';

const outcomeOf = async (text: string, model: 'ILP32' | 'LP64' = 'LP64'): Promise<string> =>
  runWith(await programOf(text, {}, () => null, model), []).outcome;

const HEADERS =
  '#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n#include <pthread.h>\n#include <semaphore.h>\n';

test.each([
  ['memset of a broken number', 'char b[4] = {0}; memset(b, 1.9, 2.9); assert(b[1] == 1 && b[2] == 0);'],
  ['memcpy', 'char a[4] = {1, 2, 3, 4}, b[4] = {0}; memcpy(b, a, 2.5f); assert(b[1] == 2 && b[2] == 0);'],
  ['abs', 'assert(abs(-3.7) == 3 && labs(-2.5) == 2 && abs(0x100000005L) == 5);'],
  ['expect', 'assert(__builtin_expect(0.5, 0) == 0 && __builtin_expect(2.5, 2) == 2);'],
  ['expect gives a long', 'assert(sizeof(__builtin_expect(1, 1)) == sizeof(long));'],
  ['expect computes its arguments', 'int x = 0; __builtin_expect(1, x++); assert(x == 1);'],
  ['overflow', 'int r; assert(!__builtin_sadd_overflow(1.5, 2.5, &r) && r == 3);'],
  [
    'overflow of what is cut first',
    'int r; assert(!__builtin_sadd_overflow(0x100000001L, 1, &r) && r == 2);',
  ],
  [
    'bits',
    'assert(__builtin_popcount(3.9) == 2 && __builtin_ffs(4.9) == 3 && __builtin_bswap32(1.0) == 0x1000000);',
  ],
  ['malloc of a broken number', 'char *p = malloc(2.9); p[1] = 5; assert(p[1] == 5);'],
  ['malloc of a product', 'int *p = malloc(2.5 * sizeof(int)); p[1] = 5; assert(p[1] == 5);'],
  ['calloc', 'int *p = calloc(2.5, sizeof(int)); assert(p[1] == 0);'],
  ['an assumption is of an int', '__VERIFIER_assume(0.5); assert(0);'],
  ['of the lower half of a long', '__VERIFIER_assume(0x100000000L); assert(0);'],
  ['an assumption of a pointer', 'char c; __VERIFIER_assume(&c); __VERIFIER_assume((char *)0); assert(0);'],
  ['the macro takes the number as it is', 'assert(0.5); assert(0x100000000L);'],
])('%s', async (_, body) => {
  expect(await outcomeOf(`${HEADERS}int main(void) { ${body} return 0; }`)).toMatch(/^(?:end|blocked)$/);
});

test.each([
  ['an assertion is of an int', 'void __VERIFIER_assert(int);', '__VERIFIER_assert(0.5);'],
  ['a function called assert', 'void assert(int);', 'assert(0x100000000L);'],
  ['that takes a truth value', 'void assert(_Bool);', 'assert(0.5); __VERIFIER_assert(0);'],
])('%s', async (_, before, body) => {
  expect(await outcomeOf(`${before} int main(void) { ${body} return 0; }`)).toBe('error');
});

test.each([
  ['strlen', 'sizeof(strlen("a")) == sizeof(long)'],
  ['sqrt', 'sqrt(2.25) == 1.5'],
  ['malloc', 'sizeof(malloc(1)) == sizeof(void *)'],
  ['strtof, which gcc does not know', 'sizeof(strtof("a", 0)) == sizeof(int)'],
])('gcc knows by itself: %s', async (_, test) => {
  expect(await outcomeOf(`#include <assert.h>\nint main(void) { assert(${test}); return 0; }`)).toBe('end');
});

test('what the library would return is not an int', async () => {
  const program = await programOf('int main(void) { return strtof("2", 0) > 1; }');
  expect(program.locations.filter(({ kind }) => kind === 'cut').map(({ why }) => why)).toEqual([
    "'strtof' is declared nowhere: include <stdlib.h>",
  ]);
});
