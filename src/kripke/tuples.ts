// Numbers equal-length tuples of small integers: a hash table with open addressing over one flat array, so that millions
// of configurations cost little more than their entries.

export class TupleTable {
  readonly width: number;
  private data: Int32Array;
  private slots: Int32Array;
  private count = 0;

  constructor(width: number) {
    this.width = width;
    this.data = new Int32Array(64 * width);
    this.slots = new Int32Array(128).fill(-1);
  }

  get size(): number {
    return this.count;
  }

  /** Bytes in use, for budgets. */
  get bytes(): number {
    return this.data.byteLength + this.slots.byteLength;
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
    if ((id + 1) * this.width > this.data.length) this.data = grown(this.data);
    this.data.set(tuple, id * this.width);
    if (this.count * 2 > this.slots.length) this.rehash();
    return id;
  }

  /** The tuple of a number: a view, valid until the next intern. */
  get(id: number): Int32Array {
    return this.data.subarray(id * this.width, (id + 1) * this.width);
  }

  private equals(id: number, tuple: readonly number[] | Int32Array): boolean {
    const start = id * this.width;
    for (let i = 0; i < this.width; i++) if (this.data[start + i] !== tuple[i]) return false;
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

function grown(data: Int32Array): Int32Array {
  const larger = new Int32Array(data.length * 2);
  larger.set(data);
  return larger;
}

function hash(tuple: readonly number[] | Int32Array, width: number): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < width; i++) {
    value = Math.imul(value ^ tuple[i]!, 0x9e3779b1);
    value ^= value >>> 15;
  }
  return value >>> 0;
}
