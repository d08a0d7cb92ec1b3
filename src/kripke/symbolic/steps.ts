// What follows from a set of configurations: one step, or any number of them by saturation (Ciardo, Lüttgen and Siminiceanu 2001): a node is brought to its
// fixpoint under the events that end at its level before anything above is looked at, so that the diagrams on the way stay small. With a bound, only
// steps that stay inside it are taken (constrained saturation, Zhao and Ciardo 2009): the bound is walked down beside the set.

import type { Branches, Diagrams } from './diagram.ts';
import { EMPTY, END, EVERYTHING } from './diagram.ts';
import type { Memo } from './memo.ts';
import { ABSENT } from './memo.ts';
import type { Local, Move } from './moves.ts';

export class Steps {
  private readonly diagrams: Diagrams;
  private readonly moves: readonly Move[];
  private readonly byTop: readonly (readonly Move[])[];
  private readonly saturated: Memo;
  private readonly fired: Memo;
  private readonly stepped: Memo;
  private readonly refused: Memo;
  private readonly images: Memo;
  private readonly stuckMembers: Memo;

  constructor(diagrams: Diagrams, moves: readonly Move[]) {
    this.diagrams = diagrams;
    this.moves = moves;
    this.byTop = Array.from({ length: diagrams.levels }, (_, level) =>
      moves.filter(({ top }) => top === level),
    );
    this.saturated = diagrams.memo();
    this.fired = diagrams.memo();
    this.stepped = diagrams.memo();
    this.refused = diagrams.memo();
    this.images = diagrams.memo();
    this.stuckMembers = diagrams.memo();
  }

  /** Everything that can be reached from the set by steps inside the bound; the set lies inside, too. */
  closure(set: number, bound: number = EVERYTHING): number {
    return this.saturate(set, bound, 0);
  }

  /** What one step leads to, inside the bound. */
  image(set: number, bound: number = EVERYTHING): number {
    return this.imageFrom(set, bound, 0);
  }

  /** What one move leads to, inside the bound; of the backward steps, the one with the same number. */
  along({ index }: Move, set: number, bound: number): number {
    return this.step(this.moves[index]!, set, bound, 0);
  }

  /** The members of the set without any step. */
  stuck(set: number): number {
    return this.stuckFrom(set, 0);
  }

  private saturate(node: number, bound: number, level: number): number {
    if (node === EMPTY || node === END) return node;
    const known = this.saturated.get(node, bound, 0);
    if (known !== ABSENT) return known;
    const { diagrams } = this;
    const branches: Branches = new Map();
    for (let at = diagrams.begin(node); at < diagrams.end(node); at += 2) {
      const value = diagrams.value(at);
      branches.set(value, this.saturate(diagrams.below(at), diagrams.child(bound, value), level + 1));
    }
    const result = this.settled(branches, bound, level);
    this.saturated.set(node, bound, 0, result);
    return result;
  }

  /** The fixpoint under the moves of this level, the branches being saturated. */
  private settled(branches: Branches, bound: number, level: number): number {
    const moves = this.byTop[level]!;
    if (moves.length === 0) return this.diagrams.node(branches);
    const queue = new Set(branches.keys());
    for (const from of queue) {
      queue.delete(from);
      for (const move of moves) {
        const targets = move.local[level]!.get(from);
        if (targets === undefined) continue;
        for (const to of targets) {
          const result = this.fire(move, branches.get(from)!, this.diagrams.child(bound, to), level + 1);
          const before = branches.get(to) ?? EMPTY;
          const now = this.diagrams.union(before, result);
          if (now === before) continue;
          branches.set(to, now);
          queue.add(to);
        }
      }
    }
    return this.diagrams.node(branches);
  }

