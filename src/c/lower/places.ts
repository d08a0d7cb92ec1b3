// Places (lvalues), reading and writing them, conversions between types.

import type { Span } from '../../source/source.ts';
import { bytesAt, spliced, touchedCells } from '../program/bytes.ts';
import type { Expr } from '../program/expr.ts';
import type { Cell } from '../program/program.ts';
import { cellAt } from '../program/program.ts';
import type { BitRange, CType, IntType, ScalarType } from '../program/types.ts';
import {
  bitsType,
  findField,
  holdsFloats,
  INT,
  isScalar,
  leavesOf,
  pointerIn,
  sameType,
  sizeOf,
  UINT,
  widthOf,
} from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { refuse } from '../text/codes.ts';
import type { Context, FunctionEntity } from './context.ts';
import { typeNamed } from './declare.ts';
import { convertFloat } from './floats.ts';
import { completed, initialise } from './initial.ts';
import { elementOfString, stringLiteral } from './literals.ts';
import { FIRST_ADDRESS } from './memory.ts';
import { hasEffects, saved, value } from './values.ts';

export interface Place {
  readonly type: CType;
  readonly address: Expr;
  readonly bits: BitRange | null;
}

/** A value: a scalar, or a record by where it lies. Void has no expression that matters. */
export interface Value {
  readonly type: CType;
  readonly expr: Expr;
}

/** Leaves of the records that may be copied as a whole. */
const MAX_COPY = 1024;

export function place(context: Context, node: Expression): Place {
  const { pool } = context;
  switch (node.kind) {
    case 'name': {
      const entity = context.scope.find(node.name);
      if (entity?.kind === 'object' && context.sizeless.has(entity.object))
        return refuse(
          'SPW5012',
          `'${node.name}', whose size no declaration before its use tells, is not supported`,
          node.span,
        );
      if (entity?.kind === 'object') return at(context, entity.type, entity.object.address);
      if (entity?.kind === 'array')
        return {
          type: { kind: 'array', of: entity.of, length: null },
          address: pool.symbol(entity.pointer.id, 64),
          bits: null,
        };
      if (entity?.kind === 'function')
        return { type: entity.type, address: functionAddress(context, entity), bits: null };
      return refuse('SPW5010', `there is no variable '${node.name}'`, node.span);
    }
    case 'unary': {
      if (node.op !== '*') break;
      const pointer = value(context, node.arg);
      if (pointer.type.kind !== 'pointer')
        return context.wrongType('a pointer is needed', pointer.type, node.span);
      return { type: pointer.type.to, address: pointer.expr, bits: null };
    }
    case 'member': {
      const object = node.arrow ? pointedTo(context, node.object) : recordPlace(context, node.object);
      if (object.type.kind !== 'record')
        return context.wrongType('a struct is needed', object.type, node.span);
      const field = findField(object.type.record, node.name);
      if (field === null)
        return refuse('SPW5010', `'${object.type.record.tag}' has no field '${node.name}'`, node.span);
      return {
        type: field.type,
        address: pool.binary('add', object.address, pool.const(field.offset, 64)),
        bits: field.bits,
      };
    }
    case 'index':
      return element(context, node);
    case 'string':
      return stringPlace(context, node);
    case 'literal': {
      const type = completed(context, typeNamed(context, node.type), node.value);
      const object = context.frameObject(node, 'literal', () =>
        context.memory.object('(literal)', 'temporary', type),
      );
      const target = at(context, type, object.address);
      initialise(context, target, node.value);
      return target;
    }
    case 'call':
    case 'assign':
    case 'conditional':
    case 'statements':
    case 'generic':
    case 'cast':
    case 'comma': {
      const result = value(context, node);
      if (result.type.kind === 'record') return { type: result.type, address: result.expr, bits: null };
      break;
    }
  }
  return refuse('SPW5011', 'this does not denote a place in memory', node.span);
}

export const at = (context: Context, type: CType, address: bigint): Place => ({
  type,
  address: context.pool.const(address, 64),
  bits: null,
});

function pointedTo(context: Context, node: Expression): Place {
  const pointer = value(context, node);
  if (pointer.type.kind !== 'pointer')
    return context.wrongType('a pointer is needed', pointer.type, node.span);
  return { type: pointer.type.to, address: pointer.expr, bits: null };
}

const recordPlace = (context: Context, node: Expression): Place => place(context, node);

function element(context: Context, node: Extract<Expression, { kind: 'index' }>): Place {
  const { pool } = context;
  let array = value(context, node.array);
  if (hasEffects(node.index)) array = saved(context, node, array, node.span);
  let index = value(context, node.index);
  if (array.type.kind === 'int') [array, index] = [index, array];
  if (array.type.kind !== 'pointer') return context.wrongType('an array is needed', array.type, node.span);
  if (index.type.kind !== 'int')
    return context.wrongType('an index is a whole number', index.type, node.span);
  const size = sizeOf(array.type.to);
  if (size === null) return refuse('SPW5011', 'the elements of this array have no size', node.span);
  const wide = pool.resize(index.expr, 64, index.type.signed);
  const offset = pool.binary('mul', wide, pool.const(size, 64));
  return { type: array.type.to, address: pool.binary('add', array.expr, offset), bits: null };
}

