// Which nodes of a graph lie on common cycles, and whether one of the cycles pays what it owes. Columns of numbers: a second look goes through millions of edges.

import { IntStack } from '../../base/int-stack.ts';

/** The edges of node i are the indices from first[i] up to first[i + 1]. */
export interface Columns {
  readonly first: Int32Array;
  readonly to: Int32Array;
}

/** Tarjan's algorithm: the number of the part of each node. */
export function stronglyConnected({ first, to }: Columns): Int32Array {
  const nodes = first.length - 1;
  const part = new Int32Array(nodes).fill(-1);
  /** When a node was entered, from 1; 0: not yet. */
  const entered = new Int32Array(nodes);
  /** The earliest entered node of the same part that is known to be reached. */
  const low = new Int32Array(nodes);
  const next = first.slice(0, nodes);
  const path = new IntStack();
  const open = new IntStack();
  let count = 0;
  const enter = (node: number): void => {
    entered[node] = low[node] = ++count;
    path.push(node);
    open.push(node);
  };
  const close = (root: number): void => {
    for (let member = open.pop(); ; member = open.pop()) {
      part[member] = root;
      if (member === root) return;
    }
  };
  for (let start = 0; start < nodes; start++) {
    if (entered[start] !== 0) continue;
    enter(start);
    while (path.size > 0) {
      const node = path.top();
      if (next[node]! < first[node + 1]!) {
        const target = to[next[node]!++]!;
        if (entered[target] === 0) enter(target);
        else if (part[target] === -1 && entered[target]! < low[node]!) low[node] = entered[target]!;
        continue;
      }
      path.pop();
      if (low[node] === entered[node]) close(node);
      else if (low[node]! < low[path.top()]!) low[path.top()] = low[node]!;
    }
  }
  return part;
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
