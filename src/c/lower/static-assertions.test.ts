// What `_Static_assert` says is looked at, wherever declarations stand; gcc says which of these it refuses.

import { expect, test } from 'vitest';
import { runProgram } from '../../testing/run-program.ts';
import { hasGcc } from '../gcc-comparison.fuzz.ts';
import { programOf } from '../testing.ts';

const CASES: readonly (readonly [text: string, holds: boolean])[] = [
  ['_Static_assert(sizeof(int) == 4, "int");', true],
  ['_Static_assert(sizeof(int) == 8, "int");', false],
  ['_Static_assert(sizeof(long) == sizeof(void *) && sizeof(long) == 8);', true],
  ['struct s { char c; int i; _Static_assert(sizeof(int) == 2, "in a struct"); };', false],
  ['struct s { char c; int i; }; _Static_assert(__builtin_offsetof(struct s, i) == 4, "i");', true],
  [
    'struct s { char c; int i; }; _Static_assert(__builtin_offsetof(struct s, i) == 1, "not " "packed");',
    false,
  ],
  ['int main(void) { int a[3]; _Static_assert(sizeof a == 12, "a"); }', true],
  ['int main(void) { int a[3]; (void)a; { _Static_assert(sizeof a / sizeof *a == 4, "a"); } }', false],
  ['enum { N = 3 }; _Static_assert(N > 3 ? 0 : 1, "");', true],
  ['_Static_assert(-1 < 0u, "signs");', false],
  ['#include <assert.h>\nstatic_assert(1 + 1 == 3, "sum");', false],
  ['_Static_assert(__builtin_constant_p(1), "constant");', true],
];

const withMain = (text: string): string =>
  text.includes('int main') ? text : `${text}\nint main(void) { return 0; }\n`;

test.each(CASES)('%s', async (text, holds) => {
  const read = programOf(withMain(text)).then(
    () => 'read',
    (error: Error) => error.message,
  );
  expect(await read).toEqual(holds ? 'read' : expect.stringMatching(/^SPW5016 the static assertion fails/));
});

test.skipIf(!hasGcc).each(CASES)('gcc: %s', (text, holds) => {
  const { status } = runProgram('gcc', ['-w', '-xc', '-fsyntax-only', '-'], { input: withMain(text) });
  expect(status === 0).toBe(holds);
});

test('the data model counts', async () => {
  const text = withMain('_Static_assert(sizeof(long) == 4, "long");');
  await expect(programOf(text, {}, () => null, 'ILP32')).resolves.toBeDefined();
  await expect(programOf(text)).rejects.toThrow('the static assertion fails: "long"');
});
