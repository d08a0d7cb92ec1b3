// Random C programs with indices that leave parts of things, arrays of as many elements as inputs say, and copies on top of each other; two inputs from 0 to 3.
// gcc's sanitizers judge every run, many programs with one compilation.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { runProgram } from '../testing/run-program.ts';

const number = fc.constantFrom(
  'a',
  'b',
  'a + b - 1',
  'a - 1',
  '1',
  'a & 1',
  'b % 3',
  '(unsigned char)(a - 2)',
  'a * 2',
);
const two = fc.tuple(number, number);

const simple = fc.oneof(
  two.map(([i, n]) => `s.t[${i}] = ${n};`),
  number.map((i) => `x += q->c[${i}];`),
  two.map(([i, j]) => `x += s.m[${i}][${j}];`),
  two.map(([i, j]) => `ss[(${i}) & 1].t[${j}]++;`),
  two.map(([i, j]) => `x += q->m[(${i}) & 1][${j}];`),
  number.map((i) => `x += (*row)[${i}];`),
  number.map((i) => `p = &s.t[${i}];`),
  number.map((i) => `p = &q->m[1][${i}]; p = &x;`),
  two.map(([i, n]) => `u.w[${i}] = ${n};`),
  two.map(([i, j]) => `x += m[${i}][${j}];`),
  number.map((i) => `x += sizeof s.t[${i}] + sizeof(q->m[7]);`),
  number.map((n) => `{ int v[${n}]; x += sizeof v; }`),
  two.map(([n, i]) => `{ int v[${n}]; v[0] = ${i}; x += v[0]; }`),
  two.map(([i, j]) => `memcpy(line + ((${i}) & 7), line + ((${j}) & 7), 2 * sizeof(int));`),
  two.map(([i, n]) => `memcpy(line + 1, line + 4 + ((${i}) & 3), ((${n}) & 3) * sizeof(int));`),
  two.map(([i, j]) => `memmove(line + ((${i}) & 3), line + ((${j}) & 3), 2 * sizeof(int));`),
);

const { statement } = fc.letrec<{ statement: string }>((tie) => ({
  statement: fc.oneof(
    { maxDepth: 2 },
    { weight: 4, arbitrary: simple },
    fc.tuple(number, tie('statement')).map(([t, then]) => `if (${t}) { ${then} }`),
    fc
      .tuple(number, number, tie('statement'))
      .map(([t, e, then]) => `if ((${t}) == 1 && s.t[${e}] < 9) { ${then} }`),
    fc.tuple(number, number).map(([t, e]) => `x += (${t}) > 1 ? s.c[${e}] : 0;`),
    tie('statement').map((body) => `for (int i = 0; i < 2; i++) { ${body} x += s.t[i]; }`),
  ),
}));

export const steps = fc.array(statement, { minLength: 1, maxLength: 4 }).map(
  (statements) => `int main(void) {
  struct S { int m[2][3]; int t[2]; char c[3]; int z; } s = { .z = 1 }, ss[2] = { { .z = 2 } }, *q = &ss[1]; union { int w[2]; char b[16]; } u = { { 0 } };
  int m[2][2] = { { 1 } }, (*row)[2] = m, line[12] = { 1, 2, 3 }, x = 0, *p = &x;
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  __VERIFIER_assume(a >= 0 && a < 4); __VERIFIER_assume(b >= 0 && b < 4);
  ${statements.join('\n  ')}
  return 0;
}
`,
);

const PRELUDE = `#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <stdio.h>
#include <sys/wait.h>
const char *__asan_default_options(void) { return "detect_leaks=0:symbolize=0:exitcode=9"; }
const char *__ubsan_default_options(void) { return "symbolize=0:exitcode=9"; }
static int inputs[2], next;
#define __VERIFIER_assume(e)
#define __VERIFIER_nondet_int() inputs[next++]
`;
const driver = (count: number): string => `
static int (*programs[])(void) = { ${Array.from({ length: count }, (_, i) => `main_${i}`).join(', ')} };
int main(void) {
  for (int k = 0; k < ${count}; k++)
    for (int n = 0; n < 16; n++) {
      inputs[0] = n & 3; inputs[1] = n >> 2;
      int status, child = fork();
      if (child == 0) { close(2); programs[k](); _exit(0); }
      waitpid(child, &status, 0);
      putchar(WIFEXITED(status) && WEXITSTATUS(status) == 0 ? '0' : 'u');
    }
  return 0;
}
`;
/** Calls of memcpy stay calls: what gcc puts in their place no sanitizer sees. */
const FLAGS = [
  ...['-w', '-g0', '-O0', '-fwrapv', '-fno-builtin', '-fsanitize=address,undefined'],
  ...['-fno-sanitize=alignment,signed-integer-overflow', '-fno-sanitize-recover=all'],
];

/** For each program, for each of its 16 runs: 'u' where it does something undefined. */
export function stepsByGcc(texts: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-steps-'));
  try {
    const renamed = texts.map((text, i) => text.replace('int main', `int main_${i}`));
    const [source, program] = [join(folder, 'x.c'), join(folder, 'x')];
    writeFileSync(source, PRELUDE + renamed.join('\n') + driver(texts.length));
    const compiler = runProgram('gcc', [...FLAGS, '-o', program, source]);
    if (compiler.status !== 0) throw new Error(compiler.stderr);
    const marks = runProgram(program, []).stdout;
    return texts.map((_, i) => marks.slice(16 * i, 16 * i + 16));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
