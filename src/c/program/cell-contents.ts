// What cells can hold, as far as it is known: it only ever grows. And what of all objects can be reached from elsewhere, because its address is stored somewhere
// or went where nothing is followed.

import type { Cell, MemoryObject, Program } from './program.ts';
import { Targets } from './targets.ts';

export class Contents {
  private readonly program: Program;
  private readonly byCell = new Map<number, Targets>();
  private readonly escaped = new Set<number>();
  /** Their addresses went where nothing is followed. */
  readonly lost = new Set<number>();
  /** No run allocates these. */
  readonly leftOut = new Set<number>();
  /** Something was added. */
  changed = false;
  /** Pointers in memory have 32 bits (i386). */
  readonly narrow: boolean;

  constructor(program: Program) {
    this.program = program;
    this.narrow = program.cells.some(
      ({ type, width, mayBePointer }) => width === 32 && (type.kind === 'pointer' || mayBePointer),
    );
  }

  holdsPointers(width: number): boolean {
    return width === 64 || (this.narrow && width === 32);
  }

  of(cell: number): Targets {
    let targets = this.byCell.get(cell);
    if (targets === undefined) {
      targets = new Targets();
      this.byCell.set(cell, targets);
    }
    return targets;
  }

  /** Undefined where nothing was ever looked for. */
  known(cell: number): Targets | undefined {
    return this.byCell.get(cell);
  }

  flow(cell: Cell, from: Targets): void {
    const into = this.of(cell.id);
    if (into.addAll(from)) this.changed = true;
    if (into.number && cell.type.kind === 'pointer') this.markUnknown(cell);
  }

  lose({ offsets }: Targets): void {
    for (const id of offsets.keys()) {
      if (this.lost.has(id)) continue;
      this.lost.add(id);
      this.escaped.add(id);
      this.changed = true;
    }
  }

  /** These can be reached by functions from elsewhere. */
  show(objects: Iterable<MemoryObject>): void {
    for (const { id } of objects) this.escaped.add(id);
  }

  /** It can hold any address that is known outside, or, where it is a number, any number. */
  markUnknown(cell: Cell): void {
    if (cell.type.kind !== 'pointer') {
      this.markNumber(cell);
      return;
    }
    const targets = this.of(cell.id);
    if (!targets.unknown) this.changed = true;
    targets.unknown = true;
  }

  /** Numbers of pointers are what is added to them. */
  markNumber(cell: Cell): void {
    if (cell.type.kind === 'pointer' || !this.holdsPointers(cell.width)) return;
    const targets = this.of(cell.id);
    if (!targets.number) this.changed = true;
    targets.number = true;
  }

  isKnownOutside(object: MemoryObject): boolean {
    if (object.constant || this.leftOut.has(object.id)) return false;
    return object.kind === 'global' || object.kind === 'heap' || this.escaped.has(object.id);
  }

  /** Cells of globals and of everything whose address is stored somewhere. */
  reachableFromOutside(): Cell[] {
    for (const targets of this.byCell.values())
      for (const object of targets.offsets.keys()) this.escaped.add(object);
    return this.program.cells.filter(({ object }) => this.isKnownOutside(object));
  }
}