function stringPlace(context: Context, node: Extract<Expression, { kind: 'string' }>): Place {
  const bytes = stringLiteral(node.text, node.span);
  const element = elementOfString(node.text);
  const type: CType = { kind: 'array', of: element, length: bytes.length };
  const size = element.width / 8;
  const object = context.frameObject(node, 'string', () => {
    const made = context.memory.object('"…"', 'string', type, true);
    const raw = new Uint8Array(bytes.length * size);
    bytes.forEach((unit, i) => {
      for (let k = 0; k < size; k++) raw[i * size + k] = (unit >> (8 * k)) & 255;
    });
    context.initialBytes.set(made.id, raw);
    for (const cell of made.cells.values())
      context.initial.set(cell.id, context.pool.const(bytes[cell.offset / size]!, element.width));
    return made;
  });
  return at(context, type, object.address);
}

/** Static functions of two files may have the same name, so the name alone does not tell which one is meant. */
export function functionAddress(context: Context, entity: FunctionEntity): Expr {
  let object = context.functionObjects.get(entity);
  if (object === undefined) {
    object = context.memory.object(entity.name, 'function', { kind: 'void' });
    context.functionObjects.set(entity, object);
  }
  return context.pool.const(object.address, 64);
}

/** The value in a place; arrays and functions become pointers. */
export function read(context: Context, from: Place, span: Span): Value {
  const { type, address } = from;
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

function copyRecord(context: Context, to: Place, source: Value, span: Span): void {
  const { pool } = context;
  if (source.type.kind !== 'record') {
    context.wrongType('a struct is needed', source.type, span);
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

/** A value as another scalar type: cut, extended, or made a truth value. */
export function convert(context: Context, source: Value, type: ScalarType, span: Span): Value {
  const from = source.type;
  const { pool } = context;
  if (from.kind === 'record' || from.kind === 'void')
    return context.wrongType('a scalar value is needed', from, span);
  if (!isScalar(from)) return context.wrongType('a scalar value is needed', from, span);
  if (from.kind === 'float' || type.kind === 'float') {
    if (sameType(from, type)) return { type, expr: source.expr };
    return convertFloat(context, source, type, span);
  }
  if (type.kind === 'int' && type.name === '_Bool')
    return { type, expr: pool.number(pool.test(source.expr), 8) };
  if (type.kind === 'pointer' && from.kind === 'int') {
    // A number that was no address is given to a thread and comes back as a number: the machine of threads computes with addresses.
    if (source.expr.op === 'const' || context.threads !== null)
      return { type, expr: pool.zext(pool.resize(source.expr, widthOf(type), from.signed), 64) };
    return {
      type,
      expr: context.unknown(span, type, 'a pointer made from a number is taken as any pointer', span),
    };
  }
  if (type.kind === 'int' && from.kind === 'pointer') {
    if (source.expr.op === 'const' && source.expr.value === 0n)
      return { type, expr: pool.const(0n, type.width) };
    if (context.threads !== null) return numberOfPointer(context, source, type, span);
    const expr = context.unknown(span, type, 'a number made from a pointer is taken as any number', span);
    // Whoever gets the number may make the pointer again: what it points to can be reached from outside.
    const cell = context.temporary(span, from, 'address');
    context.emit({ kind: 'assign', cell, value: source.expr }, span);
    return { type, expr };
  }
  if (from.kind === 'pointer') {
    if (type.kind === 'pointer' && holdsFloats(from.to) && !sameType(from.to, type.to))
      context.seesFloatBits();
    return { type, expr: source.expr };
  }
  return { type, expr: pool.resize(source.expr, widthOf(type), from.signed) };
}

/** Among threads: exact where it is no address. */
function numberOfPointer(
  context: Context,
  { expr: written, type: from }: Value,
  type: IntType,
  span: Span,
): Value {
  const { pool } = context;
  const { expr } = saved(context, span, { type: from, expr: written }, span);
  const isAddress = pool.compare('ule', pool.const(FIRST_ADDRESS, 64), expr);
  const start = context.here;
  if (start !== null && isAddress !== pool.false) {
    context.emit({ kind: 'assume', test: isAddress, branch: null }, span);
    context.stop('cut', 'a number made from an address is not modelled', span);
    context.here = start;
    context.emit({ kind: 'assume', test: pool.not(isAddress), branch: null }, span);
  }
  return { type, expr: pool.resize(expr, type.width, false) };
}

export const intValue = (context: Context, test: Expr): Value => ({
  type: INT,
  expr: context.pool.number(test, 32),
});
