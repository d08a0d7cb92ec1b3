// Guesses at measures for the heads of a component: differences of what is compared, variables, how far they are from a value when they go round (in turns where a turn adds a constant), their sizes,
// lowest bits, sums of two.

import { RANK_WIDTH } from '../audit/ranks.ts';
import type { CellSet } from '../program/cell-set.ts';
import type { Expr, Pool } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Cell } from '../program/program.ts';
import { guardAtoms, isSigned, numbersAt } from './candidates.ts';
import type { Passage, Regions } from './regions.ts';
import { FRESH } from './symbolic.ts';

const MOST_MEASURES = 80;
const MOST_SUMMED = 4;

export function measureGuesses(
  regions: Regions,
  live: readonly CellSet[],
  locations: readonly number[],
  turns: readonly Passage[],
): Expr[] {
  const { pool } = regions.program;
  const found = new Set<Expr>();
  const late = new Set<Expr>();
  const wide = (expr: Expr, signed: boolean) => pool.resize(expr, RANK_WIDTH, signed);
  const both = (a: Expr, b: Expr, signed: boolean) => {
    found.add(pool.binary('sub', wide(b, signed), wide(a, signed)));
    found.add(pool.binary('sub', wide(a, signed), wide(b, signed)));
  };
  for (const atom of guardAtoms(turns)) {
    const [a, b] = atom.args as [Expr, Expr];
    if (b === undefined || a.width === 0 || a.width > 64) continue;
    if (atom.op !== 'ult' && atom.op !== 'ule') both(a, b, true);
    if (atom.op !== 'slt' && atom.op !== 'sle') both(a, b, false);
    for (const measure of roundTrips(pool, atom, turns)) late.add(measure);
  }
  for (const location of new Set(locations)) {
    const cells = numbersAt(regions, live[location]!);
    const values = cells.map((cell) => wide(pool.symbol(cell.id, cell.width), isSigned(cell)));
    for (const value of values) {
      found.add(value);
      found.add(pool.binary('sub', pool.const(0n, RANK_WIDTH), value));
    }
    for (const cell of cells) {
      const changes = turns.map(({ env }) => env.get(cell.id));
      const isChangedBy = (op: Expr['op']) =>
        changes.some((change) => change !== undefined && contains(change, op));
      if (isChangedBy('sdiv')) found.add(sizeOf(pool, cell));
      else if (isSigned(cell)) late.add(sizeOf(pool, cell));
      if (isChangedBy('shl')) found.add(bitsAbove(pool, cell));
    }
    for (const a of values.slice(0, MOST_SUMMED))
      for (const b of values.slice(0, MOST_SUMMED)) if (a.id < b.id) found.add(pool.binary('add', a, b));
  }
  return [...found, ...late].filter(({ op }) => op !== 'const').slice(0, MOST_MEASURES);
}

/**
 * How far it is to a value, round the largest number if need be: where a turn adds a constant, counted in turns. An odd constant leads to every number, an even one to those that it is a
 * multiple of it away from.
 */
function roundTrips(pool: Pool, { op, args }: Expr, turns: readonly Passage[]): Expr[] {
  const [a, b] = args as [Expr, Expr];
  const { width } = a;
  const difference = pool.binary('sub', a, b);
  const steps = new Set(
    turns.flatMap(({ env }) => {
      const [first, second] = [stepsOf(env, a), stepsOf(env, b)];
      return first.flatMap((x) => second.map((y) => BigInt.asIntN(width, x - y)));
    }),
  );
  // `<` with a sign ends at the smallest number.
  const edge = op === 'slt' || op === 'sle' ? pool.const(1n << BigInt(width - 1), width) : null;
  const goals = edge === null ? [difference] : [a, b].map((one) => pool.binary('sub', one, edge));
  const found: Expr[] = [];
  for (const goal of goals)
    for (const distance of [goal, pool.binary('sub', pool.const(0n, width), goal)]) {
      found.push(pool.resize(distance, RANK_WIDTH, false));
      for (const step of steps)
        if (step < -1n || step > 1n) found.push(inTurns(pool, distance, step < 0n ? -step : step));
    }
  return found;
}

