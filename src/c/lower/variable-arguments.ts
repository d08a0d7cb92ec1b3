// The arguments behind `...`. A call puts them, as they are promoted, into an object of the called function, one behind the other; a `va_list` holds the address of the
// next one. `va_arg` tells apart the arguments of the calls that it has seen so far (calls are inlined: those of the functions that are running are among them).
// Where the list means none of these, or an argument of another type that has the same bits somewhere, it gives any value.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import type { CType, Field, ScalarType } from '../program/types.ts';
import { isScalar, pointerTo, promote, sameType, showType, sizeOf, VOID, widthOf } from '../program/types.ts';
import type { Expression, FunctionDefinition } from '../syntax/ast.ts';
import { read, write } from './access.ts';
import { mentionedIn } from './address-taken.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import { at, type Place, place, type Value } from './places.ts';
import { value } from './values.ts';

/** An argument, or with null the end of a call's arguments. */
export interface Slot {
  readonly address: bigint;
  readonly type: CType | null;
  readonly next: bigint;
}

const POINTER = pointerTo(VOID) as ScalarType;
const UNIT = 16;

const starts = new WeakMap<FunctionDefinition, boolean>();

function startsList(definition: FunctionDefinition): boolean {
  let known = starts.get(definition);
  if (known === undefined) {
    known = mentionedIn({ items: [definition] }).names.has('__builtin_va_start');
    starts.set(definition, known);
  }
  return known;
}

/** What the default promotions make of it. */
function promoted(context: Context, given: Value, span: Span): Value {
  const { type } = given;
  if (type.kind === 'int') return convert(context, given, promote(type), span);
  if (type.kind === 'float' && type.width === 32 && type.extended === undefined)
    return convert(context, given, context.sizes.double, span);
  return given;
}

/** What a call gives beyond the parameters is put where `va_arg` finds it. */
export function bindMore(
  context: Context,
  definition: FunctionDefinition,
  more: readonly Value[],
  span: Span,
): void {
  if (!startsList(definition)) return;
  const values = more.map((one) => promoted(context, one, span));
  let offset = 0;
  const fields = values.map(({ type }, i): Field => {
    const field = { name: `${i}`, type, offset, bits: null, align: UNIT };
    // Also where it has no bytes, as structs without members: each has a place of its own.
    offset += UNIT * Math.max(1, Math.ceil((sizeOf(type) ?? 1) / UNIT));
    return field;
  });
  const shape = values.map(({ type }) => `${showType(type)} ${sizeOf(type)}`).join();
  const record = { tag: '(arguments)', union: false, fields, size: offset, align: UNIT };
  const object = context.frameObject(definition, `arguments ${shape}`, () =>
    context.memory.object('...', 'local', { kind: 'record', record }),
  );
  const next = (i: number): bigint => object.address + BigInt(fields[i]?.offset ?? offset);
  const slots = [...fields.map(({ type }) => type), null];
  slots.forEach((type, i) => {
    const address = next(i);
    context.slots.set(address, { address, type, next: next(i + 1) });
    if (type !== null) write(context, at(context, type, address), values[i]!, span);
  });
  const first = context.temporary(definition, POINTER, 'first argument');
  context.emit({ kind: 'assign', cell: first, value: context.pool.const(object.address, 64) }, span);
}

/** The pointer in a `va_list`, which is an array, or a parameter that was one; on i386 it is the pointer itself. */
function pointerIn(context: Context, list: Expression): Place {
  if (context.sizes.name === 'ILP32') {
    const own = place(context, list);
    if (own.type.kind !== 'pointer') return context.wrongType('a va_list is needed', own.type, list.span);
    return { ...own, address: context.settled(list, own.address, list.span, 'list') };
  }
  const { type, expr } = value(context, list);
  if (type.kind !== 'pointer') return context.wrongType('a va_list is needed', type, list.span);
  return { type: POINTER, address: context.settled(list, expr, list.span, 'list'), bits: null };
}

export function startList(context: Context, list: Expression, span: Span): void {
  const target = pointerIn(context, list);
  const definition = context.frame.definition;
  if (definition === null) return;
  const first = context.temporary(definition, POINTER, 'first argument');
  write(context, target, { type: POINTER, expr: context.pool.symbol(first.id, 64) }, span);
}

export function copyList(context: Context, to: Expression, from: Expression, span: Span): void {
  const target = pointerIn(context, to);
  write(context, target, read(context, pointerIn(context, from), span), span);
}

const ANY_ARGUMENT = 'variable arguments are taken as any value';

export function nextArgument(
  context: Context,
  node: Extract<Expression, { kind: 'va-arg' }>,
  type: CType,
): Value {
  const { pool } = context;
  const { span } = node;
  const list = pointerIn(context, node.list);
  const result = context.frameObject(node, `argument ${showType(type)}`, () =>
    context.memory.object('(argument)', 'temporary', type),
  );
  const target = at(context, type, result.address);
  const current = context.temporary(node, POINTER, 'current');
  context.emit({ kind: 'assign', cell: current, value: read(context, list, span).expr }, span);
  const start = context.here;
  if (start === null) return read(context, target, span);
  const [join, here] = [context.location(span), pool.symbol(current.id, 64)];
  let other: Expr = pool.true;
  for (const slot of context.slots.values()) {
    const fit = slot.type === null ? 'undefined' : fitting(slot.type, type);
    if (fit === 'unclear') continue;
    const test = pool.eq(here, pool.const(slot.address, 64));
    other = pool.and(other, pool.not(test));
    context.here = start;
    context.emit({ kind: 'assume', test, branch: null }, span);
    if (fit === 'undefined') {
      const why = `va_arg where there is no argument of type ${showType(type)} is undefined`;
      context.emit({ kind: 'defined', test: pool.false, why }, span);
      continue;
    }
    write(context, target, asRead(read(context, at(context, slot.type!, slot.address), span), type), span);
    write(context, list, { type: POINTER, expr: pool.const(slot.next, 64) }, span);
    context.jump(join, span);
  }
  context.here = start;
  context.emit({ kind: 'assume', test: other, branch: null }, span);
  const after = context.temporary(node, POINTER, 'after');
  const cells = [...result.cells.values(), after];
  const why = ANY_ARGUMENT;
  context.emit(
    { kind: 'havoc', cells, why, exact: false, ...(result.wide ? { objects: [result] } : {}) },
    span,
  );
  write(context, list, { type: POINTER, expr: pool.symbol(after.id, 64) }, span);
  context.jump(join, span);
  context.here = join;
  return read(context, target, span);
}

/** Signed and unsigned numbers of one width are the same bits, and pointers are pointers. */
const asRead = (given: Value, type: CType): Value => (isScalar(type) ? { type, expr: given.expr } : given);

function fitting(given: CType, asked: CType): 'fits' | 'undefined' | 'unclear' {
  if (!isScalar(given) || !isScalar(asked)) {
    if (isScalar(given) || isScalar(asked)) return 'undefined';
    return sameType(given, asked) ? 'fits' : 'unclear';
  }
  if (given.kind !== asked.kind)
    return given.kind === 'float' || asked.kind === 'float' ? 'undefined' : 'unclear';
  if (given.kind === 'float') return sameType(given, asked) ? 'fits' : 'undefined';
  return widthOf(given) === widthOf(asked) ? 'fits' : 'unclear';
}
