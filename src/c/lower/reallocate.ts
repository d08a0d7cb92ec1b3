// realloc: a new object with the old one's contents, part by part, as far as both reach; the old one is no more. How large the old one is, is looked up: that is known
// once all places that allocate are known. (A real one may stay where it is: whoever still uses the old address does what is undefined.)

import type { Span } from '../../source/source.ts';
import type { Expr, Pool } from '../program/expr.ts';
import type { MemoryObject } from '../program/program.ts';
import { bytesIn, pointerTo, type ScalarType, sizeOf, ULONG, VOID } from '../program/types.ts';
import type { CallNode } from './call-pieces.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import { allocateOnHeap, release } from './heap.ts';
import { copyBytes } from './memory-calls.ts';
import type { Value } from './places.ts';
import { touch } from './touches.ts';
import { value } from './values.ts';
import { bytesOfAll, wantedOf } from './wanted.ts';

const NOT_OWNED = (1n << 64n) - 1n;

export function reallocate(context: Context, node: CallNode): Value {
  const { pool } = context;
  const { span } = node;
  const type = pointerTo(VOID);
  const [oldNode, sizeNode] = node.args;
  const expected = context.takePointee();
  if (oldNode === undefined || sizeNode === undefined) return { type, expr: pool.const(0n, 64) };
  const given = value(context, oldNode);
  const hint =
    expected ?? (given.type.kind === 'pointer' && given.type.to.kind !== 'void' ? given.type.to : null);
  const cell = context.temporary(node, pointerTo(VOID) as ScalarType, 'old');
  context.emit({ kind: 'assign', cell, value: given.expr }, span);
  const old = given.expr.op === 'const' ? given.expr : pool.symbol(cell.id, 64);
  const wanted = wantedOf(context, sizeNode, hint);
  context.note("'realloc' is assumed to succeed, with a new address", span);
  if (old === pool.const(0n, 64))
    return {
      type,
      expr: allocateOnHeap(context, node, "'realloc'", wanted, { zeroed: false, life: null }, span),
    };
  const size = oldSize(context, node, old);
  const isNothing = pool.and(
    pool.eq(bytesOfAll(context, wanted), pool.const(0n, 64)),
    pool.not(pool.eq(old, pool.const(0n, 64))),
  );
  cutIf(context, isNothing, "'realloc' of something to nothing is not modelled", span);
  touch(context, old, 'object', true, span);
  const fill = (object: MemoryObject) => copyParts(context, node, object, old, size);
  const contents = { zeroed: false, life: null, fill };
  const expr = allocateOnHeap(context, node, "'realloc'", wanted, contents, span);
  // Where there is no such memory the old one stays.
  const [failed, succeeded, after] = [0, 1, 2].map(() => context.location(span)) as [number, number, number];
  fork(context, pool.eq(expr, pool.const(0n, 64)), failed, succeeded, span, false);
  context.here = succeeded;
  release(context, { type, expr: old }, node);
  context.jump(after, span);
  context.here = failed;
  context.jump(after, span);
  context.here = after;
  return { type, expr };
}

function cutIf(context: Context, test: Expr, why: string, span: Span): void {
  const [yes, no] = [context.location(span), context.location(span)];
  fork(context, test, yes, no, span, false);
  context.here = yes;
  context.stop('cut', why, span);
  context.here = no;
}

/** In bytes; of a null pointer 0. */
function oldSize(context: Context, node: CallNode, pointer: Expr): Expr {
  const { pool } = context;
  const cell = context.temporary(node, ULONG, 'old size');
  const operation = { kind: 'assign' as const, cell, value: pool.const(NOT_OWNED, 64) };
  context.oldSizes.push({ operation, pointer });
  context.emit(operation, node.span);
  const size = pool.symbol(cell.id, 64);
  const why = "'realloc' of what was not allocated in these files is not modelled";
  cutIf(context, pool.eq(size, pool.const(NOT_OWNED, 64)), why, node.span);
  return size;
}

/** Fills in the sizes, when all that is allocated is known. */
export function tellOldSizes({ pool, oldSizes, allocations }: Context): void {
  for (const { operation, pointer } of oldSizes) {
    let size = pool.ite(pool.eq(pointer, pool.const(0n, 64)), pool.const(0n, 64), pool.const(NOT_OWNED, 64));
    for (const object of allocations.keys())
      size = pool.ite(pool.eq(pointer, pool.const(object.address, 64)), sizeIn(pool, object), size);
    (operation as { value: Expr }).value = size;
  }
}

/** In bytes. */
const sizeIn = (pool: Pool, { size, extent }: MemoryObject): Expr =>
  extent === undefined ? pool.const(size, 64) : pool.symbol(extent.id, 64);

/** Does something end there that lies within a part of the object? */
function splits({ pool }: Context, { type, cells, size: whole }: MemoryObject, size: Expr): Expr {
  const element = (type.kind === 'array' ? sizeOf(type.of) : whole) ?? 1;
  const rest = pool.binary('urem', size, pool.const(Math.max(1, element), 64));
  let found = pool.false;
  for (const { offset, width } of cells.values()) {
    if (offset >= element || width <= 8) continue;
    const after = pool.compare('ult', pool.const(offset, 64), rest);
    const before = pool.compare('ult', rest, pool.const(offset + bytesIn(width), 64));
    found = pool.or(found, pool.and(after, before));
  }
  return found;
}

/** What both have. The old one's end must not lie within a part. */
function copyParts(context: Context, node: CallNode, object: MemoryObject, old: Expr, size: Expr): void {
  const { pool } = context;
  const { span } = node;
  const own = sizeIn(pool, object);
  const isLarger = pool.compare('ule', own, size);
  if (object.wide) {
    const length = pool.ite(isLarger, own, size);
    copyBytes(context, node, pool.const(object.address, 64), old, length);
    return;
  }
  const why = "'realloc' of a part of a number is not modelled";
  cutIf(context, pool.and(pool.not(isLarger), splits(context, object, size)), why, span);
  const done = context.location(span);
  const end = (cell: { offset: number; width: number }) => cell.offset + bytesIn(cell.width);
  for (const cell of [...object.cells.values()].sort((a, b) => end(a) - end(b))) {
    const next = context.location(span);
    fork(context, pool.compare('ule', pool.const(end(cell), 64), size), next, done, span, false);
    context.here = next;
    const from = pool.binary('add', old, pool.const(cell.offset, 64));
    const site = context.memory.site(from, cell.width, span, !cell.mayBePointer);
    context.emit({ kind: 'assign', cell, value: pool.load(from, cell.width, site.id) }, span);
  }
  context.jump(done, span);
  context.here = done;
}
