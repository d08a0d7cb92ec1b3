// Bytes of a WebAssembly module: numbers in LEB128, sections with their length in front. (WebAssembly core specification, section 5.)

export class Bytes {
  private data: Uint8Array;
  length = 0;

  constructor(capacity = 256) {
    this.data = new Uint8Array(capacity);
  }

  byte(value: number): this {
    if (this.length === this.data.length) this.reserve(this.length + 1);
    this.data[this.length++] = value;
    return this;
  }

  /** Unsigned LEB128. */
  unsigned(value: number): this {
    let rest = value >>> 0;
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    return this.byte(rest);
  }

  /** Signed LEB128. */
  signed(value: number): this {
    let rest = value | 0;
    while (rest > 63 || rest < -64) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>= 7;
    }
    return this.byte(rest & 0x7f);
  }

  text(value: string): this {
    this.unsigned(value.length);
    for (let i = 0; i < value.length; i++) this.byte(value.charCodeAt(i));
    return this;
  }

  append(other: Bytes): this {
    this.reserve(this.length + other.length);
    this.data.set(other.data.subarray(0, other.length), this.length);
    this.length += other.length;
    return this;
  }

  /** Its length, then the bytes. */
  sized(other: Bytes): this {
    return this.unsigned(other.length).append(other);
  }

  section(id: number, content: Bytes): this {
    return this.byte(id).sized(content);
  }

  /** Takes away what was written from there on. */
  cut(start: number): Bytes {
    const rest = new Bytes(this.length - start);
    rest.data.set(this.data.subarray(start, this.length));
    rest.length = this.length - start;
    this.length = start;
    return rest;
  }

  /** Are these the bytes from there to the end? */
  endsWith(start: number, ...bytes: number[]): boolean {
    return this.length - start === bytes.length && bytes.every((byte, i) => this.data[start + i] === byte);
  }

  finished(): Uint8Array {
    return this.data.slice(0, this.length);
  }

  private reserve(size: number): void {
    if (size <= this.data.length) return;
    const larger = new Uint8Array(Math.max(size, this.data.length * 2));
    larger.set(this.data);
    this.data = larger;
  }
}
