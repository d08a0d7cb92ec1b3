// Which steps are undefined, run by run, beside gcc's sanitizers; and by name what no sanitizer sees.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { checkC } from '../check/testing.ts';
import { hasSanitizer } from './lifetimes.fuzz.ts';
import { withChecks } from './lower/undefined.ts';
import { programOf, runWith } from './testing.ts';
import { steps, stepsByGcc } from './undefined-steps.fuzz.ts';

const COUNT = Number(process.env.SPILLWAY_FUZZ ?? 0) || 24;

test.skipIf(!hasSanitizer)('random programs do what is undefined when gcc says so', async () => {
  const texts = fc.sample(steps, { numRuns: COUNT, seed: 11 });
  const judged = stepsByGcc(texts);
  const wrong: string[] = [];
  let undefinedRuns = 0;
  for (const [i, text] of texts.entries()) {
    const program = withChecks(await programOf(text));
    const ours = Array.from({ length: 16 }, (_, n) => {
      const { outcome, guessed } = runWith(program, [BigInt(n & 3), BigInt(n >> 2)]);
      return guessed !== null || outcome === 'cut'
        ? '?'
        : outcome === 'error'
          ? 'u'
          : outcome === 'end'
            ? '0'
            : outcome;
    });
    const said = [...judged[i]!].map((mark, n) => (ours[n] === '?' ? '?' : mark));
    undefinedRuns += ours.filter((mark) => mark === 'u').length;
    if (ours.join('') !== said.join('')) wrong.push(`${ours.join('')}\n${judged[i]}\n${text}`);
  }
  expect(wrong).toEqual([]);
  expect(undefinedRuns).toBeGreaterThan(0);
});

async function verdicts(files: Readonly<Record<string, string>>, path = 'x.c'): Promise<string> {
  const { properties } = await checkC({
    path,
    files: { read: (name) => files[name] ?? null },
    properties: ['assertions', 'no-undefined'],
    budget: UNLIMITED,
    observer: SILENT,
  });
  return properties.map(({ verdict }) => verdict).join(' ');
}

const INPUT = `#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
`;
const UNDEFINED = 'unknown refuted';
const FINE = 'proved proved';

test.each([
  ['a number that is not returned', 'int f(int n) { if (n) return 1; }', 'assert(f(a) == 1);', UNDEFINED],
  ['… by `return;`', 'int f(int n) { if (!n) return; return 1; }', 'assert(f(a) == 1);', UNDEFINED],
  [
    '… through a pointer',
    'int f(int n) { if (n) return 1; } int (*p)(int) = f;',
    'assert(p(a) == 1);',
    UNDEFINED,
  ],
  [
    '… a struct',
    'struct s { int x; } f(int n) { struct s s = { 1 }; if (n) return s; }',
    'assert(f(a).x == 1);',
    UNDEFINED,
  ],
  ['… a pointer', 'int *f(int *n) { if (*n) return n; }', 'int *p = f(&a); *p = 1;', UNDEFINED],
  ['… a broken number', 'double f(int n) { if (n) return 1; }', 'assert(f(a) == 1);', UNDEFINED],
  [
    '… in recursion',
    'int f(int n) { if (n == 1) return 1; if (n > 1) return f(n - 1); }',
    'if (a < 3) assert(f(a) == 1);',
    UNDEFINED,
  ],
  [
    '… after a call that returned one',
    'int f(int n) { if (n) return 1; }',
    'f(1); if (a < 0) assert(f(0) == 1);',
    UNDEFINED,
  ],
  [
    '… that nobody uses',
    'int f(int n) { if (n) return 1; }',
    'f(a); (void)f(a); a ? f(a) : f(0); f(a), f(1);',
    FINE,
  ],
  [
    '… where that cannot be',
    'int f(int n) { switch (n) { case 0: return 1; default: return 1; } }',
    'assert(f(a) == 1);',
    FINE,
  ],
  [
    'what main ends with',
    'int n; int main(void);',
    'if (n++ == 0) assert(main() == 0); if (n == 2) return 0; n = 2; if (a) return 0;',
    FINE,
  ],
  [
    'a call of a function that returns nothing',
    'void v(int n) {} int w(int n) { return 1; }',
    'int (*p)(int) = a ? w : (int (*)(int))v; assert(p(a) == 1);',
    UNDEFINED,
  ],
  [
    '… a struct',
    'struct s { int x; } v(int n) { struct s s = { 3 }; return s; } int w(int n) { return 1; }',
    'int (*p)(int) = a ? w : (int (*)(int))v; assert(p(a) == 1);',
    UNDEFINED,
  ],
  [
    '… a wider number',
    'long v(long n) { return n >> 32; }',
    'int (*p)(int) = (int (*)(int))v; assert(p(-1) == -1);',
    UNDEFINED,
  ],
  [
    '… a result that nobody takes',
    'int w(int n) { return 1; }',
    'void (*p)(int) = (void (*)(int))w; p(a);',
    FINE,
  ],
  [
    '… other pointers and signs',
    'unsigned v(int *n) { return *n; }',
    'int (*p)(void *) = (int (*)(void *))v; assert(p(&a) == a);',
    FINE,
  ],
  [
    '… in the old style',
    'int v(c, f) char c; float f; { return c + (int)f; }',
    'int (*p)() = v; int (*q)(int, double) = v; assert(p(1, 2.0) == 3 && q(1, 2.0) == 3);',
    FINE,
  ],
  [
    'an index that leaves a member',
    'struct s { int t[2], z; } s;',
    'if (a >= 0 && a < 3) { s.t[a] = 1; assert(s.z == 0); }',
    UNDEFINED,
  ],
  [
    '… an array at the end that stands for more',
    'struct s { int n, t[1]; }; union { struct s s; int room[8]; } u;',
    'u.s.t[a & 3] = 1;',
    FINE,
  ],
  [
    'memcpy onto a part of what is copied',
    'int t[5];',
    'memcpy(t, t + (a & 3), 2 * sizeof(int));',
    UNDEFINED,
  ],
])('%s', async (_, outside, body, expected) => {
  const text = `${INPUT}${outside} int main(void) { int a = __VERIFIER_nondet_int(); ${body} return 0; }`;
  expect(await verdicts({ 'x.c': text })).toBe(expected);
});