/** A distance divided by a step, as far as it goes: by its power of two, then by its odd part, which has an inverse among numbers that go round. */
function inTurns(pool: Pool, distance: Expr, step: bigint): Expr {
  const { width } = distance;
  let [zeros, odd] = [0n, step];
  for (; odd % 2n === 0n; odd /= 2n) zeros++;
  const left = width - Number(zeros);
  const shifted = pool.trunc(pool.binary('lshr', distance, pool.const(zeros, width)), left);
  let inverse = 1n;
  for (let bits = 1; bits < width; bits *= 2) inverse = BigInt.asUintN(left, inverse * (2n - odd * inverse));
  return pool.resize(pool.binary('mul', shifted, pool.const(inverse, left)), RANK_WIDTH, false);
}

/** The constants that a turn may add to it; nothing where it does something else, too. */
function stepsOf(env: Passage['env'], expr: Expr): bigint[] {
  if (expr.op === 'const') return [0n];
  if (expr.op === 'add' && expr.args[1]!.op === 'const') return stepsOf(env, expr.args[0]!);
  if (expr.op !== 'symbol') return [];
  const added = (change: Expr): bigint[] => {
    if (change === expr) return [0n];
    if (change.op === 'ite') return [...added(change.args[1]!), ...added(change.args[2]!)];
    const isSum = change.op === 'add' && change.args[0] === expr && change.args[1]!.op === 'const';
    return isSum ? [change.args[1]!.value] : [];
  };
  return added(env.get(symbolNumber(expr)) ?? expr);
}

/** 1 as long as another turn may follow, by what the guards say of variables: where none does nothing has to become smaller. Null where they say nothing. */
export function goesOn(
  pool: Pool,
  heads: readonly number[],
  turns: readonly Passage[],
): Map<number, Expr> | null {
  const found = new Map(
    heads.map((head) => {
      const mayTurn = turns
        .filter(({ from }) => from === head)
        .reduce((so, { guard }) => pool.or(so, seen(pool, guard)), pool.false);
      const [yes, no] = [pool.const(1n, RANK_WIDTH), pool.const(0n, RANK_WIDTH)];
      return [head, pool.ite(mayTurn, yes, no)] as const;
    }),
  );
  return [...found.values()].every(({ op }) => op === 'const') ? null : found;
}

/** What a test says whatever inputs and unknown values are; more may hold. */
function seen(pool: Pool, test: Expr): Expr {
  if (test.symbols.every((symbol) => symbolNumber(symbol) < FRESH)) return test;
  const [a, b] = test.args as [Expr, Expr];
  if (test.op === 'conj') return pool.and(seen(pool, a), seen(pool, b));
  return test.op === 'disj' ? pool.or(seen(pool, a), seen(pool, b)) : pool.true;
}

/** Without its sign: what divisions make smaller. */
function sizeOf(pool: Pool, cell: Cell): Expr {
  const value = pool.resize(pool.symbol(cell.id, cell.width), RANK_WIDTH, isSigned(cell));
  const zero = pool.const(0n, RANK_WIDTH);
  return pool.ite(pool.compare('slt', value, zero), pool.binary('sub', zero, value), value);
}

/** How far the lowest bit is from the top, as a number: what shifts to the left make smaller; 0 where there is no bit. */
function bitsAbove(pool: Pool, { id, width }: Cell): Expr {
  const symbol = pool.symbol(id, width);
  const zero = pool.const(0n, width);
  const lowest = pool.resize(pool.binary('and', symbol, pool.binary('sub', zero, symbol)), RANK_WIDTH, false);
  const above = pool.binary('sub', pool.const(1n << BigInt(width), RANK_WIDTH), lowest);
  return pool.ite(pool.eq(symbol, zero), pool.const(0n, RANK_WIDTH), above);
}

function contains(expr: Expr, op: Expr['op'], seen = new Set<Expr>()): boolean {
  if (expr.op === op) return true;
  if (seen.has(expr)) return false;
  seen.add(expr);
  return expr.args.some((arg) => contains(arg, op, seen));
}
