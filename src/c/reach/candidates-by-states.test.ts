import { expect, test } from 'vitest';
import { UNLIMITED } from '../../base/budget.ts';
import { isErrorLocation, programOf } from '../testing.ts';
import { guessesFrom } from './candidates-by-states.ts';
import { InvariantSearch } from './invariants.ts';
import { liveCells } from './liveness.ts';
import { Oracle } from './oracle.ts';
import { writeTest } from './write.ts';

/** What is guessed of `i` and `k` in these states, with the test `i == 0`. */
async function guessed(states: readonly (readonly [number, number])[]): Promise<string[]> {
  const program = await programOf(`extern int __VERIFIER_nondet_int(void);
int main(void) { int i = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int(); while (i != k) i++; return 0; }`);
  const cells = ['i', 'k'].map((name) => program.cells.find((cell) => cell.name.endsWith(name))!);
  const { pool } = program;
  const isZero = pool.eq(pool.symbol(cells[0]!.id, 32), pool.const(0n, 32));
  const values = states.map((state) => state.map(BigInt));
  return guessesFrom(program, cells, values, [isZero]).map((test) =>
    cells.reduce((text, { id, name }) => text.replaceAll(`c${id}`, name.slice(-1)), writeTest(test)),
  );
}

test('a quotient by two', async () => {
  const states = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i, i >> 1] as const);
  expect(await guessed(states)).toContain('(ule (sub i (mul k 2:32)) 1:32)');
});

test('a remainder', async () => {
  const states = [1, 5, 9, 13, 17, 21].map((i) => [i, i * i] as const);
  expect(await guessed(states)).toContain('(eq (and i 3:32) 1:32)');
});

test('what holds where a test does', async () => {
  const states = [...Array(6).keys()].flatMap((k) => [[0, 7] as const, [k + 1, 3 * (k + 1)] as const]);
  const tests = await guessed(states);
  expect(tests).toContain('(disj (not (eq i 0:32)) (eq k 7:32))');
  expect(tests.some((text) => text.startsWith('(disj (eq i 0:32) (eq') && text.includes('3:32'))).toBe(true);
});

test('few states suggest nothing', async () => {
  expect(await guessed([[0, 0] as const, [1, 0] as const])).toEqual([]);
});

test('states of many runs tell what is equal in all of them', async () => {
  const program = await programOf(`extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
  if (i < 0 || j < 0) return 0;
  int x = i, y = j;
  while (x != 0) { x--; y--; }
  assert(i != j || y == 0);
  return 0;
}`);
  const isError = (location: number) => isErrorLocation(program, location);
  const oracle = new Oracle(UNLIMITED);
  const search = new InvariantSearch(program, isError, liveCells(program, []), oracle, UNLIMITED);
  expect(await search.bySimpleGuesses(UNLIMITED)).not.toBeNull();
  oracle.dispose();
});