  /** What a move that began above makes of a set from this level on, brought to its fixpoint. */
  private fire(move: Move, node: number, bound: number, level: number): number {
    if (node === EMPTY || bound === EMPTY) return EMPTY;
    if (level > move.bottom)
      return bound === EVERYTHING
        ? node
        : this.saturate(this.diagrams.intersection(node, bound), bound, level);
    const known = this.fired.get(move.index, node, bound);
    if (known !== ABSENT) return known;
    const branches = this.moved(move.local[level]!, node, bound, (below, inside) =>
      this.fire(move, below, inside, level + 1),
    );
    const result = this.settled(branches, bound, level);
    this.fired.set(move.index, node, bound, result);
    return result;
  }

  /** Moves that begin here, and those that begin further down: each node is looked at once for all of them. */
  private imageFrom(node: number, bound: number, level: number): number {
    if (node === EMPTY || bound === EMPTY || node === END) return EMPTY;
    const known = this.images.get(node, bound, 0);
    if (known !== ABSENT) return known;
    const { diagrams } = this;
    const branches: Branches = new Map();
    for (let at = diagrams.begin(node); at < diagrams.end(node); at += 2) {
      const value = diagrams.value(at);
      branches.set(value, this.imageFrom(diagrams.below(at), diagrams.child(bound, value), level + 1));
    }
    const result = this.byTop[level]!.reduce(
      (sum, move) => diagrams.union(sum, this.step(move, node, bound, level)),
      diagrams.node(branches),
    );
    this.images.set(node, bound, 0, result);
    return result;
  }

  private stuckFrom(node: number, level: number): number {
    if (node === EMPTY || node === END) return node;
    const known = this.stuckMembers.get(node, 0, 0);
    if (known !== ABSENT) return known;
    const { diagrams } = this;
    const branches: Branches = new Map();
    for (let at = diagrams.begin(node); at < diagrams.end(node); at += 2)
      branches.set(diagrams.value(at), this.stuckFrom(diagrams.below(at), level + 1));
    const result = this.byTop[level]!.reduce(
      (rest, move) => this.refusing(move, rest, level),
      diagrams.node(branches),
    );
    this.stuckMembers.set(node, 0, 0, result);
    return result;
  }

  private step(move: Move, node: number, bound: number, level: number): number {
    if (node === EMPTY || bound === EMPTY) return EMPTY;
    if (level > move.bottom) return this.diagrams.intersection(node, bound);
    const known = this.stepped.get(move.index, node, bound);
    if (known !== ABSENT) return known;
    const branches = this.moved(move.local[level]!, node, bound, (below, inside) =>
      this.step(move, below, inside, level + 1),
    );
    const result = this.diagrams.node(branches);
    this.stepped.set(move.index, node, bound, result);
    return result;
  }

  private moved(
    local: Local | null,
    node: number,
    bound: number,
    next: (below: number, bound: number) => number,
  ): Branches {
    const { diagrams } = this;
    const branches: Branches = new Map();
    for (let at = diagrams.begin(node); at < diagrams.end(node); at += 2) {
      const value = diagrams.value(at);
      const below = diagrams.below(at);
      if (local === null) {
        const result = next(below, diagrams.child(bound, value));
        if (result !== EMPTY) branches.set(value, result);
        continue;
      }
      for (const to of local.get(value) ?? []) {
        const result = next(below, diagrams.child(bound, to));
        if (result !== EMPTY) branches.set(to, diagrams.union(branches.get(to) ?? EMPTY, result));
      }
    }
    return branches;
  }

  /** The members that cannot take the move. */
  private refusing(move: Move, node: number, level: number): number {
    if (node === EMPTY || level > move.bottom) return EMPTY;
    const known = this.refused.get(move.index, node, 0);
    if (known !== ABSENT) return known;
    const { diagrams } = this;
    const local = move.local[level]!;
    const branches: Branches = new Map();
    for (let at = diagrams.begin(node); at < diagrams.end(node); at += 2) {
      const value = diagrams.value(at);
      const below = diagrams.below(at);
      const moves = local === null || local.has(value);
      branches.set(value, moves ? this.refusing(move, below, level + 1) : below);
    }
    const result = diagrams.node(branches);
    this.refused.set(move.index, node, 0, result);
    return result;
  }
}
