// What depends on where objects lie is neither proved nor refuted, whatever way the bytes of addresses take through unions.

import { expect, test } from 'vitest';
import { verdictOf } from '../../check/testing.ts';

const HEAD = `#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int x = 7, y; union P { int *p; long l; unsigned n; unsigned char c[8]; }; union N { long l; int *p; };
`;
const main = (body: string) => `${HEAD}int main(void) { ${body} return 0; }`;

test.each<readonly [what: string, body: string]>([
  ['a number where an object may lie', 'union P u; u.l = 0x404018; assert(u.p != &x);'],
  ['… in a union that begins with it', 'union N u; u.l = 0x404018; assert(u.p != &x);'],
  ['a sum of numbers', 'union P u; u.l = __VERIFIER_nondet_int() + 0x404018l; assert(u.p != &x);'],
  ['a number in a variable before', 'union P u; long n = 0x404018; u.l = n; assert(u.p != &x);'],
  [
    '… that held an address',
    'union P u, v; u.p = &x; long n = u.l; n = 0x404018; v.l = n; assert(v.p != &y);',
  ],
  ['a bit more', 'union P u, v; u.p = &x; v = u; v.l |= 1; assert(v.p != &x);'],
  ['a bit more in a number', 'union N u, v; u.p = &x; long n = u.l; n |= 1; v.l = n; assert(v.p != &x);'],
  ['bits less', 'union P u, v; u.p = &x; v = u; v.l &= ~15l; assert(v.p == &x);'],
  ['two addresses in one', 'union P u, v; u.p = &x; v.p = &y; u.l = u.l | v.l; assert(u.p != &x);'],
  ['half of it', 'union P u; u.p = &x; u.l = (unsigned)u.l; assert(u.p != &x);'],
  ['half of it in a member', 'union P u; u.p = &x; assert((u.n & 63) == 0);'],
  ['a byte of it in a member', 'union P u; u.p = &x; assert(u.c[1] != 7);'],
  ['a byte of it', 'union N u, v; u.p = &x; v.l = (unsigned char)u.l; assert((v.l & 63) == 0);'],
  ['where a text ends', 'union N u; u.p = &x; assert(strlen((char *)&u) == 0);'],
  ['half of it at the start', 'static union P u = { &x }; assert((u.n & 63) == 0);'],
  ['a byte of it at the start', 'static union P u[2] = { { 0 }, { &x } }; assert(u[1].c[1] != 7);'],
  ['bytes that are compared', 'union N u, v; u.p = &x; v.p = &y; assert(memcmp(&u, &v, 8) < 0);'],
  ['… the other way round', 'union N u, v; u.p = &x; v.p = &y; assert(memcmp(&u, &v, 8) > 0);'],
  [
    'the distance of two as numbers, added to a third one',
    'union P u, v, w; int c = __VERIFIER_nondet_int(); u.p = c ? &x : &y; v.p = c ? &y : &x; w.p = &y; w.l += u.l - v.l; if (c) { *w.p = 5; assert(x == 7); }',
  ],
  [
    '… that reads there',
    'union P u, v, w; int c = __VERIFIER_nondet_int(); u.p = c ? &x : &y; v.p = c ? &y : &x; w.p = &y; if (c) w.l += u.l - v.l; assert(*w.p == 0);',
  ],
  ['a use of a number where an object may lie', 'union P u; u.l = 0x404018; *u.p = 5; assert(x == 7);'],
  [
    'a number where an object may lie from the start',
    'static union N u = { 0x404018 }; if (__VERIFIER_nondet_int()) u.p = &y; assert(u.p != &x);',
  ],
  [
    '… from a large table',
    'static const long t[400] = { 0x404018 }; struct { int *p; } u; memcpy(&u, t, 8); assert(u.p != &x);',
  ],
])('%s', async (_, body) => {
  expect(await verdictOf(main(body), 'assertions')).toBe('unknown');
});

test.each<readonly [what: string, body: string]>([
  [
    'by a tag',
    'struct { int tag; union P u; } a, b; a.tag = __VERIFIER_nondet_int() & 1; if (a.tag) a.u.p = &x; else a.u.n = 8; b = a; assert((b.tag ? *b.u.p : b.u.n) == 7);',
  ],
  [
    'handed on',
    'union P u[2]; int i = __VERIFIER_nondet_int() & 1; u[i].p = &x; u[!i].n = 1; union P w = u[1]; assert(i ? *w.p != 7 : w.n == 1);',
  ],
])('a number or an address, %s, in a run that fails', async (_, body) => {
  expect(await verdictOf(main(body), 'assertions')).toBe('refuted');
});

test('with pointers of 32 bits', async () => {
  const text = main('union N u; u.p = &x; assert((u.l & 63) == 0);');
  expect(await verdictOf(text, 'assertions', 'ILP32')).toBe('unknown');
});