const OTHER = 'long other(int n) { return f(n); }';

test.each([
  [
    'of other types',
    'static int f(char c) { return c; }',
    'static long f(long n) { return n << 33; }',
    'f(44) == 44 && other(5) == 5L << 33 && f(7) == 7',
  ],
  [
    'that call each other',
    'static int f(int n) { return n > 3 ? 0 : 1 + (int)other(n + 1); }',
    'static int f(int n) { int k = 10 * n; return k; }',
    'f(1) == 21 && f(4) == 0',
  ],
])('static functions of one name in two files, %s', async (_, first, second, holds) => {
  const files = {
    't.yml': "input_files: ['a.c', 'b.c']\n",
    'a.c': `#include <assert.h>\nextern long other(int); ${first} int main(void) { assert(${holds}); return 0; }`,
    'b.c': `${second} ${OTHER}`,
  };
  expect(await verdicts(files, 't.yml')).toBe(FINE);
});

const FILE = 'struct file; typedef unsigned long size; extern struct file *in;';

test.each([
  [
    'fgets with room',
    'char *fgets(char *, int, struct file *);',
    'char b[8]; fgets(b, sizeof b, in);',
    'proved',
  ],
  ['… with less', 'char *fgets(char *, int, struct file *);', 'char b[8]; fgets(b, 9, in);', 'unknown'],
  [
    'fread with room',
    'size fread(void *, size, size, struct file *);',
    'int b[4]; fread(b, sizeof *b, 4, in);',
    'proved',
  ],
  [
    '… behind the start',
    'size fread(void *, size, size, struct file *);',
    'int b[4]; fread(b + 1, sizeof *b, 4, in);',
    'unknown',
  ],
  [
    'snprintf of nothing',
    'int snprintf(char *, size, const char *, ...);',
    'char b[4]; snprintf(0, 0, "%d", a); snprintf(b, 4, "%d", a);',
    'proved',
  ],
  ['sprintf', 'int sprintf(char *, const char *, ...);', 'char b[4]; sprintf(b, "%d", a);', 'unknown'],
  ['a text of any length', 'int scanf(const char *, ...);', 'char b[4]; scanf("%4s", b);', 'unknown'],
  ['… and a number', 'int scanf(const char *, ...);', 'int n; char c; scanf("%d%c", &n, &c);', 'proved'],
  ['strcpy of one of two texts', '', 'char b[4]; strcpy(b, a ? "abc" : "abcd");', 'refuted'],
  ['memcmp', '', 'char b[3] = "ab", c[8] = "ab"; memcmp(b, c, (a & 3) + 1);', 'refuted'],
  ['… of as much as there is', '', 'char b[4] = "ab", c[8] = "ab"; memcmp(b, c, (a & 3) + 1);', 'proved'],
  ['strncpy of as much as it says', '', 'char b[4]; strncpy(b, a ? "ab" : "abc", (a & 3) + 2);', 'refuted'],
])('room for functions of the library: %s', async (_, outside, body, expected) => {
  const text = `${INPUT}${FILE} ${outside} int main(void) { int a = __VERIFIER_nondet_int(); ${body} return 0; }`;
  expect((await verdicts({ 'x.c': text })).split(' ')[1]).toBe(expected);
});
