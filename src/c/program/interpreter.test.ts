// What others may ask the machine about its memory.

import { expect, test } from 'vitest';
import { programOf } from '../testing.ts';
import { Interpreter } from './interpreter.ts';

test('bytes of an object of any size can be looked at before anything is written there', async () => {
  const program = await programOf(`extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned long);
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0; int *p = malloc(n * sizeof(int)); for (int i = 0; i < n; i++) p[i] = i; return 0; }`);
  const large = program.objects.find(({ extent }) => extent !== undefined)!;
  const machine = new Interpreter(program, () => 0n);
  expect([0, 5, 600, 1_000_000].map((offset) => machine.byteAt(large, offset))).toEqual([0, 0, 0, 0]);
});
