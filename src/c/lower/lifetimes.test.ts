// The lives of objects, case by case; src/c/lifetimes.test.ts has random programs.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { answerC } from '../check-c.ts';
import { loadC } from '../load-c.ts';

async function verdict(text: string, property = 'no-undefined'): Promise<string> {
  const files = { read: (path: string) => (path === 'x.c' ? text : null) };
  const request = { path: 'x.c', files, defines: [], includes: [], budget: UNLIMITED, observer: SILENT };
  const { loaded, diagnostics } = await loadC(request);
  if (loaded === null) return diagnostics[0]!.message;
  const { answer } = await answerC(loaded, property, request);
  return answer.verdict === 'refuted' ? answer.evidence.run.title : answer.verdict;
}

const BEFORE = `#include <stdlib.h>
#include <alloca.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void); extern void use(void *); extern int *give(void);
int g, *gp = &g; struct pair { int a, b; };`;
const FREED = (use: string) => `a ${use} memory that was freed is undefined`;
const ENDED = (use: string, what: string) => `a ${use} ${what} after its end is undefined`;
const TWICE = 'what is freed was freed before';
const NEVER = 'what is freed was not allocated';

test.each([
  ['read after free', 'int *p = malloc(4); *p = 1; free(p); return *p;', FREED('read of')],
  ['written after free', 'int *p = malloc(4); free(p); *p = 1;', FREED('write to')],
  ['another name of it', 'int *p = malloc(4), *q = p; free(p); return *q;', FREED('read of')],
  ['a member', 'struct pair *p = malloc(sizeof *p); free(p); return p->b;', FREED('read of')],
  ['a struct as a whole', 'struct pair *p = calloc(1, 8), x; free(p); x = *p;', FREED('read of')],
  ['through memcpy', 'char a[4], *p = malloc(4); free(p); memcpy(a, p, 4);', FREED('read of')],
  ['through strlen', 'char *p = calloc(4, 1); free(p); return strlen(p);', FREED('read of')],
  ['a large array', 'char *p = malloc(1000); free(p); return p[3];', FREED('read of')],
  ['freed in time', 'int *p = malloc(4); *p = 1; int x = *p; free(p); return x;', 'proved'],
  ['one of two', 'int *p = malloc(4), *q = calloc(1, 4); free(p); return *q;', 'proved'],
  ['freed twice', 'int *p = malloc(4); free(p); free(p);', TWICE],
  ['… for some inputs', 'int *p = malloc(4); if (__VERIFIER_nondet_int()) free(p); free(p);', TWICE],
  ['… or not', 'int *p = malloc(4); if (__VERIFIER_nondet_int()) { free(p); p = 0; } free(p);', 'proved'],
  ['nothing is freed', 'free(0); free(NULL);', 'proved'],
  ['a variable is freed', 'int x; free(&x);', NEVER],
  ['… one outside', 'free(&g);', NEVER],
  ['a text is freed', 'free("abc");', NEVER],
  ['what alloca gave is freed', 'int *p = alloca(4); free(p);', NEVER],
  [
    'an array of variable length is freed',
    'int n = __VERIFIER_nondet_int(); if (n != 2) return 0; int a[n]; free(a);',
    NEVER,
  ],
  ['the middle is freed', 'int *p = malloc(8); free(p + 1);', NEVER],
  ['a pointer from elsewhere is freed', 'free(give());', 'unknown'],
  ['free through a pointer', 'void (*f)(void *) = free; int *p = malloc(4); f(p); f(p);', TWICE],
  [
    'kfree',
    'extern void *kmalloc(size_t, int); extern void kfree(const void *); int *p = kmalloc(4, 0); kfree(p); return *p;',
    FREED('read of'),
  ],
  [
    'a list',
    'struct l { struct l *n; } *h = 0; for (int i = 0; i < 3; i++) { struct l *e = malloc(sizeof *e); e->n = h; h = e; } while (h) { struct l *n = h->n; free(h); h = n; }',
    'proved',
  ],
  [
    '… in the wrong order',
    'struct l { struct l *n; } *h = 0; for (int i = 0; i < 3; i++) { struct l *e = malloc(sizeof *e); e->n = h; h = e; } while (h) { free(h); h = h->n; }',
    FREED('read of'),
  ],
  ['a block', 'int *p; { int x = 3; p = &x; } return *p;', ENDED('read of', "'x'")],
  ['… in time', 'int *p; { int x = 3; p = &x; *p = 2; } p = &g; return *p;', 'proved'],
  ['a loop', 'int *p; for (int i = 0; i < 2; i++) p = &i; return *p;', ENDED('read of', "'i'")],
  ['left by break', 'int *p; for (;;) { int x; p = &x; break; } *p = 1;', ENDED('write to', "'x'")],
  ['left by goto', 'int *p; { int x; p = &x; goto out; } out: *p = 1;', ENDED('write to', "'x'")],
  ['inside by goto', 'int *p, n = 0; { int x; again: p = &x; *p = 1; if (n++ < 2) goto again; }', 'proved'],
  [
    'a switch',
    'int *p = &g; switch (g) { int x; case 0: p = &x; *p = 1; } *p = 1;',
    ENDED('write to', "'x'"),
  ],
  ['a literal', 'int *p; { p = (int[]){1, 2}; } return p[1];', ENDED('read of', 'memory')],
  ['… in its block', 'int *p = (int[]){1, 2}; return p[1];', 'proved'],
  ['a statement expression, at once', 'return *({ int x = 1; &x; });', ENDED('read of', "'x'")],
  ['a statement expression', 'int *p = ({ int x = 1; &x; }); return *p;', ENDED('read of', "'x'")],
  [
    '… for its struct',
    'int i = g; struct pair p = ({ struct pair t[2] = {{1, 2}, {3, 4}}; t[i]; }); return 10 / p.a;',
    'proved',
  ],
  [
    'an array of variable length',
    'int *p = &g, n = 2; n += g; { int a[n]; a[0] = 1; p = a; } return *p;',
    ENDED('read of', 'memory'),
  ],
  ['static', 'int *p; { static int x; p = &x; } return *p;', 'proved'],
])('%s', async (_, body, expected) => {
  expect(await verdict(`${BEFORE} int main(void) { ${body} return 0; }`)).toBe(expected);
});

