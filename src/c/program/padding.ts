// Bytes that hold nothing: those between the members of structs, and those behind the ten bytes of an x87 `long double`. An assignment may change them or leave
// them, as it pleases the compiler, so that what somebody wrote there by way of a pointer to bytes is not known afterwards.

import type { MemoryObject } from './program.ts';
import { type Leaf, leavesOf } from './type-parts.ts';
import { bytesIn, type CType, isLongDouble, sizeOf, widthOf, X87_BYTES } from './types.ts';

export const PADDING = 1;
/** Nothing, unless the whole number is read. */
export const BEHIND_NUMBER = 2;

const found = new WeakMap<MemoryObject, Uint8Array | null>();

/** For each byte of the object, or of one element where its size is decided when it is allocated; null where there is none of it. */
export function paddingOf(object: MemoryObject): Uint8Array | null {
  let marks = found.get(object);
  if (marks === undefined) {
    const { type } = object;
    const isPlain = object.kind === 'function' || !mayHaveGaps(type);
    const isOpen = object.extent !== undefined && type.kind === 'array';
    const all = isPlain ? null : isOpen ? marksOf(type.of, sizeOf(type.of) ?? 0) : marksOf(type, object.size);
    marks = all?.some((mark) => mark !== 0) ? all : null;
    found.set(object, marks);
  }
  return marks;
}

/** Of one byte: 0 where it holds something. */
export function paddingAt(object: MemoryObject, offset: number): number {
  const padding = paddingOf(object);
  return padding === null ? 0 : padding[object.extent === undefined ? offset : offset % padding.length]!;
}

export const isPadding = (object: MemoryObject, offset: number): boolean =>
  paddingAt(object, offset) === PADDING;

/** Is there a byte among them of which nobody knows what it holds? */
export function holdsNothing(object: MemoryObject, offset: number, width: number): boolean {
  if (paddingOf(object) === null) return false;
  for (let at = offset; at < offset + bytesIn(width); at++) {
    const mark = paddingAt(object, at);
    if (mark === PADDING || (mark === BEHIND_NUMBER && width <= 64)) return true;
  }
  return false;
}

function mayHaveGaps(type: CType): boolean {
  if (type.kind === 'array') return mayHaveGaps(type.of);
  return type.kind === 'record' || isLongDouble(type);
}

function marksOf(type: CType, size: number): Uint8Array {
  const marks = new Uint8Array(size);
  if (type.kind === 'array' && type.length !== null && type.length > 1) {
    const one = marksOf(type.of, sizeOf(type.of) ?? 0);
    const end = Math.min(size, type.length * one.length);
    for (let at = 0; at < end; at += one.length) marks.set(one.subarray(0, end - at), at);
    return marks.fill(PADDING, end);
  }
  // No more leaves than bytes in every member of every union: beyond, nothing is known to be anything.
  const leaves = leavesOf(type, 1 << 20);
  if (leaves === null) return marks.fill(PADDING);
  for (const at of gapsBetween(leaves, size)) marks[at] = PADDING;
  for (const { type: number, offset } of leaves)
    if (isLongDouble(number))
      marks.fill(BEHIND_NUMBER, offset + X87_BYTES, offset + bytesIn(widthOf(number)));
  return marks;
}

/** The offsets of the bytes that belong to no leaf. */
export function gapsBetween(leaves: readonly Pick<Leaf, 'offset' | 'type'>[], size: number): number[] {
  const used = new Uint8Array(size);
  for (const { offset, type } of leaves) used.fill(1, offset, offset + bytesIn(widthOf(type)));
  const gaps: number[] = [];
  for (let at = used.indexOf(0); at >= 0; at = used.indexOf(0, at + 1)) gaps.push(at);
  return gaps;
}
