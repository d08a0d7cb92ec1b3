// Guesses at what holds at the head of a loop: bounds of each variable by constants that the program compares it with or gives to it, comparisons between
// variables, and linear equations that hold in all states that some executions met (affine.ts). None of them is trusted: houdini.ts keeps
// what is inductive.

import type { CellSet } from '../program/cell-set.ts';
import { has } from '../program/cell-set.ts';
import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Cell, Program } from '../program/program.ts';
import type { Passage, Regions } from './regions.ts';
import { FRESH } from './symbolic.ts';

const MOST_CELLS = 14;
const MOST_CONSTANTS = 7;

/** Numbers that are live at a location and that the program changes or compares; the more it does so the earlier. */
export function numbersAt({ program, passages }: Regions, live: CellSet): Cell[] {
  const uses = new Map<number, number>();
  for (const { guard, env } of passages) {
    for (const symbol of guard.symbols)
      uses.set(symbolNumber(symbol), (uses.get(symbolNumber(symbol)) ?? 0) + 1);
    for (const cell of env.keys()) uses.set(cell, (uses.get(cell) ?? 0) + 1);
  }
  return program.cells
    .filter(
      (cell) =>
        cell.type.kind === 'int' && cell.array === undefined && has(live, cell.id) && uses.has(cell.id),
    )
    .sort((a, b) => uses.get(b.id)! - uses.get(a.id)!)
    .slice(0, MOST_CELLS);
}

export function candidatesAt(regions: Regions, cells: readonly Cell[]): Expr[] {
  const { program } = regions;
  const { pool } = program;
  const found = new Set<Expr>();
  const symbolOf = (cell: Cell) => pool.symbol(cell.id, cell.width);
  for (const cell of cells) {
    const symbol = symbolOf(cell);
    const order = isSigned(cell) ? 'sle' : 'ule';
    for (const value of constantsOf(regions, cell)) {
      const constant = pool.const(value, cell.width);
      found.add(pool.eq(symbol, constant));
      found.add(pool.compare(order, symbol, constant));
      found.add(pool.compare(order, constant, symbol));
    }
    for (const other of cells)
      if (other.id !== cell.id && other.width === cell.width) {
        found.add(pool.compare(isSigned(cell) && isSigned(other) ? 'sle' : 'ule', symbol, symbolOf(other)));
        const next = pool.binary('add', symbolOf(other), pool.const(1n, cell.width));
        if (isSigned(cell)) found.add(pool.compare('sle', symbol, next));
      }
  }
  for (const guard of guardAtoms(regions.passages)) {
    const allLive = guard.symbols.every((symbol) => cells.some(({ id }) => id === symbolNumber(symbol)));
    if (!allLive || guard.symbols.length === 0) continue;
    found.add(guard);
    found.add(pool.not(guard));
  }
  return [...found].filter(({ op }) => op !== 'const');
}

const MOST_RICH_CELLS = 7;

/**
 * What holds from the first turn of a loop on: a variable still has the value it begins with, or two others compare. (Where `i <= n` is asked before the
 * first turn `i - 1 <= n` holds after each turn, wrap-around or not.)
 */
export function laterCandidatesAt(
  { program, passages }: Regions,
  head: number,
  cells: readonly Cell[],
): Expr[] {
  const { pool } = program;
  const few = cells.slice(0, MOST_RICH_CELLS);
  const still = few.flatMap((cell) =>
    passages.flatMap(({ from, to, env }) => {
      const value = env.get(cell.id);
      return to === head && from !== head && value?.op === 'const'
        ? [pool.eq(pool.symbol(cell.id, cell.width), value)]
        : [];
    }),
  );
  const found = new Set<Expr>();
  for (const cell of few)
    for (const other of few) {
      if (other.id === cell.id || other.width !== cell.width) continue;
      const order = isSigned(cell) && isSigned(other) ? 'sle' : 'ule';
      const [a, b] = [pool.symbol(cell.id, cell.width), pool.symbol(other.id, cell.width)];
      const less = pool.binary('sub', a, pool.const(1n, cell.width));
      const tests = [
        pool.compare(order, a, b),
        pool.not(pool.compare(order, b, a)),
        pool.compare(order, less, b),
      ];
      for (const test of tests) {
        found.add(test);
        for (const first of still) found.add(pool.or(first, test));
      }
    }
  return [...found].filter(({ op }) => op !== 'const');
}

