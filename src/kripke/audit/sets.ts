// Sets of configurations that a certificate gives as decision diagrams, and questions about them that need no new set to be made: does a step from one end in another,
// is the beginning inside, can every member go on? Each is answered by walking down the diagrams side by side. Nothing is shared with what made them.

import type { SetsRecord } from '../symbolic/proof.ts';

/** What one event does to the value of each level; undefined: it stays. */
export type Effect = readonly (ReadonlyMap<number, readonly number[]> | undefined)[];

export const NO_SET = 0;
/** Every configuration, on whatever level. */
export const ALL = -1;
const END = 1;
/** Steps of a walk between two looks at the clock. */
const BETWEEN_LOOKS = 50_000;
/** Three node numbers become one key. */
const MOST_NODES = 200_000;
/** Levels are walked down by recursion. */
const MOST_LEVELS = 1_000;

type Triple = readonly [from: number, inside: number, into: number];
type Triples = readonly Triple[];
/** Steps from value to value. */
type StepsOfLevel = readonly (readonly [number, number])[];

export class NoTime extends Error {}

export class Sets {
  private readonly nodes: (ReadonlyMap<number, number> | null)[];
  private readonly levelOf: number[];
  private readonly made = new Map<string, number>();
  readonly levels: number;
  private readonly timeLeft: () => boolean;
  private walked = 0;

  private constructor(
    nodes: (ReadonlyMap<number, number> | null)[],
    levelOf: number[],
    levels: number,
    timeLeft: () => boolean,
  ) {
    this.nodes = nodes;
    this.levelOf = levelOf;
    this.levels = levels;
    this.timeLeft = timeLeft;
  }

  /** Null when the nodes are no diagrams over levels of these sizes. */
  static of({ nodes }: SetsRecord, sizes: readonly number[], timeLeft: () => boolean): Sets | null {
    if (nodes.length > MOST_NODES || sizes.length > MOST_LEVELS) return null;
    const read: (ReadonlyMap<number, number> | null)[] = [null, null];
    const levelOf = [sizes.length, sizes.length];
    for (const [level, ...pairs] of nodes) {
      if (level === undefined || level >= sizes.length || pairs.length % 2 !== 0) return null;
      const branches = new Map<number, number>();
      for (let i = 0; i < pairs.length; i += 2) {
        const value = pairs[i]!;
        const below = pairs[i + 1]!;
        const fits = below !== NO_SET && levelOf[below] === level + 1;
        if (value >= sizes[level]! || branches.has(value) || !fits) return null;
        branches.set(value, below);
      }
      read.push(branches);
      levelOf.push(level);
    }
    return new Sets(read, levelOf, sizes.length, timeLeft);
  }

  /** Whether the number names a set of whole configurations. */
  isWhole(node: number): boolean {
    return node === NO_SET || this.levelOf[node] === 0;
  }

  /** All combinations of these values are members. */
  holdsAll(set: number, values: readonly (readonly number[])[]): boolean {
    const known = new Map<number, boolean>();
    const go = (node: number, level: number): boolean => {
      if (node === NO_SET) return false;
      if (level === this.levels) return true;
      let result = known.get(node);
      if (result === undefined) {
        result = values[level]!.every((value) => go(this.below(node, value), level + 1));
        known.set(node, result);
      }
      return result;
    };
    return go(set, 0);
  }

  /** Whatever the events make of a member of `set` and lies in `bound` is a member of `goal`. */
  allLeadInto(effects: readonly Effect[], set: number, bound: number, goal: number): boolean {
    // Above its first level an event changes nothing: what is walked there is the same for all.
    const triples = this.sideBySide(set, bound, goal);
    return effects.every((effect) => {
      const first = effect.findIndex((own) => own !== undefined);
      return this.leadsInto(effect, triples[Math.max(0, first)]!, Math.max(0, first));
    });
  }

  /** For each level what stands side by side when three sets are walked down by equal values. */
  private sideBySide(set: number, bound: number, goal: number): readonly Triples[] {
    const levels: Map<string, Triple>[] = [new Map([['', [set, bound, goal]]])];
    while (levels.length < this.levels) {
      const next = new Map<string, Triple>();
      for (const [from, inside, into] of levels.at(-1)!.values()) {
        if (from === NO_SET || inside === NO_SET) continue;
        for (const [value, below] of this.nodes[from]!) {
          const triple = [below, this.below(inside, value), this.below(into, value)] as const;
          next.set(triple.join(), triple);
        }
        this.look();
      }
      levels.push(next);
    }
    return levels.map((own) => [...own.values()]);
  }

