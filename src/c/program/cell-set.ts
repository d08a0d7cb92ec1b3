/** A set of cells as bits. */
export type CellSet = Int32Array;

export const cellSet = (cells: number): CellSet => new Int32Array((cells + 31) >> 5);
export const has = (set: CellSet, cell: number): boolean => (set[cell >> 5]! & (1 << (cell & 31))) !== 0;

/** True when it was not in. */
export function insert(set: CellSet, cell: number): boolean {
  if (has(set, cell)) return false;
  set[cell >> 5]! |= 1 << (cell & 31);
  return true;
}
