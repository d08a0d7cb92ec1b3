// A read that nobody needs is a read: wherever it stands, and whatever arithmetic makes of it, `no-undefined` sees it, and other threads do.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT } from '../../base/budget.ts';
import { checkC } from '../../check/testing.ts';

const COUNT = Number(process.env['SPILLWAY_FUZZ'] ?? 12);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 3);

async function verdict(text: string, property: string): Promise<string> {
  const files = { read: (path: string) => (path === 'x.c' ? text : null) };
  const { properties, diagnostics } = await checkC({
    path: 'x.c',
    files,
    properties: [property],
    observer: SILENT,
  });
  return properties[0]?.verdict ?? diagnostics[0]!.message;
}

/** R is an expression of type int whose value decides nothing. */
const CONTEXTS: readonly string[] = [
  'R;',
  '(void)R;',
  'R, n++;',
  'n = (R, 1);',
  'for (R; n < 1; n++) ;',
  'for (; n < 1; n++, R) ;',
  'for (; n < 2; R) n++;',
  'n = R * 0;',
  'n = 0 & R;',
  'n = R && 0;',
  'n = R || 1;',
  'n = R ? 1 : 1;',
  'n = (unsigned)R >= 0;',
  'n = (unsigned char)(R << 8);',
  'n = R - R;',
  'n = (R * 0) + (n = 3, 1);',
  'n = ({ R; 2; });',
  'n = ({ R * 0; });',
  'ext(R);',
  'ext2(n, R);',
  'n = isalpha(R);',
  'printf("%d", R);',
  'putchar(R);',
  '(void)(R + 1);',
  '(void)!R;',
  'n = -(R * 0);',
  'if (R) ;',
  'if (R && 0) n++;',
  'while (R && 0) n++;',
  'switch (R) { default: n++; }',
  'n = (_Bool)(R | 1);',
  'n = (R, n) + 1;',
  'n = sizeof(int[2]) + R * 0;',
  'one(R);',
  'exit(R);',
];

/** How it is undefined, and how it is not. */
const READS: readonly (readonly [read: string, bad: string, good: string])[] = [
  ['*p', 'int *p = 0;', 'int *p = &x;'],
  ['a[i]', 'int i = __VERIFIER_nondet_int() & 3;', 'int i = __VERIFIER_nondet_int() & 1;'],
  ['s->v', 'struct s *s = 0;', 'struct s *s = &t;'],
  ['**q', 'int *p = 0, **q = &p;', 'int *p = &x, **q = &p;'],
  ['a[3 + n - n]', 'int k = 3;', '(void)0;'],
  ['s[i].v', 'struct s *s = &t; int i = __VERIFIER_nondet_int() & 1;', 'struct s *s = &t; int i = 0;'],
];

const program = (context: string, read: string, declared: string): string =>
  `#include <stdio.h>
#include <stdlib.h>
#include <ctype.h>
extern int __VERIFIER_nondet_int(void);
extern void ext(int), ext2(int, int);
static void one(int n) {}
struct s { int k, v; };
static struct s t;
static int x, a[3];
int main(void) { int n = 0; ${declared} ${context.replace(/\bR\b/g, `(${read})`)} return 0; }
`.replace('#include <ctype.h>\n', 'extern int isalpha(int);\n');

const chosen = fc.tuple(fc.constantFrom(...CONTEXTS), fc.constantFrom(...READS), fc.boolean());

test(`${COUNT} reads that nobody needs`, { timeout: 0 }, async () => {
  await fc.assert(
    fc.asyncProperty(chosen, async ([context, [read, bad, good], isBad]) => {
      const always = read === 'a[3 + n - n]';
      const text = program(context, isBad || !always ? read : 'a[2 + n - n]', isBad ? bad : good);
      expect(await verdict(text, 'no-undefined')).toBe(isBad ? 'refuted' : 'proved');
    }),
    { numRuns: COUNT, seed: SEED },
  );
});

/** Among threads a plain variable is enough. */
test.each(CONTEXTS.filter((_, i) => COUNT > 12 || i % 6 === 0).filter((context) => !context.includes('ext')))(
  'another thread may write what is read: %s',
  async (context) => {
    const text = (start: string) => `#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>
extern int isalpha(int);
static void one(int n) {}
static int shared;
static void *change(void *arg) { ${start} return 0; }
int main(void) { int n = 0; pthread_t t; pthread_create(&t, 0, change, 0); ${context.replace(/\bR\b/g, 'shared')} return 0; }
`;
    expect(await verdict(text('shared = 1;'), 'race-free')).toBe('refuted');
  },
);

