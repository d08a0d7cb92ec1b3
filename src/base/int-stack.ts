// A stack of 32-bit integers: millions of entries cost four bytes each.

/** From so many entries on it grows by half of what it has. */
const LARGE = 1 << 20;

export class IntStack {
  private items: Int32Array<ArrayBuffer>;
  private count = 0;

  constructor(capacity = 256) {
    this.items = new Int32Array(capacity);
  }

  get size(): number {
    return this.count;
  }

  get bytes(): number {
    return this.items.byteLength;
  }

  push(value: number): void {
    if (this.count === this.items.length) {
      const larger = new Int32Array(this.count < LARGE ? 2 * this.count : this.count + (this.count >>> 1));
      larger.set(this.items);
      this.items = larger;
    }
    this.items[this.count++] = value;
  }

  /** The caller knows that there is one. */
  pop(): number {
    return this.items[--this.count]!;
  }

  at(index: number): number {
    return this.items[index]!;
  }

  set(index: number, value: number): void {
    this.items[index] = value;
  }

  top(): number {
    return this.items[this.count - 1]!;
  }

  /** What is on it, from the bottom; valid until the next push. */
  view(): Int32Array {
    return this.items.subarray(0, this.count);
  }
}
