// memset, memcpy, memmove: part by part where the length is a constant that means whole parts, byte by byte in a loop elsewhere.

import type { Expr } from '../program/expr.ts';
import { gapsBetween } from '../program/padding.ts';
import { objectAt } from '../program/program.ts';
import { holdsFloats, leavesOf, widestOf } from '../program/type-parts.ts';
import {
  BOOL,
  type CType,
  computedWidth,
  INT,
  notAtomic,
  pointerTo,
  type ScalarType,
  sameType,
  sizeOf,
  UCHAR,
  ULONG,
  VOID,
  widthOf,
} from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { read, write } from './access.ts';
import { args } from './call-values.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import { dropped } from './dropped.ts';
import { forGap, type GapWrite, gapWrite } from './gaps.ts';
import type { Value } from './places.ts';
import { saved } from './values.ts';

type CallNode = Extract<Expression, { kind: 'call' }>;

export function fillMemory(context: Context, name: string, node: CallNode): Value | null {
  const { pool } = context;
  const types = [null, name === 'memset' ? INT : null, context.sizes.size];
  const [to, from, size] = args(context, node, types);
  if (to === undefined || from === undefined || size === undefined) return null;
  // What is written must change neither the place nor the value.
  const target = { ...to, expr: context.settled(node, to.expr, node.span, 'target') };
  const source =
    name === 'memset'
      ? saved(context, node.args, from, node.span)
      : { ...from, expr: context.settled(node.args, from.expr, node.span, 'source') };
  const seen = (value: Value): boolean => value.type.kind === 'pointer' && holdsFloats(value.type.to);
  if (name !== 'memset' && (seen(target) || seen(source)) && !sameType(target.type, source.type))
    context.seesFloatBits();
  if (name === 'memcpy') mustBeApart(context, target.expr, source.expr, size.expr, node);
  const length = size.expr.op === 'const' ? Number(size.expr.value) : null;
  if (name !== 'memset' && length !== null && length > 0) reachesEnd(context, source, length, node);
  const parts = length === null ? null : partsUpTo(context, target, length);
  const leaves = parts === null || context.threads !== null ? parts : widestOf(parts);
  if (leaves === null || target.type.kind !== 'pointer') {
    byBytes(context, name, node, [target, source, size]);
    return { type: pointerTo(VOID), expr: target.expr };
  }
  const placeAt = (base: Expr, leaf: Part) => ({
    type: notAtomic(leaf.type),
    bits: null,
    address: pool.binary('add', base, pool.const(leaf.offset, 64)),
  });
  const partOf = (leaf: Part, i: number): Value => {
    if (name !== 'memset') {
      // All is read before anything is written: the two may overlap.
      const cell = context.temporary(node, leaf.type, `part ${i}`);
      const part = read(context, placeAt(source.expr, leaf), node.span);
      context.emit({ kind: 'assign', cell, value: part.expr }, node.span);
      return { type: leaf.type, expr: pool.symbol(cell.id, cell.width) };
    }
    const byte = pool.trunc(source.expr, 8);
    return {
      type: leaf.type,
      expr: pool.zext(repeated(context, byte, widthOf(leaf.type)), computedWidth(leaf.type)),
    };
  };
  const values: Value[] = [];
  for (const [i, leaf] of leaves.entries()) forPart(context, leaf, () => values.push(partOf(leaf, i)));
  for (const [i, leaf] of leaves.entries())
    forPart(context, leaf, () => write(context, placeAt(target.expr, leaf), values[i]!, node.span));
  return { type: pointerTo(VOID), expr: target.expr };
}

/** What `memcpy` copies must not overlap where it is put. To its own place it is copied by compilers themselves: that is let pass. */
function mustBeApart(context: Context, to: Expr, from: Expr, length: Expr, node: CallNode): void {
  const { pool } = context;
  const isFar = (a: Expr, b: Expr) => pool.compare('ule', pool.zext(length, 64), pool.binary('sub', a, b));
  const isApart = pool.or(pool.eq(to, from), pool.and(isFar(to, from), isFar(from, to)));
  const why = 'memcpy between places that overlap is undefined';
  if (isApart !== pool.true) context.emit({ kind: 'defined', test: isApart, why }, node.span);
}

interface Part {
  readonly offset: number;
  readonly type: ScalarType;
  /** A byte between the members. */
  readonly gap?: GapWrite;
}

function forPart(context: Context, { gap }: Part, work: () => unknown): void {
  if (gap === undefined) work();
  else forGap(context, gap, work);
}

