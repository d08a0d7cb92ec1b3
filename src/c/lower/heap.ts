// The heap: every place that allocates gets a few objects, told apart by how often it was reached. What an allocation is for is read from its
// size (`n * sizeof(T)`) and from the type that its address is given. A size that is not constant is told apart by cases; beyond
// the last one the program is cut off.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import type { MemoryObject } from '../program/program.ts';
import type { CType, ScalarType } from '../program/types.ts';
import { CHAR, INT, leavesOf, pointerTo, showType, sizeOf, VOID } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import { typeNamed } from './declare.ts';
import type { Value } from './places.ts';
import { typeOf, value } from './values.ts';

type CallNode = Extract<Expression, { kind: 'call' }>;

/** Elements of an allocation of variable size that are told apart. */
const MOST_ELEMENTS = 8;
/** Objects of at most so many parts are small: there may be more of them. */
const SMALL_OBJECT = 3;
const MOST_BYTES = 64_000_000n;
/** Bytes of one object that are written down as zero. */
const MOST_ZEROED = 1 << 20;

const heapCut = (what: string, most: number): string => `${what} here allocates more than ${most} objects`;
export const isHeapCut = (why: string): boolean => /here allocates more than \d+ objects$/.test(why);

interface Wanted {
  readonly element: CType;
  /** How many, as 64 bits. */
  readonly count: Expr;
}

export function allocate(context: Context, name: string, node: CallNode): Value {
  const { pool } = context;
  const zeroed = name === 'calloc' || name === 'kzalloc';
  const sizeNode = node.args[name === 'calloc' ? 1 : 0];
  const type = pointerTo(VOID);
  const hint = context.takePointee();
  if (sizeNode === undefined) return { type, expr: pool.const(0n, 64) };
  const [first] = node.args;
  const times = name === 'calloc' ? wide(context, value(context, first!), first!.span) : pool.const(1n, 64);
  const wanted = wantedOf(context, sizeNode, times, hint);
  context.note(`'${name}' is assumed to succeed`, node.span);
  const expr = allocateWanted(context, node, `'${name}'`, wanted, zeroed, node.span);
  return { type, expr };
}

/** As a new allocation; what the old one held is not followed. */
export function reallocate(context: Context, node: CallNode): Value {
  const { pool } = context;
  const hint = context.takePointee();
  const old = value(context, node.args[0]!);
  const size = node.args[1]!;
  if (old.expr !== pool.const(0n, 64)) {
    context.stop('cut', "'realloc' of what may have been allocated is not modelled", node.span);
    return { type: pointerTo(VOID), expr: pool.const(0n, 64) };
  }
  const wanted = wantedOf(context, size, pool.const(1n, 64), hint);
  return {
    type: pointerTo(VOID),
    expr: allocateWanted(context, node, "'realloc'", wanted, false, node.span),
  };
}

export const allocateElements = (
  context: Context,
  key: unknown,
  what: string,
  element: CType,
  count: Expr,
  span: Span,
): Expr => allocateWanted(context, key, what, { element, count }, false, span);

/** A number of bytes or of elements, as the size_t that functions take. */
const wide = (context: Context, given: Value, span: Span): Expr =>
  context.pool.zext(convert(context, given, context.sizes.size, span).expr, 64);

/** `sizeof(T)`, `n * sizeof(T)`, a struct with more behind it, or bytes. */
function wantedOf(context: Context, size: Expression, times: Expr, hint: CType | null): Wanted {
  const { pool } = context;
  const written = elementOf(context, size);
  if (written !== null) return { element: written.element, count: pool.binary('mul', written.count, times) };
  const bytes = pool.binary('mul', wide(context, value(context, size), size.span), times);
  const one = hint === null ? null : sizeOf(hint);
  if (hint === null || one === null || one === 0 || bytes.op !== 'const')
    return { element: CHAR, count: bytes };
  if (bytes.value % BigInt(one) === 0n)
    return { element: hint, count: pool.const(bytes.value / BigInt(one), 64) };
  const extended = hint.kind === 'record' ? withTail(hint, Number(bytes.value) - one) : null;
  return extended === null
    ? { element: CHAR, count: bytes }
    : { element: extended, count: pool.const(1n, 64) };
}

/** A struct whose last member is an array without a length, with room for some of its elements. */
function withTail(type: Extract<CType, { kind: 'record' }>, extra: number): CType | null {
  const { record } = type;
  const last = record.fields?.at(-1);
  if (last === undefined || last.type.kind !== 'array' || (last.type.length ?? 0) !== 0 || extra <= 0)
    return null;
  const bytes = sizeOf(last.type.of);
  if (bytes === null || bytes === 0) return null;
  const length = Math.floor((record.size + extra - last.offset) / bytes);
  const fields = [...record.fields!.slice(0, -1), { ...last, type: { ...last.type, length } }];
  return { kind: 'record', record: { ...record, fields, size: record.size + extra } };
}

