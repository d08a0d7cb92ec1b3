// When weakest preconditions find nothing new: bounds and equalities of a simple form. They relate what a path's conditions mention, each cell with the
// constants that it or another one is compared with, then cells with each other. An input between two comparisons (`limit > 500`,
// `wanted < limit` with any `wanted`) hides such facts from preconditions.

import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Cell, Operation, Program } from '../program/program.ts';
import { atomsOf } from '../program/substitute.ts';

const MOST_CELLS = 10;
const MOST_CONSTANTS = 6;
/** New predicates at once. */
const AT_ONCE = 10;

/** Predicates over the cells that are not known yet; the likelier ones first. Empty when all have been tried. */
export function templates(
  program: Program,
  cells: Iterable<number>,
  tests: readonly Expr[],
  known: ReadonlySet<Expr>,
): Expr[] {
  const chosen = [...cells]
    .map((id) => program.cells[id]!)
    .filter((cell) => cell.type.kind === 'int')
    .slice(0, MOST_CELLS);
  const constants = constantsOf(program, chosen, tests);
  const found: Expr[] = [];
  const offer = (test: Expr) => {
    for (const atom of atomsOf(program.pool, test))
      if (!known.has(atom) && !found.includes(atom) && atom.op !== 'const') found.push(atom);
  };
  for (const value of constants) for (const cell of chosen) offer(atMost(program, cell, value));
  if (found.length === 0)
    for (const value of constants) for (const cell of chosen) offer(atLeast(program, cell, value));
  if (found.length > 0) return found.slice(0, AT_ONCE);
  for (const a of chosen)
    for (const b of chosen) if (a.id < b.id && a.width === b.width) offer(equal(program, a, b));
  for (const a of chosen)
    for (const b of chosen) if (a !== b && a.width === b.width) offer(notAbove(program, a, b));
  return found.slice(0, AT_ONCE);
}

const symbolOf = ({ pool }: Program, cell: Cell): Expr => pool.symbol(cell.id, cell.width);
const isSigned = (cell: Cell): boolean => cell.type.kind === 'int' && cell.type.signed;

function atMost(program: Program, cell: Cell, value: bigint): Expr {
  const { pool } = program;
  return pool.compare(isSigned(cell) ? 'sle' : 'ule', symbolOf(program, cell), pool.const(value, cell.width));
}

function atLeast(program: Program, cell: Cell, value: bigint): Expr {
  const { pool } = program;
  return pool.compare(isSigned(cell) ? 'sle' : 'ule', pool.const(value, cell.width), symbolOf(program, cell));
}

const equal = (program: Program, a: Cell, b: Cell): Expr =>
  program.pool.eq(symbolOf(program, a), symbolOf(program, b));

const notAbove = (program: Program, a: Cell, b: Cell): Expr =>
  program.pool.compare(isSigned(a) ? 'sle' : 'ule', symbolOf(program, a), symbolOf(program, b));

/** Constants of the tests first, then those that the program gives to the cells or compares them with. */
function constantsOf(program: Program, cells: readonly Cell[], tests: readonly Expr[]): bigint[] {
  const values = new Set<bigint>();
  const ids = new Set(cells.map(({ id }) => id));
  const width = Math.max(8, ...cells.map((cell) => cell.width));
  const collect = (expr: Expr) => {
    const stack = [expr];
    while (stack.length > 0 && values.size < 40) {
      const node = stack.pop()!;
      if (node.op === 'const' && node.width > 0) values.add(BigInt.asIntN(width, node.value));
      stack.push(...node.args);
    }
  };
  for (const test of tests) collect(test);
  for (const { operation } of program.edges) if (concerns(operation, ids)) collect(written(operation));
  return [...values].slice(0, MOST_CONSTANTS);
}

function concerns(operation: Operation, ids: ReadonlySet<number>): boolean {
  if (operation.kind === 'assign') return ids.has(operation.cell.id);
  if (operation.kind !== 'assume') return false;
  return operation.test.symbols.some((symbol) => ids.has(symbolNumber(symbol)));
}

function written(operation: Operation): Expr {
  if (operation.kind === 'assign') return operation.value;
  if (operation.kind === 'assume') return operation.test;
  throw new Error('impossible: an operation without a value');
}