test.each<readonly [what: string, body: string]>([
  [
    'an address that is copied as a number',
    'union N u, v; u.p = &x; long n = u.l; v.l = n; assert(*v.p == 7);',
  ],
  ['nothing', 'union N u; u.p = &x; u.l = 0; assert(!u.p);'],
  [
    '… in a union with bytes',
    'union P u; u.p = &x; if (__VERIFIER_nondet_int()) u.l = 0; assert(!u.p || *u.p == 7);',
  ],
  [
    'in a table of both',
    "static const struct { char tag; union N u; } t[] = { { 'p', { .p = &x } }, { 'n', { -3 } }, { 'p', { .p = &y } } }; unsigned i = __VERIFIER_nondet_int(); if (i < 3 && t[i].tag == 'n') assert(t[i].u.l == -3);",
  ],
  [
    'a pointer beside what is written',
    'struct I { long t; int v; } i = { 1, 1 }; struct R { long t; int *p; } r = { 0, &i.v }; long *o = __VERIFIER_nondet_int() ? &i.t : &r.t; if (*o) ((struct I *)o)->v = 5; *r.p = 3; assert(i.v == 3);',
  ],
  [
    'an address among many numbers',
    'static union N t[80]; unsigned i = __VERIFIER_nondet_int(); t[0].l = 0x404018; t[0].p = &x; long n = i < 80 ? t[i].l : 0; assert(*t[0].p == 7 || n == 5);',
  ],
  ['a small number', 'union N u; u.l = 12; assert(u.l == 12 && u.p != &x);'],
  [
    'one behind the end',
    'int a[2] = { 1, 2 }, s = 0; for (int *e = a + 2, *i = a; i != e; i++) s += *i; assert(s == 3);',
  ],
  [
    'a number or an address, by a tag',
    'struct { int tag; union P u; } a, b; a.tag = __VERIFIER_nondet_int() & 1; if (a.tag) a.u.p = &x; else a.u.n = 7; b = a; assert((b.tag ? *b.u.p : b.u.n) == 7);',
  ],
  [
    '… in elements of an array',
    'struct { int tag; union P u; } q[3]; int s = 0; for (int i = 0; i < 3; i++) { int c = __VERIFIER_nondet_int(); q[i].tag = c & 1; if (c & 1) q[i].u.p = &x; else q[i].u.n = 7; } for (int i = 0; i < 3; i++) s += q[i].tag ? *q[i].u.p : q[i].u.n; assert(s == 21);',
  ],
  [
    'a number where an address was',
    'union P u; u.p = &x; u.n = 3; assert(u.n == 3 && u.c[0] == 3 && u.c[3] == 0);',
  ],
])('%s stays what it is', async (_, body) => {
  expect(await verdictOf(main(body), 'assertions')).toBe('proved');
});

const PACKED =
  'struct __attribute__((packed)) Q { char pad[4]; int *q; }; union O { int *p[2]; struct Q q; };';
const GET = 'static int *get(char *at) { int *p; memcpy(&p, at, sizeof p); return p; }';
test.each<readonly [what: string, before: string, body: string]>([
  [
    'a part, beside one of its size that begins elsewhere',
    PACKED,
    'union O u[2]; for (int i = 0; i < 2; i++) { u[i].p[0] = &x; u[i].q.q = 0; } assert(u[1].p[0] != &x);',
  ],
  [
    '… that is read',
    PACKED,
    'union O u[2]; for (int i = 0; i < 2; i++) { u[i].p[0] = &x; u[i].p[1] = 0; } assert(u[1].q.q != &y);',
  ],
  [
    'bytes of it, some of them changed',
    GET,
    'char b[32] = ""; int *q = &x; memcpy(b + 3, &q, 8); b[3] &= ~63; assert(get(b + 3) == &x);',
  ],
  ['numbers, read as one', GET, 'long b[2] = { 0, 0x404018 }; assert(get((char *)(b + 1)) != &x);'],
  [
    '… on the heap',
    'static int is(char *at) { return *(int **)at == &x; }',
    'unsigned char *m = malloc(8); memset(m, 0, 8); m[0] = 0x18; m[1] = m[2] = 0x40; assert(!is(m));',
  ],
  [
    '… in large arrays',
    'long b[400];',
    'b[3] = 0x404018; int *p; memcpy(&p, &b[__VERIFIER_nondet_int() & 255], 8); assert(p != &x);',
  ],
])('%s: unknown', async (_, before, body) => {
  const text = `#include <stdlib.h>\n${HEAD}${before} int main(void) { ${body} return 0; }`;
  expect(await verdictOf(text, 'assertions')).toBe('unknown');
});

test('a pointer in bytes of the heap that is written and read as a whole stays what it is', async () => {
  const text = `#include <stdlib.h>
${HEAD}static void *kept; struct l { int v; int *p; }; static void *get(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
int main(void) { char *c = get(sizeof(struct l)); c[0] = 1; kept = c; struct l *a = kept; a->p = &x; assert(*a->p == 7 && a->p != &y); return 0; }`;
  expect(await verdictOf(text, 'assertions')).toBe('proved');
});

const WIDE = 'union W { unsigned __int128 w; long l[2]; int *p[2]; };';
test.each<readonly [what: string, body: string]>([
  ['copied', 'u[i] = v;'],
  ['as a number of 128 bits', 'u[i].w = v.w;'],
])('the second one of two addresses, %s, is no number that is known', async (_, copy) => {
  const text = `${HEAD}${WIDE} int main(void) { union W u[2], v; int i = __VERIFIER_nondet_int() & 1; v.p[0] = v.p[1] = &x; u[0].l[0] = u[0].l[1] = u[1].l[0] = u[1].l[1] = 0; ${copy} assert((u[i].l[1] & 63) == 0); return 0; }`;
  expect(await verdictOf(text, 'assertions')).toBe('unknown');
});