function elementOf(context: Context, size: Expression): Wanted | null {
  const { pool } = context;
  if (size.kind === 'cast') {
    const type = typeNamed(context, size.type);
    const keepsAll = type.kind === 'int' && type.width >= context.sizes.size.width;
    return keepsAll ? elementOf(context, size.arg) : null;
  }
  const one = (element: CType): Wanted | null =>
    sizeOf(element) === null ? null : { element, count: pool.const(1n, 64) };
  if (size.kind === 'sizeof-type') return one(typeNamed(context, size.type));
  if (size.kind === 'sizeof') {
    if (size.arg.kind === 'name' && context.scope.find(size.arg.name)?.kind === 'array') return null;
    return one(typeOf(context, size.arg));
  }
  if (size.kind !== 'binary' || size.op !== '*') return null;
  for (const [a, b] of [
    [size.left, size.right],
    [size.right, size.left],
  ] as const) {
    const element = elementOf(context, b);
    // A product with a broken number is one.
    if (element === null || typeOf(context, a).kind !== 'int') continue;
    return {
      element: element.element,
      count: pool.binary('mul', wide(context, value(context, a), a.span), element.count),
    };
  }
  return null;
}

function allocateWanted(
  context: Context,
  key: unknown,
  what: string,
  { element, count }: Wanted,
  zeroed: boolean,
  span: Span,
): Expr {
  const { pool } = context;
  const bytes = BigInt(sizeOf(element) ?? 1);
  if (count.op === 'const') {
    if (count.value * bytes > MOST_BYTES) {
      context.stop('cut', `${what} of ${count.value * bytes} bytes is not modelled`, span);
      return pool.const(0n, 64);
    }
    const content: CType =
      count.value === 1n ? element : { kind: 'array', of: element, length: Number(count.value) };
    return allocateObject(context, key, what, content, zeroed, span);
  }
  // A size from a cell that holds one value is found out to be constant only later: tell small sizes apart.
  const chosen = context.temporary(key, { ...INT, width: 64, name: 'count', rank: 4 } as ScalarType, 'count');
  context.emit({ kind: 'assign', cell: chosen, value: count }, span);
  const result = context.temporary(key, pointerTo(VOID) as ScalarType, 'address');
  const join = context.location(span);
  for (let k = 0; k <= MOST_ELEMENTS; k++) {
    const [yes, no] = [context.location(span), context.location(span)];
    fork(context, pool.eq(pool.symbol(chosen.id, 64), pool.const(k, 64)), yes, no, span);
    context.here = yes;
    const content: CType = { kind: 'array', of: element, length: k };
    const address = allocateObject(context, key, `${what} of ${k}`, content, zeroed, span);
    context.emit({ kind: 'assign', cell: result, value: address }, span);
    context.jump(join, span);
    context.here = no;
  }
  context.stop(
    'cut',
    `${what} of more than ${MOST_ELEMENTS} elements, by a size that is not constant, is not modelled`,
    span,
  );
  context.here = join;
  return pool.symbol(result.id, 64);
}

function allocateObject(
  context: Context,
  key: unknown,
  what: string,
  content: CType,
  zeroed: boolean,
  span: Span,
): Expr {
  const { pool } = context;
  // One place can allocate objects of several types and sizes: those of a function that is inlined more than once.
  const kind = `${what} of ${sizeOf(content)} ${showType(content)}`;
  const counter = context.frameObject(key, `allocations ${kind}`, () =>
    context.memory.object('(allocations)', 'temporary', INT),
  );
  const counterCell = counter.cells.values().next().value!;
  context.initial.set(counterCell.id, pool.const(0n, 32));
  const result = context.temporary(key, pointerTo(VOID) as ScalarType, `result ${kind}`);
  const join = context.location(span);
  const small = (leavesOf(content, SMALL_OBJECT)?.length ?? Number.POSITIVE_INFINITY) <= SMALL_OBJECT;
  const most = small ? context.depth.objects : context.depth.objects / 2;
  for (let i = 0; i < most; i++) {
    const object = context.frameObject(key, `heap ${kind} ${i}`, () =>
      context.memory.object(`(heap ${what} ${i})`, 'heap', content),
    );
    const [yes, no] = [context.location(span), context.location(span)];
    fork(context, pool.eq(pool.symbol(counterCell.id, 32), pool.const(i, 32)), yes, no, span);
    context.here = yes;
    context.emit({ kind: 'assign', cell: counterCell, value: pool.const(i + 1, 32) }, span);
    fillFresh(context, object, zeroed, span);
    context.emit({ kind: 'assign', cell: result, value: pool.const(object.address, 64) }, span);
    context.jump(join, span);
    context.here = no;
  }
  context.stop('cut', heapCut(what, most), span);
  context.here = join;
  return pool.symbol(result.id, 64);
}

function fillFresh(context: Context, object: MemoryObject, zeroed: boolean, span: Span): void {
  if (!zeroed) {
    context.forget(object, 'allocated memory is not initialised', span);
    return;
  }
  for (const cell of object.cells.values())
    context.emit({ kind: 'assign', cell, value: context.pool.const(0n, cell.width) }, span);
  // Each object is allocated once: what it holds at the start, it holds then.
  if (object.wide && object.size <= MOST_ZEROED) context.initialBytes.set(object.id, new Uint8Array());
}
