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

  private reserve(size: number): void {
    const larger = new Int32Array(Math.max(size, this.data.length * 2));
    larger.set(this.data);
    this.data = larger;
  }
}
