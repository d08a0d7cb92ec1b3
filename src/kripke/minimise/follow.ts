// From a path of reduced parts to one of the components: each step of a class is a step of one of its nodes after hidden steps inside the class (the
// definition of branching bisimulation), and each node of a part is a pair of classes of its factors. So steps are followed down the tree of
// parts, and what is hidden on the way is written out.

import { HIDDEN } from '../../graph/labelled.ts';
import type { Path } from '../path.ts';
import type { System } from '../system.ts';
import type { Part } from './part.ts';
import type { Piece } from './piece.ts';

const MAX_STEPS = 200_000;

/** One step of a path of parts: a label, and for each part that takes part its next class. */
export interface PartStep {
  readonly label: number;
  readonly moves: readonly { readonly part: number; readonly to: number }[];
}

export interface PartPath {
  /** The class of each part at the beginning. */
  readonly start: readonly number[];
  readonly steps: readonly PartStep[];
  /** The index of the step that follows the last one; null for a finite path. */
  readonly loopStart: number | null;
}

/** Null when the path would be too long to write down. */
export function followDown(system: System, parts: readonly Part[], path: PartPath): Path | null {
  const course = new Course(system, parts, path.start);
  const take = (from: number, to: number): void => {
    for (const step of path.steps.slice(from, to)) course.take(step);
  };
  const { loopStart } = path;
  if (loopStart === null) {
    take(0, path.steps.length);
    course.settle();
    return course.length > MAX_STEPS ? null : course.path(null);
  }
  take(0, loopStart);
  const seen = new Map<string, number>();
  // The steps are chosen by the configuration alone, so they repeat once it does.
  for (let key = course.key(); !seen.has(key); key = course.key()) {
    seen.set(key, course.length);
    take(loopStart, path.steps.length);
    if (course.length > MAX_STEPS) return null;
  }
  return course.path(seen.get(course.key())!);
}

/** A step about to be taken by a part: to this node, and by these factors. */
interface Pending {
  readonly part: Part;
  readonly to: number;
  /** The event, at a component. */
  readonly label: number;
  readonly factors: readonly Pending[];
}

class Course {
  private readonly parts: readonly Part[];
  /** The node that each part stands in. */
  private readonly at = new Map<Part, number>();
  private readonly states: Int32Array[];
  private readonly events: number[] = [];

  constructor(system: System, parts: readonly Part[], start: readonly number[]) {
    this.parts = parts;
    const first = new Int32Array(system.components.length);
    const begin = (part: Part, id: number): void => {
      const node = part.whole.initial.find((initial) => part.classOf[initial] === id)!;
      this.at.set(part, node);
      if (part.factors === null) first[part.components[0]!] = node;
      part.factors?.forEach((factor, i) => {
        begin(factor, part.pairs[2 * node + i]!);
      });
    };
    parts.forEach((part, i) => {
      begin(part, start[i]!);
    });
    this.states = [first];
  }

  get length(): number {
    return this.events.length;
  }

  key(): string {
    return this.states.at(-1)!.join();
  }

  path(loopStart: number | null): Path {
    const states = loopStart === null ? this.states : this.states.slice(0, -1);
    return { states, events: this.events, loopStart };
  }

  take({ label, moves }: PartStep): void {
    this.commit(moves.map(({ part, to }) => this.prepare(this.parts[part]!, label, to)));
  }

  /** Hidden steps until none is left: a class without a visible step or a loop ends in a node without any. */
  settle(): void {
    const rest = (part: Part): void => {
      for (let edge = innerEdge(part, this.at.get(part)!); edge >= 0; ) {
        this.commit([this.pending(part, edge)]);
        if (this.length > MAX_STEPS) return;
        edge = innerEdge(part, this.at.get(part)!);
      }
      part.factors?.forEach(rest);
    };
    this.parts.forEach(rest);
  }

  /** Hidden steps inside the class up to a node that can go on with the label into the class. */
  private prepare(part: Part, label: number, to: number): Pending {
    const way = wayTo(part, this.at.get(part)!, label, to);
    for (const edge of way.slice(0, -1)) this.commit([this.pending(part, edge)]);
    return this.pending(part, way.at(-1)!);
  }

  private pending(part: Part, edge: number): Pending {
    const label = part.whole.label[edge]!;
    const to = part.whole.target[edge]!;
    if (part.factors === null) return { part, to, label, factors: [] };
    const node = this.at.get(part)!;
    const next = (i: number): number => part.pairs[2 * to + i]!;
    const movers = part.factors.flatMap((factor, i) => {
      if (label !== HIDDEN) return factor.reduced.alphabet.has(label) ? [i] : [];
      const stays = next(1 - i) === part.pairs[2 * node + 1 - i];
      return stays && hasEdge(factor.reduced, part.pairs[2 * node + i]!, HIDDEN, next(i)) ? [i] : [];
    });
    // A hidden step is one factor's; where both could have made it, the first does.
    const taking = label === HIDDEN ? movers.slice(0, 1) : movers;
    const factors = taking.map((i) => this.prepare(part.factors![i]!, label, next(i)));
    return { part, to, label, factors };
  }

  private commit(pending: readonly Pending[]): void {
    const state = Int32Array.from(this.states.at(-1)!);
    let event = HIDDEN;
    const go = ({ part, to, label, factors }: Pending): void => {
      this.at.set(part, to);
      factors.forEach(go);
      if (part.factors !== null) return;
      state[part.components[0]!] = to;
      event = label;
    };
    pending.forEach(go);
    this.events.push(event);
    this.states.push(state);
  }
}

function hasEdge(piece: Piece, node: number, label: number, to: number): boolean {
  for (let i = piece.first[node]!; i < piece.first[node + 1]!; i++)
    if (piece.label[i] === label && piece.target[i] === to) return true;
  return false;
}

/** A hidden edge inside the node's class, −1 when there is none. */
function innerEdge({ hidden, classOf }: Part, node: number): number {
  for (let i = hidden.first[node]!; i < hidden.first[node + 1]!; i++)
    if (hidden.label[i] === HIDDEN && classOf[hidden.target[i]!] === classOf[node]) return i;
  return -1;
}

/** The shortest way: edges inside the class, then one with the label into the class wanted. */
function wayTo({ hidden, classOf }: Part, start: number, label: number, to: number): readonly number[] {
  const here = classOf[start]!;
  const cameBy = new Map<number, { readonly from: number; readonly edge: number } | null>([[start, null]]);
  for (const node of cameBy.keys()) {
    for (let i = hidden.first[node]!; i < hidden.first[node + 1]!; i++) {
      const target = hidden.target[i]!;
      if (hidden.label[i] === label && classOf[target] === to) {
        const way = [i];
        for (let step = cameBy.get(node); step; step = cameBy.get(step.from)) way.push(step.edge);
        return way.reverse();
      }
      if (hidden.label[i] === HIDDEN && classOf[target] === here && !cameBy.has(target))
        cameBy.set(target, { from: node, edge: i });
    }
  }
  throw new Error('impossible: a class has a step that its nodes do not have');
}
