// Initialisers: lists with and without designators and inner braces, strings for arrays of characters. What is not mentioned is zero.

import type { Span } from '../../source/source.ts';
import type { MemoryObject } from '../program/program.ts';
import { cellKey } from '../program/program.ts';
import type { BitRange, CType, ScalarType } from '../program/types.ts';
import { computedWidth, findField, isScalar, leavesOf, sizeOf, widthOf } from '../program/types.ts';
import type { Expression, InitializerItem, Step } from '../syntax/ast.ts';
import { refuse } from '../text/codes.ts';
import { hasCompileTime } from '../text/predefined.ts';
import { write } from './access.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import { stringLiteral } from './literals.ts';
import { type Place, refuseCompileTime } from './places.ts';
import { constant, typeOf, value } from './values.ts';

interface Assignment {
  readonly offset: number;
  readonly type: CType;
  readonly bits: BitRange | null;
  readonly source: Expression | number;
}

/** An array without a length gets it from its initialiser. */
export function completed(context: Context, type: CType, source: Expression | null): CType {
  if (type.kind !== 'array' || type.length !== null || source === null) return type;
  if (source.kind === 'string') return { ...type, length: stringLiteral(source.text, source.span).length };
  if (source.kind !== 'list') return type;
  if (source.items.length === 1 && source.items[0]!.value.kind === 'string' && isCharacter(type.of))
    return completed(context, type, source.items[0]!.value);
  let last = -1;
  let index = -1;
  let items: InitializerItem[] = [...source.items];
  while (items.length > 0) {
    const designator = items[0]!.path[0];
    if (designator !== undefined && typeof designator !== 'string') {
      const end = designator.kind === 'range' ? designator.last : designator;
      index = Number(constant(context, end));
      items.shift();
    } else {
      index++;
      // Without braces of its own an element takes as many values as it needs.
      const part: CType = { kind: 'array', of: type.of, length: 1 };
      const before = items.length;
      items = fillParts(context, part, 0, items, [], false);
      if (items.length === before) items.shift();
    }
    last = Math.max(last, index);
  }
  return { ...type, length: last + 1 };
}

const MAX_WRITES = 4096;

/** Emits the writes of a local variable's initialiser. */
export function initialise(
  context: Context,
  target: Place,
  source: Expression,
  span: Span = source.span,
): void {
  if (source.kind !== 'list' && !(target.type.kind === 'array' && source.kind === 'string')) {
    if (source.kind === 'call') context.expectPointee(target.type);
    write(context, target, value(context, source), span);
    return;
  }
  const assignments = flatten(context, target.type, source);
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
  for (const leaf of zeros)
    if (!covered.has(cellKey(leaf.offset, widthOf(leaf.type))))
      write(
        context,
        placeAt(leaf.offset, leaf.type, null),
        { type: leaf.type, expr: pool.const(0n, computedWidth(leaf.type)) },
        source.span,
      );
  for (const { offset, type, bits, source: part } of assignments) {
    const result =
      typeof part === 'number'
        ? { type: type as ScalarType, expr: pool.const(part, computedWidth(type as ScalarType)) }
        : value(context, part);
    write(context, placeAt(offset, type, bits), result, source.span);
  }
}