export const isSigned = ({ type }: Cell): boolean => type.kind === 'int' && type.signed;

/** Tests of the program over variables alone, without structure. */
export function guardAtoms(passages: readonly Passage[]): Set<Expr> {
  const found = new Set<Expr>();
  const seen = new Set<Expr>();
  const walk = (expr: Expr): void => {
    if (seen.has(expr) || seen.size > 3000) return;
    seen.add(expr);
    const isAtom = expr.width === 0 && expr.op !== 'conj' && expr.op !== 'disj' && expr.op !== 'not';
    if (isAtom && expr.op !== 'const' && found.size < 40 && isSmall(expr)) found.add(expr);
    for (const arg of expr.args) walk(arg);
  };
  for (const { guard } of passages) walk(guard);
  return found;
}

const isSmall = (expr: Expr): boolean =>
  expr.symbols.length <= 3 &&
  expr.symbols.every((symbol) => symbolNumber(symbol) < FRESH) &&
  expr.args.every((arg) => arg.args.length === 0 || arg.args.every(({ args }) => args.length === 0));

/** What the variable is compared with, or begins with; and what others are compared with when that is not much. */
function constantsOf({ program, passages }: Regions, cell: Cell): bigint[] {
  const values = new Set<bigint>();
  const initial = program.initial.get(cell.id);
  if (initial !== undefined) values.add(BigInt.asIntN(cell.width, initial.value));
  for (const { env, guard } of passages) {
    const value = env.get(cell.id);
    if (value?.op === 'const') values.add(BigInt.asIntN(cell.width, value.value));
    // An input was compared before it was copied.
    if (value?.op === 'symbol') for (const other of constantsBeside(guard, value)) values.add(other);
  }
  for (const value of comparedWith(program, cell)) values.add(value);
  values.add(0n);
  values.add(1n);
  // Numbers are not compared with addresses: these come from tests of where a pointer points to.
  const address = program.objects[0]?.address ?? 0n;
  const isNumber = (value: bigint) => cell.width < 64 || (value < address && -value < address);
  return [...values].filter(isNumber).slice(0, MOST_CONSTANTS);
}

/** Constants that a symbol is compared with in a condition. */
function constantsBeside(guard: Expr, symbol: Expr): Set<bigint> {
  const found = new Set<bigint>();
  const seen = new Set<Expr>();
  const stack = [guard];
  for (let expr = stack.pop(); expr !== undefined && seen.size < 500; expr = stack.pop()) {
    if (seen.has(expr) || !expr.symbols.includes(symbol)) continue;
    seen.add(expr);
    const [a, b] = expr.args;
    if (a === symbol && b?.op === 'const') found.add(BigInt.asIntN(b.width, b.value));
    if (b === symbol && a?.op === 'const') found.add(BigInt.asIntN(a.width, a.value));
    stack.push(...expr.args);
  }
  return found;
}

function comparedWith(program: Program, cell: Cell): bigint[] {
  const found = new Set<bigint>();
  for (const { operation } of program.edges) {
    if (operation.kind !== 'assume' || !operation.test.symbols.some((s) => symbolNumber(s) === cell.id))
      continue;
    const stack = [operation.test];
    for (let expr = stack.pop(); expr !== undefined; expr = stack.pop()) {
      if (expr.op === 'const' && expr.width === cell.width) found.add(BigInt.asIntN(cell.width, expr.value));
      stack.push(...expr.args);
    }
  }
  return [...found];
}
