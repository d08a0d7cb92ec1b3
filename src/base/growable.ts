/** From so many elements on a list grows by half of what it has. */
const LARGE = 1 << 20;

/** A growing array of 32-bit integers. */
export class IntList {
  data: Int32Array;
  length = 0;

  constructor(capacity = 1024) {
    this.data = new Int32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.data.length) this.reserve(this.length + 1);
    this.data[this.length++] = value;
  }

  /** Sets an element, with zeros between the old end and it. */
  set(index: number, value: number): void {
    if (index >= this.data.length) this.reserve(index + 1);
    this.data[index] = value;
    if (index >= this.length) this.length = index + 1;
  }

  /** What was never written takes no memory yet. */
  bytes(): number {
    return this.length * 4;
  }

  private reserve(size: number): void {
    const { length } = this.data;
    const larger = new Int32Array(Math.max(size, length < LARGE ? length * 2 : length + (length >>> 1)));
    larger.set(this.data);
    this.data = larger;
  }
}
