// Guesses at what holds of all elements of an array between two places: `for all k: lo <= k < hi → …`. What is said of the elements is what the program itself does with one of them,
// for any other one: what it writes at an index (`a[i] = 2 * i`: a[k] is 2 * k), and what it asks about what lies there (`a[i] <= max`). The places are
// where the array begins and ends, variables, and numbers that they are compared with. None is trusted: houdini.ts keeps what is inductive.

import type { CellSet } from '../program/cell-set.ts';
import { has } from '../program/cell-set.ts';
import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Cell, Program } from '../program/program.ts';
import { factsAbout } from './array-facts.ts';
import { guardAtoms, isSigned } from './candidates.ts';
import { anyNumber, isAnyNumber } from './quantified.ts';
import type { Regions } from './regions.ts';

/** What is guessed of the elements of one array, and the variables that are taken for places. */
const MOST_FACTS = 14;
const MOST_FLAGS = 2;
const MOST_FLAGGED = 4;
const MOST_PLACES = 5;
const MOST_CONSTANTS = 3;

/** `lo <= k < hi → fact`. */
export interface ArrayGuess {
  readonly lo: Expr;
  readonly hi: Expr;
  readonly fact: Expr;
  /** `lo <= k < hi` */
  readonly isIn: Expr;
  readonly whole: Expr;
}

/** By head, of the arrays that matter there. `cells`: the numbers at each head. */
export function arrayGuesses(
  regions: Regions,
  live: readonly CellSet[],
  cells: ReadonlyMap<number, readonly Cell[]>,
): ReadonlyMap<number, readonly ArrayGuess[]> {
  const arrays = regions.program.cells.filter(({ array }) => array !== undefined);
  const facts = new Map(arrays.map((array) => [array, factsAbout(regions, array)] as const));
  return new Map(
    regions.heads.map((head) => {
      const here = cells.get(head) ?? [];
      const known = new Set(
        [...here, ...arrays].filter(({ id }) => has(live[head]!, id)).map(({ id }) => id),
      );
      const guesses = arrays
        .filter(({ id }) => known.has(id))
        .flatMap((array) => {
          const said = facts
            .get(array)!
            .filter(({ symbols }) => symbols.every((s) => isAnyNumber(s) || known.has(symbolNumber(s))))
            .slice(0, MOST_FACTS);
          const all = [...said, ...whereFlagsHold(regions, here, said.slice(0, MOST_FLAGGED))];
          return rangesIn(regions, array, here).flatMap(([lo, hi]) =>
            all.map((fact) => guessOf(regions.program, lo, hi, fact)),
          );
        });
      return [head, guesses.filter(({ whole }) => whole.op !== 'const')] as const;
    }),
  );
}

/** As long as a flag says so (`if (a[i] == x) found = 1`), or only then. */
function whereFlagsHold(
  { program: { pool }, passages }: Regions,
  cells: readonly Cell[],
  facts: readonly Expr[],
): readonly Expr[] {
  const flags = [...guardAtoms(passages)].filter(
    ({ op, symbols }) =>
      op === 'eq' && symbols.length === 1 && cells.some(({ id }) => id === symbolNumber(symbols[0]!)),
  );
  return flags
    .slice(0, MOST_FLAGS)
    .flatMap((flag) => facts.flatMap((fact) => [pool.or(flag, fact), pool.or(pool.not(flag), fact)]));
}

function guessOf({ pool }: Program, lo: Expr, hi: Expr, fact: Expr): ArrayGuess {
  const k = anyNumber(pool);
  const isIn = pool.and(pool.compare('sle', lo, k), pool.compare('slt', k, hi));
  return { lo, hi, fact, isIn, whole: pool.or(pool.not(isIn), fact) };
}

/** Where what is said begins and ends. */
function rangesIn({ program, passages }: Regions, { object, array }: Cell, cells: readonly Cell[]) {
  const { pool } = program;
  const { stride, first } = array!;
  const number = (value: bigint | number) => pool.const(value, 64);
  const count = Math.floor((object.size - first) / stride);
  const places = cells.filter(({ width }) => width >= 16 && width <= 64).slice(0, MOST_PLACES);
  const wide = (cell: Cell) => pool.resize(pool.symbol(cell.id, cell.width), 64, isSigned(cell));
  const after = (place: Expr) => pool.binary('add', place, number(1n));
  const ends = [...boundsIn(passages, count)].map(number);
  const ranges: [Expr, Expr][] = ends.map((end) => [number(0n), end]);
  for (const place of places.map(wide)) {
    ranges.push([number(0n), place], [number(0n), after(place)]);
    for (const end of ends) ranges.push([place, end], [after(place), end]);
    for (const other of places.map(wide))
      if (other !== place) ranges.push([place, other], [after(place), other]);
  }
  return ranges;
}

/** Constants that numbers are compared with, up to the length of the array, which is one of them. */
function boundsIn(passages: Regions['passages'], count: number): Set<bigint> {
  const found = new Set([BigInt(count)]);
  const seen = new Set<Expr>();
  const stack = passages.map(({ guard }) => guard);
  for (let expr = stack.pop(); expr !== undefined && seen.size < 2000; expr = stack.pop()) {
    if (seen.has(expr)) continue;
    seen.add(expr);
    if (expr.op === 'slt' || expr.op === 'ult' || expr.op === 'sle' || expr.op === 'ule')
      for (const { op, value } of expr.args)
        for (const end of op === 'const' ? [value, value + 1n] : [])
          if (end > 2n && end < BigInt(count) && found.size <= MOST_CONSTANTS) found.add(end);
    stack.push(...expr.args);
  }
  return found;
}
