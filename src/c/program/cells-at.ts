// Which cells an access of some width can mean, or touch, by the targets of its address.

import type { Cell, MemoryObject } from './program.ts';
import { ownerAt } from './program.ts';
import { ANYWHERE, matches, misses, overlaps, Targets } from './targets.ts';

type Objects = readonly MemoryObject[];

export function cellsAt(objects: Objects, targets: Targets, width: number): Cell[] {
  const cells: Cell[] = [];
  for (const [id, patterns] of targets.offsets) {
    const list = [...patterns.values()];
    for (const cell of objects[id]!.cells.values())
      if (cell.width === width && list.some((pattern) => matches(pattern, cell.offset))) cells.push(cell);
  }
  return cells;
}

/** Cells that an access can touch without being exactly one of them. */
export function overlapped(objects: Objects, targets: Targets, width: number): Cell[] {
  const cells: Cell[] = [];
  for (const [id, patterns] of targets.offsets)
    for (const cell of objects[id]!.cells.values())
      if ([...patterns.values()].some((pattern) => overlaps(cell, pattern, width))) cells.push(cell);
  return cells;
}

/** Can an access of this width touch bytes that are not a cell of that width? */
export function reachesOther(objects: Objects, targets: Targets, width: number): boolean {
  if (targets.unknown) return true;
  for (const [id, patterns] of targets.offsets) {
    const object = objects[id]!;
    if (object.kind === 'function') continue;
    if (object.wide) return true;
    for (const pattern of patterns.values()) if (misses(object, pattern, width)) return true;
  }
  return false;
}

/** What the addresses among some bytes mean. Few bytes look like the upper half of one: the others are passed over quickly. `narrow`: pointers have 32 bits. */
export function targetsInBytes(
  objects: Objects,
  bytes: Uint8Array,
  narrow: boolean,
  watch: () => void,
): Targets {
  const size = narrow ? 4 : 8;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const upper = (address: bigint) => Number(address >> (narrow ? 16n : 32n));
  const [least, most] = [upper(objects[0]!.address) - 1, upper(objects.at(-1)!.address) + 1];
  const found = new Targets();
  for (let at = 0; at + size <= bytes.length; at++) {
    if (at % 65_536 === 0) watch();
    const high = narrow ? view.getUint16(at + 2, true) : view.getUint32(at + 4, true);
    if (high < least || high > most) continue;
    const value = narrow ? BigInt(view.getUint32(at, true)) : view.getBigUint64(at, true);
    const object = ownerAt(objects, value);
    if (object !== null) found.add(object.id, ANYWHERE);
  }
  return found;
}
