// Constants of a program: cells that only ever hold one value, because every write gives them that value (arguments of a thread,
// numbers computed from them, parameters of functions called with them, globals nobody changes). They are put in everywhere, so
// that which events a thread takes part in is settled by its text and arguments, not by an abstraction.
// Locals are never read before they are written, except where a jump passes over their declarations: those hold any value at the start.

import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { MemoryObject, Operation, Program } from '../program/program.ts';
import { replaceSymbols } from '../program/substitute.ts';
import { prune } from './prune.ts';

export function foldConstants(program: Program, passedOver: ReadonlySet<MemoryObject>): Program {
  let current = program;
  // Branches that cannot be taken hide writes; a few rounds are enough in practice.
  for (let round = 0; round < 4; round++) {
    const constants = constantsOf(current, passedOver);
    const fold = (expr: Expr): Expr =>
      replaceSymbols(program.pool, expr, (symbol) => constants.get(symbolNumber(symbol)) ?? undefined);
    const edges = current.edges
      .map((edge) => {
        program.pool.watch();
        return { ...edge, operation: folded(edge.operation, fold) };
      })
      .filter(({ operation }) => operation.kind !== 'assume' || operation.test !== program.pool.false);
    const smaller = edges.length < current.edges.length;
    current = smaller ? prune({ ...current, edges }) : { ...current, edges };
    if (!smaller) break;
  }
  return current;
}

/** Optimistic: a cell is a constant until two writes, or a write of something unknown, prove otherwise (then null). */
function constantsOf(program: Program, passedOver: ReadonlySet<MemoryObject>): Map<number, Expr | null> {
  const values = new Map<number, Expr | null>();
  for (const [cell, value] of program.initial) values.set(cell, value);
  const isWrittenFirst = (object: MemoryObject): boolean =>
    object.kind === 'temporary' || (object.kind === 'local' && !passedOver.has(object));
  for (const { id, object } of program.cells)
    if (!values.has(id) && !isWrittenFirst(object)) values.set(id, null);
  for (const { operation } of program.edges) {
    for (const cell of unknownWrites(operation)) values.set(cell, null);
    // Among threads a read is something that others may notice, even of a value that never changes.
    if (
      program.threads !== undefined &&
      operation.kind === 'assign' &&
      operation.cell.object.kind !== 'temporary'
    )
      values.set(operation.cell.id, null);
  }
  while (spread(program, values) || spread(program, values, null));
  return values;
}

/** Did any write tell something new? One that reads what nothing has written (the other bytes of a union that is made of one member) writes `open`. */
function spread(program: Program, values: Map<number, Expr | null>, open?: null): boolean {
  let changed = false;
  for (const { operation } of program.edges) {
    program.pool.watch();
    if (operation.kind !== 'assign' || values.get(operation.cell.id) === null) continue;
    const found = evaluate(program, operation.value, values);
    const written = found === undefined ? open : found;
    if (written === undefined) continue;
    const known = values.get(operation.cell.id);
    if (known === written) continue;
    values.set(operation.cell.id, known === undefined ? written : null);
    changed = true;
  }
  return changed;
}

/** Undefined while a cell it reads has no write yet; null when it is not a constant. */
function evaluate(
  program: Program,
  expr: Expr,
  values: ReadonlyMap<number, Expr | null>,
): Expr | null | undefined {
  if (expr.hasLoad) return null;
  for (const symbol of expr.symbols) if (!values.has(symbolNumber(symbol))) return undefined;
  const result = replaceSymbols(
    program.pool,
    expr,
    (symbol) => values.get(symbolNumber(symbol)) ?? undefined,
  );
  return result.op === 'const' ? result : null;
}

function unknownWrites(operation: Operation): number[] {
  if (operation.kind === 'input') return [operation.cell.id];
  if (operation.kind === 'havoc') return operation.cells.map((cell) => cell.id);
  if (operation.kind === 'store')
    return [...operation.site.cells, ...operation.site.blurred].map((cell) => cell.id);
  return [];
}

function folded(operation: Operation, fold: (expr: Expr) => Expr): Operation {
  switch (operation.kind) {
    case 'assign':
      return { ...operation, value: fold(operation.value) };
    case 'store':
      return { ...operation, address: fold(operation.address), value: fold(operation.value) };
    case 'assume':
    case 'defined':
      return { ...operation, test: fold(operation.test) };
    case 'touch':
      return {
        ...operation,
        address: fold(operation.address),
        extent: typeof operation.extent === 'string' ? operation.extent : fold(operation.extent),
      };
    default:
      return operation;
  }
}
