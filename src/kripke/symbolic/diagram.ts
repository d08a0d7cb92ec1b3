// Sets of configurations as multi-valued decision diagrams: one level for each component (and one for an automaton that watches), a node's edges are the values
// of its level with the set of what may follow below. Equal sets are equal numbers. No level is skipped, except that the empty set has no nodes.

import { ABSENT, Memo } from './memo.ts';

/** Thrown when nodes, memory or time run out; the engines turn it into a value. */
export class OutOfLimits extends Error {
  readonly limit: 'time' | 'memory';

  constructor(limit: 'time' | 'memory') {
    super(limit);
    this.limit = limit;
  }
}

export interface DiagramLimits {
  readonly timeLeft: () => boolean;
  /** Bytes for nodes and what is remembered about them. */
  readonly maxMemory: number;
}

export const EMPTY = 0;
/** Below the last level: the one way to have no levels left. */
export const END = 1;
/** As a bound: everything, on whatever level. */
export const EVERYTHING = -1;

/** A node under construction: values of its level, and what follows. */
export type Branches = Map<number, number>;

const NODES_BETWEEN_LOOKS = 4096;

export class Diagrams {
  readonly levels: number;
  private readonly limits: DiagramLimits;
  /** Node n: its edges are pairs in `pairs`, from first[n] up to first[n + 1]. */
  private first = new Int32Array(1024);
  private pairs = new Int32Array(4096);
  private nodes = 2;
  private slots = new Int32Array(2048);
  private readonly memos: Memo[] = [];
  private readonly unions: Memo;
  private readonly commons: Memo;
  private readonly rests: Memo;
  private scratch = new Int32Array(64);

  constructor(levels: number, limits: DiagramLimits) {
    this.levels = levels;
    this.limits = limits;
    this.unions = this.memo();
    this.commons = this.memo();
    this.rests = this.memo();
  }

  /** Nodes made so far, the dead ones included. */
  get size(): number {
    return this.nodes;
  }

  /** A memory for results about these diagrams, which counts towards the limit. */
  memo(): Memo {
    const memo = new Memo();
    this.memos.push(memo);
    return memo;
  }

  /** Where the edges of a node begin and end: a value at [i], the node below at [i + 1]. */
  begin(node: number): number {
    return this.first[node]!;
  }

  end(node: number): number {
    return this.first[node + 1]!;
  }

  value(at: number): number {
    return this.pairs[at]!;
  }

  below(at: number): number {
    return this.pairs[at + 1]!;
  }

