// What C means to us against what it means to gcc: random programs with all sorts of types and statements are compiled and run on
// all small inputs, and so is what the lowering makes of them. The verdicts on some of them are compared, too. SPILLWAY_FUZZ=N runs N programs.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT } from '../base/budget.ts';
import type { PropertyResult } from '../verdict/verdict.ts';
import { checkC } from './check-c.ts';
import { programOf, runWith } from './testing.ts';

const PROGRAMS = Number(process.env['SPILLWAY_FUZZ'] ?? 60);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 5);
/** The verdict is asked for on every so many programs: it costs far more than an execution. */
const JUDGED = 3;
const hasGcc = spawnSync('gcc', ['--version']).status === 0;
if (!hasGcc) console.log('skipped: the meaning of C against gcc (no gcc on PATH)');

const PLACES =
  'a b c u l uc sc us g s.x s.y s.z[1] s.low s.sign *p **pp p[0] q->x q->y q->z[0] q->low q->sign ss[1].x t[1] m[1][0] big.in.v (*q).y'.split(
    ' ',
  );
const LITERALS = '0 1 2 3 -1 5 7u 0x80000000 2147483647 255 -128 3L 0xffUL ONE MANY'.split(' ');
const place = fc.oneof(fc.constantFrom(...PLACES), fc.constantFrom('t[@]', 'ss[@].z[1]', 'm[@][1]'));
const literal = fc.constantFrom(...LITERALS);
const binary = fc.constantFrom(...'+ - * & | ^ < <= == != > >= && ||'.split(' '));
const cast = fc.constantFrom(
  ...'!|-|~|+|(unsigned char)|(signed char)|(short)|(unsigned short)|(unsigned)|(long)|(unsigned long)|(_Bool)|twice|negated|fac|narrow'.split(
    '|',
  ),
);

type Trees = { expression: string; statement: string; block: string };
const { expression, statement } = fc.letrec<Trees>((tie) => {
  const target = fc.tuple(place, tie('expression')).map(([at, e]) => at.replace('@', `1 & (${e})`));
  return {
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(fc.constantFrom(...PLACES), literal),
      fc.tuple(tie('expression'), binary, tie('expression')).map(([l, op, r]) => `(${l} ${op} ${r})`),
      fc.tuple(cast, tie('expression')).map(([op, e]) => `${op}(${e})`),
      fc
        .tuple(
          tie('expression'),
          fc.constantFrom('/ 3', '% 4', '/ 2u', '% 5L', '>> 2', '<< 3', '>> 7u', '/ -1', '% -3'),
        )
        .map(([e, op]) => `((${e}) ${op})`),
      fc
        .tuple(tie('expression'), fc.constantFrom('/', '%'), tie('expression'))
        .map(([x, op, y]) => `((${x}) ${op} (${y} | 1))`),
      fc
        .tuple(tie('expression'), fc.constantFrom('<<', '>>'), tie('expression'))
        .map(([x, op, y]) => `((${x}) ${op} (${y} & 15))`),
      fc.tuple(tie('expression'), tie('expression')).map(([x, y]) => `(${x}, ${y})`),
      tie('expression').map((e) => `*(t + (1 & (${e})))`),
      fc.constantFrom(
        '(p == t)',
        '(pp == &p)',
        '(q - ss)',
        '(q == &ss[1])',
        '(p != &g)',
        'sizeof(s.z)',
        'pick(&a, &b)',
      ),
      fc
        .tuple(tie('expression'), tie('expression'), tie('expression'))
        .map(([x, y, z]) => `(${x} ? ${y} : ${z})`),
      target,
    ),
    statement: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc
        .tuple(target, fc.constantFrom('=', '+=', '-=', '*=', '&=', '|=', '^='), tie('expression'))
        .map(([at, op, e]) => `${at} ${op} ${e};`),
      fc
        .tuple(target, fc.constantFrom('<<= 1', '>>= 1', '/= 3', '%= 3', '++', '--'))
        .map(([at, op]) => `${at} ${op};`),
      fc
        .constantFrom(
          ...[
            'p = &b',
            'p = &g',
            'p = t + 1',
            'p = &s.x',
            'q = &s',
            'q = ss + 1',
            's = *q',
            'ss[0] = s',
            'q->x = uc++',
          ],
          ...[
            'memset(&s, 0, sizeof s)',
            'memcpy(&ss[1], &s, sizeof s)',
            'f = twice',
            'f = &negated',
            'big.in = inner',
          ],
          ...[
            't[0] = (a++, b)',
            'g = sizeof s.z / sizeof *s.z',
            'p == &b ? a++ : b--',
            'inner.v = -uc',
            'b = *p++, p = t',
          ],
          ...[
            'bump(&a)',
            'bump(p)',
            'exchange(&a, p)',
            'exchange(t, t + 1)',
            'pp = a > 1 ? &p : &r',
            '*pp = &g',
            'r = p',
            'fill(&s, b)',
            'fill(q, a)',
            'p = t + 1, p[-1] = 4, p = t',
            'us--',
            'inner.w = (long)a << 33',
            'memcpy(t, t + 1, sizeof *t)',
            'q = q == ss ? ss + 1 : ss',
          ],
        )
        .map((s) => `${s};`),
      tie('expression').map((e) => `g = f(${e});`),
      tie('expression').map((e) => `s = made(${e});`),
      tie('expression').map((e) => `a = sum(s, ${e});`),
      fc.tuple(tie('expression'), tie('expression')).map(([x, y]) => `${x} && (b = ${y}) || c++;`),
      fc.tuple(tie('expression'), tie('block'), tie('block')).map(([e, x, y]) => `if (${e}) ${x} else ${y}`),
      fc
        .tuple(fc.integer({ min: 1, max: 3 }), tie('block'), tie('expression'))
        .map(([n, b, e]) => `for (int i = 0; i < ${n}; i++) { if (${e}) continue; ${b} }`),
      fc
        .tuple(tie('expression'), tie('block'))
        .map(([e, b]) => `{ int n = 0; do { ${b} if (n == 2) break; } while (++n < 4 && (${e})); }`),
      fc
        .tuple(tie('expression'), tie('expression'), tie('statement'), fc.nat(1e9))
        .map(
          ([x, y, s, n]) =>
            `{ int k = 0; again${n}: if (${x}) goto out${n}; ${s} if (++k < 3) goto again${n}; out${n}: if (${y}) c++; }`,
        ),
      fc
        .tuple(tie('expression'), tie('expression'), tie('statement'))
        .map(
          ([x, y, s]) =>
            `for (int i = 0; i < 3; i++) { for (int j = i; j < 3; j++) { if (${x}) break; if (${y}) continue; ${s} } if (i && a > b) break; }`,
        ),
      fc
        .tuple(
          tie('expression'),
          tie('statement'),
          tie('statement'),
          fc.constantFrom('', 'break;', 'c = 9; break;'),
        )
        .map(
          ([e, x, y, end]) =>
            `switch (${e}) { case 0: ${x} ${end} default: a ^= 1; case ONE: case 3: ${y} break; case -1: b = 1; }`,
        ),
    ),
    block: fc.array(tie('statement'), { minLength: 1, maxLength: 2 }).map((list) => `{ ${list.join(' ')} }`),
  };
});

