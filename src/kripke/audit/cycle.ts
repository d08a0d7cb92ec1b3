// Which nodes of a graph lie on common cycles, and whether one of the cycles pays what it owes. Columns of numbers: a second look goes through millions of edges.

import { IntStack } from '../../base/int-stack.ts';

/** The edges of node i are the indices from first[i] up to first[i + 1]. */
export interface Columns {
  readonly first: Int32Array;
  readonly to: Int32Array;
}

/** Kosaraju's algorithm: the number of the part of each node. */
export function stronglyConnected({ first, to }: Columns): Int32Array {
  const nodes = first.length - 1;
  const backFirst = new Int32Array(nodes + 1);
  for (let i = 0; i < to.length; i++) backFirst[to[i]! + 1]!++;
  for (let node = 0; node < nodes; node++) backFirst[node + 1]! += backFirst[node]!;
  const next = backFirst.slice();
  const back = new Int32Array(to.length);
  for (let from = 0; from < nodes; from++)
    for (let i = first[from]!; i < first[from + 1]!; i++) back[next[to[i]!]!++] = from;
  const finished = finishingOrder({ first, to });
  const part = new Int32Array(nodes).fill(-1);
  const open = new IntStack();
  for (let last = nodes - 1; last >= 0; last--) {
    const root = finished[last]!;
    if (part[root] !== -1) continue;
    part[root] = root;
    open.push(root);
    while (open.size > 0) {
      const node = open.pop();
      for (let i = backFirst[node]!; i < backFirst[node + 1]!; i++) {
        const before = back[i]!;
        if (part[before] !== -1) continue;
        part[before] = root;
        open.push(before);
      }
    }
  }
  return part;
}

function finishingOrder({ first, to }: Columns): Int32Array {
  const nodes = first.length - 1;
  const seen = new Uint8Array(nodes);
  const at = first.slice();
  const finished = new Int32Array(nodes);
  const stack = new IntStack();
  let count = 0;
  for (let root = 0; root < nodes; root++) {
    if (seen[root] === 1) continue;
    seen[root] = 1;
    stack.push(root);
    while (stack.size > 0) {
      const node = stack.top();
      if (at[node]! === first[node + 1]!) {
        finished[count++] = stack.pop();
        continue;
      }
      const target = to[at[node]!++]!;
      if (seen[target] === 1) continue;
      seen[target] = 1;
      stack.push(target);
    }
  }
  return finished;
}

/** Sets of texts, each with a number: there are few of them, however many edges bear one. */
export class NumberedSets {
  private readonly sets: ReadonlySet<string>[] = [];
  private readonly ids = new Map<string, number>();
  private readonly meets = new Map<number, Map<number, number>>();

  numberOf(set: ReadonlySet<string>): number {
    const key = JSON.stringify([...set].sort());
    let id = this.ids.get(key);
    if (id === undefined) {
      id = this.sets.push(set) - 1;
      this.ids.set(key, id);
    }
    return id;
  }

  isEmpty(id: number): boolean {
    return this.sets[id]!.size === 0;
  }

  /** What two of them have in common. */
  meet(a: number, b: number): number {
    if (a === b) return a;
    const known = this.meets.get(a) ?? new Map<number, number>();
    this.meets.set(a, known);
    let id = known.get(b);
    if (id === undefined) {
      id = this.numberOf(new Set([...this.sets[a]!].filter((text) => this.sets[b]!.has(text))));
      known.set(b, id);
    }
    return id;
  }
}

/** Is there a strongly connected part with an edge, in which nothing is put off by all edges? */
export function hasAcceptingCycle(edges: Columns, putOff: Int32Array, sets: NumberedSets): boolean {
  const { first, to } = edges;
  const part = stronglyConnected(edges);
  /** For each part: what all of its inner edges so far put off, plus one. */
  const always = new Int32Array(part.length);
  for (let from = 0; from < part.length; from++) {
    const own = part[from]!;
    for (let i = first[from]!; i < first[from + 1]!; i++) {
      if (own !== part[to[i]!]) continue;
      always[own] = 1 + (always[own] === 0 ? putOff[i]! : sets.meet(always[own]! - 1, putOff[i]!));
    }
  }
  return always.some((all) => all !== 0 && sets.isEmpty(all - 1));
}
