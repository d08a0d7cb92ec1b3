import { expect, test } from 'vitest';
import type { Cell, Program } from '../program/program.ts';
import { programOf } from '../testing.ts';
import { integers } from './horn-integers.ts';

test('whether a number has a sign is looked for in each part of it once', async () => {
  const program = await programOf('unsigned a; int main(void) { return a; }');
  const { pool } = program;
  const a = program.cells.find(({ name }) => name === 'a')!;
  let x = pool.symbol(a.id, 32);
  for (let i = 0; i < 20; i++) x = pool.binary('xor', pool.binary('shl', x, pool.const(1n, 32)), x);
  let looked = 0;
  const cells = new Proxy<readonly Cell[]>(program.cells, {
    get: (all, key) => {
      looked++;
      return all[key as unknown as number];
    },
  });
  integers({ ...program, cells } as Program).term(pool.eq(x, pool.const(5n, 32)), new Map());
  expect(looked).toBeLessThan(100);
});
