// Literals as initial values of what lives as long as the program, parts of which are overridden: as gcc has it.

import { expect, test } from 'vitest';
import { verdictOf } from '../../check/testing.ts';

const HEAD =
  '#include <assert.h>\nstruct s { int a, b; }; union u { struct s m; int n; }; struct w { struct s m; int k; };\n';

test.each([
  ['struct w x = { .m = (struct s){ 0, 1 }, .m = 0 };', 1],
  ['struct w x = { .m = (struct s){ 0, 1 }, .m.a = 5 };', 1],
  ['union u x = { .m = (struct s){ 0, 1 }, .m = 0 };', 1],
  // In the list of a literal a literal is a value like any.
  ['struct w x = (struct w){ .m = (struct s){ 0, 1 }, .m = 0 };', 0],
  ['union u x = (union u){ .m = (struct s){ 0, 1 }, .m.a = 0 };', 0],
  ['struct w x = (struct w){ .m = { 0, 1 }, .m = 0 };', 1],
])('%s', async (text, value) => {
  const program = `${HEAD}${text}\nint main(void) { assert(x.m.b == ${value}); return 0; }`;
  expect(await verdictOf(program, 'assertions')).toBe('proved');
});

test.each([
  ['struct o x = { .m = (struct e){ 2 }, .m.none[1] = {}, 13 };', 0],
  ['struct o x = { .m = (struct e){ 2 }, .m.none = {}, 13 };', 0],
  ['struct o x = { .m = { 2 }, .m.none[1] = {}, 13 };', 2],
  ['struct o x = { .m = (struct e){ 2 }, 13 };', 2],
  ['static struct o x = { .m = (struct e){ 2 }, .m.none[1] = {}, 13 };', 2],
])('a part with nothing in it: %s', async (text, value) => {
  const types = 'struct e { int a, none[2][0]; }; struct o { struct e m; int k; };';
  const program = `#include <assert.h>\n${types} int main(void) { ${text} assert(x.m.a == ${value} && x.k == 13); return 0; }`;
  expect(await verdictOf(program, 'assertions')).toBe('proved');
});