/** Sets the initial values of a global: all must be constants. */
export function initialiseGlobal(
  context: Context,
  object: MemoryObject,
  type: CType,
  source: Expression | null,
): void {
  const bytes = new Uint8Array(object.size);
  const set = (offset: number, width: number, bits: bigint) => {
    for (let i = 0; i < width / 8; i++) bytes[offset + i] = Number((bits >> BigInt(8 * i)) & 255n);
  };
  const read = (offset: number, width: number): bigint => {
    let result = 0n;
    for (let i = width / 8 - 1; i >= 0; i--) result = (result << 8n) | BigInt(bytes[offset + i]!);
    return result;
  };
  context.initialBytes.set(object.id, bytes);
  for (const { offset, type: part, bits, source: from } of source === null
    ? []
    : flatten(context, type, source)) {
    if (!isScalar(part)) refuse('SPW5012', 'this initialiser is not supported', source!.span);
    const width = widthOf(part);
    let number: bigint;
    if (typeof from === 'number') number = BigInt(from);
    else {
      const result = context.constantly(() => convert(context, value(context, from), part, from.span));
      if (result.expr.op !== 'const')
        refuse('SPW5015', 'the initial value of a global must be a constant', from.span);
      number = result.expr.value;
    }
    if (bits === null) set(offset, width, number);
    else {
      const old = read(offset, bits.unit);
      const mask = ((1n << BigInt(bits.width)) - 1n) << BigInt(bits.shift);
      set(offset, bits.unit, (old & ~mask) | ((number << BigInt(bits.shift)) & mask));
    }
  }
  // From the bytes, so that members of a union agree on them.
  for (const cell of object.cells.values())
    context.initial.set(cell.id, context.pool.const(read(cell.offset, cell.width), cell.width));
}

function flatten(context: Context, type: CType, source: Expression): Assignment[] {
  const out: Assignment[] = [];
  fill(context, type, 0, null, source, out);
  return out;
}

/** What a list said before about these bytes no longer counts. */
function override(out: Assignment[], offset: number, size: number, bits: BitRange | null): void {
  for (let i = out.length - 1; i >= 0; i--) {
    const known = out[i]!;
    const inside = known.offset >= offset && known.offset < offset + size;
    if (inside && (bits === null || known.bits === null || known.bits.shift === bits.shift)) out.splice(i, 1);
  }
}

/** An initialiser in its own braces, or a single value, for a whole type. */
function fill(
  context: Context,
  type: CType,
  offset: number,
  bits: BitRange | null,
  source: Expression,
  out: Assignment[],
): void {
  override(out, offset, sizeOf(type) ?? 0, bits);
  if (type.kind === 'array' && source.kind === 'string') {
    if (hasCompileTime(source.text)) refuseCompileTime(source.span);
    const units = stringLiteral(source.text, source.span);
    const size = sizeOf(type.of) ?? 1;
    for (let i = 0; i < (type.length ?? 0); i++)
      out.push({ offset: offset + i * size, type: type.of, bits: null, source: units[i] ?? 0 });
    return;
  }
  // `char s[] = {"text"}`
  if (type.kind === 'array' && source.kind === 'list' && source.items.length === 1) {
    const only = source.items[0]!;
    if (only.path.length === 0 && only.value.kind === 'string' && isCharacter(type.of)) {
      fill(context, type, offset, bits, only.value, out);
      return;
    }
  }
  if (source.kind !== 'list') {
    out.push({ offset, type, bits, source });
    return;
  }
  if (isScalar(type)) {
    if (source.items[0] !== undefined) fill(context, type, offset, bits, source.items[0].value, out);
    return;
  }
  fillParts(context, type, offset, [...source.items], out, true);
}

/**
 * Takes as many items as the parts of an aggregate need; the items left over. Designators start anywhere in the innermost braces (C11 6.7.9): what
 * follows one goes on behind the part that it names, however deep that lies.
 */
function fillParts(
  context: Context,
  type: CType,
  base: number,
  given: InitializerItem[],
  out: Assignment[],
  braced: boolean,
  named = false,
): InitializerItem[] {
  const parts = partsOf(type);
  let items = given;
  let index = 0;
  for (let first = true; items.length > 0; first = false) {
    const item = items[0]!;
    if (item.path.length > 0) {
      if (!braced && !(named && first)) return items;
      [index, items] = designated(context, type, base, items, out);
      continue;
    }
    const part = parts(index++);
    if (part === null) {
      if (!braced) return items;
      // gcc: values beyond the end are left out, with a warning.
      items = items.slice(1);
      continue;
    }
    items = fillPart(context, part, base, items, out);
  }
  return items;
}

