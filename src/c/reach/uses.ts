// Which cells an operation reads.

import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Operation, Program } from '../program/program.ts';

export function used(program: Program, operation: Operation): Iterable<number> {
  switch (operation.kind) {
    case 'assign':
      return usedBy(program, operation.value);
    case 'store': {
      const cells = usedBy(program, operation.value);
      usedBy(program, operation.address, cells);
      // A cell that is perhaps overwritten keeps its value otherwise.
      for (const cell of operation.site.cells) cells.add(cell.id);
      return cells;
    }
    case 'assume':
    case 'defined':
      return usedBy(program, operation.test);
    default:
      return [];
  }
}

export function usedBy(program: Program, expr: Expr, into: Set<number> = new Set()): Set<number> {
  for (const symbol of expr.symbols) into.add(symbolNumber(symbol));
  if (expr.hasLoad) collectLoads(program, expr, into, new Set());
  return into;
}

function collectLoads(program: Program, expr: Expr, into: Set<number>, seen: Set<Expr>): void {
  if (!expr.hasLoad || seen.has(expr)) return;
  seen.add(expr);
  if (expr.op === 'load') {
    const { cells, many, arrays } = program.sites[Number(expr.value) - 1]!;
    for (const cell of cells) into.add(cell.id);
    for (const cell of arrays?.parts ?? []) into.add(cell.id);
    for (const cell of many) into.add(cell.id);
  }
  for (const arg of expr.args) collectLoads(program, arg, into, seen);
}
