// Reading and writing places: scalars, bit-fields within the stretch they lie in, records part by part.

import type { Span } from '../../source/source.ts';
import { bytesAt, spliced, touchedCells } from '../program/bytes.ts';
import { plain } from '../program/compatible.ts';
import type { Expr } from '../program/expr.ts';
import { type Cell, cellAt } from '../program/program.ts';
import {
  type BitRange,
  bitsType,
  type CType,
  INT,
  type IntType,
  isLongDouble,
  isScalar,
  leavesOf,
  pointerIn,
  type ScalarType,
  sameType,
  UINT,
  widthOf,
} from '../program/types.ts';
import { refuse } from '../text/codes.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import { openTail } from './long-double.ts';
import type { Place, Value } from './places.ts';
import { saved } from './values.ts';

/** Leaves of the records that may be copied as a whole. */
const MAX_COPY = 1024;

/** The value in a place; arrays and functions become pointers. */
export function read(context: Context, from: Place, span: Span): Value {
  const type = plain(from.type);
  const { address } = from;
  if (type.kind === 'array') return { type: pointerIn(context.sizes, type.of), expr: address };
  if (type.kind === 'function') return { type: pointerIn(context.sizes, type), expr: address };
  if (!isScalar(type)) return { type, expr: address };
  if (from.bits !== null && type.kind === 'int')
    return fromBits(context, type, from.bits, readScalar(context, address, from.bits.unit, span));
  const expr = readScalar(context, address, widthOf(type), span);
  return { type, expr: type.kind === 'pointer' ? context.pool.zext(expr, 64) : expr };
}

function readScalar(context: Context, address: Expr, width: number, span: Span): Expr {
  const { pool, memory } = context;
  const contents = (cell: Cell) => pool.symbol(cell.id, cell.width);
  if (address.op === 'const') {
    const cell = cellAt(memory.objects, address.value, width);
    if (cell !== null) return contents(cell);
    const bytes = bytesAt(pool, memory.objects, address.value, width, contents);
    if (bytes !== null) return bytes;
  }
  return pool.load(address, width, memory.site(address, width, span).id);
}

/** A bit-field counts as int where int holds its values; beyond that gcc computes in just its width. */
const typeOfBits = (type: IntType, bits: number): IntType =>
  bits < 32 || (bits === 32 && type.signed)
    ? INT
    : bits === 32
      ? UINT
      : bits === type.width
        ? type
        : bitsType(bits, type.signed);

/** The type of what is read there; arrays are not decayed. */
export const typeOfPlace = ({ type, bits }: Place): CType =>
  bits !== null && type.kind === 'int' ? typeOfBits(type, bits.width) : type;

/** A bit-field's value is int where int can hold it, whatever its declared type; bits outside of it do not count. */
function fromBits(context: Context, type: IntType, { width, shift, unit }: BitRange, expr: Expr): Value {
  const { pool } = context;
  const fitting = typeOfBits(type, width);
  const value = pool.trunc(pool.binary('lshr', expr, pool.const(shift, unit)), width);
  return { type: fitting, expr: context.pool.resize(value, fitting.width, type.signed) };
}

/** Writes a value that already has the place's type; the value now in the place. */
export function write(context: Context, to: Place, source: Value, span: Span): Value {
  if (to.type.kind === 'record') {
    copyRecord(context, to, source, span);
    return { type: to.type, expr: to.address };
  }
  if (!isScalar(to.type)) return context.wrongType('a scalar is needed', to.type, span);
  const width = widthOf(to.type);
  const converted = convert(context, source, to.type, span);
  // Among threads the value is what was written, whatever is in the place by now.
  const kept = context.threads === null ? converted : saved(context, span, converted, span);
  if (to.bits !== null) return writeBits(context, to, to.bits, kept.expr, span);
  writeScalar(context, to.address, width, stored(context, to.type, kept.expr), span);
  if (isLongDouble(to.type)) openTail(context, to.address, kept.expr, span);
  return context.threads === null ? read(context, to, span) : kept;
}

/** As it lies in memory. */
const stored = ({ pool }: Context, type: ScalarType, expr: Expr): Expr =>
  type.kind === 'pointer' ? pool.trunc(expr, widthOf(type)) : expr;

/** The other bits of the stretch stay as they are. */
function writeBits(context: Context, to: Place, range: BitRange, value: Expr, span: Span): Value {
  const { pool } = context;
  const { width, shift, unit } = range;
  const old = readScalar(context, to.address, unit, span);
  const bits = pool.zext(pool.trunc(value, width), unit);
  const kept = pool.binary('and', old, pool.const(~(((1n << BigInt(width)) - 1n) << BigInt(shift)), unit));
  const placed = pool.binary('shl', bits, pool.const(shift, unit));
  const whole = width === unit ? bits : pool.binary('or', kept, placed);
  writeScalar(context, to.address, unit, whole, span);
  return read(context, to, span);
}

function writeScalar(context: Context, address: Expr, width: number, expr: Expr, span: Span): void {
  const { pool, memory } = context;
  const touched = address.op === 'const' ? touchedCells(memory.objects, address.value, width) : null;
  if (touched === null || touched.length === 0) {
    context.emit({ kind: 'store', site: memory.site(address, width, span), address, value: expr }, span);
    return;
  }
  const [only, more] = touched;
  if (more === undefined && only!.address === address.value && only!.width === width) {
    context.emit({ kind: 'assign', cell: only!, value: expr }, span);
    return;
  }
  // The value may be made of what is written over: members of a union get the same bytes, one after the other.
  const value = context.temporary(span, bitsType(width), 'bytes');
  context.emit({ kind: 'assign', cell: value, value: expr }, span);
  for (const cell of touched) {
    const old = pool.symbol(cell.id, cell.width);
    const after = spliced(pool, cell, old, address.value, pool.symbol(value.id, width));
    context.emit({ kind: 'assign', cell, value: after }, span);
  }
}

/** GNU C: a transparent union takes what one of its members takes. */
function memberFor(type: CType, given: CType) {
  const members = type.kind === 'record' && type.record.union ? (type.record.fields ?? []) : [];
  const takes = (field: (typeof members)[0]) => field.bits === null && isScalar(field.type);
  return (
    members.find((field) => takes(field) && sameType(field.type, given)) ??
    members.find((field) => takes(field) && field.type.kind === 'pointer' && given.kind === 'pointer') ??
    null
  );
}

function copyRecord(context: Context, to: Place, source: Value, span: Span): void {
  const { pool } = context;
  if (source.type.kind !== 'record') {
    const member = memberFor(to.type, source.type);
    if (member === null) {
      context.wrongType('a struct is needed', source.type, span);
      return;
    }
    const address = pool.binary('add', to.address, pool.const(member.offset, 64));
    write(context, { type: member.type, address, bits: null }, source, span);
    return;
  }
  if (source.expr === to.address) return;
  const leaves = leavesOf(source.type, MAX_COPY);
  if (leaves === null)
    refuse('SPW5012', `copying a struct of more than ${MAX_COPY} parts is not supported`, span);
  for (const leaf of leaves) {
    const shift = (base: Expr) => pool.binary('add', base, pool.const(leaf.offset, 64));
    const part = read(context, { type: leaf.type, address: shift(source.expr), bits: null }, span);
    writeScalar(context, shift(to.address), widthOf(leaf.type), stored(context, leaf.type, part.expr), span);
  }
}