/** The first item, and as many more as the part needs without braces of its own. */
function fillPart(
  context: Context,
  part: Part,
  base: number,
  items: InitializerItem[],
  out: Assignment[],
): InitializerItem[] {
  const [item, ...rest] = items as [InitializerItem, ...InitializerItem[]];
  const direct =
    isScalar(part.type) ||
    item.value.kind === 'list' ||
    (part.type.kind === 'array' && item.value.kind === 'string' && isCharacter(part.type.of)) ||
    (part.type.kind === 'record' && couldBeRecord(context, item.value));
  if (!direct) return fillParts(context, part.type, base + part.offset, items, out, false);
  fill(context, part.type, base + part.offset, part.bits, item.value, out);
  return rest;
}

interface Part {
  readonly type: CType;
  readonly offset: number;
  readonly bits: BitRange | null;
}

const isCharacter = (type: CType): boolean => type.kind === 'int';

function partsOf(type: CType): (index: number) => Part | null {
  if (type.kind === 'array') {
    const size = sizeOf(type.of) ?? 0;
    return (index) =>
      index < (type.length ?? 0) ? { type: type.of, offset: index * size, bits: null } : null;
  }
  const fields = type.kind === 'record' ? (type.record.fields ?? []) : [];
  const limit = type.kind === 'record' && type.record.union ? 1 : fields.length;
  return (index) => (index < limit ? fields[index]! : null);
}

/** Items that start with one such as `.x = 1` or `[3].y = 2`: the index behind the part it names, and the items left over. */
function designated(
  context: Context,
  type: CType,
  base: number,
  items: InitializerItem[],
  out: Assignment[],
): [index: number, items: InitializerItem[]] {
  const [item, ...rest] = items as [InitializerItem, ...InitializerItem[]];
  const [step, ...deeper] = item.path as [Step, ...Step[]];
  const within = (part: Part, path: readonly Step[], list: InitializerItem[]): InitializerItem[] => {
    const all = [{ ...item, path }, ...list];
    if (path.length === 0) return fillPart(context, part, base, all, out);
    return fillParts(context, part.type, base + part.offset, all, out, false, true);
  };
  if (typeof step === 'string') {
    const fields = type.kind === 'record' ? (type.record.fields ?? []) : [];
    const direct = fields.findIndex(({ name }) => name === step);
    // A member of a struct or union without a name is named as if it stood here.
    const through = fields.findIndex(
      (field) =>
        field.name === null && field.type.kind === 'record' && findField(field.type.record, step) !== null,
    );
    const index = direct >= 0 ? direct : through;
    if (index < 0) refuse('SPW5010', `there is no field '${step}'`, item.value.span);
    const left = within(fields[index]!, direct >= 0 ? deeper : item.path, rest);
    const union = type.kind === 'record' && type.record.union;
    return [union ? fields.length : index + 1, left];
  }
  if (type.kind !== 'array') refuse('SPW5011', 'this is not an array', item.value.span);
  const range = step.kind === 'range' ? step : { first: step, last: step };
  const [from, to] = [constant(context, range.first), constant(context, range.last)];
  if (to - from > BigInt(MAX_WRITES))
    refuse('SPW5012', `an initialiser of more than ${MAX_WRITES} parts is not supported`, item.value.span);
  const size = sizeOf(type.of) ?? 0;
  let left = rest;
  for (let i = Number(from); i <= Number(to); i++) {
    const part = { type: type.of, offset: i * size, bits: null };
    // Only behind the last one the list goes on.
    if (i < Number(to)) within(part, deeper, []);
    else left = within(part, deeper, rest);
  }
  return [Number(to) + 1, left];
}

/** Is this the name of a struct variable (and not the first of the struct's scalars)? */
function couldBeRecord(context: Context, node: Expression): boolean {
  if (node.kind === 'call' || node.kind === 'unary' || node.kind === 'member' || node.kind === 'index')
    return typeOf(context, node).kind === 'record';
  if (node.kind !== 'name') return node.kind === 'literal' || node.kind === 'statements';
  const entity = context.scope.find(node.name);
  return entity?.kind === 'object' && entity.type.kind === 'record';
}

export type { Span };