const SUM =
  '(a + b + c + g + s.x + s.y + s.sign + ss[1].x + t[0] + t[1] + m[1][1] + uc + sc + us + (int)l + (int)u)';

const programText = fc
  .tuple(
    fc.array(statement, { minLength: 1, maxLength: 6 }),
    fc.array(statement, { maxLength: 3 }),
    expression,
    // Some input nearly always gives a sum that 7 divides; the rest holds on every input, or mostly.
    fc.constantFrom(
      ...[
        'SUM % 7 != 0',
        'SUM % 1009 != 0',
        's.low < 8 && s.sign >= -8 && s.sign <= 7',
        'uc <= 255 && sc < 128 && sc >= -128',
      ],
      ...[
        '(a < b) + (b < a) + (a == b) == 1',
        'c >= 0 || c < 0',
        '(u & 3) < 4 && (unsigned char)(uc + 1) != uc',
        'a * 2 == a + a',
      ],
    ),
    fc.boolean(),
  )
  .map(
    ([body, tail, check, holds, both]) => `enum { ONE = 1, MANY = 1000000 };
struct S { int x; unsigned char y; short z[2]; unsigned low : 3; int sign : 4; };
struct In { signed char v; long w; };
extern int g; int g; static unsigned char uc = 250; unsigned short us = 3; signed char sc = -3;
struct S s = { 1, .z = { 2, 3 } }, ss[2] = { { 4, 5 }, { .low = 6, .x = 7 } };
struct In inner = { 100, -1 }; struct { int n; struct In in; } big = { 3, { -5 } };
int t[2] = { 8, -9 }; short m[2][2] = { { 1 }, { 2, 3 } };
int twice(int n) { return n * 2; }
int negated(int n) { return -n; }
int fac(int n) { n &= 3; return n == 0 ? 1 : n * fac(n - 1); }
struct S made(int n) { static int calls = 1; struct S r = { n, n, { n, ~n }, n, n }; r.x += calls++; return r; }
unsigned char narrow(short n) { return n; }
void bump(int *n) { if (*n < 100) (*n)++; else *n = 0; }
void exchange(int *x, int *y) { int k = *x; *x = *y; *y = k; }
int pick(int *x, int *y) { return *x > *y ? *x : *y; }
void fill(struct S *r, int n) { r->x = n; r->z[n & 1] = n; r->low++; }
int sum(struct S r, int n) { r.x += n; return r.x + r.y + r.z[0] - r.z[1] + r.low * r.sign; }
int input(void) { int v = __VERIFIER_nondet_int(); __VERIFIER_assume(v >= 0 && v < 4); return v; }
int main(void) {
  int a = input(), b = input(), c = 0; unsigned u = 3; long l = -7; int *p = &c, *r = &b, **pp = &p; struct S *q = &ss[0]; int (*f)(int) = twice;
  ${body.join('\n  ')}
  c = input();
  ${tail.join('\n  ')}
  ${both ? `assert(${check});` : ''}
  assert(${holds.replace('SUM', SUM)});
  return 0;
}
`,
  );
