// Constants of a thread: cells that are written exactly once, on the straight way from the entry, with a constant (the
// arguments of the thread, numbers computed from them). They are put in everywhere, so that which events a thread takes part in
// is settled by its text and arguments alone.

import type { Expr } from '../expr.ts';
import { symbolNumber } from '../expr.ts';
import type { Edge, Operation, Program } from '../program.ts';
import { replaceSymbols } from '../reach/substitute.ts';
import { prune } from './prune.ts';

export function foldConstants(program: Program): Program {
  const writes = countWrites(program);
  const constants = new Map<number, Expr>();
  const fold = (expr: Expr): Expr =>
    replaceSymbols(program.pool, expr, (symbol) => constants.get(symbolNumber(symbol)));
  for (const { operation } of entryChain(program)) {
    if (operation.kind !== 'assign' || writes.get(operation.cell.id) !== 1) continue;
    const value = fold(operation.value);
    if (value.op === 'const') constants.set(operation.cell.id, value);
  }
  if (constants.size === 0) return program;
  const edges = program.edges
    .map((edge) => ({ ...edge, operation: folded(edge.operation, fold) }))
    .filter(({ operation }) => operation.kind !== 'assume' || operation.test !== program.pool.false);
  return prune({ ...program, edges });
}

/** How often each cell is written; cells that a store could mean count as written often. */
function countWrites(program: Program): Map<number, number> {
  const writes = new Map<number, number>();
  const add = (cell: number, times: number) => writes.set(cell, (writes.get(cell) ?? 0) + times);
  for (const { operation } of program.edges) {
    if (operation.kind === 'assign' || operation.kind === 'input') add(operation.cell.id, 1);
    if (operation.kind === 'havoc') for (const cell of operation.cells) add(cell.id, 2);
    if (operation.kind === 'store')
      for (const cell of [...operation.site.cells, ...operation.site.blurred]) add(cell.id, 2);
  }
  return writes;
}

/** The edges from the entry up to the first branch or join. */
function entryChain(program: Program): Edge[] {
  const outgoing = new Map<number, Edge[]>();
  const incoming = new Map<number, number>();
  for (const edge of program.edges) {
    outgoing.set(edge.from, [...(outgoing.get(edge.from) ?? []), edge]);
    incoming.set(edge.to, (incoming.get(edge.to) ?? 0) + 1);
  }
  const chain: Edge[] = [];
  for (let at = program.entry; ; ) {
    const [only, ...more] = outgoing.get(at) ?? [];
    if (only === undefined || more.length > 0 || (incoming.get(at) ?? 0) > 1) return chain;
    chain.push(only);
    at = only.to;
  }
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
    default:
      return operation;
  }
}
