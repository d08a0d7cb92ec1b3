// The bytes between the members of a struct. Who copies or fills a struct by its bytes copies and fills them, too; an assignment leaves anything in them. Mostly
// nobody can tell: where they are padding of whatever object it is. But a member of a union, or an array of characters, may lie there.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import { gapsBetween } from '../program/padding.ts';
import { type Edge, type MemoryObject, type Operation, objectAt, type Program } from '../program/program.ts';
import type { Leaf } from '../program/type-parts.ts';
import { type CType, type ScalarType, sameType, sizeOf, UCHAR } from '../program/types.ts';
import { writeScalar } from './access.ts';
import type { Context } from './context.ts';
import { prune } from './prune.ts';

const WHY = 'C leaves open what an assignment puts between the members of a struct';

/** What is done with one byte between the members of a struct that lies behind a pointer. */
export interface GapWrite {
  readonly record: CType;
  readonly operations: Operation[];
}

export function gapWrite(context: Context, record: CType): GapWrite {
  const write: GapWrite = { record, operations: [] };
  context.gapWrites.push(write);
  return write;
}

/** What `work` emits is for the sake of that byte. */
export function forGap(context: Context, { operations }: GapWrite, work: () => unknown): void {
  const before = context.edges.length;
  work();
  operations.push(...context.edges.slice(before).map(({ operation }) => operation));
}

/** To be called after the members were written. */
export function openGaps(
  context: Context,
  into: Expr,
  record: CType,
  leaves: readonly Leaf[],
  span: Span,
): void {
  const { pool } = context;
  for (const gap of gapsBetween(leaves, sizeOf(record) ?? 0)) {
    const address = pool.binary('add', into, pool.const(gap, 64));
    if (address.op === 'const' && !isSeenAt(context, address.value, record)) continue;
    const open = () => {
      const byte = context.temporary(span, UCHAR as ScalarType, `gap ${gap}`);
      context.emit({ kind: 'havoc', cells: [byte], why: WHY, exact: false }, span);
      writeScalar(context, address, 8, pool.symbol(byte.id, 8), span);
    };
    if (address.op === 'const') open();
    else forGap(context, gapWrite(context, record), open);
  }
}

function isSeenAt({ memory }: Context, address: bigint, record: CType): boolean {
  const object = objectAt(memory.objects, address);
  if (object === null || object.wide) return object !== null && !consistsOf(object.type, record);
  const offset = Number(address - object.address);
  return [...object.cells.values()].some(
    (cell) => cell.offset <= offset && offset < cell.offset + cell.width / 8,
  );
}

/** Structs of that type lie in it, and nothing over them. */
function consistsOf(type: CType, record: CType): boolean {
  const hasUnion = (part: CType): boolean =>
    part.kind === 'array'
      ? hasUnion(part.of)
      : part.kind === 'record' &&
        (part.record.union || (part.record.fields ?? []).some((field) => hasUnion(field.type)));
  const holds = (part: CType): boolean =>
    sameType(part, record) ||
    (part.kind === 'array' && holds(part.of)) ||
    (part.kind === 'record' && (part.record.fields ?? []).some((field) => holds(field.type)));
  return holds(type) && (sameType(type, record) || !hasUnion(type));
}

/** When it is known what the pointers mean: what nobody can see need not be done. */
export function withoutUnseenGaps(program: Program, writes: readonly GapWrite[]): Program {
  const unseen = new Set(writes.filter((write) => !isSeen(write)).flatMap(({ operations }) => operations));
  if (unseen.size === 0) return program;
  const arrivals = new Map<number, number>();
  for (const { to } of program.edges) arrivals.set(to, (arrivals.get(to) ?? 0) + 1);
  const isPlain = ({ to }: Edge): boolean => {
    const { kind, labels, contract, waits } = program.locations[to]!;
    return kind === 'inner' && labels.length === 0 && contract === undefined && waits === undefined;
  };
  const dropped = new Set(
    program.edges.filter(
      (edge) => unseen.has(edge.operation) && arrivals.get(edge.to) === 1 && isPlain(edge),
    ),
  );
  const before = new Map([...dropped].map(({ from, to }) => [to, from]));
  const startOf = (location: number): number => {
    let start = location;
    for (let at = before.get(start); at !== undefined; at = before.get(at)) start = at;
    return start;
  };
  const edges = program.edges
    .filter((edge) => !dropped.has(edge))
    .map((edge) => ({ ...edge, from: startOf(edge.from) }));
  return prune({ ...program, edges });
}

function isSeen({ record, operations }: GapWrite): boolean {
  const size = sizeOf(record) ?? 0;
  const isSeenIn = (object: MemoryObject): boolean =>
    object.kind !== 'function' && (object.size < size || (object.wide && !consistsOf(object.type, record)));
  return operations.some(
    (operation) =>
      operation.kind === 'store' &&
      (operation.site.cells.length > 0 ||
        operation.site.blurred.length > 0 ||
        operation.site.objects.some(isSeenIn)),
  );
}
