// States that are still to be expanded, as ranges of numbers: what a step finds has numbers one after the other.

export class Frontier {
  /** Ranges: first and end by turns, from `head` on. */
  private ranges: number[] = [];
  private head = 0;
  size = 0;

  add(from: number, end: number): void {
    if (end <= from) return;
    this.size += end - from;
    const last = this.ranges.length - 1;
    if (last > this.head && this.ranges[last] === from) this.ranges[last] = end;
    else this.ranges.push(from, end);
  }

  /** The first that were added, or the last: at most so many. Null when there are none. */
  take(most: number, which: 'oldest' | 'newest'): readonly [number, number] | null {
    if (this.size === 0) return null;
    const { ranges } = this;
    const at = which === 'oldest' ? this.head : ranges.length - 2;
    const from = ranges[at]!;
    const end = ranges[at + 1]!;
    const count = Math.min(most, end - from);
    this.size -= count;
    if (which === 'oldest') {
      ranges[at] = from + count;
      if (count === end - from) this.forward();
      return [from, from + count];
    }
    ranges[at + 1] = end - count;
    if (count === end - from) ranges.length -= 2;
    return [end - count, end];
  }

  /** Half of the states or so, from the other side than `order` takes them: at most so many ranges. */
  half(mostRanges: number, order: 'oldest' | 'newest'): number[] {
    const given: number[] = [];
    const other = order === 'oldest' ? 'newest' : 'oldest';
    for (let wanted = this.size >>> 1; wanted > 0 && given.length < 2 * mostRanges; ) {
      const range = this.take(wanted, other);
      if (range === null) break;
      given.push(...range);
      wanted -= range[1] - range[0];
    }
    return given;
  }

  /** Everything, as first and end by turns. */
  takeAll(): number[] {
    const all = this.ranges.slice(this.head);
    this.ranges = [];
    this.head = 0;
    this.size = 0;
    return all;
  }

  private forward(): void {
    this.head += 2;
    if (this.head < 1024 || this.head * 2 < this.ranges.length) return;
    this.ranges = this.ranges.slice(this.head);
    this.head = 0;
  }
}
