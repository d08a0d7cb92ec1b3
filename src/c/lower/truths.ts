// A _Bool is 0 or 1, even where nobody has written to it.

import type { Cell, MemoryObject } from '../program/program.ts';
import { LARGE } from '../program/program.ts';
import { leavesOf } from '../program/type-parts.ts';
import type { ScalarType } from '../program/types.ts';

/** Its parts that are _Bool and nothing else, as members of a union may be. */
export function truthsIn({ type, cells }: MemoryObject): Cell[] {
  const others = new Set(
    (leavesOf(type, LARGE) ?? []).filter((leaf) => !isTruth(leaf.type)).map(({ offset }) => offset),
  );
  return [...cells.values()].filter(
    (cell) => isTruth(cell.type) && cell.overlaps.length === 0 && !others.has(cell.offset),
  );
}

const isTruth = (type: ScalarType): boolean => type.kind === 'int' && type.name === '_Bool';
