// Random C programs that compute with numbers near the ends of their types; two inputs from 0 to 7, each standing for such a number. gcc's tests for signed
// overflow judge every run, and what the reading for `no-overflow` makes of the program is executed beside it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { runProgram } from '../testing/run-program.ts';

/** Inputs that one program is tried with: 8 values of two. */
export const RUNS = 64;

const variable = fc.constantFrom(
  'i',
  'j',
  'l',
  'q',
  's',
  'c',
  'u',
  'b',
  'f.x',
  'f.y',
  't[1]',
  '*p',
  'w',
  'e',
);
/** With the function that makes a number of its type. */
const whole = fc.constantFrom<[string, string]>(
  ...(['i', 'j', 'e', 'w', 't[1]', '*p'].map((name) => [name, 'as_int']) as [string, string][]),
  ['l', 'as_long'],
  ['q', 'wide'],
  ['u', 'as_unsigned'],
);
const number = fc.constantFrom(
  '0',
  '1',
  '2',
  '3',
  '7',
  '-1',
  '-2',
  '100',
  '65535',
  'M',
  '(-M - 1)',
  '1L',
  '2LL',
  '3u',
  "'a'",
  'N',
  '(short)-9',
);
/** gcc computes what is made narrower in the narrower type, without tests: so functions do that. */
const UNARY = [
  '-',
  '-',
  '~',
  '!',
  '+',
  'as_int',
  '(long long)',
  'as_short',
  'as_unsigned',
  'narrow',
  'as_long',
];
const SUMS = ['+', '+', '-', '-', '*', '&', '|', '^', '<', '==', '&&', '||', '>='];

/** gcc simplifies expressions before it puts tests in, but does not look through these. */
const kept = (operand: string): string => (/[ (]/.test(operand) ? `V(${operand})` : operand);

const { statement } = fc.letrec<{ expression: string; statement: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(variable, variable, number),
    fc
      .tuple(tie('expression'), fc.constantFrom(...SUMS), tie('expression'))
      .map(([a, op, b]) => `(${kept(a)} ${op} ${kept(b)})`),
    fc.tuple(fc.constantFrom(...UNARY), tie('expression')).map(([op, a]) => `${op}(${kept(a)})`),
    // No division by zero, and no shift that is too far: these are no overflows.
    fc
      .tuple(tie('expression'), fc.constantFrom('/', '%'), tie('expression'))
      .map(([a, op, b]) => `(${kept(a)} ${op} V(${kept(b)} | 1))`),
    fc
      .tuple(tie('expression'), fc.constantFrom('<<', '>>'), tie('expression'))
      .map(([a, op, b]) => `(${kept(a)} ${op} V(${kept(b)} & 15))`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([a, b, c]) => `(${kept(a)} ? ${kept(b)} : ${kept(c)})`),
    fc
      .tuple(fc.constantFrom('half', 'sum', 'narrow', 'absolute'), tie('expression'))
      .map(([name, a]) => `${name}(${a})`),
    tie('expression').map((a) => `t[${kept(a)} & 3]`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `__builtin_add_overflow(${a}, ${b}, &w)`),
    tie('expression').map((a) => `sizeof((${a}) + M)`),
  ),
  statement: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(variable, tie('expression')).map(([v, a]) => `${v} = wide(${a});`),
    fc
      .tuple(whole, fc.constantFrom('+=', '-=', '*='), tie('expression'))
      .map(([[v, convert], op, a]) => `${v} ${op} ${convert}(${a});`),
    fc
      .tuple(variable, fc.constantFrom('/=', '%='), tie('expression'))
      .map(([v, op, a]) => `${v} ${op} V(${kept(a)} | 1);`),
    fc
      .tuple(variable, fc.constantFrom('<<=', '>>='), tie('expression'))
      .map(([v, op, a]) => `${v} ${op} V(${kept(a)} & 3);`),
    fc.tuple(variable, fc.constantFrom('++', '--')).map(([v, op]) => `(${v})${op};`),
    fc.tuple(variable, fc.constantFrom('++', '--')).map(([v, op]) => `i = ${op}(${v});`),
    fc
      .tuple(tie('expression'), tie('statement'), tie('statement'))
      .map(([a, x, y]) => `if (${kept(a)}) { ${x} } else { ${y} }`),
    fc
      .tuple(fc.constantFrom('2', '3', '5'), tie('statement'))
      .map(([n, x]) => `for (int k = 0; k < ${n}; k++) { ${x} i += k; }`),
    fc.constantFrom('p = &j;', 'p = t;', 'p = t + 2;', '__builtin_mul_overflow(i, j, p);'),
    tie('expression').map((a) => `{ int v[] = { as_int(${a}), 2 }; e = v[0]; }`),
  ),
}));

