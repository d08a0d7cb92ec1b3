// Reading and writing places: scalars, bit-fields within the stretch they lie in, records part by part.

import type { Span } from '../../source/source.ts';
import { bytesAt, spliced, touchedCells } from '../program/bytes.ts';
import { plain } from '../program/compatible.ts';
import { type Expr, symbolNumber } from '../program/expr.ts';
import { type Cell, cellAt, ownerAt, type Part, type Site } from '../program/program.ts';
import { leavesOf, widestOf } from '../program/type-parts.ts';
import {
  type BitRange,
  bitsType,
  type CType,
  INT,
  type IntType,
  isLongDouble,
  isScalar,
  notAtomic,
  pointerIn,
  type ScalarType,
  sameType,
  UINT,
  widthOf,
} from '../program/types.ts';
import { refuse } from '../text/codes.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import { openGaps } from './gaps.ts';
import { openTail } from './long-double.ts';
import type { Place, Value } from './places.ts';
import { touch } from './touches.ts';
import { saved } from './values.ts';

/** Leaves of the records that may be copied as a whole. */
const MAX_COPY = 1024;

/** The value in a place; arrays and functions become pointers. */
export function read(context: Context, from: Place, span: Span): Value {
  const type = plain(from.type);
  const { address } = from;
  const { within } = from;
  if (type.kind === 'array') return { type: pointerIn(context.sizes, type.of), expr: address, within };
  if (type.kind === 'function') return { type: pointerIn(context.sizes, type), expr: address };
  if (!isScalar(type)) return { type, expr: address };
  if (from.bits !== null && type.kind === 'int') {
    touchLocation(context, address, from.bits, false, span);
    const unit = asNumber(context, readScalar(context, address, from.bits.unit, span), span);
    return fromBits(context, type, from.bits, unit);
  }
  const isPointer = type.kind === 'pointer';
  const expr = readScalar(context, address, widthOf(type), span, { isPointer, atomic: type.atomic, within });
  return { type, expr: isPointer ? context.pool.zext(expr, 64) : asNumber(context, expr, span) };
}

/** Of bytes that may be an address, read as a number: a copy, of which address-numbers.ts knows that it is a number. */
function asNumber(context: Context, expr: Expr, span: Span): Expr {
  const { pool, memory } = context;
  if (!expr.symbols.some((symbol) => isPointerCell(memory.cells[symbolNumber(symbol)]))) return expr;
  // A predicate of a specification, which makes no steps: what its loads mean is looked at there.
  if (context.constantMode && expr.op === 'load') return expr;
  const copy = context.temporary({}, bitsType(expr.width), 'number');
  context.emit({ kind: 'assign', cell: copy, value: expr }, span);
  return pool.symbol(copy.id, copy.width);
}

const isPointerCell = (cell: Cell | undefined): boolean => cell?.mayBePointer === true;

/** Among threads it counts whether an access is atomic: one that isn't what the variable is declared to be goes by its address. */
const isLike = ({ threads }: Context, { type }: Cell, atomic: true | undefined): boolean =>
  threads === null || type.atomic === atomic;

/** What writes to a constant beside its initialiser goes by the address, too: it is undefined. */
const mayChange = ({ initialised }: Context, { object }: Cell): boolean =>
  !object.constant || object === initialised;

interface Access {
  readonly isPointer?: boolean;
  readonly atomic?: true | undefined;
  readonly within?: Part | undefined;
}

function siteFor(
  { memory }: Context,
  address: Expr,
  width: number,
  span: Span,
  { isPointer, atomic, within }: Access,
): Site {
  const site = memory.site(address, width, span, isPointer !== true, within);
  if (atomic === true) site.atomic = true;
  return site;
}