/** The scalar parts of the first bytes behind a pointer, when the length is exactly that of whole parts. */
function partsUpTo(context: Context, target: Value, length: number): Part[] | null {
  if (target.type.kind !== 'pointer') return null;
  const { objects } = context.memory;
  const object = target.expr.op === 'const' ? objectAt(objects, target.expr.value) : null;
  if (object !== null) {
    const from = Number(target.expr.value - object.address);
    const parts = [...object.cells.values()]
      .filter((cell) => cell.offset + cell.width / 8 > from && cell.offset < from + length)
      .map((cell) => ({ offset: cell.offset - from, type: asBytes(cell.type) }));
    const covered = parts.every(({ offset, type }) => offset >= 0 && offset + widthOf(type) / 8 <= length);
    return object.wide || from + length > object.size || !covered ? null : parts;
  }
  const element = target.type.to;
  const bytes = sizeOf(element);
  if (bytes === null || bytes === 0 || length % bytes !== 0 || length / bytes > 64) return null;
  const leaves = leavesOf({ kind: 'array', of: element, length: length / bytes }, 256);
  if (leaves === null) return null;
  const gaps = gapsBetween(leaves, length).map(
    (offset): Part => ({ offset, type: UCHAR as ScalarType, gap: gapWrite(context, element) }),
  );
  return [...leaves.map(({ offset, type }) => ({ offset, type: asBytes(type) })), ...gaps];
}

/** What lies in a _Bool is copied, not made 0 or 1. */
const asBytes = (type: ScalarType): ScalarType =>
  type.kind === 'int' && type.name === BOOL.name
    ? { ...UCHAR, ...(type.atomic ? { atomic: type.atomic } : {}) }
    : type;

function repeated(context: Context, byte: Expr, width: number): Expr {
  const { pool } = context;
  let result = pool.zext(byte, width);
  for (let i = 8; i < width; i += 8)
    result = pool.binary('or', result, pool.binary('shl', pool.zext(byte, width), pool.const(i, width)));
  return result;
}

/** Of different objects. */
export const copyBytes = (
  context: Context,
  node: CallNode,
  target: Expr,
  source: Expr,
  length: Expr,
): void => {
  const type = pointerTo(UCHAR);
  const [to, from] = [target, source].map((expr) => ({ type, expr })) as [Value, Value];
  byBytes(context, 'memcpy', node, [to, from, { type: ULONG, expr: length }]);
};

/** The two may overlap: upwards where the target lies below the source, else downwards. Between different objects either will do. */
function byBytes(
  context: Context,
  name: string,
  node: CallNode,
  [target, source, size]: readonly [Value, Value, Value],
): void {
  const { pool } = context;
  const { span } = node;
  const kept = (value: Value, key: string): Expr => {
    const cell = context.temporary(node, value.type as ScalarType, key);
    context.emit({ kind: 'assign', cell, value: value.expr }, span);
    return pool.symbol(cell.id, cell.width);
  };
  const to = kept(target, 'to');
  const from = name === 'memset' ? source.expr : kept(source, 'from');
  const length = pool.zext(kept(size, 'length'), 64);
  const done = context.temporary(node, ULONG, 'done');
  const count = pool.symbol(done.id, 64);
  context.emit({ kind: 'assign', cell: done, value: pool.const(0n, 64) }, span);
  const [head, body, end] = [0, 1, 2].map(() => context.location(span)) as [number, number, number];
  context.jump(head, span);
  context.here = head;
  fork(context, pool.compare('ult', count, length), body, end, span, false);
  context.here = body;
  const last = pool.binary('sub', pool.binary('sub', length, pool.const(1n, 64)), count);
  const isUp = name === 'memset' ? pool.true : pool.compare('ule', to, from);
  const offset = pool.ite(isUp, count, last);
  const byteAt = (base: Expr) => ({
    type: UCHAR as CType,
    address: pool.binary('add', base, offset),
    bits: null,
  });
  const byte =
    name === 'memset'
      ? { type: UCHAR as CType, expr: pool.trunc(from, 8) }
      : read(context, byteAt(from), span);
  write(context, byteAt(to), byte, span);
  context.emit({ kind: 'assign', cell: done, value: pool.binary('add', count, pool.const(1n, 64)) }, span);
  context.jump(head, span);
  context.here = end;
}

/** All bytes are read, also those that lie where the target has none to put them. */
function reachesEnd(context: Context, source: Value, length: number, node: CallNode): void {
  const { pool, memory } = context;
  const object = source.expr.op === 'const' ? objectAt(memory.objects, source.expr.value) : null;
  if (object !== null && object.extent === undefined) {
    const isInside = source.expr.value + BigInt(length) <= object.address + BigInt(object.size);
    const why = `a read outside of '${object.name}' is undefined`;
    if (!isInside) context.emit({ kind: 'defined', test: pool.false, why }, node.span);
    return;
  }
  // Where there may be padding, whoever reads it sees any value: only bytes are looked at.
  if (source.type.kind !== 'pointer' || sizeOf(source.type.to) !== 1) return;
  const address = pool.binary('add', source.expr, pool.const(length - 1, 64));
  dropped(context, node, read(context, { type: UCHAR, address, bits: null }, node.span));
}
