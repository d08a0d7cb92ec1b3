// Initialisers: what they write, to locals as the program runs and to globals before it starts. What is not mentioned is zero.

import type { Span } from '../../source/source.ts';
import { type Expr, symbolNumber } from '../program/expr.ts';
import type { MemoryObject } from '../program/program.ts';
import { cellKey, objectAt } from '../program/program.ts';
import type { Leaf } from '../program/type-parts.ts';
import { leavesOf } from '../program/type-parts.ts';
import type { BitRange, CType, ScalarType } from '../program/types.ts';
import { bytesIn, computedWidth, isScalar, widthOf } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { refuse } from '../text/codes.ts';
import { write } from './access.ts';
import { copied } from './call-values.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import { type Assignment, flatten, MAX_WRITES } from './initial-parts.ts';
import type { Place, Value } from './places.ts';
import { saved, value } from './values.ts';

/** Emits the writes of a local variable's initialiser. */
export function initialise(
  context: Context,
  target: Place,
  source: Expression,
  span: Span = source.span,
): void {
  const { initialised } = context;
  const { address } = target;
  context.initialised = address.op === 'const' ? objectAt(context.memory.objects, address.value) : null;
  try {
    initialiseParts(context, target, source, span);
  } finally {
    context.initialised = initialised;
  }
}

function initialiseParts(context: Context, target: Place, source: Expression, span: Span): void {
  if (source.kind !== 'list' && !(target.type.kind === 'array' && source.kind === 'string')) {
    if (source.kind === 'call') context.expectPointee(target.type);
    write(context, target, value(context, source), span);
    return;
  }
  const { assignments, open } = flatten(context, target.type, source, false);
  const zeros = leavesOf(target.type, MAX_WRITES);
  if (zeros === null)
    refuse('SPW5012', `an initialiser of more than ${MAX_WRITES} parts is not supported`, source.span);
  const covered = new Set(
    assignments.flatMap(({ type, bits, offset }) =>
      isScalar(type) && bits === null ? [cellKey(offset, widthOf(type))] : [],
    ),
  );
  const { pool } = context;
  const placeAt = (offset: number, type: CType, bits: BitRange | null): Place => ({
    type,
    bits,
    address: pool.binary('add', target.address, pool.const(offset, 64)),
  });
  const isOpen = ({ offset, type }: Pick<Leaf, 'offset' | 'type'>): boolean =>
    open.size > 0 && [...Array(widthOf(type) / 8).keys()].some((i) => open.has(offset + i));
  if (zeros.some(isOpen)) openParts(context, target, isOpen, source.span);
  for (const leaf of zeros)
    if (!covered.has(cellKey(leaf.offset, widthOf(leaf.type))) && !isOpen(leaf))
      write(
        context,
        placeAt(leaf.offset, leaf.type, null),
        { type: leaf.type, expr: pool.const(0n, computedWidth(leaf.type)) },
        source.span,
      );
  const given = computedOnce(context, assignments);
  for (const { offset, type, bits, source: part } of assignments) {
    const result =
      typeof part === 'number'
        ? { type: type as ScalarType, expr: pool.const(part, computedWidth(type as ScalarType)) }
        : given(part);
    write(context, placeAt(offset, type, bits), result, source.span);
  }
}

/** What is given to a range of elements (`[0 ... 3] = f()`) is computed for the first of them, and kept for the others (gcc). */
function computedOnce(context: Context, assignments: readonly Assignment[]): (part: Expression) => Value {
  const [seen, again] = [new Set<Expression>(), new Set<Expression>()];
  for (const { source } of assignments)
    if (typeof source !== 'number') (seen.has(source) ? again : seen).add(source);
  const known = new Map<Expression, Value>();
  return (part) => {
    const given = known.get(part) ?? value(context, part);
    if (!again.has(part) || known.has(part)) return given;
    const keep = given.type.kind === 'record' ? copied : saved;
    const kept = keep(context, part, given, part.span);
    known.set(part, kept);
    return kept;
  };
}