const F = 'int f(int *q) { return *q; }';
test.each([
  ['returned', 'int *f(void) { int x = 1, *r = &x; return r; }', 'return *f();', ENDED('read of', "'x'")],
  ['a parameter', 'int *f(int x) { int *r = &x; return r; }', 'return *f(1);', ENDED('read of', "'x'")],
  [
    'alloca',
    'int *f(void) { int *r; { r = alloca(4); } *r = 1; return r; }',
    'return *f();',
    ENDED('read of', 'memory'),
  ],
  ['kept outside', 'void f(void) { int x; gp = &x; }', 'f(); *gp = 1;', ENDED('write to', "'x'")],
  ['handed down', F, 'int x = 1; return f(&x);', 'proved'],
  ['… after its end', F, 'int *p; { int x = 1; p = &x; } return f(p);', ENDED('read of', "'x'")],
  [
    'recursion, outwards',
    'int f(int n, int *q) { int x = n; return n == 0 ? *q : f(n - 1, n > 2 ? &x : q); }',
    'return f(4, &g);',
    'proved',
  ],
  [
    'recursion, inwards',
    'int *f(int n) { int x = n, *r = &x; return n == 0 ? r : f(n - 1); }',
    'return *f(3);',
    ENDED('read of', "'x'"),
  ],
  [
    'a function frees',
    'void f(int *q) { free(q); }',
    'int *p = malloc(4); f(p); return *p;',
    FREED('read of'),
  ],
  [
    'at the end',
    'void f(void) { *gp = 1; }',
    'int x; gp = &x; atexit(f); return 0;',
    ENDED('write to', "'x'"),
  ],
  [
    '… or earlier: who ended the program is not seen there',
    'void f(void) { *gp = 1; }',
    'int x; gp = &x; atexit(f); exit(0);',
    'unknown',
  ],
])('calls: %s', async (_, functions, body, expected) => {
  expect(await verdict(`${BEFORE} ${functions} int main(void) { ${body} }`)).toBe(expected);
});

test('calls that share a copy of a function may disagree about what is alive', async () => {
  const text = `int h(int n, int *q) { if (n > 1) return *q; return h(n + 1, q); }
    int f(int n, int *q) { int r = 0; if (n == 0) return h(0, q); { int x = n; r += f(n - 1, q); r += f(n - 1, &x); } return r + f(n - 1, q); }`;
  expect(await verdict(`${BEFORE} ${text} int main(void) { return f(3, &g); }`)).not.toMatch(/undefined/);
});

const LEAK = 'memory that was allocated is not freed when the program ends';
test.each([
  ['nothing is left', 'int *p = malloc(4); free(p);', 'proved'],
  ['something is left', 'malloc(4);', LEAK],
  ['… for some inputs', 'int *p = malloc(4); if (__VERIFIER_nondet_int() != 7) free(p);', LEAK],
  ['exit', 'int *p = malloc(4); if (g) exit(1); free(p);', 'proved'],
  ['… in between', 'int *p = malloc(4); if (__VERIFIER_nondet_int()) exit(1); free(p);', LEAK],
  ['abort', 'int *p = malloc(4); if (__VERIFIER_nondet_int()) abort(); free(p);', 'proved'],
  ['what is undefined is no end', 'int *p = malloc(4); free(p); free(p); malloc(4);', 'unknown'],
  ['an array of variable length', 'int n = 2; n += g; int a[n];', 'proved'],
  ['others may free it', 'use(malloc(4));', 'unknown'],
  [
    'several',
    'int *p[3]; for (int i = 0; i < 3; i++) p[i] = malloc(4); for (int i = 0; i < 2; i++) free(p[i]);',
    LEAK,
  ],
  ['kept outside', 'gp = malloc(4);', LEAK],
])('leaks: %s', async (_, body, expected) => {
  expect(await verdict(`${BEFORE} int main(void) { ${body} return 0; }`, 'no-leaks')).toBe(expected);
});