export const overflowPrograms = fc
  .tuple(
    fc.array(statement, { minLength: 1, maxLength: 5 }),
    fc.constantFrom('int', 'long', 'short', 'unsigned char', 'long long'),
  )
  .map(
    ([body, type]) => `extern unsigned char __VERIFIER_nondet_uchar(void);
extern int abs(int);
#define M 2147483647
#define V(x) ({ __typeof__(+(x)) v_ = (x); v_; })
enum { N = 46341 };
static long long wide(long long x) { return x; }
static int as_int(long long x) { return x; }
static long as_long(long long x) { return x; }
static short as_short(long long x) { return x; }
static unsigned as_unsigned(long long x) { return x; }
static signed char narrow(long long x) { return x; }
static int half(long long x) { int y = x; return y / 2; }
static long sum(long long x) { long y = x; return y + 1; }
static int absolute(long long x) { int y = x; return abs(y); }
static long long input(void) {
  unsigned char k = __VERIFIER_nondet_uchar() & 7;
  return k == 0 ? 0 : k == 1 ? 1 : k == 2 ? -1 : k == 3 ? M : k == 4 ? -M - 1 : k == 5 ? 46340 : k == 6 ? (1LL << 62) : -70000;
}
int main(void) {
  int i = input(), j = 5, e = 9, w = 3, t[4] = {1, M, -1, 40000}, *p = t;
  long l = input(); long long q = l; short s = i; signed char c = l; unsigned u = i; unsigned char b = 200;
  struct { int x : 7; unsigned y : 5; } f = {3, 30}; ${type} z = i;
  ${body.join('\n  ')}
  return (i ^ z) & 1;
}
`,
  );

/** Each run in a process of its own; those that end by the signal of a test are told. */
const DRIVER = `#undef main
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int first, second, calls;
unsigned char __VERIFIER_nondet_uchar(void) { return calls++ == 0 ? first : second; }
int main(void) {
  for (int n = 0; n < ${RUNS}; n++) {
    int status;
    if (fork() == 0) { first = n & 7; second = n >> 3; program(); _exit(0); }
    wait(&status);
    putchar(WIFEXITED(status) ? '0' : WTERMSIG(status) == 4 ? '1' : '?');
    fflush(stdout);
  }
  return 0;
}
`;

const FLAGS = ['-w', '-O0', '-fsanitize=signed-integer-overflow,shift', '-fsanitize-undefined-trap-on-error'];

/** Does a harness, compiled as it asks for, stop where a number overflows? */
export function overflowShown(harness: string): boolean {
  if (!harness.includes('-fsanitize=signed-integer-overflow,shift')) return false;
  const folder = mkdtempSync(join(tmpdir(), 'spillway-overflow-'));
  try {
    writeFileSync(join(folder, 'h.c'), harness);
    const compiled = runProgram('gcc', [...FLAGS, '-o', join(folder, 'h'), join(folder, 'h.c')]);
    if (compiled.status !== 0) throw new Error(compiled.stderr);
    return runProgram(join(folder, 'h'), []).signal === 'SIGILL';
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** For each pair of inputs whether gcc's program overflows; null where gcc does not take it. */
export function overflowsOfGcc(text: string, dataModel: 'ILP32' | 'LP64'): boolean[] | null {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-overflow-'));
  try {
    const source = join(folder, 'p.c');
    writeFileSync(source, `#define main program\n${text}\n${DRIVER}`);
    const model = dataModel === 'ILP32' ? ['-m32'] : [];
    const compiled = runProgram('gcc', [...FLAGS, ...model, '-o', join(folder, 'p'), source]);
    if (compiled.status !== 0) return null;
    const { stdout } = runProgram(join(folder, 'p'), [], { seconds: 20 });
    if (!/^[01]+$/.test(stdout) || stdout.length !== RUNS) throw new Error(`gcc's program says ${stdout}`);
    return [...stdout].map((mark) => mark === '1');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
