// What is allocated: sizes that only runs tell, realloc, bytes that are used as something else; and large tables and variables. gcc agrees on each program that is defined.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { checkC } from '../../check/testing.ts';
import { expectAgreement } from '../agreement.fuzz.ts';
import type { Program } from '../program/program.ts';
import { programOf, runWith } from '../testing.ts';

const HEAD = '#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n';
const INPUTS = 'extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);\n';

async function verdictOn(text: string, property: string): Promise<string> {
  const files = { read: (path: string) => (path === 'x.c' ? HEAD + INPUTS + text : null) };
  const request = { path: 'x.c', files, properties: [property], budget: UNLIMITED, observer: SILENT };
  const { properties, diagnostics } = await checkC(request);
  return properties[0]?.verdict ?? diagnostics[0]!.code;
}

const VECTOR = `struct vector { int n, room; int *data; };
static void push(struct vector *v, int x) {
  if (v->n == v->room) { v->room = v->room ? 2 * v->room : 3; v->data = realloc(v->data, v->room * sizeof *v->data); }
  v->data[v->n++] = x;
}
`;
const WRAPPED =
  'static void *get(size_t n) { void *p = malloc(n); if (!p) abort(); return p; } void *kept[3];\n';

test.each([
  'int main(void) { int n = 10, *a = malloc(n * sizeof(int)); a[9] = 4; assert(a[n - 1] == 4); return 0; }',
  'int main(void) { int n = 300, *a = malloc(n * sizeof(int)); a[299] = 4; assert(a[n - 1] == 4); return 0; }',
  'struct s { int n; } s = { 17 }; int main(void) { char *p = calloc(s.n, 2); p[33] = 1; assert(p[32] == 0 && p[33] == 1); return 0; }',
  'int main(void) { int t = 0; for (int n = 7; n < 20; n++) { short v[n]; v[n - 1] = n; t += v[n - 1] + sizeof v; } assert(t == 169 + 338); return 0; }',
  `${VECTOR}int main(void) { struct vector v = { 0 }; for (int i = 0; i < 30; i++) push(&v, i * i); for (int i = 0; i < 30; i++) assert(v.data[i] == i * i); assert(v.room == 48); return 0; }`,
  'int main(void) { char *p = realloc(0, 3); memcpy(p, "abc", 3); p = realloc(p, 5); p[3] = 1; assert(p[2] == 99 && p[3] == 1); p = realloc(p, 1); assert(*p == 97); return 0; }',
  'struct s { char c; int *p; }; int main(void) { int x = 5; struct s *s = malloc(sizeof *s); s->c = 2; s->p = &x; s = realloc(s, 3 * sizeof *s); s[2] = *s; *s[2].p += s[0].c; assert(x == 7); return 0; }',
  'struct f { int n; short data[]; }; int main(void) { struct f *f = malloc(sizeof *f + 4); f->n = 1; f->data[1] = 8; f = realloc(f, sizeof *f + 8); f->data[3] = 9; assert(f->n == 1 && f->data[1] == 8); return 0; }',
  'int main(void) { int n = 400; int *a = malloc(n * sizeof(int)); for (int i = 0; i < n; i++) a[i] = i; a = realloc(a, 2 * n * sizeof(int)); assert(a[399] == 399); a = realloc(a, 8); assert(a[1] == 1); return 0; }',
  `${WRAPPED}int main(void) { kept[0] = get(30); kept[1] = get(10); int *p = kept[0]; char *q = kept[1]; for (int i = 0; i < 7; i++) p[i] = 1000 + i; for (int i = 0; i < 10; i++) q[i] = i; assert(p[6] == 1006 && q[9] == 9); return 0; }`,
])('%s', async (text) => {
  await expectAgreement(text);
});

