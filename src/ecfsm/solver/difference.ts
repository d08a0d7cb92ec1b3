// Systems of difference constraints x - y <= c over the integers, decided exactly and incrementally.
//
// [QLive] section 4.4.1: a constraint x - y <= c is an edge y -> x of weight c; the system has a solution iff the graph has no negative
// cycle (Lemma 2), and shortest distances are a solution. We keep such distances (`value`) for the constraints asserted so far. A new
// edge y -> x that they violate lowers x, and Bellman-Ford relaxation repairs what follows from that; if it would lower y itself, the
// new edge closes a negative cycle. Every negative cycle contains the new edge (there was none before), and relaxation that never
// lowers y ends in distances satisfying all edges, so the answer is exact. All arithmetic is on small integers: no rounding.
//
// Departures: the paper's Definition 6 asks for q >= 0, which `VM > VA` already violates; any integer is allowed here. A constraint on
// one variable is a difference with variable 0, which stands for the number zero; natural numbers are then x with 0 - x <= 0, which
// makes Lemma 2 right for systems with such constraints too (shifting a solution is no longer free).

export class DifferenceSystem {
  /** Bellman-Ford runs since the beginning: one for each constraint that had to be propagated. */
  runs = 0;
  private values: number[] = [0];
  private readonly head: number[] = [];
  private readonly tail: number[] = [];
  private readonly weight: number[] = [];
  /** Edges by the vertex they leave. */
  private readonly leaving: number[][] = [[]];
  private readonly saved: { edges: number; values: number[] | null }[] = [];

  /** Makes variables 0..count-1 known; variable 0 is zero. */
  grow(count: number): void {
    while (this.leaving.length < count) {
      this.leaving.push([]);
      this.values.push(0);
    }
  }

  push(): void {
    this.saved.push({ edges: this.head.length, values: null });
  }

  pop(): void {
    const point = this.saved.pop();
    if (point === undefined) throw new Error('impossible: pop without push');
    while (this.head.length > point.edges) {
      this.head.pop();
      this.weight.pop();
      this.leaving[this.tail.pop()!]!.pop();
    }
    // Older distances satisfy the remaining constraints; so do the present ones, but only if no propagation was cut short.
    if (point.values !== null) this.values = point.values;
  }

  /** Adds x - y <= c. False when the system has no solution any more (then only `pop` is allowed). */
  add(x: number, y: number, c: number): boolean {
    if (x === y) return c >= 0;
    this.head.push(x);
    this.tail.push(y);
    this.weight.push(c);
    this.leaving[y]!.push(this.head.length - 1);
    if (this.values[x]! <= this.values[y]! + c) return true;
    const point = this.saved.at(-1);
    if (point !== undefined && point.values === null) point.values = [...this.values];
    return this.propagate(x, y, c);
  }

  private propagate(x: number, y: number, c: number): boolean {
    this.values[x] = this.values[y]! + c;
    return this.relax(this.values, x, y);
  }

  /** Bellman-Ford: lowers what follows from the value of `start`. False as soon as `fixed` would be lowered. */
  private relax(values: number[], start: number, fixed: number | null): boolean {
    this.runs++;
    const queue = [start];
    const waiting = new Set(queue);
    for (let i = 0; i < queue.length; i++) {
      const from = queue[i]!;
      waiting.delete(from);
      for (const edge of this.leaving[from]!) {
        const to = this.head[edge]!;
        const candidate = values[from]! + this.weight[edge]!;
        if (candidate >= values[to]!) continue;
        if (to === fixed) return false;
        values[to] = candidate;
        if (waiting.has(to)) continue;
        waiting.add(to);
        queue.push(to);
      }
    }
    return true;
  }

  /** A solution, with variable 0 at zero. */
  solution(): number[] {
    const zero = this.values[0]!;
    return this.values.map((value) => value - zero);
  }

  /** The least c with x - y <= c in every solution: the shortest path from y to x. Infinity when x - y is not bounded (Lemma 3). */
  bound(x: number, y: number): number {
    return this.boundsFrom(y)[x]!;
  }

  /** `bound(x, y)` for every x. */
  boundsFrom(y: number): readonly number[] {
    const distance = this.values.map(() => Number.POSITIVE_INFINITY);
    distance[y] = 0;
    this.relax(distance, y, null);
    return distance;
  }
}
