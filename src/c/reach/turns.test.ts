// Predicates that differ in constants only are counted together, however often their parts are shared.

import { expect, test } from 'vitest';
import { Pool } from '../program/expr.ts';
import { Turns } from './turns.ts';

test('a few predicates of a loop that differ in constants are enough', () => {
  const pool = new Pool();
  const [i, n] = [pool.symbol(0, 32), pool.symbol(1, 32)];
  const turn = (by: bigint) => pool.compare('ule', pool.binary('add', i, pool.const(by, 32)), n);
  const turns = new Turns([turn(1n), turn(2n)]);
  expect(turns.tooMany(turn(3n))).toBe(false);
  turns.count(turn(3n));
  expect(turns.tooMany(turn(4n))).toBe(true);
  expect(turns.tooMany(pool.compare('ule', pool.binary('add', n, pool.const(4n, 32)), i))).toBe(false);
});

test('parts that are shared many times are looked at once', () => {
  const pool = new Pool();
  let shared = pool.binary('add', pool.symbol(0, 32), pool.const(1n, 32));
  for (let level = 0; level < 200; level++) shared = pool.binary('mul', shared, shared);
  expect(new Turns([]).tooMany(pool.eq(shared, pool.symbol(1, 32)))).toBe(false);
});
