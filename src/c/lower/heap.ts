// The heap: every place that allocates gets a few objects, told apart by how often it was reached. What an allocation is for is read from its
// size and from the type that its address is given (wanted.ts); where it is used otherwise, the program is read again (heap-plan.ts). A size that is not
// constant is told apart by cases (small ones, and those that runs ask for) or, where the plan says so, decided at run time: an object with a cell for how many bytes it has (sized.ts).

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import type { MemoryObject } from '../program/program.ts';
import { leavesOf } from '../program/type-parts.ts';
import type { CType, ScalarType } from '../program/types.ts';
import { CHAR, INT, pointerTo, showType, sizeOf, VOID } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import type { OpenBlock } from './frames.ts';
import { MOST_ELEMENTS, placeOf } from './heap-plan.ts';
import type { Value } from './places.ts';
import { isGiven, largestOf, newSized, type Sized } from './sized.ts';
import { value } from './values.ts';
import { bytesOfAll, contentOf, type Elements, type Wanted, wantedOf, wide } from './wanted.ts';

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

const tooLarge = (what: string, { memory }: Context): string =>
  `${what} of more than ${memory.space.capacity / 2 ** 20} MiB is not modelled`;

/** What ends with the function that asks for it. */
const AUTOMATIC: ReadonlySet<string> = new Set(['alloca', '__builtin_alloca']);

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
  const times = name === 'calloc' ? wide(context, value(context, first!), first!.span) : null;
  const wanted = wantedOf(context, sizeNode, hint, times);
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
export function allocateVariable(
  context: Context,
  key: unknown,
  what: string,
  wanted: Elements,
  span: Span,
): Expr {
  const { pool } = context;
  const make = ({ content, sized }: Shape): Expr => {
    const kind =
      sized === null ? `${sizeOf(content)} ${showType(content)}` : `of any size ${showType(content)}`;
    const object = context.frameObject(key, `variable ${kind}`, () =>
      sized === null
        ? context.memory.object(`(${what})`, 'local', content)
        : newSized(context, `(${what})`, 'local', sized),
    );
    context.block.objects.add(object);
    if (sized !== null) isGiven(context, object, sized, span);
    fillFresh(context, object, false, span);
    return pool.const(object.address, 64);
  };
  return allocateWanted(
    context,
    key,
    what,
    { ...wanted, hint: null, overflows: pool.false },
    span,
    false,
    make,
  );
}

export function allocateOnHeap(
  context: Context,
  key: unknown,
  what: string,
  wanted: Wanted,
  contents: Contents,
  span: Span,
): Expr {
  return allocateWanted(context, key, what, wanted, span, contents.life === null, (shape) =>
    allocateObject(context, key, `${what}${shape.size}`, shape, contents, span),
  );
}

/** What an object is to be. */
interface Shape {
  /** What it consists of; with a size that is decided at run time: each element. */
  readonly content: CType;
  readonly sized: Sized | null;
  /** Which size it has, where they are told apart. */
  readonly size: string;
}

/** `mayFail`: where there is no such memory the address is null. `make`: an object, and its address. */
function allocateWanted(
  context: Context,
  key: unknown,
  what: string,
  wanted: Wanted,
  span: Span,
  mayFail: boolean,
  make: (shape: Shape) => Expr,
): Expr {
  const { pool } = context;
  const { element, count, overflows } = wanted;
  const bytes = sizeOf(element) ?? 1;
  const isFew = count.op === 'const' && count.value * BigInt(bytes) <= MOST_BYTES;
  const exactly = (k: number, size: string): Expr =>
    make({ content: contentOf(wanted, k), sized: null, size });
  if (isFew && overflows === pool.false) return exactly(Number(count.value), '');
  const result = context.temporary(key, pointerTo(VOID) as ScalarType, 'address');
  const join = context.location(span);
  const where = (test: Expr, addressOf: () => Expr, isWritten = false): void => {
    if (test === pool.false) return;
    const [yes, no] = [context.location(span), context.location(span)];
    fork(context, test, yes, no, span, isWritten);
    context.here = yes;
    context.emit({ kind: 'assign', cell: result, value: addressOf() }, span);
    context.jump(join, span);
    context.here = no;
  };
  const nowhere = () => pool.const(0n, 64);
  where(overflows, nowhere);
  // A size from a cell that holds one value is found out to be constant only later: tell sizes apart.
  const chosen = context.temporary(key, { ...INT, width: 64, name: 'count', rank: 4 } as ScalarType, 'count');
  context.emit({ kind: 'assign', cell: chosen, value: count }, span);
  const isSized = count.op === 'const' || context.heap.sized.has(placeOf(span));
  if (!isSized)
    for (const k of countsAt(context, bytes, span)) {
      const isSo = pool.eq(pool.symbol(chosen.id, 64), pool.const(k, 64));
      where(isSo, () => exactly(k, ` of ${k}`), true);
    }
  // Among threads there is one reading of the text, and memory is as it is.
  if (isSized || context.threads !== null) {
    const sized = { element: bytes === 0 ? CHAR : element, extent: bytesOfAll(context, wanted) };
    const isLarger = (than: bigint) => pool.compare('ult', pool.const(than, 64), sized.extent);
    if (mayFail) where(isLarger(largestOf(context)), nowhere);
    const fits = pool.not(isLarger(BigInt(context.memory.space.capacity)));
    where(fits, () => make({ content: sized.element, sized, size: ' of any size' }));
    context.stop('cut', tooLarge(what, context), span);
  } else context.stop('cut', sizeCut(what), span, chosen);
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
  { content, sized }: Shape,
  contents: Contents,
  span: Span,
): Expr {
  const { pool } = context;
  // One place can allocate objects of several types and sizes: those of a function that is inlined more than once.
  const kind = `${what} of ${sized === null ? sizeOf(content) : 'open'} ${showType(content)}`;
  const counter = context.frameObject(key, `allocations ${kind}`, () =>
    context.memory.object('(allocations)', 'temporary', INT),
  );
  const counterCell = counter.cells.values().next().value!;
  context.initial.set(counterCell.id, pool.const(0n, 32));
  const result = context.temporary(key, pointerTo(VOID) as ScalarType, `result ${kind}`);
  const join = context.location(span);
  const most = mostOf(context, content, sized);
  for (let i = 0; i < most; i++) {
    const object = context.frameObject(key, `heap ${kind} ${i}`, () =>
      sized === null
        ? newObject(context, `(heap ${what} ${i})`, content, `${placeOf(span)} ${kind}`)
        : newSized(context, `(heap ${what} ${i})`, 'heap', sized),
    );
    if (contents.life === null) context.allocations.set(object, { counter: counterCell, number: i });
    else contents.life.objects.add(object);
    const [yes, no] = [context.location(span), context.location(span)];
    fork(context, pool.eq(pool.symbol(counterCell.id, 32), pool.const(i, 32)), yes, no, span);
    context.here = yes;
    context.emit({ kind: 'assign', cell: counterCell, value: pool.const(i + 1, 32) }, span);
    if (sized !== null) isGiven(context, object, sized, span);
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

/** How many objects of this kind one place has. */
function mostOf({ depth, memory }: Context, content: CType, sized: Sized | null): number {
  const small =
    sized === null && (leavesOf(content, SMALL_OBJECT)?.length ?? Number.POSITIVE_INFINITY) <= SMALL_OBJECT;
  const most = small ? depth.objects : depth.objects / 2;
  return sized === null ? most : Math.min(most, memory.roomForSized);
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
  if (object.wide && (object.extent !== undefined || object.size <= MOST_ZEROED))
    context.initialBytes.set(object.id, new Uint8Array());
}