  private leadsInto(effect: Effect, triples: Triples, first: number): boolean {
    const last = effect.findLastIndex((own) => own !== undefined);
    const count = this.nodes.length + 1;
    const known = new Map<number, boolean>();
    const happening = new Map<number, boolean>();
    const targetsOf = (level: number, value: number): readonly number[] => {
      const own = effect[level];
      return own === undefined ? [value] : (own.get(value) ?? []);
    };
    /** It leads from some member into the bound. */
    const happens = (from: number, inside: number, level: number): boolean => {
      if (from === NO_SET || inside === NO_SET) return false;
      if (level === this.levels) return true;
      const key = from * count + inside + 1;
      let result = happening.get(key);
      if (result === undefined) {
        this.look();
        result = [...this.nodes[from]!].some(([value, below]) =>
          targetsOf(level, value).some((to) => happens(below, this.below(inside, to), level + 1)),
        );
        happening.set(key, result);
      }
      return result;
    };
    const go = (from: number, inside: number, into: number, level: number): boolean => {
      if (from === NO_SET || inside === NO_SET) return true;
      if (into === NO_SET) return !happens(from, inside, level);
      if (level > last && (from === into || inside === into)) return true;
      const key = (from * count + inside + 1) * count + into;
      let result = known.get(key);
      if (result === undefined) {
        this.look();
        result = [...this.nodes[from]!].every(([value, below]) =>
          targetsOf(level, value).every((to) =>
            go(below, this.below(inside, to), this.below(into, to), level + 1),
          ),
        );
        known.set(key, result);
      }
      return result;
    };
    return triples.every(([from, inside, into]) => go(from, inside, into, first));
  }

  /** Some member has on every level a value that passes. */
  meets(set: number, passes: (level: number, value: number) => boolean): boolean {
    const known = new Map<number, boolean>();
    const go = (node: number, level: number): boolean => {
      if (level === this.levels) return node === END;
      let result = known.get(node);
      if (result === undefined) {
        this.look();
        result = [...(this.nodes[node] ?? [])].some(
          ([value, below]) => passes(level, value) && go(below, level + 1),
        );
        known.set(node, result);
      }
      return result;
    };
    return go(set, 0);
  }

  /** The members that cannot take any of the events: the one question that makes new sets. */
  refusing(set: number, effects: readonly Effect[]): number {
    const byFirst = Array.from({ length: this.levels }, (_, level) =>
      effects.filter((effect) => effect.findIndex((own) => own !== undefined) === level),
    );
    const known = new Map<number, number>();
    const go = (node: number, level: number): number => {
      if (node === NO_SET || level === this.levels) return node;
      let result = known.get(node);
      if (result === undefined) {
        this.look();
        const branches = [...this.nodes[node]!].map(([value, below]): [number, number] => [
          value,
          go(below, level + 1),
        ]);
        result = byFirst[level]!.reduce(
          (rest, effect) => this.refusingOne(rest, effect, level),
          this.make(level, branches),
        );
        known.set(node, result);
      }
      return result;
    };
    return go(set, 0);
  }

  private refusingOne(set: number, effect: Effect, first: number): number {
    const last = effect.findLastIndex((own) => own !== undefined);
    const known = new Map<number, number>();
    const go = (node: number, level: number): number => {
      if (node === NO_SET || level > last) return NO_SET;
      let result = known.get(node);
      if (result === undefined) {
        this.look();
        const own = effect[level];
        const branches = [...this.nodes[node]!].map(([value, below]): [number, number] => [
          value,
          own === undefined || own.has(value) ? go(below, level + 1) : below,
        ]);
        result = this.make(level, branches);
        known.set(node, result);
      }
      return result;
    };
    return go(set, first);
  }

  private make(level: number, pairs: readonly (readonly [number, number])[]): number {
    const branches = new Map(pairs.filter(([, below]) => below !== NO_SET));
    if (branches.size === 0) return NO_SET;
    const key = `${level} ${[...branches].sort(([a], [b]) => a - b).join(' ')}`;
    let node = this.made.get(key);
    if (node === undefined) {
      node = this.nodes.push(branches) - 1;
      this.levelOf.push(level);
      this.made.set(key, node);
    }
    return node;
  }

  /** For each event and level the steps from value to value that it takes from a member of the set to one of the set. */
  happening(effects: readonly Effect[], set: number): readonly (readonly StepsOfLevel[])[] {
    const nodes = this.sideBySide(set, set, set);
    return effects.map((effect) => this.happeningOf(effect, nodes));
  }

  private happeningOf(effect: Effect, nodes: readonly Triples[]): readonly StepsOfLevel[] {
    const count = this.nodes.length + 1;
    const steps = Array.from({ length: this.levels }, () => new Map<string, readonly [number, number]>());
    const known = new Map<number, boolean>();
    const go = (from: number, into: number, level: number): boolean => {
      if (from === NO_SET || into === NO_SET) return false;
      if (level === this.levels) return true;
      const key = from * count + into;
      let result = known.get(key);
      if (result === undefined) {
        this.look();
        result = false;
        const own = effect[level];
        for (const [value, below] of this.nodes[from]!)
          for (const to of own === undefined ? [value] : (own.get(value) ?? [])) {
            if (!go(below, this.below(into, to), level + 1)) continue;
            result = true;
            if (own !== undefined) steps[level]!.set(`${value} ${to}`, [value, to]);
          }
        known.set(key, result);
      }
      return result;
    };
    const first = Math.max(
      0,
      effect.findIndex((own) => own !== undefined),
    );
    for (const [from] of nodes[first]!) go(from, from, first);
    return steps.map((own) => [...own.values()]);
  }

  private below(node: number, value: number): number {
    return node === ALL ? ALL : (this.nodes[node]?.get(value) ?? NO_SET);
  }

  private look(): void {
    if (++this.walked % BETWEEN_LOOKS === 0 && !this.timeLeft()) throw new NoTime();
  }
}
