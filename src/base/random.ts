/** The one generator of chance: small, seeded (xorshift32 with a mixed seed), the same seed gives the same run on every machine. */
export class Random {
  private state: number;

  constructor(seed: number) {
    let mixed = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ (seed >>> 7)) | 0;
    mixed ^= mixed >>> 15;
    this.state = mixed === 0 ? 0x6d2b79f5 : mixed;
  }

  /** In [0, 1). */
  next(): number {
    let x = this.state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state = x | 0;
    return (x >>> 0) / 4294967296;
  }

  /** A number from 0 up to, not including, `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}