test.each<readonly [string, string, string, string]>([
  [
    'a size that an assumption bounds',
    'int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 0 && n < 13); char *p = malloc(n); p[n - 1] = n; assert(p[n - 1] == n); return 0; }',
    'assertions',
    'proved',
  ],
  [
    '… is one too few',
    'int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 9 && n < 13); char *p = malloc(n); p[n] = n; return 0; }',
    'no-undefined',
    'refuted',
  ],
  [
    'a size without a bound',
    'int main(void) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 9); int *p = malloc(n * sizeof *p); p[9] = 1; assert(p[9] == 1); return 0; }',
    'assertions',
    'proved',
  ],
  [
    'realloc keeps what fits, and no more is known',
    'int main(void) { int x = __VERIFIER_nondet_int(), *p = malloc(8); p[0] = x; p[1] = 2; p = realloc(p, 16); assert(p[0] == x && p[1] == 2); if (x == 3) assert(p[2] == 0); return 0; }',
    'assertions',
    'refuted',
  ],
  [
    'realloc makes less room',
    'int main(void) { int n = __VERIFIER_nondet_int() & 1, *p = malloc(16); p = realloc(p, 4 + 4 * n); p[1] = 1; return 0; }',
    'no-undefined',
    'refuted',
  ],
  [
    'realloc of a part of a number',
    'int main(void) { char *b = malloc(6); b[4] = b[5] = 0; int *p = realloc(b, 8); assert(p[1] < 70000); return 0; }',
    'assertions',
    'unknown',
  ],
  [
    'realloc of something from elsewhere',
    'extern int *other(void); int main(void) { int *p = realloc(other(), 8); p[0] = 1; assert(p[0] == 1); return 0; }',
    'assertions',
    'unknown',
  ],
  [
    'realloc of a variable',
    'int main(void) { int x[2] = { 1, 2 }; int *p = realloc(x, 8); assert(p[0] == 2); return 0; }',
    'assertions',
    'unknown',
  ],
  [
    'bytes that are used as numbers and pointers',
    `${WRAPPED}struct l { int v; struct l *next; }; int main(void) { int x = __VERIFIER_nondet_int(); kept[0] = get(16); struct l *a = kept[0]; a->v = x; a->next = 0; kept[1] = get(16); struct l *b = kept[1]; b->next = a; assert(b->next->v == x); return 0; }`,
    'assertions',
    'proved',
  ],
  [
    'a table, at any place',
    'static const short t[400] = { 5, 1, [100 ... 200] = 7, [399] = -2 }; int main(void) { unsigned i = __VERIFIER_nondet_int(); if (i < 400) assert(t[i] <= 7 && (t[i] >= 0 || i == 399)); return 0; }',
    'assertions',
    'proved',
  ],
  [
    '… beside its end',
    'static const short t[400] = { 5 }; int main(void) { unsigned i = __VERIFIER_nondet_int(); return i <= 400 ? t[i] : 0; }',
    'no-undefined',
    'refuted',
  ],
  [
    '… of structs, where one number lies',
    'static struct { char c; int v; } t[200] = { [150] = { 1, 4711 } }; int main(void) { unsigned i = __VERIFIER_nondet_int(); if (i < 200) assert(t[i].v != 4711); return 0; }',
    'assertions',
    'refuted',
  ],
  [
    '… that is written at one place',
    'static int t[400] = { 5, 1 }; int main(void) { unsigned i = __VERIFIER_nondet_int(); t[__VERIFIER_nondet_int() & 255] = 9; if (i < 400) assert(t[i] <= 5); return 0; }',
    'assertions',
    'refuted',
  ],
  [
    '… that others may write',
    'int t[400] = { 5, 1 }; extern void other(void); int main(void) { unsigned i = __VERIFIER_nondet_int(); other(); if (i < 400) assert(t[i] <= 5); return 0; }',
    'assertions',
    'unknown',
  ],
  [
    'a large variable, at known places',
    'int a[1000]; int main(void) { int x = __VERIFIER_nondet_int(); a[700] = x; a[701] = 3; assert(a[700] == x && a[702] == 0); return 0; }',
    'assertions',
    'proved',
  ],
  [
    '… that variables hold',
    'int a[1000], n = 3; int main(void) { int x = __VERIFIER_nondet_int(); a[n++] = x; a[n] = 2; if (x * 3 == 37035) assert(a[n - 1] == 5); return 0; }',
    'assertions',
    'refuted',
  ],
  [
    '… at any place',
    'int a[1000]; int main(void) { unsigned i = __VERIFIER_nondet_int(); a[7] = 3; if (i < 1000) a[i] = 4; assert(a[7] == 3); return 0; }',
    'assertions',
    'refuted',
  ],
])('%s: %s', async (_, text, property, expected) => {
  expect(await verdictOn(text, property)).toBe(expected);
});

test('what no run allocates is not among what an address means', async () => {
  const text =
    'int main(void) { int n = 12, i = __VERIFIER_nondet_int(), *a = malloc(n * sizeof(int)); a[i] = 1; return 0; }';
  const { sites, edges } = await programOf(HEAD + INPUTS + text);
  const stores = edges.flatMap(({ operation }) => (operation.kind === 'store' ? [operation.site] : []));
  expect(stores.map(({ cells, objects, vague }) => [cells.length, objects.length, vague])).toEqual([
    [12, 1, false],
  ]);
  expect(sites.length).toBeGreaterThan(0);
});

test('a size that no case is made for is decided at run time, up to what there is room for', async () => {
  const text =
    'struct s { char c[64]; }; int main(void) { int n = __VERIFIER_nondet_int(); char *p = malloc(n * sizeof(struct s)); if (p) p[63] = 1; return 0; }';
  const program = await programOf(HEAD + INPUTS + text);
  const outcomes = (one: Program | null) =>
    [8n, 9n, 77n, 0x7fff_ffffn, -1n].map((n) => runWith(one!, [n]).outcome);
  // 128 GiB are too much, and 2^64 - 64 bytes nobody has.
  expect(outcomes(program)).toEqual(['end', 'end', 'end', 'cut', 'end']);
  expect(outcomes(program.otherReading!())).toEqual(['end', 'cut', 'cut', 'cut', 'cut']);
});