  /** What follows a value: by halving, edges are ascending. */
  child(node: number, value: number): number {
    if (node === EVERYTHING) return EVERYTHING;
    let low = this.first[node]! / 2;
    let high = this.first[node + 1]! / 2;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.pairs[2 * middle]! < value) low = middle + 1;
      else high = middle;
    }
    return 2 * low < this.first[node + 1]! && this.pairs[2 * low] === value
      ? this.pairs[2 * low + 1]!
      : EMPTY;
  }

  /** The node with these branches; empty ones vanish. */
  node(branches: Branches): number {
    let length = 0;
    let sorted = true;
    let before = -1;
    if (this.scratch.length < 2 * branches.size) this.scratch = new Int32Array(4 * branches.size);
    for (const [value, below] of branches) {
      if (below === EMPTY) continue;
      if (value < before) sorted = false;
      before = value;
      this.scratch[length++] = value;
      this.scratch[length++] = below;
    }
    if (!sorted) sortPairs(this.scratch, length);
    return this.intern(this.scratch, length);
  }

  /** All combinations of the values of each level. */
  box(values: readonly (readonly number[])[]): number {
    let node = END;
    for (const own of values.toReversed())
      node = this.node(new Map([...own].sort((a, b) => a - b).map((value) => [value, node])));
    return node;
  }

  union(a: number, b: number): number {
    if (a === b || b === EMPTY) return a;
    if (a === EMPTY) return b;
    if (a > b) return this.union(b, a);
    const known = this.unions.get(a, b, 0);
    if (known !== ABSENT) return known;
    const branches: Branches = new Map();
    let i = this.first[a]!;
    let j = this.first[b]!;
    const endA = this.first[a + 1]!;
    const endB = this.first[b + 1]!;
    while (i < endA || j < endB) {
      const left = i < endA ? this.pairs[i]! : Number.MAX_SAFE_INTEGER;
      const right = j < endB ? this.pairs[j]! : Number.MAX_SAFE_INTEGER;
      if (left < right) branches.set(left, this.pairs[i + 1]!);
      else if (right < left) branches.set(right, this.pairs[j + 1]!);
      else branches.set(left, this.union(this.pairs[i + 1]!, this.pairs[j + 1]!));
      if (left <= right) i += 2;
      if (right <= left) j += 2;
    }
    const result = this.node(branches);
    this.unions.set(a, b, 0, result);
    return result;
  }

  /** `b` may be EVERYTHING. */
  intersection(a: number, b: number): number {
    if (a === b || b === EVERYTHING) return a;
    if (a === EMPTY || b === EMPTY) return EMPTY;
    if (a > b) return this.intersection(b, a);
    const known = this.commons.get(a, b, 0);
    if (known !== ABSENT) return known;
    const branches: Branches = new Map();
    for (let i = this.first[a]!; i < this.first[a + 1]!; i += 2) {
      const other = this.child(b, this.pairs[i]!);
      if (other !== EMPTY) branches.set(this.pairs[i]!, this.intersection(this.pairs[i + 1]!, other));
    }
    const result = this.node(branches);
    this.commons.set(a, b, 0, result);
    return result;
  }

  difference(a: number, b: number): number {
    if (a === b || a === EMPTY) return EMPTY;
    if (b === EMPTY) return a;
    const known = this.rests.get(a, b, 0);
    if (known !== ABSENT) return known;
    const branches: Branches = new Map();
    for (let i = this.first[a]!; i < this.first[a + 1]!; i += 2)
      branches.set(this.pairs[i]!, this.difference(this.pairs[i + 1]!, this.child(b, this.pairs[i]!)));
    const result = this.node(branches);
    this.rests.set(a, b, 0, result);
    return result;
  }

  has(node: number, configuration: ArrayLike<number>): boolean {
    let at = node;
    for (let level = 0; level < this.levels && at !== EMPTY; level++)
      at = this.child(at, configuration[level]!);
    return at !== EMPTY;
  }

  /** Some member of a set that is not empty. */
  member(node: number): number[] {
    const values: number[] = [];
    for (let at = node; values.length < this.levels; at = this.pairs[this.first[at]! + 1]!)
      values.push(this.pairs[this.first[at]!]!);
    return values;
  }

  /** How many configurations the set has; what is beyond all numbers is the largest one. */
  count(node: number): number {
    const counts = new Map<number, number>([
      [EMPTY, 0],
      [END, 1],
    ]);
    const count = (at: number): number => {
      let sum = counts.get(at);
      if (sum === undefined) {
        sum = 0;
        for (let i = this.first[at]!; i < this.first[at + 1]!; i += 2) sum += count(this.pairs[i + 1]!);
        counts.set(at, sum);
      }
      return sum;
    };
    return Math.min(count(node), Number.MAX_VALUE);
  }

  private intern(pairs: Int32Array, length: number): number {
    if (length === 0) return EMPTY;
    const mask = this.slots.length - 1;
    let slot = hash(pairs, 0, length) & mask;
    for (let node = this.slots[slot]!; node !== EMPTY; node = this.slots[slot]!) {
      if (this.equals(node, pairs, length)) return node;
      slot = (slot + 1) & mask;
    }
    const node = this.nodes++;
    this.slots[slot] = node;
    this.reserve(length);
    const at = this.first[node]!;
    for (let i = 0; i < length; i++) this.pairs[at + i] = pairs[i]!;
    this.first[node + 1] = at + length;
    if (this.nodes % NODES_BETWEEN_LOOKS === 0) this.look();
    if (this.nodes * 2 > this.slots.length) this.rehash();
    return node;
  }

  private equals(node: number, pairs: Int32Array, length: number): boolean {
    const at = this.first[node]!;
    if (this.first[node + 1]! - at !== length) return false;
    for (let i = 0; i < length; i++) if (this.pairs[at + i] !== pairs[i]) return false;
    return true;
  }

  private reserve(length: number): void {
    if (this.nodes + 1 >= this.first.length) this.first = grown(this.first);
    while (this.first[this.nodes - 1]! + length > this.pairs.length) this.pairs = grown(this.pairs);
  }

  private rehash(): void {
    this.slots = new Int32Array(this.slots.length * 2);
    const mask = this.slots.length - 1;
    for (let node = 2; node < this.nodes; node++) {
      let slot = hash(this.pairs, this.first[node]!, this.first[node + 1]!) & mask;
      while (this.slots[slot] !== EMPTY) slot = (slot + 1) & mask;
      this.slots[slot] = node;
    }
  }

  /** Time is asked for here, too: nothing runs long without making nodes. */
  private look(): void {
    if (!this.limits.timeLeft()) throw new OutOfLimits('time');
    const own = this.first.byteLength + this.pairs.byteLength + this.slots.byteLength;
    if (this.memos.reduce((sum, { bytes }) => sum + bytes, own) > this.limits.maxMemory)
      throw new OutOfLimits('memory');
  }
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

function hash(pairs: Int32Array, from: number, to: number): number {
  let value = 0x811c9dc5;
  for (let i = from; i < to; i++) {
    value = Math.imul(value ^ pairs[i]!, 0x9e3779b1);
    value ^= value >>> 15;
  }
  return value >>> 0;
}

/** By insertion: nodes have few branches, and most are in order already. */
function sortPairs(pairs: Int32Array, length: number): void {
  for (let i = 2; i < length; i += 2) {
    const value = pairs[i]!;
    const below = pairs[i + 1]!;
    let at = i;
    for (; at > 0 && pairs[at - 2]! > value; at -= 2) {
      pairs[at] = pairs[at - 2]!;
      pairs[at + 1] = pairs[at - 1]!;
    }
    pairs[at] = value;
    pairs[at + 1] = below;
  }
}
