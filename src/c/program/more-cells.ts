// Variables that are added to a program when its points-to analysis is done: no address means them. They lie behind all others, so that objects stay in
// the order of their addresses.

import { type Cell, cellKey, type MemoryObject, type Program } from './program.ts';
import { bytesIn, type ScalarType, widthOf } from './types.ts';

const BEHIND = 1n << 16n;
const APART = 64n;

export class MoreCells {
  readonly objects: MemoryObject[];
  readonly cells: Cell[];
  private next: bigint;

  constructor(program: Program) {
    this.objects = [...program.objects];
    this.cells = [...program.cells];
    const last = program.objects.at(-1);
    this.next = last === undefined ? 1n << 20n : last.address + BigInt(last.size) + BEHIND;
  }

  add(name: string, type: ScalarType): Cell {
    const width = widthOf(type);
    const cells = new Map<string, Cell>();
    const object: MemoryObject = {
      id: this.objects.length,
      name,
      kind: 'temporary',
      type,
      size: bytesIn(width),
      address: this.next,
      constant: false,
      cells,
      wide: false,
      visible: false,
    };
    const cell: Cell = {
      id: this.cells.length,
      object,
      offset: 0,
      address: object.address,
      type,
      width,
      name,
      mayBePointer: false,
      overlaps: [],
    };
    cells.set(cellKey(0, width), cell);
    this.objects.push(object);
    this.cells.push(cell);
    this.next += APART;
    return cell;
  }
}
