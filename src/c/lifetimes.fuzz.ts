// Random C programs that allocate, free, and keep pointers to variables of blocks, loops and calls; two inputs from 0 to 3. gcc's address sanitizer judges
// them, many with one compilation: which inputs lead to a use that comes too late, or to a `free` of what cannot be freed; and how many things are still
// allocated at the end.
//
// Functions that give pointers to their variables away do not use such pointers themselves: that a variable is one of another call is not seen.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { runProgram } from '../testing/run-program.ts';

const pointer = fc.constantFrom('p', 'q', 'gp');
const number = fc.constantFrom('1', '2', 'a', 'b', 's');
const test = fc.constantFrom('a == 1', 'b > 1', 'a == b', 'a & 1', 'a + b == 4', '1');

/** Where `h` is not 0 it is something allocated, and all others mean what is alive: unless what is done elsewhere breaks that. */
const careful = fc.oneof(
  fc.constantFrom(
    'if (!h) { h = malloc(sizeof(int)); *h = a; }',
    'if (h) s += *h;',
    'if (h) { free(h); h = 0; }',
    'if (h) { p = h; *p = 2; p = &g; }',
    'if (a == 2 && h) { free(h); h = malloc(sizeof(int)); *h = 1; }',
    'if (h && b) drop(h), h = 0;',
    'if (h) gp = h; s += user(gp); gp = &g;',
    '{ int y = a; p = &y; s += user(p); p = &g; }',
    'for (int i = 0; i < 2; i++) { int z = i; q = &z; s += user(q); q = &g; }',
    's += *p;',
    's += user(q);',
  ),
  pointer.map((p) => `${p} = &g;`),
);

const simple = fc.oneof(
  { weight: 3, arbitrary: pointer.map((p) => `s += *${p};`) },
  { weight: 2, arbitrary: fc.tuple(pointer, number).map(([p, n]) => `*${p} = ${n};`) },
  {
    weight: 4,
    arbitrary: fc.tuple(pointer, number).map(([p, n]) => `${p} = malloc(sizeof(int)); *${p} = ${n};`),
  },
  { weight: 3, arbitrary: pointer.map((p) => `free(${p});`) },
  { weight: 2, arbitrary: pointer.map((p) => `free(${p}); ${p} = &g;`) },
  { weight: 2, arbitrary: fc.tuple(pointer, pointer).map(([p, q]) => `${p} = ${q};`) },
  { weight: 1, arbitrary: pointer.map((p) => `${p} = &g;`) },
  { weight: 1, arbitrary: pointer.map((p) => `${p} = &s;`) },
  { weight: 1, arbitrary: pointer.map((p) => `${p} = 0;`) },
  { weight: 1, arbitrary: pointer.map((p) => `if (${p}) s += *${p};`) },
  { weight: 1, arbitrary: pointer.map((p) => `free(${p} + 1);`) },
  { weight: 1, arbitrary: fc.tuple(pointer, number).map(([p, n]) => `${p} = (int[]){${n}, 2};`) },
  { weight: 1, arbitrary: fc.tuple(pointer, number).map(([p, n]) => `${p} = ({ int w = ${n}; &w; });`) },
  { weight: 1, arbitrary: number.map((n) => `s += *({ int w = ${n}; &w; });`) },
  { weight: 1, arbitrary: number.map((n) => `leaky(${n});`) },
  { weight: 2, arbitrary: pointer.map((p) => `s += user(${p});`) },
  { weight: 1, arbitrary: fc.tuple(pointer, number).map(([p, n]) => `${p} = ret(${n});`) },
  { weight: 1, arbitrary: fc.tuple(pointer, pointer).map(([p, q]) => `${p} = same(${q});`) },
  { weight: 1, arbitrary: pointer.map((p) => `drop(${p});`) },
);

const { statement } = fc.letrec<{ statement: string; list: string }>((tie) => ({
  list: fc.array(tie('statement'), { minLength: 1, maxLength: 3 }).map((all) => all.join(' ')),
  statement: fc.oneof(
    { maxDepth: 2 },
    { weight: 2, arbitrary: simple },
    { weight: 12, arbitrary: careful },
    fc.tuple(pointer, number, tie('list')).map(([p, n, rest]) => `{ int y = ${n}; ${p} = &y; ${rest} }`),
    fc.tuple(test, tie('list'), tie('list')).map(([t, yes, no]) => `if (${t}) { ${yes} } else { ${no} }`),
    fc
      .tuple(pointer, test, tie('list'))
      .map(
        ([p, t, rest]) => `for (int i = 0; i < 2; i++) { int z = i; ${p} = &z; if (${t}) break; ${rest} }`,
      ),
    fc
      .tuple(test, tie('list'))
      .map(([t, rest]) => `do { int v = 1; q = &v; if (${t}) continue; ${rest} } while (0);`),
  ),
}));

