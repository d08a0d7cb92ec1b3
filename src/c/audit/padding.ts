// Bytes that hold nothing: those between the members of structs, and those behind the ten bytes of an x87 `long double`. An assignment may change them or leave
// them, as it pleases the compiler, so that what somebody wrote there by way of a pointer to bytes is not known afterwards.

import type { MemoryObject, Program } from '../program/program.ts';
import { bytesIn, type CType, isLongDouble, leavesOf, widthOf, X87_BYTES } from '../program/types.ts';

export const PADDING = 1;
/** Nothing, unless the whole number is read. */
export const BEHIND_NUMBER = 2;

/** For each byte of the memory, in which the objects have these places. */
export function paddingIn({ objects }: Program, places: readonly number[], size: number): Uint8Array {
  const marks = new Uint8Array(size);
  for (const object of objects)
    if (object.kind !== 'function' && hasGaps(object.type)) markIn(object, places[object.id]!, marks);
  return marks;
}

/** Can there be such bytes at all? */
function hasGaps(type: CType): boolean {
  if (type.kind === 'array') return hasGaps(type.of);
  return type.kind === 'record' || isLongDouble(type);
}

function markIn({ type, size }: MemoryObject, place: number, marks: Uint8Array): void {
  // No more leaves than bytes in every member of every union: beyond, nothing is known to be anything.
  const leaves = leavesOf(type, 1 << 20);
  marks.fill(PADDING, place, place + size);
  for (const leaf of leaves ?? []) {
    const from = place + leaf.offset;
    marks.fill(0, from, from + bytesIn(widthOf(leaf.type)));
  }
  for (const leaf of leaves ?? [])
    if (isLongDouble(leaf.type)) {
      const from = place + leaf.offset;
      marks.fill(BEHIND_NUMBER, from + X87_BYTES, from + bytesIn(widthOf(leaf.type)));
    }
}
