// Numbers equal-length tuples of small integers: a hash table with open addressing over flat chunks, so that millions
// of configurations cost little more than their entries, and growing never copies them.

const CHUNK_ENTRIES = 1 << 16;

/** What both tables offer. */
export interface Tuples {
  readonly width: number;
  readonly size: number;
  readonly bytes: number;
  intern(tuple: readonly number[] | Int32Array): number;
  read(id: number, into: Int32Array): void;
  entry(id: number, index: number): number;
}

/** Tuples of one number below a limit need no hashing. */
export class SingleTable implements Tuples {
  readonly width = 1;
  private readonly ids: Int32Array;
  private readonly values: Int32Array;
  private count = 0;

  constructor(limit: number) {
    this.ids = new Int32Array(limit).fill(-1);
    this.values = new Int32Array(limit);
  }

  get size(): number {
    return this.count;
  }

  get bytes(): number {
    return this.ids.byteLength + this.values.byteLength;
  }

  intern(tuple: readonly number[] | Int32Array): number {
    const value = tuple[0]!;
    const known = this.ids[value]!;
    if (known >= 0) return known;
    this.values[this.count] = value;
    this.ids[value] = this.count;
    return this.count++;
  }

  read(id: number, into: Int32Array): void {
    into[0] = this.values[id]!;
  }

  entry(id: number): number {
    return this.values[id]!;
  }
}

export class TupleTable implements Tuples {
  readonly width: number;
  /** Chunks of 2^shift tuples each. */
  private readonly chunks: Int32Array[] = [];
  private readonly shift: number;
  private slots: Int32Array;
  private count = 0;

  constructor(width: number) {
    this.width = width;
    this.shift = Math.max(0, Math.floor(Math.log2(CHUNK_ENTRIES / Math.max(1, width))));
    this.slots = new Int32Array(128).fill(-1);
  }

  get size(): number {
    return this.count;
  }

  /** Bytes in use, for budgets. */
  get bytes(): number {
    return this.chunks.length * 4 * this.width * 2 ** this.shift + this.slots.byteLength;
  }

  /** The number of the tuple; a new one when it was not seen before (then it equals the former size). */
  intern(tuple: readonly number[] | Int32Array): number {
    const mask = this.slots.length - 1;
    let slot = hash(tuple, this.width) & mask;
    for (let id = this.slots[slot]!; id >= 0; id = this.slots[slot]!) {
      if (this.equals(id, tuple)) return id;
      slot = (slot + 1) & mask;
    }
    const id = this.count++;
    this.slots[slot] = id;
    if (id >> this.shift === this.chunks.length) this.chunks.push(new Int32Array(this.width << this.shift));
    const chunk = this.chunks[id >> this.shift]!;
    const start = this.offset(id);
    for (let i = 0; i < this.width; i++) chunk[start + i] = tuple[i]!;
    if (this.count * 2 > this.slots.length) this.rehash();
    return id;
  }

  /** The tuple of a number: a view, not to be written. */
  get(id: number): Int32Array {
    const start = this.offset(id);
    return this.chunks[id >> this.shift]!.subarray(start, start + this.width);
  }

  /** Copies the tuple of a number. */
  read(id: number, into: Int32Array): void {
    const chunk = this.chunks[id >> this.shift]!;
    const start = this.offset(id);
    for (let i = 0; i < this.width; i++) into[i] = chunk[start + i]!;
  }

  /** One number of a tuple. */
  entry(id: number, index: number): number {
    return this.chunks[id >> this.shift]![this.offset(id) + index]!;
  }

  private offset(id: number): number {
    return (id & ((1 << this.shift) - 1)) * this.width;
  }

  private equals(id: number, tuple: readonly number[] | Int32Array): boolean {
    const chunk = this.chunks[id >> this.shift]!;
    const start = this.offset(id);
    for (let i = 0; i < this.width; i++) if (chunk[start + i] !== tuple[i]) return false;
    return true;
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let id = 0; id < this.count; id++) {
      let slot = hash(this.get(id), this.width) & mask;
      while (slots[slot]! >= 0) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.slots = slots;
  }
}

function hash(tuple: readonly number[] | Int32Array, width: number): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < width; i++) {
    value = Math.imul(value ^ tuple[i]!, 0x9e3779b1);
    value ^= value >>> 15;
  }
  return value >>> 0;
}
