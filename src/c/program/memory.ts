// The memory of the concrete semantics: the bytes of all objects, which of them nobody wrote (where that is asked for), and snapshots to come back to.

import { isInOnePage, PAGE, Pages } from './pages.ts';
import type { Cell, MemoryObject, Operation, Program } from './program.ts';
import { bytesIn } from './types.ts';

/** Thrown by evaluation where C leaves the behaviour undefined. */
export class Undefined extends Error {}

/** Thrown where more memory is used than is followed. */
export class TooMuch extends Undefined {}

export class Memory {
  readonly program: Program;
  /** All objects one after the other; those with an extent in pages, behind. */
  private bytes: Uint8Array;
  private readonly places: Int32Array;
  private readonly pages: Pages;
  /** Where asked for: which bytes hold nothing that the program wrote, behind the memory itself; 0 where there is none of it. */
  private readonly shadow: number;
  /** What was read though nobody had written it; the reader sets it back. */
  unwritten: string | null = null;

  constructor(program: Program, watchesUnwritten: boolean) {
    this.program = program;
    this.places = new Int32Array(program.objects.length);
    let size = 0;
    program.objects.forEach((object, i) => {
      this.places[i] = size;
      if (object.extent === undefined) size += Math.max(1, object.size);
    });
    this.shadow = watchesUnwritten ? size : 0;
    this.bytes = new Uint8Array(watchesUnwritten ? 2 * size : size);
    this.pages = new Pages(this.bytes.length, watchesUnwritten ? 2 : 1);
    program.objects.forEach((object, i) => {
      const initial = program.initialBytes.get(object.id);
      if (initial !== undefined)
        this.bytes.set(initial.subarray(0, Math.max(1, object.size)), this.places[i]);
    });
  }

  /** Of a snapshot, in bytes. */
  get size(): number {
    return this.pages.used;
  }

  /** The contents of the memory, to come back to. */
  snapshot(): Uint8Array {
    return this.bytes.slice(0, this.pages.used);
  }

  protected restoreBytes(memory: Uint8Array): void {
    this.bytes.set(memory);
    // Pages that were not there yet.
    if (memory.length < this.bytes.length) this.bytes.fill(0, memory.length);
  }

  /** Makes the bytes of a cell 0, in a snapshot. */
  clear(memory: Uint8Array, cell: Cell): void {
    const at = this.placeOf(cell);
    memory.fill(0, at, at + bytesIn(cell.width));
    if (this.shadow > 0) memory.fill(0, this.shadow + at, this.shadow + at + bytesIn(cell.width));
  }

  /** Where a cell's bytes lie in a snapshot. */
  placeOf(cell: Cell): number {
    return this.places[cell.object.id]! + cell.offset;
  }

  byteAt(object: MemoryObject, offset: number): number {
    const place =
      object.extent === undefined ? this.places[object.id]! + offset : this.pages.found(object, offset);
    // What was put back may be from before the page was there.
    return place === null ? 0 : (this.bytes[place] ?? 0);
  }

  private placeIn(object: MemoryObject, offset: number): number {
    if (object.extent === undefined) return this.places[object.id]! + offset;
    const place = this.pages.placeOf(object, offset);
    if (place === null) throw new TooMuch('more memory is used than is followed');
    const { used } = this.pages;
    if (used > this.bytes.length) {
      const larger = new Uint8Array(used + (used >> 1));
      larger.set(this.bytes);
      this.bytes = larger;
    }
    return place;
  }

  value(cell: Cell): bigint {
    return this.readBytes(cell.object, cell.offset, cell.width);
  }

  /** Nobody has written what such an operation leaves behind. */
  protected markUnwritten({ cells, objects }: Extract<Operation, { kind: 'havoc' }>): void {
    if (this.shadow === 0) return;
    const mark = (place: number, bytes: number) =>
      this.bytes.fill(1, this.shadow + place, this.shadow + place + bytes);
    for (const cell of cells) mark(this.placeOf(cell), bytesIn(cell.width));
    for (const object of objects ?? [])
      if (object.extent === undefined) mark(this.places[object.id]!, object.size);
      else for (const page of this.pages.of(object)) this.bytes.fill(0, page + PAGE, page + 2 * PAGE);
  }

  /** Of bytes at a place of the memory: has nobody written one of them? In pages it is marked what was written, so that new ones hold nothing. */
  private isUnwritten(object: MemoryObject, at: number, bytes: number): boolean {
    const isPaged = object.extent !== undefined;
    if (isPaged && this.program.initialBytes.has(object.id)) return false;
    const from = at + (isPaged ? PAGE : this.shadow);
    for (let i = from; i < from + bytes; i++) if ((this.bytes[i] === 0) === isPaged) return true;
    return false;
  }

  protected readBytes(object: MemoryObject, offset: number, width: number): bigint {
    if (width > 8 && object.extent !== undefined && !isInOnePage(offset, bytesIn(width))) {
      let result = 0n;
      for (let i = bytesIn(width) - 1; i >= 0; i--)
        result = (result << 8n) | this.readBytes(object, offset + i, 8);
      return result;
    }
    const at = this.placeIn(object, offset);
    const { bytes: all } = this;
    if (this.shadow > 0 && this.isUnwritten(object, at, bytesIn(width))) this.unwritten = object.name;
    const byte = (i: number) => all[at + i]!;
    const low = (i: number) =>
      (byte(i) | (byte(i + 1) << 8) | (byte(i + 2) << 16) | (byte(i + 3) << 24)) >>> 0;
    if (width === 8) return BigInt(byte(0));
    if (width === 16) return BigInt(byte(0) | (byte(1) << 8));
    if (width === 32) return BigInt(low(0));
    if (width === 64) return BigInt(low(0)) | (BigInt(low(4)) << 32n);
    let result = 0n;
    for (let i = bytesIn(width) - 1; i >= 0; i--) result = (result << 8n) | BigInt(byte(i));
    return result;
  }

  protected write(object: MemoryObject, offset: number, width: number, value: bigint): void {
    if (width > 8 && object.extent !== undefined && !isInOnePage(offset, bytesIn(width))) {
      for (let i = 0, rest = value; i < bytesIn(width); i++, rest >>= 8n)
        this.write(object, offset + i, 8, rest & 255n);
      return;
    }
    const at = this.placeIn(object, offset);
    if (this.shadow > 0) {
      const isPaged = object.extent !== undefined;
      const marks = at + (isPaged ? PAGE : this.shadow);
      this.bytes.fill(isPaged ? 1 : 0, marks, marks + bytesIn(width));
    }
    if (width <= 32) {
      for (let i = 0, rest = Number(value); i < bytesIn(width); i++, rest >>>= 8)
        this.bytes[at + i] = rest & 255;
      return;
    }
    for (let i = 0, rest = value; i < bytesIn(width); i++, rest >>= 8n)
      this.bytes[at + i] = Number(rest & 255n);
  }
}
