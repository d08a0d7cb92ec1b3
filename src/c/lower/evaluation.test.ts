// When things are evaluated, how often, and in which scope. Each snippet's assertions hold when gcc compiles it, so they must hold in our machine.

import { test } from 'vitest';
import { expectAgreement } from '../agreement.fuzz.ts';

const NODES = 'struct N { struct N *next; int v; }; struct N c = {0, 3}, b = {&c, 2}, a = {&b, 1}, *n = &a;';
const PAIRS = `struct S { int a, b; }; struct V { int v[2]; };
  struct S mk(int n) { struct S r = {n, n + 1}; return r; } struct V vec(int n) { struct V r = {{n, -n}}; return r; }
  int sized(int n, int a[n++]) { return n; } struct S add(struct S x, struct S y) { struct S r = {x.a + y.a, x.b + y.b}; return r; }
  struct S down(int n) { if (n == 0) return mk(0); struct S r = down(n - 1); r.a += n; return add(r, mk(0)); }
  int two(struct S x, struct S y) { return x.a * 100 + y.a; } int at(int *x, int *y) { return *x * 100 + *y; }`;

test.each([
  [
    'a condition is computed once, whatever the sides are',
    'double d = 1, e = 2; int i = 0; double r = i++ ? d : e; assert(i == 1 && r == 2);',
  ],
  [
    '… for pointers',
    'int x = 1, y = 2, i = 0, *p = &x, *q = &y; int *r = i++ ? p : q; assert(i == 1 && r == q); r = ++i ? p : 0; assert(i == 2 && *r == 1);',
  ],
  [
    '… for float and int',
    'float f = 1; int k = 3, i = 0; assert((++i ? f : k) == 1 && i == 1); assert((i-- ? k : f) == 3 && i == 0);',
  ],
  [
    'writing changes which place is meant',
    'int a[8] = {0}; int y = (a[a[0]] = 5); assert(y == 5); a[0] = 0; y = (a[a[0]] += 3); assert(y == 3); a[0] = 0; y = ++a[a[0]]; assert(y == 1); a[0] = 1; y = a[a[0]]--; assert(y == 0 && a[1] == -1);',
  ],
  [
    '… of bit-fields',
    'struct { unsigned k : 3, v : 5; } s[4] = {{0, 7}}; int y = (s[s[0].k].k = 2); assert(y == 2 && s[0].k == 2); y = (s[s[0].k].v -= 1); assert(y == 31);',
  ],
  [
    '… by way of a pointer',
    'struct P { struct P *p; long v; } x = {&x, 1}, y = {0, 2}; struct P *r = (x.p->p = &y); assert(r == &y && x.p == &y); x.p = &x; assert((*x.p = y).v == 2 && x.p == 0);',
  ],
  [
    '… of a long double',
    'union { long double l; unsigned long w[2]; } u; u.l = 1; u.l = u.l + 1; assert(u.l == 2 && (u.w[1] & 0xffff) == 0x4000); u.l += 1; assert(u.l == 3 && (u.w[1] & 0xffff) == 0x4000);',
  ],
  [
    'a node takes over the next one',
    `${NODES} *n = *n->next; assert(n->v == 2 && n->next == &c); *n = *n->next; assert(n->v == 3 && n->next == 0);`,
  ],
  [
    'a struct is written where it points',
    `${NODES} n->next = n; struct N s = {0, 7}; *n->next = s; assert(a.v == 7 && a.next == 0);`,
  ],
  [
    'a struct is found by what it holds',
    'struct S { int k, v; } a[3] = {{1, 10}, {2, 20}, {0, 30}}; int i = 0; a[i] = a[a[i].k]; assert(a[0].v == 20 && a[0].k == 2); a[a[0].k] = a[1]; assert(a[2].v == 20);',
  ],
  [
    'structs one after the other',
    'struct S { int a, b; } x[2] = {{1, 2}, {3, 4}}, y[2], *p = x, *q = y; *q++ = *p++; *q++ = *p++; assert(y[0].b == 2 && y[1].a == 3 && q == y + 2 && p == x + 2);',
  ],
  [
    'memset fills what it reads',
    `${NODES} n->next = n; void *r = memset(n->next, 0, sizeof a); assert(r == &a && a.v == 0 && a.next == 0);`,
  ],
  [
    'memset by a value that it changes',
    'struct S { unsigned char k; unsigned char v[3]; } s = {5, {1, 2, 3}}; memset(&s, s.k, sizeof s); assert(s.k == 5 && s.v[2] == 5);',
  ],
  [
    'memcpy where it points',
    `${NODES} n->next = n; struct N s = {0, 7}; void *r = memcpy(n->next, &s, sizeof s); assert(r == &a && a.v == 7); n = &b; memmove(n, n->next, sizeof *n); assert(b.v == 3);`,
  ],
  [
    'structs that one function returns twice',
    `${PAIRS} assert(two(mk(2), mk(3)) == 203); assert(two(down(2), down(3)) == 306); assert(at(vec(1).v, vec(2).v) == 102);`,
  ],
  ['sizes of parameters are computed', `${PAIRS} int z[2]; assert(sized(1, z) == 2);`],
  [
    '… in sums',
    `${PAIRS} struct S s = add(add(mk(1), mk(3)), add(mk(5), mk(7))); assert(s.a == 16 && s.b == 20); assert(mk(1).a * 10 + mk(2).b == 13); assert(vec(vec(1).v[0]).v[vec(1).v[0]] == -1);`,
  ],
  [
    '… through pointers',
    `${PAIRS} int (*p)(struct S, struct S) = two; struct S (*q)(int) = mk; assert(p(q(1), q(2)) == 102 && p(mk(1), q(2)) == 102); struct S t[2] = {q(4), mk(5)}; assert(t[0].a == 4 && t[1].a == 5);`,
  ],
  [
    'break in a condition means the loop around it',
    'int n = 0; for (int i = 0; i < 3; i++) { while (({ if (i == 1) break; 0; })) {} n++; } assert(n == 1); n = 0; for (int i = 0; i < 3; i++) { do {} while (({ if (i == 1) continue; 0; })); n++; } assert(n == 2);',
  ],
  [
    '… in a step',
    'int n = 0; for (int i = 0; i < 3; i++) { for (int j = 0; j < 2; ({ if (i == 1) break; j++; })) {} n++; } assert(n == 1); switch (1) { case 1: for (; ({ break; 1; }); ) {} n = 9; } assert(n == 1);',
  ],
  [
    'a step stands before the body',
    'enum { a, b }; int s = 5; for (int i = 0; i < 1; i += sizeof(enum { b, a })) s = b; assert(s == 0); struct t { char c; }; unsigned long z = 0; for (int i = 0; i < 1; i += sizeof(struct t { char c[4]; })) z = sizeof(struct t); assert(z == 4);',
  ],
  [
    'statements are blocks',
    'enum { a, b }; int s = 5, n = 0; do s = b; while (sizeof(enum { b, a }) > 9); assert(s == 1); while (n++ < (int)sizeof(enum { b, a }) - 3) s = b; assert(s == 0); s = b; assert(s == 1); if (sizeof(enum { b, a })) s = b; assert(s == 0 && b == 1); switch (sizeof(enum { b, a })) default: s = b + 5; assert(s == 5 && b == 1); if (s) sizeof(enum { b, a }); else; assert(b == 1);',
  ],
  [
    'labels inside of a choice',
    'int i = 0, c = 1; int r = c ? ({ again: i++; if (i < 3) goto again; i; }) : 7; assert(r == 3); r = sizeof(({ int k = 0; more: if (k++ < 2) goto more; k; })); assert(r == 4);',
  ],
  [
    'a long chain of choices',
    `int c = 30; assert((${Array.from({ length: 40 }, (_, i) => `c == ${i} ? abs(${i} - 50) :`).join(' ')} 99) == 20);`,
  ],
  [
    'what a variable list is found by is computed',
    'int i = 0; __builtin_va_list ap, *p = &ap; if (i) { __builtin_va_arg(*(i = 9, p), int); } assert(sizeof(__builtin_va_arg(*(i++, p), long)) == 8 && i == 0);',
  ],
  [
    'assembly without instructions',
    'int i = 0, x = 3, y = 5; asm("" : "+r"(y) : "r"(i++) : "memory"); assert(i == 1 && y == 5); asm volatile("" : "=r"(y) : "0"(x)); assert(y == 3); __asm__("" ::: "memory"); asm(""); asm("" : : "r"(x = 8)); assert(x == 8);',
  ],
])('%s', async (_, body) => {
  const [outside, inside] = body.startsWith(PAIRS) ? [PAIRS, body.slice(PAIRS.length)] : ['', body];
  await expectAgreement(`${outside}\nint main(void) { ${inside}\n return 0; }\n`);
});
