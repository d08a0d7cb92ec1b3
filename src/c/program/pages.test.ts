import { expect, test } from 'vitest';
import { programOf } from '../testing.ts';
import { Interpreter } from './interpreter.ts';

test('whoever looks at a byte that nobody used sees 0, and takes no memory for it', async () => {
  const program = await programOf(`
    int __VERIFIER_nondet_int(void);
    int main(void) {
      int n = __VERIFIER_nondet_int();
      if (n < 1 || n > 300) return 0;
      char a[n];
      for (int i = 0; i < n; i++) a[i] = 1;
      return a[0];
    }`);
  const object = program.objects.find(({ extent }) => extent !== undefined)!;
  const machine = new Interpreter(program, () => 0n);
  const { size } = machine;
  expect([0, 511, 512, 1e9].map((offset) => machine.byteAt(object, offset))).toEqual([0, 0, 0, 0]);
  expect(machine.size).toBe(size);
});
