// Functions that nobody defines cannot change what only this file knows by its name, as long as its address is nowhere they could find it.

import { expect, test } from 'vitest';
import { verdictOf } from '../check/testing.ts';

const HEAD = `#include <assert.h>
#include <stdlib.h>
void touch(void); void given(int *p); void calls(void (*f)(void)); int *some(void);
static int own = 3; static int own2[4] = { 3, 3, 3, 3 }; static struct { int a, *p; } rec = { 3, 0 };
int *shown, theirs = 3; static int *kept; void *anything;
`;
const asked = (more: string, body: string) => `${HEAD}${more}\nint main(void) { ${body} return 0; }\n`;

test.each<readonly [what: string, more: string, body: string]>([
  ['a variable', '', 'touch(); assert(own == 3);'],
  ['an array', '', 'touch(); given(&theirs); assert(own2[0] + own2[3] == 6);'],
  ['pointers that come from there', '', 'int *p = some(); if (p) { touch(); assert(own == 3); }'],
  ['a member beside another', '', 'touch(); given(shown); assert(rec.a == 3);'],
  ['what is set between', '', 'own = 4; touch(); own++; touch(); assert(own == 5);'],
])('%s: proved', async (_, more, body) => {
  expect(await verdictOf(asked(more, body), 'assertions')).toBe('proved');
});

test.each<readonly [what: string, more: string, body: string]>([
  ['a variable that is not static', '', 'touch(); assert(theirs == 3);'],
  ['its address is given', '', 'given(&own); assert(own == 3);'],
  ['… and kept', '', 'given(&own); own = 3; touch(); assert(own == 3);'],
  ['its address is in a variable', '', 'shown = &own; touch(); assert(own == 3);'],
  ['its address was there from the start', 'int *from = &own;', 'touch(); assert(own == 3);'],
  ['… in a struct', 'struct { int *p; } from = { &own2[2] };', 'touch(); assert(own2[2] == 3);'],
  [
    'its address is in memory that is shown',
    '',
    'int **m = malloc(sizeof *m); if (!m) return 0; *m = &own; anything = m; touch(); assert(own == 3);',
  ],
  ['a function that is given changes it', 'static void f(void) { own = 4; }', 'calls(f); assert(own == 3);'],
  ['… later', 'static void f(void) { own = 4; }', 'calls(f); own = 3; touch(); assert(own == 3);'],
  ['another name of it', 'extern int other __attribute__((alias("own")));', 'touch(); assert(own == 3);'],
  ['as a number', '', 'anything = (void *)((unsigned long)&own + 0); touch(); assert(own == 3);'],
])('%s: not proved', async (_, more, body) => {
  expect(await verdictOf(asked(more, body), 'assertions')).not.toBe('proved');
});
