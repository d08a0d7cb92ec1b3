// Bytes between the members of structs: what fills or copies memory fills and copies them, after an assignment they hold anything, and nothing may rest on what
// was in them before.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { checkC } from '../../check/testing.ts';

const TYPES = `extern int __VERIFIER_nondet_int(void); struct P { char c; int i; }; struct Q { int a, b; };
  union U { struct P s; char b[8]; struct Q q; };
  union U u, w = { .b = { 1, 2, 3, 4, 5, 6, 7, 8 } }, v = { .b = { 1, 2, 3, 4, 5, 6, 7, 8 } };
  void copy(struct P *to, struct P *from) { memcpy(to, from, sizeof *to); }
  void fill(struct P *to) { memset(to, 1, sizeof *to); }
  void assign(struct P *to, struct P *from) { *to = *from; }
  struct P made(int n) { struct P p; p.c = n; p.i = n; return p; }`;

async function verdict(text: string, property: 'assertions' | 'no-undefined'): Promise<string> {
  const { properties } = await checkC({
    path: 'x.c',
    files: { read: (path) => (path === 'x.c' ? text : null) },
    defines: [],
    includes: [],
    properties: [property],
    budget: UNLIMITED,
    observer: SILENT,
  });
  return properties[0]!.verdict;
}

test.each([
  ['memcpy through pointers', 'copy(&u.s, &w.s); assert(u.b[1] == 2 && u.b[3] == 4);', 'proved'],
  ['the same, seen', 'copy(&u.s, &w.s); assert(u.b[1] != 2);', 'refuted'],
  ['memset through a pointer', 'fill(&u.s); assert(u.q.a == 0x01010101);', 'proved'],
  ['the same, seen', 'fill(&u.s); assert(u.b[1] != 1);', 'refuted'],
  [
    'behind a bit-field',
    'union { struct B { int i : 3; } s; char b[4]; } x = { .b = { 1, 2, 3, 4 } }; struct B *p = &x.s; memset(p, 0, sizeof *p); assert(x.b[3] == 4);',
    'refuted',
  ],
  [
    'memory from malloc',
    'unsigned char *b = malloc(8); b[3] = 3; memset((struct P *)b, 0, 8); assert(b[3] == 3);',
    'refuted',
  ],
  ['a struct through pointers', 'assign(&u.s, &w.s); assert(u.b[1] != 2);', 'unknown'],
  ['a struct', 'u.s = w.s; assert(u.b[1] != 2);', 'unknown'],
  ['a struct, seen as numbers', 'u.s = w.s; assert(u.q.a != 0x04030201);', 'unknown'],
  ['a literal', 'v.s = (struct P){9, 9}; assert(v.b[1] == 2);', 'unknown'],
  ['a literal of the union', 'v = (union U){.s = {9, 9}}; assert(v.b[1] == 0);', 'unknown'],
  ['a result', 'v.s = made(1); assert(v.b[2] == 3);', 'unknown'],
  ['members stay known', 'v.s = made(1); assert(v.s.c == 1 && v.b[0] == 1 && v.q.b == 1);', 'proved'],
  ['a whole union', 'u = w; assert(u.b[1] == 2 && u.q.b == 0x08070605);', 'proved'],
  [
    'a long double in a struct',
    'union { struct { long double d; } s; char b[16]; } x, y; for (int i = 0; i < 16; i++) { x.b[i] = 1; y.b[i] = 2; } x.s = y.s; assert(x.b[12] == 1);',
    'unknown',
  ],
  ['padding that is filled', 'struct P s; memset(&s, 1, sizeof s); assert(((char *)&s)[1] == 1);', 'unknown'],
  [
    'padding that is copied',
    'struct P s; char o[8]; memcpy(&s, w.b, 8); memcpy(o, &s, 8); assert(o[2] == 3);',
    'unknown',
  ],
  [
    'padding behind a long double',
    'long double d; memset(&d, 1, sizeof d); d = 1.0L; assert(((char *)&d)[12] == 1);',
    'unknown',
  ],
  [
    'padding that nobody looks at',
    'struct P x[2], y = { 1, 2 }, *p = &x[__VERIFIER_nondet_int() & 1]; *p = y; copy(&x[0], p); assert(x[0].i != 2);',
    'refuted',
  ],
  [
    'nor in a large array',
    'static struct P x[300]; struct P y = { 1, 2 }; int n = __VERIFIER_nondet_int(); if (n < 0 || n > 299) return 0; x[n] = y; assert(x[n].i != 2);',
    'refuted',
  ],
])('%s: %s', async (_, text, expected) => {
  expect(await verdict(`${TYPES} int main(void) { ${text} return 0; }`, 'assertions')).toBe(expected);
});

test('the last byte of a struct does not fit', async () => {
  const text = `struct L { long l; char c; };
    int main(void) { struct L *p = malloc(9); memset(p, 0, sizeof *p); return 0; }`;
  expect(await verdict(text, 'no-undefined')).toBe('refuted');
});
