// Pairs of numbers, numbered as they are met: open addressing over columns, for millions of pairs.

import { IntStack } from '../../base/int-stack.ts';

export class PairNumbers {
  private readonly firsts = new IntStack();
  private readonly seconds = new IntStack();
  private slots = new Int32Array(256).fill(-1);

  get size(): number {
    return this.firsts.size;
  }

  firstOf(id: number): number {
    return this.firsts.at(id);
  }

  secondOf(id: number): number {
    return this.seconds.at(id);
  }

  numberOf(first: number, second: number): number {
    const slot = this.slotOf(first, second);
    const known = this.slots[slot]!;
    if (known >= 0) return known;
    const id = this.firsts.size;
    this.slots[slot] = id;
    this.firsts.push(first);
    this.seconds.push(second);
    if (2 * this.firsts.size > this.slots.length) this.grow();
    return id;
  }

  /** Where the pair stands, or would stand. */
  private slotOf(first: number, second: number): number {
    const mask = this.slots.length - 1;
    let slot = (Math.imul(first, 0x9e3779b1) + Math.imul(second, 0x85ebca6b)) & mask;
    for (let id = this.slots[slot]!; id >= 0; id = this.slots[slot]!) {
      if (this.firsts.at(id) === first && this.seconds.at(id) === second) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private grow(): void {
    this.slots = new Int32Array(2 * this.slots.length).fill(-1);
    for (let id = 0; id < this.firsts.size; id++)
      this.slots[this.slotOf(this.firsts.at(id), this.seconds.at(id))] = id;
  }
}
