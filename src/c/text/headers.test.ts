// The built-in headers against the compiler's: types and values of their names, for both data models.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../../testing/run-program.ts';
import { hasGcc, hasGcc32 } from '../gcc-comparison.fuzz.ts';
import { programOf, runWith } from '../testing.ts';

if (!hasGcc) console.log('skipped: the built-in headers against those of gcc (no gcc on PATH)');
else if (!hasGcc32) console.log('skipped: headers for i386 against gcc (no gcc -m32; gcc-multilib)');

const words = (text: string): string[] => text.trim().split(/\s+/);
const TYPES = [
  ...words(
    'size_t ssize_t off_t ptrdiff_t wchar_t intptr_t uintptr_t intmax_t uintmax_t int8_t uint8_t int16_t uint16_t int32_t',
  ),
  ...words('uint32_t int64_t uint64_t int_least8_t uint_least16_t int_least32_t int_least64_t int_fast8_t'),
  ...words('int_fast16_t int_fast32_t int_fast64_t uint_fast8_t uint_fast16_t uint_fast32_t uint_fast64_t'),
  ...words('__SIZE_TYPE__ __PTRDIFF_TYPE__ __WCHAR_TYPE__ __INTPTR_TYPE__ __UINTPTR_TYPE__ __INT64_TYPE__'),
];
const VALUES = [
  ...words(
    'INTPTR_MAX INTPTR_MIN UINTPTR_MAX PTRDIFF_MAX PTRDIFF_MIN INTMAX_MAX INTMAX_MIN UINTMAX_MAX WCHAR_MAX',
  ),
  ...words(
    'WCHAR_MIN INT_LEAST8_MAX INT_FAST16_MAX INT_FAST32_MIN UINT_FAST32_MAX UINT_LEAST16_MAX INT_FAST64_MIN',
  ),
  ...words(
    'INT64_C(5) UINT64_C(5) UINT32_C(5) INT32_C(5) INT8_C(5) UINT16_C(5) INTMAX_C(4) UINTMAX_C(4) SIZE_MAX',
  ),
  ...words(
    'INT64_MIN INT64_MAX UINT64_MAX LONG_MIN LONG_MAX ULONG_MAX LLONG_MIN ULLONG_MAX INT_MIN CHAR_MIN',
  ),
  ...words('UINT8_MAX INT16_MIN BUFSIZ FILENAME_MAX EOF SEEK_END RAND_MAX EXIT_FAILURE ENOMEM ERANGE EINVAL'),
  ...words('__LONG_MAX__ __SIZE_MAX__ __INTPTR_MAX__ __WCHAR_MAX__ __PTRDIFF_MAX__ sizeof(1)'),
];

const PRELUDE = `#include <assert.h>
#include <stdint.h>
#include <stddef.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
#define KIND(e) _Generic((e), int: 1, unsigned: 2, long: 3, unsigned long: 4, long long: 5, unsigned long long: 6, \\
  signed char: 7, unsigned char: 8, short: 9, unsigned short: 10, char: 11, default: 12)
`;
const EXPRESSIONS = [...TYPES.map((type) => `(${type})0`), ...VALUES];

/** What gcc makes of each: the kind of its type, and its value. */
function byGcc(flags: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-headers-'));
  try {
    const lines = EXPRESSIONS.map((e) => `printf("%d %lld\\n", KIND(${e}), (long long)(${e}));`);
    writeFileSync(join(folder, 'x.c'), `${PRELUDE}int main(void) { ${lines.join('\n')} return 0; }`);
    const made = runProgram('gcc', ['-w', ...flags, '-o', join(folder, 'x'), join(folder, 'x.c')]);
    expect(made.stderr).toBe('');
    return runProgram(join(folder, 'x'), []).stdout.trim().split('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const MODELS = [
  ...(hasGcc ? [{ model: 'LP64' as const, flags: [] }] : []),
  ...(hasGcc32 ? [{ model: 'ILP32' as const, flags: ['-m32'] }] : []),
];

test.skipIf(!hasGcc).each(MODELS)('types and values of names, $model', async ({ model, flags }) => {
  const wrong: string[] = [];
  const expected = byGcc(flags);
  for (const [i, e] of EXPRESSIONS.entries()) {
    const [kind, number] = expected[i]!.split(' ') as [string, string];
    const literal = number === '-9223372036854775808' ? '(-9223372036854775807LL - 1)' : `${number}LL`;
    const text = `${PRELUDE}int main(void) { assert(KIND(${e}) == ${kind}); assert((long long)(${e}) == ${literal}); return 0; }`;
    const { outcome } = runWith(await programOf(text, {}, () => null, model), []);
    if (outcome !== 'end') wrong.push(`${e} is not of kind ${kind} with the value ${number}`);
  }
  expect(wrong).toEqual([]);
});
