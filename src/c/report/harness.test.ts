// What repeats a refutation compiles and shows it, whatever the program declares and defines itself.

import { expect, test } from 'vitest';
import { checkModel } from '../../check/check.ts';
import { runProgram } from '../../testing/run-program.ts';
import { failureShown } from '../agreement.fuzz.ts';
import { hasGcc } from '../gcc-comparison.fuzz.ts';

const preprocessed = (text: string): string =>
  runProgram('gcc', ['-E', '-x', 'c', '-'], { input: text }).stdout;
const NONDET = 'extern int __VERIFIER_nondet_int(void);';

test.skipIf(!hasGcc).each([
  [
    'an error that does nothing',
    `${NONDET} void reach_error() {} int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }`,
  ],
  [
    'an error behind a name',
    `${NONDET} void f(void) { return; ERROR: return; } void __VERIFIER_error(void)\n{ int x; } int main(void) { if (__VERIFIER_nondet_int() == 7) __VERIFIER_error(); return 0; }`,
  ],
  [
    'declarations of its own',
    `${NONDET} extern void *malloc(unsigned); int puts(char *, int); void exit(); void reach_error(int); int main(void) { int *p = malloc(4); *p = __VERIFIER_nondet_int(); if (*p == 7) reach_error(1); return 0; }`,
  ],
  [
    'assumptions of another type',
    `${NONDET} extern void __VERIFIER_assume(_Bool); extern void reach_error(void); int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 6); if (x < 8) reach_error(); return 0; }`,
  ],
  [
    'headers that were put in before',
    preprocessed(
      `#include <stdio.h>\n#include <stdlib.h>\nextern void reach_error(void); ${NONDET}\nint main(void) { FILE *f = stdout; if (abs(__VERIFIER_nondet_int()) == 7) reach_error(); return f == 0; }`,
    ),
  ],
  [
    'random numbers beside inputs',
    `#include <stdlib.h>\n${NONDET} extern void reach_error(void); int main(int argc, char **argv) { int x = rand(), y = __VERIFIER_nondet_int(), z = rand(); if (x == 7 && y == -3 && z == 9) reach_error(); return 0; }`,
  ],
  [
    'as many texts as the run has',
    `extern void reach_error(void); int main(int argc, char **argv) { if (argc == 5) reach_error(); return 0; }`,
  ],
  [
    'no text, for a main of one parameter',
    `extern void reach_error(void); int main(argc) int argc; { if (argc == 0) reach_error(); return 0; }`,
  ],
  [
    'characters, and the end of the input',
    `#include <stdio.h>\nextern void reach_error(void); int main(void) { int n = 0, c; while ((c = getchar()) != EOF) if (c == 'x') n++; if (n == 3 && fgetc(stdin) == EOF && getc(stdin) == -1) reach_error(); return 0; }`,
  ],
  [
    'what scanf reads',
    `#include <stdio.h>\nextern void reach_error(void); int main(void) { int a, b; if (scanf("%d%d", &a, &b) == 2 && a == 5 && b == 05) if (scanf("%x", &a) == 1 && a == -16) if (scanf("%d", &b) == -1) reach_error(); return 0; }`,
  ],
  [
    'what scanf reads among inputs, of all sizes',
    `#include <stdio.h>\n${NONDET} extern void reach_error(void); int main(void) { char c = 0; short h; long long l; int x = __VERIFIER_nondet_int(); if (scanf("%c", &c) == 1 && fscanf(stdin, "%hd %lld", &h, &l) == 2 && x == 3 && c == -1 && h == -7 && l == 1LL << 40 && __VERIFIER_nondet_int() == 9) reach_error(); return 0; }`,
  ],
  [
    'scanf without a header',
    `int scanf(const char *, ...); extern void reach_error(void); int main(void) { int x = 0; while (scanf("%d", &x) == 1) if (x == 77) reach_error(); return 0; }`,
  ],
  [
    'inputs in one call, which gcc asks for from the last to the first',
    `${NONDET} extern void reach_error(void); static int f(int a, int b) { return a - 2 * b; } int main(void) { if (f(__VERIFIER_nondet_int(), __VERIFIER_nondet_int()) == 5) reach_error(); return 0; }`,
  ],
  [
    'inputs as an index and as what is written there, again and again',
    `${NONDET} extern void reach_error(void); int main(void) { int t[4] = {0}; for (int i = 0; i < 2; i++) t[__VERIFIER_nondet_int() & 3] = __VERIFIER_nondet_int(); int k = __VERIFIER_nondet_int(); if (t[2] == 77 && t[1] == 78 && k == 5) reach_error(); return 0; }`,
  ],
  [
    'inputs of several types in an initialiser, in another order than the members',
    `extern double __VERIFIER_nondet_double(void); extern char __VERIFIER_nondet_char(void); extern void reach_error(void); struct s { char a; double b; }; int main(void) { struct s v = { .b = __VERIFIER_nondet_double(), .a = __VERIFIER_nondet_char() }; if (v.a == -3 && v.b == 4.5) reach_error(); return 0; }`,
  ],
  [
    'inputs of 128 bits',
    `extern __int128 __VERIFIER_nondet_int128(void); ${NONDET} extern void reach_error(void); int main(void) { __int128 x = __VERIFIER_nondet_int128(); int y = __VERIFIER_nondet_int(); if (x >> 64 == -7 && y == -3) reach_error(); return 0; }`,
  ],
  [
    'inputs of 128 bits in one call',
    `extern unsigned __int128 __VERIFIER_nondet_uint128(void); extern void reach_error(void); static int f(unsigned __int128 a, unsigned __int128 b) { return a >> 64 == 3 && b >> 100 == 1; } int main(void) { if (f(__VERIFIER_nondet_uint128(), __VERIFIER_nondet_uint128())) reach_error(); return 0; }`,
  ],
  [
    'a label in a macro',
    `#define FAIL(y) \\\n  ERROR: y\n${NONDET} int main(void) { int x = __VERIFIER_nondet_int(); if (x != 5) return 0; FAIL(x = x ? 1 : 2); return x; }`,
  ],
])('%s', async (_, text) => {
  const report = await checkModel({
    paths: ['x.c'],
    properties: ['assertions'],
    files: { read: (path) => (path === 'x.c' ? text : null) },
  });
  const [property] = report.properties;
  expect([property?.verdict, report.diagnostics.filter(({ severity }) => severity === 'error')]).toEqual([
    'refuted',
    [],
  ]);
  if (property!.evidence?.kind === 'run') expect(failureShown(property!.evidence.harness!)).toBe(true);
});

test('a program of several files has none, and the run is shown otherwise', async () => {
  const files: Readonly<Record<string, string>> = {
    't.yml': "input_files: ['a.c', 'b.c']\n",
    'a.c': 'int twice(int x) { return 2 * x; }',
    'b.c': `${NONDET} extern void reach_error(void); int twice(int); int main(void) { if (twice(__VERIFIER_nondet_int()) == 14) reach_error(); return 0; }`,
  };
  const report = await checkModel({
    paths: ['t.yml'],
    properties: ['assertions'],
    files: { read: (path) => files[path] ?? null },
  });
  const { evidence, verdict } = report.properties[0]!;
  expect([verdict, evidence?.kind === 'run' && evidence.harness]).toEqual(['refuted', undefined]);
});
