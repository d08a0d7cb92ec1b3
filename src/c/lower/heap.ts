// The heap: every place that allocates gets a few objects, told apart by how often it was reached. What an allocation is for is read from its
// size (`n * sizeof(T)`) and from the type that its address is given; where it is used otherwise, the program is read again (heap-plan.ts). A size that is not
// constant is told apart by cases: small ones, and those that runs ask for; in all others the program is cut off.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import type { MemoryObject } from '../program/program.ts';
import type { CType, ScalarType } from '../program/types.ts';
import { CHAR, elementsOf, INT, leavesOf, pointerTo, showType, sizeOf, VOID } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import { typeNamed } from './declare.ts';
import { hasEffects } from './effects.ts';
import type { OpenBlock } from './frames.ts';
import { MOST_ELEMENTS, placeOf } from './heap-plan.ts';
import type { Value } from './places.ts';
import { typeOf, value } from './values.ts';

type CallNode = Extract<Expression, { kind: 'call' }>;

/** Objects of at most so many parts are small: there may be more of them. */
const SMALL_OBJECT = 3;
const MOST_BYTES = 64_000_000n;
/** Of an object whose size is one of several. */
const MOST_BYTES_OF_CASE = 1 << 20;
/** Bytes of one object that are written down as zero. */
const MOST_ZEROED = 1 << 20;

const heapCut = (what: string, most: number): string => `${what} here allocates more than ${most} objects`;
export const isHeapCut = (why: string): boolean => /here allocates more than \d+ objects$/.test(why);

/** Sizes that no case is made for. */
const sizeCut = (what: string): string =>
  `${what} of a size that is not constant, and of more than a few elements, is not modelled`;

/** What ends with the function that asks for it. */
const AUTOMATIC: ReadonlySet<string> = new Set(['alloca', '__builtin_alloca']);

interface Elements {
  readonly element: CType;
  /** How many, as 64 bits. */
  readonly count: Expr;
}

export interface Wanted extends Elements {
  /** What bytes are for: where they are as many as some of these take, it is these. */
  readonly hint: CType | null;
}

/** What a new object holds, and when it ends. */
export interface Contents {
  readonly zeroed: boolean;
  /** The block it ends with; null where somebody has to give it back. */
  readonly life: OpenBlock | null;
  /** Writes what comes from elsewhere. */
  readonly fill?: (object: MemoryObject) => void;
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
  const life = AUTOMATIC.has(name) ? context.frame.block : null;
  const expr = allocateOnHeap(context, node, `'${name}'`, wanted, { zeroed, life }, node.span);
  return { type, expr };
}

/** `free`, and whatever else ends the life of what a pointer means. Who looks at lives finds it there (lifetimes.ts). */
export function release(context: Context, pointer: Value, node: CallNode): void {
  const converted = convert(context, pointer, pointerTo(VOID) as ScalarType, node.span);
  const cell = context.temporary(node, pointerTo(VOID) as ScalarType, 'released');
  context.emit({ kind: 'assign', cell, value: converted.expr }, node.span);
  const address = context.pool.symbol(cell.id, cell.width);
  const site = context.memory.site(address, 8, node.span);
  context.emit({ kind: 'release', site, address }, node.span);
}

/** A variable: where it is declared again its old object is gone. It ends with the block. */
export const allocateVariable = (
  context: Context,
  key: unknown,
  what: string,
  wanted: Elements,
  span: Span,
): Expr =>
  allocateWanted(context, key, what, { ...wanted, hint: null }, span, (content) => {
    const kind = `${sizeOf(content)} ${showType(content)}`;
    const object = context.frameObject(key, `variable ${kind}`, () =>
      context.memory.object(`(${what})`, 'local', content),
    );
    context.block.objects.add(object);
    fillFresh(context, object, false, span);
    return context.pool.const(object.address, 64);
  });

/** A number of bytes or of elements, as the size_t that functions take. */
const wide = (context: Context, given: Value, span: Span): Expr =>
  context.pool.zext(convert(context, given, context.sizes.size, span).expr, 64);

/** `sizeof(T)`, `n * sizeof(T)`, a struct with more behind it, or bytes. */
export function wantedOf(context: Context, size: Expression, times: Expr, hint: CType | null): Wanted {
  const { pool } = context;
  const written = elementOf(context, size);
  if (written !== null)
    return { element: written.element, count: pool.binary('mul', written.count, times), hint: null };
  const bytes = pool.binary('mul', wide(context, value(context, size), size.span), times);
  return { element: CHAR, count: bytes, hint };
}

