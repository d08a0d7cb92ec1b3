// Headers that are not built in, through the C compiler of the machine.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { hasGcc32 } from '../c/gcc-comparison.fuzz.ts';
import { checkC } from '../check/testing.ts';
import { runProgram } from '../testing/run-program.ts';
import { nodeIo } from './io.ts';

const hasCompiler = ['cc', 'gcc', 'clang'].some((name) => runProgram(name, ['--version']).status === 0);
if (!hasCompiler) console.log('skipped: system headers (no cc, gcc or clang on PATH)');
const withCompiler = test.skipIf(!hasCompiler);
const { systemHeader } = nodeIo();

async function check(text: string, dataModel: 'ILP32' | 'LP64' = 'LP64') {
  const { properties, diagnostics } = await checkC({
    path: 'x.c',
    files: { read: (path) => (path === 'x.c' ? text : null), systemHeader: systemHeader! },
    defines: [],
    includes: [],
    properties: [],
    dataModel,
    budget: UNLIMITED,
    observer: SILENT,
  });
  return properties[0]?.verdict ?? diagnostics.map(({ code }) => code);
}

const HEADERS = ['ctype', 'sys/time', 'unistd', 'pthread', 'signal', 'math', 'time', 'stdarg', 'fcntl']
  .map((name) => `#include <${name}.h>\n`)
  .join('');

withCompiler('types, macros and functions of many headers', async () => {
  const text = (most: number) => `#define _GNU_SOURCE\n${HEADERS}#include <assert.h>
    extern int __VERIFIER_nondet_int(void);
    int main(void) {
      struct timeval t = {1, 2};
      pid_t p = 3;
      ssize_t n = -1;
      int c = __VERIFIER_nondet_int(), count = 0;
      if (isalpha(c)) count++;
      if (c == O_RDWR) count++;
      assert(count <= ${most});
      assert(t.tv_sec + 2 == p && t.tv_usec == 2 && n < 0 && sizeof t == 16 && SIGINT == 2);
      return 0;
    }`;
  expect(await check(text(2))).toBe('proved');
  // O_RDWR is no letter.
  expect(await check(text(1))).toBe('proved');
  expect(await check(text(0))).toBe('refuted');
});

withCompiler('a refutation with values from a header', async () => {
  const text = `#include <fcntl.h>
    extern int __VERIFIER_nondet_int(void);
    int main(void) { int c = __VERIFIER_nondet_int(); if (c == (O_RDWR | O_CREAT)) { ERROR: return 1; } return 0; }`;
  expect(await check(text)).toBe('refuted');
});

withCompiler('a header that does not exist, and names that are none', async () => {
  for (const name of ['no_such_header.h', '../x.h', '-o', 'a>\n#error'])
    expect(await check(`#include <${name}>\nint main(void) { return 0; }`)).toContain('SPW5003');
});

if (!hasGcc32) console.log('skipped: system headers for i386 (no gcc -m32; gcc-multilib)');
test.skipIf(!hasGcc32)('headers for i386 are those of a compiler for it', async () => {
  const text = (size: number) => `#include <sys/stat.h>
    #include <assert.h>
    int main(void) { struct stat s; assert(sizeof s.st_size == ${size}); return 0; }`;
  expect(await check(text(8))).toBe('proved');
  expect(await check(text(4), 'ILP32')).toBe('proved');
  expect(await check(text(8), 'ILP32')).toBe('refuted');
});
