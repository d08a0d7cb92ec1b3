// Guesses from the states that some executions met at the head of a loop (affine.ts): remainders by small powers of two, how far two variables are apart (one of them taken
// several times), and equations that hold where a test of the program holds, or where it does not. All are meant modulo 2^width, so wrap-around does
// not hurt them. None is trusted: houdini.ts keeps what is inductive.

import type { Expr } from '../program/expr.ts';
import type { Cell, Program } from '../program/program.ts';
import { equationsOf } from './affine.ts';
import { valueIn } from './unrefuted.ts';

/** Fewer states say too little. */
const FEWEST_STATES = 6;
const LARGEST_FACTOR = 4n;
const MOST_CELLS = 7;
const MOST_TESTS = 8;

type States = readonly (readonly bigint[])[];

export function guessesFrom(
  program: Program,
  cells: readonly Cell[],
  states: States,
  tests: Iterable<Expr>,
): Expr[] {
  if (states.length < FEWEST_STATES) return [];
  const found = new Set([
    ...remainders(program, cells, states),
    ...distances(program, cells, states),
    ...whereTestsHold(program, cells, states, tests),
  ]);
  return [...found].filter(({ op }) => op !== 'const');
}

/** `(x & 3) == 1` */
function remainders({ pool }: Program, cells: readonly Cell[], states: States): Expr[] {
  return cells.flatMap((cell, i) => {
    const values = new Set(states.map((state) => state[i]!));
    if (values.size < 3) return [];
    const mask = [7n, 3n, 1n].find((bits) => new Set([...values].map((value) => value & bits)).size === 1);
    if (mask === undefined) return [];
    const low = pool.binary('and', pool.symbol(cell.id, cell.width), pool.const(mask, cell.width));
    return [pool.eq(low, pool.const(states[0]![i]! & mask, cell.width))];
  });
}

/** `x - 2 * y` lies between two numbers that are no farther apart than the factor: a quotient, or a counter that follows another. */
function distances({ pool }: Program, cells: readonly Cell[], states: States): Expr[] {
  const found: Expr[] = [];
  const few = cells.slice(0, MOST_CELLS);
  for (const [i, cell] of few.entries())
    for (const [j, other] of few.entries()) {
      if (i === j || cell.width !== other.width) continue;
      if (new Set(states.map((state) => state[j]!)).size < 3) continue;
      for (let factor = -LARGEST_FACTOR; factor <= LARGEST_FACTOR; factor++) {
        if (factor === 0n || ((factor === 1n || factor === -1n) && i > j)) continue;
        const values = states.map((state) => state[i]! - factor * state[j]!);
        const sorted = values.sort((a, b) => Number(a - b));
        const [least, most] = [sorted[0]!, sorted.at(-1)!];
        const size = factor < 0n ? -factor : factor;
        if (most === least || most - least > (size > 2n ? size : 2n)) continue;
        // Small factors only: each bit of a factor is an addition to the solver.
        const product = pool.binary('mul', pool.symbol(other.id, cell.width), pool.const(size, cell.width));
        const apart = pool.binary(factor < 0n ? 'add' : 'sub', pool.symbol(cell.id, cell.width), product);
        const above = pool.binary('sub', apart, pool.const(BigInt.asUintN(cell.width, least), cell.width));
        found.push(pool.compare('ule', above, pool.const(most - least, cell.width)));
      }
    }
  return found;
}

/** What holds where a test does: equations, and values that do not change. */
function whereTestsHold(
  program: Program,
  cells: readonly Cell[],
  states: States,
  tests: Iterable<Expr>,
): Expr[] {
  const { pool } = program;
  const place = new Map(cells.map(({ id }, i) => [id, i]));
  const found: Expr[] = [];
  let looked = 0;
  for (const test of tests) {
    const values = states.map((state) => valueIn(test, (cell) => state[place.get(cell) ?? -1] ?? null));
    if (values.includes(null)) continue;
    for (const side of [0n, 1n]) {
      const some = states.filter((_, i) => values[i] === side);
      if (some.length < FEWEST_STATES || some.length === states.length) continue;
      const otherwise = side === 1n ? pool.not(test) : test;
      const constants = cells.flatMap((cell, i) =>
        new Set(some.map((state) => state[i]!)).size === 1
          ? [
              pool.eq(
                pool.symbol(cell.id, cell.width),
                pool.const(BigInt.asUintN(cell.width, some[0]![i]!), cell.width),
              ),
            ]
          : [],
      );
      for (const fact of [...equationsOf(program, cells, some), ...constants])
        found.push(pool.or(otherwise, fact));
    }
    if (++looked >= MOST_TESTS) break;
  }
  return found;
}