/** So many of what is wanted. */
function contentOf({ element, hint }: Wanted, count: number): CType {
  const one = hint === null ? null : sizeOf(hint);
  const times = (of: CType, length: number): CType => (length === 1 ? of : { kind: 'array', of, length });
  if (hint === null || one === null || one === 0 || count === 0) return times(element, count);
  if (count % one === 0) return times(hint, count / one);
  const extended = hint.kind === 'record' ? withTail(hint, count - one) : null;
  return extended ?? times(element, count);
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

function elementOf(context: Context, size: Expression): Elements | null {
  const { pool } = context;
  if (size.kind === 'cast') {
    const type = typeNamed(context, size.type);
    const keepsAll = type.kind === 'int' && type.width >= context.sizes.size.width;
    return keepsAll ? elementOf(context, size.arg) : null;
  }
  const one = (type: CType): Elements | null => {
    if (type.kind === 'array' && type.variable !== undefined)
      return { element: elementsOf(type), count: type.variable };
    return sizeOf(type) === null ? null : { element: type, count: pool.const(1n, 64) };
  };
  if (size.kind === 'sizeof-type') return one(typeNamed(context, size.type));
  if (size.kind === 'sizeof') return hasEffects(size.arg) ? null : one(typeOf(context, size.arg));
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

export function allocateOnHeap(
  context: Context,
  key: unknown,
  what: string,
  wanted: Wanted,
  contents: Contents,
  span: Span,
): Expr {
  return allocateWanted(context, key, what, wanted, span, (content, size) =>
    allocateObject(context, key, `${what}${size}`, content, contents, span),
  );
}

/** `make`: an object with this content; where sizes are told apart it is told which one it has. */
function allocateWanted(
  context: Context,
  key: unknown,
  what: string,
  wanted: Wanted,
  span: Span,
  make: (content: CType, size: string) => Expr,
): Expr {
  const { pool } = context;
  const { element, count } = wanted;
  const bytes = sizeOf(element) ?? 1;
  if (count.op === 'const') {
    if (count.value * BigInt(bytes) > MOST_BYTES) {
      context.stop('cut', `${what} of ${count.value * BigInt(bytes)} bytes is not modelled`, span);
      return pool.const(0n, 64);
    }
    return make(contentOf(wanted, Number(count.value)), '');
  }
  // A size from a cell that holds one value is found out to be constant only later: tell sizes apart.
  const chosen = context.temporary(key, { ...INT, width: 64, name: 'count', rank: 4 } as ScalarType, 'count');
  context.emit({ kind: 'assign', cell: chosen, value: count }, span);
  const result = context.temporary(key, pointerTo(VOID) as ScalarType, 'address');
  const join = context.location(span);
  for (const k of countsAt(context, bytes, span)) {
    const [yes, no] = [context.location(span), context.location(span)];
    fork(context, pool.eq(pool.symbol(chosen.id, 64), pool.const(k, 64)), yes, no, span);
    context.here = yes;
    const address = make(contentOf(wanted, k), ` of ${k}`);
    context.emit({ kind: 'assign', cell: result, value: address }, span);
    context.jump(join, span);
    context.here = no;
  }
  context.stop('cut', sizeCut(what), span, chosen);
  context.here = join;
  return pool.symbol(result.id, 64);
}

/** The numbers of elements, of so many bytes each, that have cases. */
function countsAt({ heap }: Context, bytes: number, span: Span): readonly number[] {
  const asked = heap.counts.get(placeOf(span)) ?? [];
  const small = Array.from({ length: MOST_ELEMENTS + 1 }, (_, k) => k);
  return [...small, ...asked.filter((k) => k > MOST_ELEMENTS && k * bytes <= MOST_BYTES_OF_CASE)];
}

function allocateObject(
  context: Context,
  key: unknown,
  what: string,
  content: CType,
  contents: Contents,
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
      newObject(context, `(heap ${what} ${i})`, content, `${placeOf(span)} ${kind}`),
    );
    if (contents.life === null) context.allocations.set(object, { counter: counterCell, number: i });
    else contents.life.objects.add(object);
    const [yes, no] = [context.location(span), context.location(span)];
    fork(context, pool.eq(pool.symbol(counterCell.id, 32), pool.const(i, 32)), yes, no, span);
    context.here = yes;
    context.emit({ kind: 'assign', cell: counterCell, value: pool.const(i + 1, 32) }, span);
    fillFresh(context, object, contents.zeroed, span);
    contents.fill?.(object);
    context.emit({ kind: 'assign', cell: result, value: pool.const(object.address, 64) }, span);
    context.jump(join, span);
    context.here = no;
  }
  context.stop('cut', heapCut(what, most), span);
  context.here = join;
  return pool.symbol(result.id, 64);
}

function newObject(context: Context, name: string, content: CType, kind: string): MemoryObject {
  const object = context.memory.object(name, 'heap', context.heap.layouts.get(kind) ?? content);
  context.heapKinds.set(object, kind);
  return object;
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
