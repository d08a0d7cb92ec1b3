// For each location the cells whose value can still change what the program does: strong liveness. A cell that is only ever
// computed into itself or into other such cells (statistics, counters nobody tests) is not live. Addresses are always used, whatever
// they are read for: they decide whether the run is defined.

import type { CellSet } from '../program/cell-set.ts';
import { cellSet, has, insert } from '../program/cell-set.ts';
import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { expressionsOf } from '../program/expressions.ts';
import { outgoingEdges } from '../program/interpreter.ts';
import { type Edge, type Operation, objectAt, type Program } from '../program/program.ts';
import { forwards, sweep } from '../program/sweep.ts';
import { usedBy } from './uses.ts';

/** `observed` cells matter everywhere. */
export function liveCells(program: Program, observed: readonly number[]): CellSet[] {
  const { pool } = program;
  const live = program.locations.map(() => {
    pool.watch();
    const set = cellSet(program.cells.length);
    for (const cell of observed) insert(set, cell);
    return set;
  });
  const incoming: Edge[][] = program.locations.map(() => []);
  for (const edge of program.edges) incoming[edge.to]!.push(edge);
  const effects = new Map<Edge, Effect>();
  for (const edge of program.edges) {
    pool.watch();
    effects.set(edge, effectOf(program, edge.operation));
  }
  const backwards = forwards(program.entry, outgoingEdges(program)).reverse();
  sweep(backwards, backwards, (to, wake) => {
    pool.watch();
    for (const edge of incoming[to]!)
      if (flow(effects.get(edge)!, live[to]!, live[edge.from]!)) wake(edge.from);
    return true;
  });
  return live;
}

interface Effect {
  /** Cells that are overwritten for certain. */
  readonly kills: readonly number[];
  /** Cells that may be written; what flows into them counts only when one of them is live. Null: it always counts. */
  readonly writes: readonly number[] | null;
  /** Cells that flow into what is written. */
  readonly flows: ReadonlySet<number>;
  /** Cells that decide whether, or where, the operation acts. */
  readonly uses: ReadonlySet<number>;
}

const NONE: ReadonlySet<number> = new Set();

function effectOf(program: Program, operation: Operation): Effect {
  switch (operation.kind) {
    case 'assign': {
      const cell = operation.cell.id;
      return {
        kills: [cell],
        writes: [cell],
        flows: usedBy(program, operation.value),
        uses: addresses(program, operation.value, new Set()),
      };
    }
    case 'store': {
      const uses = usedBy(program, operation.address);
      addresses(program, operation.value, uses);
      const { cells, blurred, arrays, vague } = operation.site;
      const writes = [...cells, ...blurred, ...(arrays?.parts ?? [])].map(({ id }) => id);
      // Where memory is not followed exactly, everything that is stored counts.
      return {
        kills: [],
        writes: (arrays?.vague ?? vague) ? null : writes,
        flows: usedBy(program, operation.value),
        uses,
      };
    }
    case 'assume':
    case 'defined':
      return { kills: [], writes: [], flows: NONE, uses: usedBy(program, operation.test) };
    case 'input':
      return { kills: [operation.cell.id], writes: [], flows: NONE, uses: NONE };
    case 'havoc':
      return { kills: operation.cells.map(({ id }) => id), writes: [], flows: NONE, uses: NONE };
    case 'touch': {
      const uses = new Set<number>();
      for (const expr of expressionsOf(operation)) usedBy(program, expr, uses);
      const { extent, address, site } = operation;
      // Where a text ends is read off its bytes.
      if (extent === 'string')
        for (const object of address.op === 'const'
          ? [objectAt(program.objects, address.value)]
          : site.objects)
          for (const { id } of object?.cells.values() ?? []) uses.add(id);
      return { kills: [], writes: [], flows: NONE, uses };
    }
    default:
      return { kills: [], writes: [], flows: NONE, uses: NONE };
  }
}

/** Cells that the addresses of loads inside an expression depend on, and divisors: what may make it undefined. */
function addresses(program: Program, expr: Expr, into: Set<number>, seen = new Set<Expr>()): Set<number> {
  if (seen.has(expr) || expr.op === 'symbol' || expr.op === 'const') return into;
  seen.add(expr);
  if (expr.op === 'load') usedBy(program, expr.args[0]!, into);
  else if (MAY_FAIL.has(expr.op)) for (const symbol of expr.symbols) into.add(symbolNumber(symbol));
  for (const arg of expr.args) addresses(program, arg, into, seen);
  return into;
}

const MAY_FAIL = new Set(['udiv', 'sdiv', 'urem', 'srem', 'shl', 'lshr', 'ashr', 'ftosi', 'ftoui']);

/** True when something was added before the edge. */
function flow({ kills, writes, flows, uses }: Effect, after: CellSet, before: CellSet): boolean {
  let changed = false;
  for (let word = 0; word < after.length; word++) {
    let added = after[word]! & ~before[word]!;
    if (added === 0) continue;
    for (const cell of kills) if (cell >> 5 === word) added &= ~(1 << (cell & 31));
    if (added === 0) continue;
    before[word]! |= added;
    changed = true;
  }
  for (const cell of uses) changed = insert(before, cell) || changed;
  if (writes === null || writes.some((cell) => has(after, cell)))
    for (const cell of flows) changed = insert(before, cell) || changed;
  return changed;
}