function readScalar(context: Context, address: Expr, width: number, span: Span, access: Access = {}): Expr {
  const { pool, memory } = context;
  const contents = (cell: Cell) => pool.symbol(cell.id, cell.width);
  if (address.op === 'const') {
    const cell = cellAt(memory.objects, address.value, width);
    const constant =
      cell === null || context.constantMode ? undefined : context.constantParameters.get(cell.id);
    if (constant !== undefined) return constant;
    if (cell !== null && isLike(context, cell, access.atomic)) return contents(cell);
    const bytes = cell === null ? bytesAt(pool, memory.objects, address.value, width, contents) : null;
    if (bytes !== null) return bytes;
  }
  const load = pool.load(address, width, siteFor(context, address, width, span, access).id);
  context.loads.add(load);
  return load;
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

/** For what is both written and read: writing must not change which place is meant (`a[a[0]] = 5`). */
export const settled = (context: Context, key: unknown, place: Place, span: Span): Place => ({
  ...place,
  address: context.settled(key, place.address, span, 'place'),
});

/** Writes a value that already has the place's type; the value now in the place, which must be settled for whoever uses it. */
export function write(context: Context, to: Place, source: Value, span: Span): Value {
  if (to.type.kind === 'record') {
    copyRecord(context, to, source, span);
    return { type: to.type, expr: to.address };
  }
  if (!isScalar(to.type)) return context.wrongType('a scalar is needed', to.type, span);
  const width = widthOf(to.type);
  const converted = convert(context, source, to.type, span);
  // Among threads the value is what was written, whatever is in the place by now; a long double is written in two steps.
  const isKept = context.threads !== null || isLongDouble(to.type);
  const kept = isKept ? saved(context, span, converted, span) : converted;
  if (to.bits !== null) return writeBits(context, to, to.bits, kept.expr, span);
  writeScalar(context, to.address, width, stored(context, to.type, kept.expr), span, {
    atomic: to.type.atomic,
    within: to.within,
  });
  if (isLongDouble(to.type)) openTail(context, to.address, kept.expr, span);
  return context.threads === null ? readBack(context, to, span) : kept;
}

/** What was just written. Whoever does not want it does not read it. */
function readBack(context: Context, to: Place, span: Span): Value {
  const before = context.loads.made;
  const result = read(context, to, span);
  context.loads.forget(before);
  return result;
}

/** As it lies in memory. */
const stored = ({ pool }: Context, type: ScalarType, expr: Expr): Expr =>
  type.kind === 'pointer' ? pool.trunc(expr, widthOf(type)) : expr;

/** Bit-fields of one memory location are used together (C11 3.14), whatever bytes they lie in. */
function touchLocation(
  context: Context,
  address: Expr,
  { shared }: BitRange,
  writes: boolean,
  span: Span,
): void {
  if (shared === undefined) return;
  const { pool } = context;
  const start = pool.binary('add', address, pool.const(-shared.before, 64));
  touch(context, start, pool.const(shared.bytes, 64), writes, span);
}

/** The other bits of the stretch stay as they are. */
function writeBits(context: Context, to: Place, range: BitRange, value: Expr, span: Span): Value {
  const { pool } = context;
  const { width, shift, unit } = range;
  touchLocation(context, to.address, range, true, span);
  const old = readScalar(context, to.address, unit, span);
  const bits = pool.zext(pool.trunc(value, width), unit);
  const kept = pool.binary('and', old, pool.const(~(((1n << BigInt(width)) - 1n) << BigInt(shift)), unit));
  const placed = pool.binary('shl', bits, pool.const(shift, unit));
  const whole = width === unit ? bits : pool.binary('or', kept, placed);
  writeScalar(context, to.address, unit, whole, span);
  if (context.threads === null || to.type.kind !== 'int') return readBack(context, to, span);
  return fromBits(context, to.type, { ...range, shift: 0 }, bits);
}

export function writeScalar(
  context: Context,
  address: Expr,
  width: number,
  expr: Expr,
  span: Span,
  access: Access = {},
): void {
  const { pool, memory } = context;
  const touched = address.op === 'const' ? touchedCells(memory.objects, address.value, width) : null;
  const isPlain = (cell: Cell): boolean => isLike(context, cell, access.atomic) && mayChange(context, cell);
  if (touched === null || touched.length === 0 || !touched.every(isPlain)) {
    const site = siteFor(context, address, width, span, access);
    context.emit({ kind: 'store', site, address, value: expr }, span);
    return;
  }
  const [only, more] = touched;
  if (more === undefined && only!.address === address.value && only!.width === width) {
    context.emit({ kind: 'assign', cell: only!, value: expr }, span);
    return;
  }
  // The value may be made of what is written over: members of a union get the same bytes, one after the other.
  const value = isNumber(context, expr) ? expr : keptBytes(context, expr, span);
  for (const cell of touched) {
    const old = pool.symbol(cell.id, cell.width);
    const after = spliced(pool, cell, old, address.value, value);
    context.emit({ kind: 'assign', cell, value: after }, span);
  }
}

/** Parts of an address could not be told from numbers. */
const isNumber = ({ memory }: Context, { op, value }: Expr): boolean =>
  op === 'const' && ownerAt(memory.objects, value) === null;

function keptBytes(context: Context, expr: Expr, span: Span): Expr {
  const kept = context.temporary(span, bitsType(expr.width), 'bytes');
  context.emit({ kind: 'assign', cell: kept, value: expr }, span);
  return context.pool.symbol(kept.id, kept.width);
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
  const copied = context.threads === null ? widestOf(leaves) : leaves;
  // Both are found before the first part is written: `*node = *node->next`.
  const settledFor = (address: Expr, purpose: string) =>
    copied.length > 1 ? context.settled(span, address, span, purpose) : address;
  const [from, into] = [settledFor(source.expr, 'from'), settledFor(to.address, 'into')];
  for (const leaf of copied) {
    const shift = (base: Expr) => pool.binary('add', base, pool.const(leaf.offset, 64));
    const part = read(context, { type: notAtomic(leaf.type), address: shift(from), bits: null }, span);
    const kept = isLongDouble(leaf.type) ? saved(context, leaf, part, span) : part;
    writeScalar(context, shift(into), widthOf(leaf.type), stored(context, leaf.type, kept.expr), span);
    if (isLongDouble(leaf.type)) openTail(context, shift(into), kept.expr, span);
  }
  openGaps(context, into, source.type, leaves, span);
}
