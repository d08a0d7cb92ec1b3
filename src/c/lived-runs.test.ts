// A run that uses what is dead gets nowhere: undefined behaviour ends it.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { answerC } from './check-c.ts';
import { loadC } from './load-c.ts';

async function answer(body: string, property: string) {
  const text = `#include <stdlib.h>
    extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
    int *kept; int *given(void) { int own = 1; kept = &own; return kept; }
    struct node { struct node *next; int v; };
    int main(void) { int in = __VERIFIER_nondet_int(); ${body} return 0; }`;
  const files = { read: (path: string) => (path === 'x.c' ? text : null) };
  const request = { path: 'x.c', files, defines: [], includes: [], budget: UNLIMITED, observer: SILENT };
  const { loaded } = await loadC(request);
  return (await answerC(loaded!, property, request)).answer;
}

test.each([
  ['read after free', 'int *p = malloc(4); *p = in; free(p); if (*p == 1) reach_error();'],
  [
    'the old address after realloc',
    'int *p = malloc(4); *p = 1; int *q = realloc(p, 8); if (*p == 1) reach_error();',
  ],
  [
    'the next one of a node that is gone',
    'struct node *n = malloc(sizeof *n); n->next = 0; n->v = in; free(n); if (n->next == 0) reach_error();',
  ],
  ['freed twice', 'int *p = malloc(4); free(p); free(p); reach_error();'],
  ['behind the block', 'int *p; { int x = 3; p = &x; } if (*p == 3) reach_error();'],
  ['behind the call', 'if (*given() == 1) reach_error();'],
  ['kept by the call', 'given(); if (*kept == 1) reach_error();'],
  ['out of a loop', 'int *p; for (int i = 0; i < 2; i++) { int x = i; p = &x; } if (*p == 1) reach_error();'],
  ['a literal of a block', 'int *p; { p = (int[]){1, 2}; } if (p[1] == 2) reach_error();'],
])('%s: no violation', async (_, body) => {
  const given = await answer(body, 'assertions');
  expect(given).toMatchObject({ verdict: 'unknown', reasonCode: 'undefined-behaviour' });
});

test.each([
  ['before it is freed', 'int *p = malloc(4); *p = in; if (*p == 1) reach_error(); free(p); in = *p;'],
  ['on one way only', 'int *p = malloc(4); *p = 7; if (in > 9) free(p); if (*p == 7) reach_error();'],
  ['in its block', '{ int x = in, *p = &x; if (*p == 3) reach_error(); }'],
  [
    'the new address after realloc',
    'int *p = malloc(4); *p = in; p = realloc(p, 8); if (*p == 1) reach_error();',
  ],
])('%s: a violation', async (_, body) => {
  expect((await answer(body, 'assertions')).verdict).toBe('refuted');
});

test('a loop that what is freed keeps going is none', async () => {
  const loop = 'while (*p) in++;';
  expect((await answer(`int *p = malloc(4); *p = 1; free(p); ${loop}`, 'terminates')).verdict).toBe(
    'unknown',
  );
  expect((await answer(`int *p = malloc(4); *p = 1; ${loop} free(p);`, 'terminates')).verdict).toBe(
    'refuted',
  );
});