/** Other members of unions hold anything where the one with a value has its gaps. */
function openParts(
  context: Context,
  { address }: Place,
  isOpen: (part: Pick<Leaf, 'offset' | 'type'>) => boolean,
  span: Span,
): void {
  const place = address.op === 'const' ? address.value : 0n;
  const object = objectAt(context.memory.objects, place);
  if (object === null) throw new Error('impossible: a variable without a place');
  const start = Number(place - object.address);
  const cells = [...object.cells.values()].filter(({ offset, type }) =>
    isOpen({ offset: offset - start, type }),
  );
  const why = 'C leaves open what an initialiser puts between the members of a struct';
  context.emit(
    { kind: 'havoc', cells, why, exact: false, ...(object.wide ? { objects: [object] } : {}) },
    span,
  );
}

/** Only where the program has not begun yet: any number is put there then. */
const isNumberOfAddress = (context: Context, expr: Expr): boolean =>
  !context.hasBegun &&
  expr.symbols.length > 0 &&
  !expr.hasLoad &&
  expr.symbols.every((symbol) => context.addressNumbers.has(symbolNumber(symbol)));

function openInitial(context: Context, object: MemoryObject, offset: number, width: number): void {
  const cells = [...object.cells.values()].filter(
    (cell) => cell.offset < offset + width / 8 && offset < cell.offset + bytesIn(cell.width),
  );
  context.openInitials.push({ object, cells });
}

/** Sets the initial values of a global: all must be constants. */
export function initialiseGlobal(
  context: Context,
  object: MemoryObject,
  type: CType,
  source: Expression | null,
): void {
  const bytes = new Uint8Array(object.size);
  let end = 0;
  const set = (offset: number, width: number, bits: bigint) => {
    end = Math.max(end, offset + width / 8);
    for (let i = 0; i < width / 8; i++) bytes[offset + i] = Number((bits >> BigInt(8 * i)) & 255n);
  };
  const read = (offset: number, width: number): bigint => {
    let result = 0n;
    for (let i = width / 8 - 1; i >= 0; i--) result = (result << 8n) | BigInt(bytes[offset + i]!);
    return result;
  };
  for (const { offset, type: part, bits, source: from } of source === null
    ? []
    : flatten(context, type, source, true).assignments) {
    if (!isScalar(part)) refuse('SPW5012', 'this initialiser is not supported', source!.span);
    const width = widthOf(part);
    let number: bigint;
    if (typeof from === 'number') number = BigInt(from);
    else {
      const result = context.constantly(() => convert(context, value(context, from), part, from.span));
      const isOpen = isNumberOfAddress(context, result.expr);
      if (result.expr.op !== 'const' && !isOpen)
        refuse('SPW5015', 'the initial value of a global must be a constant', from.span);
      if (isOpen) openInitial(context, object, offset, width);
      number = isOpen ? 0n : result.expr.value;
    }
    if (bits === null) set(offset, width, number);
    else {
      const old = read(offset, bits.unit);
      const mask = ((1n << BigInt(bits.width)) - 1n) << BigInt(bits.shift);
      set(offset, bits.unit, (old & ~mask) | ((number << BigInt(bits.shift)) & mask));
    }
  }
  // Some more: a number may be read that ends behind the last one.
  context.initialBytes.set(object.id, bytes.subarray(0, end + 8));
  // From the bytes, so that members of a union agree on them.
  const open = new Set(
    context.openInitials.filter((one) => one.object === object).flatMap((one) => one.cells),
  );
  if (open.size === 0 && context.openInitials.some((one) => one.object === object))
    context.initialBytes.delete(object.id);
  for (const cell of object.cells.values())
    if (open.has(cell)) context.initial.delete(cell.id);
    else context.initial.set(cell.id, context.pool.const(read(cell.offset, cell.width), cell.width));
}
