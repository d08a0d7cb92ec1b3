// What the steps of threads read and write, by objects. An object that one thread writes and another one uses is shared; steps that touch no shared object
// are nobody else's business.

import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { expressionsOf } from '../program/expressions.ts';
import { outgoingEdges } from '../program/interpreter.ts';
import type { Edge, Operation, Program } from '../program/program.ts';
import { objectAt } from '../program/program.ts';

/** Objects by their ids. */
export interface Access {
  readonly reads: ReadonlySet<number>;
  readonly writes: ReadonlySet<number>;
}

/** Of an operation, as far as the points-to analysis tells. */
function accessOf(program: Program, operation: Operation): Access {
  const reads = new Set<number>();
  const writes = new Set<number>();
  const read = (expr: Expr) => void readBy(program, expr, reads);
  switch (operation.kind) {
    case 'assign':
      read(operation.value);
      writes.add(operation.cell.object.id);
      break;
    case 'store':
      read(operation.address);
      read(operation.value);
      for (const id of objectsOf(program, operation.address, operation.site.objects)) writes.add(id);
      break;
    case 'assume':
    case 'defined':
      read(operation.test);
      break;
    case 'input':
      writes.add(operation.cell.object.id);
      break;
    case 'havoc':
      for (const cell of operation.cells) writes.add(cell.object.id);
      break;
    case 'touch':
      for (const expr of expressionsOf(operation)) read(expr);
      for (const id of objectsOf(program, operation.address, operation.site.objects))
        (operation.writes ? writes : reads).add(id);
      break;
    default:
  }
  return { reads, writes };
}

function readBy(program: Program, root: Expr, into: Set<number>): void {
  const seen = new Set<Expr>();
  const stack = [root];
  while (stack.length > 0) {
    const expr = stack.pop()!;
    if (seen.has(expr)) continue;
    seen.add(expr);
    if (expr.op === 'symbol') into.add(program.cells[symbolNumber(expr)]!.object.id);
    if (expr.op === 'load') {
      const site = program.sites[Number(expr.value) - 1]!;
      for (const id of objectsOf(program, expr.args[0]!, site.objects)) into.add(id);
    }
    stack.push(...expr.args);
  }
}

function objectsOf(program: Program, address: Expr, known: Program['objects']): number[] {
  if (address.op !== 'const') return known.map(({ id }) => id);
  const object = objectAt(program.objects, address.value);
  return object === null ? [] : [object.id];
}

/** The locations of each thread, from its entry. */
function locationsOf(program: Program): readonly (readonly number[])[] {
  const outgoing = outgoingEdges(program);
  return (program.threads ?? []).map(({ entry }) => {
    const seen = new Set([entry]);
    for (const location of seen) for (const { to } of outgoing[location]!) seen.add(to);
    return [...seen];
  });
}

export interface Sharing {
  readonly shared: ReadonlySet<number>;
  /** The thread that alone uses an object; -1 where several do, or none. */
  readonly owner: Int32Array;
}

export function sharingOf(program: Program): Sharing {
  const outgoing = outgoingEdges(program);
  const users: Set<number>[] = program.objects.map(() => new Set());
  const writers: Set<number>[] = program.objects.map(() => new Set());
  locationsOf(program).forEach((locations, thread) => {
    for (const location of locations)
      for (const { operation } of outgoing[location]!) {
        const { reads, writes } = accessOf(program, operation);
        for (const id of reads) users[id]!.add(thread);
        for (const id of writes) {
          users[id]!.add(thread);
          writers[id]!.add(thread);
        }
      }
  });
  // Everybody waits for the thread in a section that nobody may come between, though no step says so.
  const { atomicHolder } = program;
  if (atomicHolder !== undefined)
    program.threads?.forEach((_, thread) => void users[atomicHolder.object.id]!.add(thread));
  const shared = new Set<number>();
  const owner = new Int32Array(program.objects.length).fill(-1);
  program.objects.forEach(({ id }) => {
    if (users[id]!.size > 1 && writers[id]!.size > 0) shared.add(id);
    if (users[id]!.size === 1) owner[id] = [...users[id]!][0]!;
  });
  return { shared, owner };
}

/** Of all edges that leave a location together. */
export const accessAt = (program: Program, edges: readonly Edge[]): Access => {
  const reads = new Set<number>();
  const writes = new Set<number>();
  for (const { operation } of edges) {
    const one = accessOf(program, operation);
    for (const id of one.reads) reads.add(id);
    for (const id of one.writes) writes.add(id);
  }
  return { reads, writes };
};
