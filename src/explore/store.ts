// The set of visited states: packed words one after the other in large chunks, found through an open-addressing hash table.
// A state is its number, 0, 1, 2, … in the order of discovery. Nothing is ever an object per state.

import type { CompiledMachine } from './machine.ts';

/** Numbered states, wherever they are kept. */
export interface States {
  readonly count: number;
  loadInto(machine: CompiledMachine, state: number): void;
  /** Are these the state's words? */
  equals(state: number, words: Int32Array, length: number): boolean;
  bytes(): number;
}

const CHUNK_BITS = 20;
const CHUNK = 1 << CHUNK_BITS;

export class StateStore implements States {
  count = 0;
  private chunks: Int32Array[] = [];
  /** Next free word, counted over all chunks. */
  private next = 0;
  private offsets = new Float64Array(1024);
  private table = new Int32Array(1 << 12);
  private hashes = new Int32Array(1 << 12);
  private mask = (1 << 12) - 1;
  /** True after `add` when the state was not known before. */
  wasNew = false;

  /** The number of the state with these words. */
  add(words: Int32Array, length: number): number {
    let hash = 0x9e3779b9 | 0;
    for (let i = 0; i < length; i++) {
      hash = Math.imul(hash ^ words[i]!, 0x85ebca6b);
      hash ^= hash >>> 15;
    }
    hash = Math.imul(hash, 0xc2b2ae35);
    hash ^= hash >>> 16;
    const { table, hashes, mask } = this;
    let slot = hash & mask;
    for (let entry = table[slot]!; entry !== 0; entry = table[slot]!) {
      if (hashes[slot] === hash && this.equals(entry - 1, words, length)) {
        this.wasNew = false;
        return entry - 1;
      }
      slot = (slot + 1) & mask;
    }
    this.wasNew = true;
    const state = this.append(words, length);
    table[slot] = state + 1;
    hashes[slot] = hash;
    if (this.count * 4 > (mask + 1) * 3) this.grow();
    return state;
  }

  /** Are these the state's words? */
  equals(state: number, words: Int32Array, length: number): boolean {
    const offset = this.offsets[state]!;
    const chunk = this.chunks[Math.floor(offset / CHUNK)]!;
    const start = offset % CHUNK;
    for (let i = 0; i < length; i++) if (chunk[start + i] !== words[i]) return false;
    return true;
  }

  private append(words: Int32Array, length: number): number {
    let start = this.next % CHUNK;
    if (start + length > CHUNK || this.next >= this.chunks.length * CHUNK) {
      // A record never crosses a chunk; one larger than a chunk gets a chunk of its own size.
      if (start !== 0 || this.next < this.chunks.length * CHUNK) this.next = this.chunks.length * CHUNK;
      this.chunks.push(new Int32Array(Math.max(CHUNK, length)));
      start = 0;
    }
    const chunk = this.chunks[this.chunks.length - 1]!;
    for (let i = 0; i < length; i++) chunk[start + i] = words[i]!;
    if (this.count === this.offsets.length) {
      const larger = new Float64Array(this.count * 2);
      larger.set(this.offsets);
      this.offsets = larger;
    }
    this.offsets[this.count] = this.next;
    this.next += Math.min(length, CHUNK);
    return this.count++;
  }

  private grow(): void {
    const { table, hashes } = this;
    const size = (this.mask + 1) * 2;
    const mask = size - 1;
    const newTable = new Int32Array(size);
    const newHashes = new Int32Array(size);
    for (let i = 0; i < table.length; i++) {
      const entry = table[i]!;
      if (entry === 0) continue;
      let slot = hashes[i]! & mask;
      while (newTable[slot] !== 0) slot = (slot + 1) & mask;
      newTable[slot] = entry;
      newHashes[slot] = hashes[i]!;
    }
    this.table = newTable;
    this.hashes = newHashes;
    this.mask = mask;
  }

  loadInto(machine: CompiledMachine, state: number): void {
    machine.unpack(this.chunkOf(state), this.startOf(state));
  }

  chunkOf(state: number): Int32Array {
    return this.chunks[Math.floor(this.offsets[state]! / CHUNK)]!;
  }

  startOf(state: number): number {
    return this.offsets[state]! % CHUNK;
  }

  /** Bytes in use; a table that is about to grow counts with the one that will take its place. */
  bytes(): number {
    const words = this.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const isNearlyFull = this.count * 10 > this.table.length * 7;
    return words * 4 + this.count * 8 + this.table.length * (isNearlyFull ? 24 : 8);
  }
}