const PRELUDE = `#include <string.h>
#include <unistd.h>
#include <stdio.h>
#include <sys/wait.h>
static int inputs[3], next;
#define assert(e) do { if (!(e)) _exit(1); } while (0)
#define __VERIFIER_assume(e) do { if (!(e)) _exit(0); } while (0)
#define __VERIFIER_nondet_int() inputs[next++]
#define main program
`;
const DRIVER = `
#undef main
int main(void) {
  for (int n = 0; n < 64; n++) {
    inputs[0] = n & 3; inputs[1] = n >> 2 & 3; inputs[2] = n >> 4;
    int status, child = fork();
    if (child == 0) { alarm(2); program(); _exit(0); }
    waitpid(child, &status, 0);
    putchar(WIFEXITED(status) ? '0' + WEXITSTATUS(status) : '?');
  }
  return 0;
}
`;

/** For each input: '1' an assertion fails, '0' it does not, '?' the program crashes. */
function compiled(folder: string, text: string): string {
  writeFileSync(join(folder, 'x.c'), PRELUDE + text + DRIVER);
  const compiler = spawnSync('gcc', ['-w', '-fwrapv', '-o', join(folder, 'x'), join(folder, 'x.c')]);
  expect(compiler.stderr.toString()).toBe('');
  return spawnSync(join(folder, 'x')).stdout.toString();
}

async function judged(text: string): Promise<string> {
  const end = performance.now() + 5_000;
  const { properties, diagnostics } = await checkC({
    path: 'x.c',
    files: { read: (path) => (path === 'x.c' ? text : null) },
    defines: [],
    includes: [],
    properties: [],
    budget: {
      timeLeft: () => performance.now() < end,
      remaining: () => end - performance.now(),
      maxStates: 1e6,
      maxMemory: 1e9,
    },
    observer: SILENT,
  });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const [{ verdict, evidence, reasonCode }] = properties as [PropertyResult];
  if (verdict === 'proved') expect(evidence?.kind).toBe('certificate');
  expect(reasonCode).not.toBe('no-certificate');
  return verdict;
}

test.skipIf(!hasGcc)(`${PROGRAMS} random programs mean what they mean to gcc`, { timeout: 0 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-gcc-'));
  const counts: Record<string, number> = {
    runs: 0,
    failing: 0,
    undefined: 0,
    proved: 0,
    refuted: 0,
    unknown: 0,
  };
  let number = 0;
  try {
    await fc.assert(
      fc.asyncProperty(programText, async (text) => {
        const expected = compiled(folder, text);
        const program = await programOf(text);
        const ours = [...expected].map((_, n) => {
          const { outcome, guessed } = runWith(program, [n & 3, (n >> 2) & 3, n >> 4].map(BigInt));
          if (guessed !== null) return '?';
          return outcome === 'error' ? '1' : outcome === 'end' ? '0' : '?';
        });
        counts['runs']! += ours.length;
        counts['failing']! += ours.filter((mark) => mark === '1').length;
        counts['undefined']! += ours.filter((mark) => mark === '?').length;
        // Where a run is undefined or cut off, gcc may do as it likes.
        expect(ours.join('')).toBe([...expected].map((mark, n) => (ours[n] === '?' ? '?' : mark)).join(''));
        if (number++ % JUDGED !== 0) return;
        const verdict = await judged(text);
        counts[verdict]!++;
        if (verdict !== 'unknown') expect(verdict).toBe(ours.includes('1') ? 'refuted' : 'proved');
      }),
      { numRuns: PROGRAMS, seed: SEED },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
  console.log(`against gcc: ${JSON.stringify(counts)}`);
  if (PROGRAMS >= 60) for (const verdict of ['proved', 'refuted']) expect(counts[verdict]).toBeGreaterThan(0);
  expect(counts['undefined']).toBeLessThan(counts['runs']! / 4);
});