test.each([
  'int y = (p->x = 5, p = 0, 2);',
  'int y = (p->x * 0) + (p = 0, 4);',
  'int y = ({ p->x = 1; p = 0; 3; });',
  'int i = 0, t[2] = { 0, 1 }, v = (t[i] = 7, i = 9, 3);',
  'int i = 0, t[2] = { 0, 1 }, q[2] = { t[i] * 0, (i = 5, 1) };',
  'int y = p->x ? (p = 0, 1) : (p = 0, 2);',
  'int y = (p->x++, p = 0, 1) && !p;',
  'int i = 1, t[2] = { 0, 1 }; if (t[i] && (i = 9)) i = 0;',
  'struct s b = *p; b = (p = 0, b);',
  'struct e { } e, *q = &e; *q; (void)*q; q = 0;',
  'int (*a)[1] = &arr; int y = ((*a)[0] = 1, a = 0, 1);',
])('what is read is read before things change: %s', async (body) => {
  const text = `struct s { int x; struct s *n; }; static int arr[1]; int main(void) { struct s a = { 1, 0 }, *p = &a; ${body} return 0; }`;
  expect(await verdict(text, 'no-undefined')).toBe('proved');
});

test('functions at the end of the program are as many as there are', async () => {
  const text = (count: number, end: number) =>
    `#include <stdlib.h>\nextern void reach_error(void); static int n; static void first(void) { if (n == ${end}) reach_error(); } static void more(void) { n++; }
     int main(void) { atexit(first); for (int i = 0; i < ${count}; i++) atexit(more); return 0; }`;
  expect(await verdict(text(31, 31), 'assertions')).toBe('refuted');
  expect(await verdict(text(32, 32), 'assertions')).toBe('unknown');
});

test('a run ends where what is dropped is undefined', async () => {
  const text = (body: string) =>
    `extern void reach_error(void); int main(void) { int *p = 0; ${body} return 0; }`;
  // The run ends there, so that nothing is refuted; what a compiled program does then is open.
  expect(await verdict(text('*p; reach_error();'), 'assertions')).toBe('unknown');
  expect(await verdict(text('for (;;) *p;'), 'terminates')).toBe('unknown');
});

test.each([
  ['1 << (1LL << 32)', 'refuted'],
  ['1 << (unsigned char)(31 + 256)', 'proved'],
  ['1LL << 63', 'proved'],
  ['(char)1 << -1', 'refuted'],
  ['1 >> 0x100000001LL', 'refuted'],
])('the count of a shift has a width of its own: %s', async (shift, expected) => {
  expect(await verdict(`int main(void) { return (${shift}) != 0; }`, 'no-undefined')).toBe(expected);
});

const SIZES = '#include <stdlib.h>\n#include <string.h>\nextern void reach_error(void);';
test.each([
  [
    'static int *mk(int n) { return malloc(n * sizeof(int)); } int main(void) { int *a = mk(1), *b = mk(3); b[2] = 5; if (b[2] == 5) reach_error(); return 0; }',
    'refuted',
    'proved',
  ],
  [
    'static void *get(size_t n) { return malloc(n); } int main(void) { char *p = get(3), *q = get(2); q[2] = 1; return 0; }',
    'unknown',
    'refuted',
  ],
  [
    'static char *get(int n) { return calloc(n, 2); } int main(void) { get(1); char *q = get(4); q[7] = 1; if (q[7]) reach_error(); return 0; }',
    'refuted',
    'proved',
  ],
  [
    'static int f(int n) { int b[n]; for (int i = 0; i < n; i++) b[i] = i; return b[n - 1]; } int main(void) { f(2); if (f(4) == 3) reach_error(); return 0; }',
    'refuted',
    'proved',
  ],
  [
    'static int f(int n, int i) { char b[n]; b[i] = 7; return b[i]; } int main(void) { f(5, 4); f(3, 4); return 0; }',
    'unknown',
    'refuted',
  ],
  [
    'static int f(int n) { if (n < 0) return 5; char b[n]; return sizeof b; } int main(void) { if (f(-1) != 5 || f(3) != 3) reach_error(); return 0; }',
    'proved',
    'proved',
  ],
  [
    'struct g { int x; char c; }; int main(void) { char a[5] = { 1, 2, 3, 4, 5 }; struct g s; memcpy(&s, a, sizeof s); return 0; }',
    'unknown',
    'refuted',
  ],
])('one place allocates what each call asks for: %s', async (text, assertions, undefinedness) => {
  expect(await verdict(`${SIZES} ${text}`, 'assertions')).toBe(assertions);
  expect(await verdict(`${SIZES} ${text}`, 'no-undefined')).toBe(undefinedness);
});

test.each([
  'scanf("%*d");',
  'scanf("%*[^9]");',
  'scanf("%*s");',
  'scanf(format);',
  'int (*read)(const char *, ...) = scanf; read("%d", &x);',
])('what else was read before decides what comes next: %s', async (before) => {
  const text = `#include <stdio.h>\n#include <assert.h>\nconst char *format = ""; int x; int main(void) { char c = 0; ${before} if (scanf("%c", &c) == 1) assert(c < '0' || c > '9'); return 0; }`;
  expect(await verdict(text, 'assertions')).not.toBe('refuted');
});
