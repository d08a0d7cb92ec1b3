// Proofs by decision diagrams as plain data.

import type { Diagrams } from './diagram.ts';
import { END } from './diagram.ts';
import type { Space } from './space.ts';

/** Sets as nodes: node 2 + i is nodes[i], which names its level, then pairs of a value and the node below. 0 is the empty set, 1 the end. */
export interface SetsRecord {
  /** The component of each level. */
  readonly order: readonly number[];
  readonly nodes: readonly (readonly number[])[];
  /** Holds the beginning, and no step leaves it. */
  readonly reached: number;
}

/** From one set to a smaller one, in which every path that matters stays from some time on. */
export type ShrinkRecord =
  /** It holds what the set before has of the fair states of this number, and no step inside the set before leaves it. */
  | { readonly fair: number; readonly set: number }
  /** It holds what a step inside the set before leads to. */
  | { readonly followed: true; readonly set: number }
  /** The same set; from now on only the steps that can recur in it, component by component. */
  | { readonly recurring: true; readonly set: number };

/** With the watcher as the last level. The last of the sets is empty. */
export interface WatchedRecord extends SetsRecord {
  readonly steps: readonly ShrinkRecord[];
}

export interface SymbolicRecord {
  /** What the components reach by themselves; null when nobody asks. */
  readonly plain: SetsRecord | null;
  /** For each conjunct of a formula; null: no member of the plain set violates it. For freedom from deadlock there is none. */
  readonly proofs: readonly (WatchedRecord | null)[];
}

/** Writes down sets of one space; what they share is written once. */
export class Recorder {
  private readonly space: Space;
  private readonly nodes: number[][] = [];
  private readonly ids = new Map<number, number>();

  constructor(space: Space) {
    this.space = space;
  }

  set(root: number): number {
    return this.write(this.space.diagrams, root, 0);
  }

  reached(root: number): SetsRecord {
    return { reached: this.set(root), order: this.space.order, nodes: this.nodes };
  }

  private write(diagrams: Diagrams, node: number, level: number): number {
    if (node <= END) return node;
    let id = this.ids.get(node);
    if (id === undefined) {
      const own = [level];
      for (let at = diagrams.begin(node); at < diagrams.end(node); at += 2)
        own.push(diagrams.value(at), this.write(diagrams, diagrams.below(at), level + 1));
      id = this.nodes.push(own) + 1;
      this.ids.set(node, id);
    }
    return id;
  }
}
