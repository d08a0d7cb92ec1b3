// Bytes that hold nothing: those between the members of structs, and those behind the ten bytes of an x87 `long double`. An assignment may change them or leave
// them, as it pleases the compiler, so that what somebody wrote there by way of a pointer to bytes is not known afterwards.

import type { MemoryObject } from './program.ts';
import { bytesIn, type CType, isLongDouble, type Leaf, leavesOf, widthOf, X87_BYTES } from './types.ts';

export const PADDING = 1;
/** Nothing, unless the whole number is read. */
export const BEHIND_NUMBER = 2;

const found = new WeakMap<MemoryObject, Uint8Array | null>();

/** For each byte of the object; null where there is none of it. */
export function paddingOf(object: MemoryObject): Uint8Array | null {
  let marks = found.get(object);
  if (marks === undefined) {
    const isPlain = object.kind === 'function' || !mayHaveGaps(object.type);
    found.set(object, (marks = isPlain ? null : marksOf(object)));
  }
  return marks;
}

export const isPadding = (object: MemoryObject, offset: number): boolean =>
  paddingOf(object)?.[offset] === PADDING;

/** Is there a byte among them of which nobody knows what it holds? */
export function holdsNothing(object: MemoryObject, offset: number, width: number): boolean {
  const padding = paddingOf(object);
  if (padding === null) return false;
  for (let at = offset; at < offset + bytesIn(width); at++)
    if (padding[at] === PADDING || (padding[at] === BEHIND_NUMBER && width <= 64)) return true;
  return false;
}

function mayHaveGaps(type: CType): boolean {
  if (type.kind === 'array') return mayHaveGaps(type.of);
  return type.kind === 'record' || isLongDouble(type);
}

function marksOf({ type, size }: MemoryObject): Uint8Array | null {
  // No more leaves than bytes in every member of every union: beyond, nothing is known to be anything.
  const leaves = leavesOf(type, 1 << 20) ?? [];
  const marks = new Uint8Array(size);
  for (const at of gapsBetween(leaves, size)) marks[at] = PADDING;
  for (const { type: number, offset } of leaves)
    if (isLongDouble(number))
      marks.fill(BEHIND_NUMBER, offset + X87_BYTES, offset + bytesIn(widthOf(number)));
  return marks.some((mark) => mark !== 0) ? marks : null;
}

/** The offsets of the bytes that belong to no leaf. */
export function gapsBetween(leaves: readonly Pick<Leaf, 'offset' | 'type'>[], size: number): number[] {
  const used = new Uint8Array(size);
  for (const { offset, type } of leaves) used.fill(1, offset, offset + bytesIn(widthOf(type)));
  const gaps: number[] = [];
  for (let at = used.indexOf(0); at >= 0; at = used.indexOf(0, at + 1)) gaps.push(at);
  return gaps;
}
