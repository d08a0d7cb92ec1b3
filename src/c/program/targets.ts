// What a pointer can mean: objects, each at a set of offsets.

import type { Cell, MemoryObject } from './program.ts';
import { cellKey } from './program.ts';
import { bytesIn } from './types.ts';

/** Offsets r, r + m, r + 2m, …; just r when m is 0. An index of unknown value multiplies the size of an element. */
export interface Pattern {
  readonly r: number;
  readonly m: number;
  /** Only those from the one on, up to the other. */
  readonly range?: Range;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

export const ANYWHERE: Pattern = { r: 0, m: 1 };
export const matches = ({ r, m, range }: Pattern, offset: number): boolean =>
  (m === 0 ? offset === r : (offset - r) % m === 0) &&
  (range === undefined || (offset >= range.from && offset < range.to));

export class Targets {
  readonly offsets = new Map<number, Map<string, Pattern>>();
  /** Pointers that came from outside: any object whose address is known there. */
  unknown = false;
  /**
   * Computed, or from outside, as a number: whoever reads it as a pointer may get any address that was ever looked at as a number. Numbers that are only copied
   * keep what they mean, and as an index a number says nothing: arithmetic on pointers stays in the object, or is undefined.
   */
  number = false;

  add(object: number, pattern: Pattern): boolean {
    let known = this.offsets.get(object);
    if (known === undefined) this.offsets.set(object, (known = new Map()));
    const r = pattern.m === 0 ? pattern.r : ((pattern.r % pattern.m) + pattern.m) % pattern.m;
    const { range } = pattern;
    const key = `${r}%${pattern.m}${range === undefined ? '' : ` ${range.from}-${range.to}`}`;
    if (known.has(key) || known.has('0%1')) return false;
    if (known.size >= 64) known.clear();
    else if (pattern.m !== 1 || range !== undefined) {
      known.set(key, { r, m: pattern.m, ...(range === undefined ? {} : { range }) });
      return true;
    }
    known.set('0%1', ANYWHERE);
    return true;
  }

  addAll(other: Targets): boolean {
    let changed = (other.unknown && !this.unknown) || (other.number && !this.number);
    this.unknown ||= other.unknown;
    this.number ||= other.number;
    for (const [object, patterns] of other.offsets)
      for (const pattern of patterns.values()) changed = this.add(object, pattern) || changed;
    return changed;
  }
}

export const NOTHING: Targets = new Targets();
export const isNothing = ({ offsets, unknown }: Targets): boolean => offsets.size === 0 && !unknown;

export const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b));

/** Is there an offset of the pattern where an access stays inside the object and meets no cell of this width? */
export function misses(object: MemoryObject, pattern: Pattern, width: number): boolean {
  for (let offset = pattern.r; offset + bytesIn(width) <= object.size; offset += pattern.m) {
    if (offset >= 0 && matches(pattern, offset) && !object.cells.has(cellKey(offset, width))) return true;
    if (pattern.m === 0) return false;
  }
  return false;
}

/** Could an access at the pattern touch the cell without being exactly that cell? */
export function overlaps(cell: Cell, pattern: Pattern, width: number): boolean {
  for (let offset = cell.offset - width / 8 + 1; offset < cell.offset + cell.width / 8; offset++)
    if (matches(pattern, offset) && !(offset === cell.offset && cell.width === width)) return true;
  return false;
}