export const lifetimePrograms = fc.array(statement, { minLength: 2, maxLength: 7 }).map(
  (statements) => `int g, *gp;
int user(int *u) { return *u + *gp; }
void leaky(int n) { int x = n; gp = &x; user(&x); { int k = 1; gp = &k; user(gp); } if (n > 1) gp = &g; }
int *ret(int n) { static int kept; int x = n; int *r = n == 2 ? &kept : &x; return r; }
int *same(int *u) { return u; }
void drop(int *u) { if (*u != 3) free(u); }
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  __VERIFIER_assume(a >= 0 && a < 4); __VERIFIER_assume(b >= 0 && b < 4);
  int s = 0, *p = &g, *q = &g, *h = 0;
  gp = &g;
  ${statements.join('\n  ')}
  return 0;
}
`,
);

export interface Judgement {
  /** For some inputs something undefined is done. */
  readonly undefined: boolean;
  /** For some inputs nothing undefined is done, and something is never freed. */
  readonly leaks: boolean;
}

const PRELUDE = `#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
const char *__asan_default_options(void) { return "detect_stack_use_after_return=1:detect_leaks=0:symbolize=0:redzone=512:exitcode=9:allocator_may_return_null=1"; }
static int inputs[2], next, allocated;
/* To the sanitizer nothing is one byte: here it is a place that nobody can use. */
static char *nothing, gone[64];
static int nothings;
static void *none(void) {
  if (!nothing) nothing = mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (nothings == 64) abort();
  return nothing + 64 * nothings++;
}
static int isNone(char *p) { return nothing && p >= nothing && p < nothing + 4096; }
static void *counted(size_t n) { void *p = n ? malloc(n) : none(); if (p) allocated++; return p; }
static void *counted0(size_t n, size_t m) { void *p = n && m ? calloc(n, m) : none(); if (p) allocated++; return p; }
static void release(char *p) {
  if (!isNone(p)) free(p);
  else if ((p - nothing) % 64 || gone[(p - nothing) / 64]++) abort();
}
static void uncounted(void *p) { release(p); if (p) allocated--; }
static void *recounted(void *p, size_t n) {
  if (!p || !isNone(p)) { void *q = realloc(p, n); if (q && !p) allocated++; return q; }
  void *q = malloc(n);
  if (q) release(p);
  return q;
}
#define malloc counted
#define calloc counted0
#define realloc recounted
#define free uncounted
#define __VERIFIER_assume(e)
#define __VERIFIER_nondet_int() inputs[next++]
`;
const driver = (count: number): string => `
static int (*programs[])(void) = { ${Array.from({ length: count }, (_, i) => `main_${i}`).join(', ')} };
int main(void) {
  for (int k = 0; k < ${count}; k++) {
    int wrong = 0, left = 0;
    for (int n = 0; n < 16; n++) {
      inputs[0] = n & 3; inputs[1] = n >> 2;
      int status, child = fork();
      if (child == 0) { alarm(5); close(2); programs[k](); _exit(allocated > 0); }
      waitpid(child, &status, 0);
      if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) wrong = 1;
      else if (WEXITSTATUS(status) == 1) left = 1;
    }
    putchar('0' + wrong + 2 * left);
  }
  return 0;
}
`;
const FLAGS = ['-w', '-g0', '-O0', '-fwrapv', '-fsanitize=address'];

export const hasSanitizer =
  runProgram('gcc', ['-fsanitize=address', '-xc', '-', '-o', '/dev/null'], {
    input: 'int main(void) { return 0; }',
  }).status === 0;

/** All at once: each with names of its own. */
export function judgedByGcc(texts: readonly string[]): Judgement[] {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-lives-'));
  try {
    const renamed = texts.map((text, i) =>
      text.replace(/\b(?:gp?|user|leaky|ret|same|drop|main)\b/g, `$&_${i}`),
    );
    const [source, program] = [join(folder, 'x.c'), join(folder, 'x')];
    writeFileSync(source, PRELUDE + renamed.join('\n') + driver(texts.length));
    const compiler = runProgram('gcc', [...FLAGS, '-o', program, source]);
    if (compiler.status !== 0) throw new Error(compiler.stderr);
    const marks = runProgram(program, []).stdout;
    return Array.from(marks, (mark) => ({ undefined: (Number(mark) & 1) === 1, leaks: Number(mark) > 1 }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
