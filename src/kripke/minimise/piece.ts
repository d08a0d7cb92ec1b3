// Pieces of a composition: some components multiplied out, as a graph by itself. Events that others know too keep their number in the system; events
// that only the piece knows, and nobody asks about, are hidden.

import { HIDDEN, type LabelledGraph } from '../../graph/labelled.ts';
import { stateCount } from '../structure.ts';
import type { System } from '../system.ts';
import { TupleTable } from '../tuples.ts';

/** The edges of a node are ordered by label, then by target, without doubles. A label is HIDDEN or an event of the system. */
export interface Piece extends LabelledGraph {
  readonly initial: readonly number[];
  /** The events that are not hidden. */
  readonly alphabet: ReadonlySet<number>;
  /** The propositions that each colour stands for, numbered through all components, ascending. */
  readonly colours: readonly (readonly number[])[];
}

/** What the question is about: everything else may be forgotten. */
export interface Observed {
  readonly events: ReadonlySet<number>;
  /** Numbered through all components. */
  readonly propositions: ReadonlySet<number>;
}

/** A component as it is. `firstProposition`: the number of its first proposition among those of all components. */
export function pieceOf(
  system: System,
  component: number,
  firstProposition: number,
  { propositions }: Observed,
): Piece {
  const structure = system.components[component]!;
  const globals = system.globalIds[component]!;
  const table = new Colours();
  const colour = Int32Array.from(structure.labels, (label) =>
    table.number(label.map((id) => firstProposition + id).filter((id) => propositions.has(id))),
  );
  const builder = new EdgeLists();
  for (let state = 0; state < stateCount(structure); state++) {
    const { first, event, target } = structure.edges;
    for (let i = first[state]!; i < first[state + 1]!; i++) builder.add(globals[event[i]!]!, target[i]!);
    builder.close();
  }
  return {
    nodes: stateCount(structure),
    ...builder.edges(),
    colour,
    colours: table.all,
    initial: structure.initial,
    alphabet: new Set(globals),
  };
}

export interface Multiplied {
  readonly piece: Piece;
  /** The states of the two factors: those of node s at 2s and 2s + 1. */
  readonly pairs: Int32Array;
}

export interface SizeLimit {
  readonly nodes: number;
  readonly edges: number;
  readonly timeLeft: () => boolean;
}

/** The reachable part of a ‖ b; null when it passes the limit. */
export function multiply(a: Piece, b: Piece, limit: SizeLimit): Multiplied | null {
  const table = new TupleTable(2);
  const initial = a.initial.flatMap((first) => b.initial.map((second) => table.intern([first, second])));
  const builder = new EdgeLists();
  const colours = new Colours();
  const colour: number[] = [];
  const pair = [0, 0];
  const go = (label: number, first: number, second: number): void => {
    pair[0] = first;
    pair[1] = second;
    builder.add(label, table.intern(pair));
  };
  for (let node = 0; node < table.size; node++) {
    if (table.size > limit.nodes || builder.size > limit.edges) return null;
    if ((node & 1023) === 0 && !limit.timeLeft()) return null;
    const [first, second] = table.get(node) as unknown as [number, number];
    colour.push(colours.both(a.colours[a.colour[first]!]!, b.colours[b.colour[second]!]!));
    for (let i = a.first[first]!; i < a.first[first + 1]!; i++) {
      const label = a.label[i]!;
      if (label === HIDDEN || !b.alphabet.has(label)) {
        go(label, a.target[i]!, second);
        continue;
      }
      for (let j = edgeWith(b, second, label); j < b.first[second + 1]! && b.label[j] === label; j++)
        go(label, a.target[i]!, b.target[j]!);
    }
    for (let j = b.first[second]!; j < b.first[second + 1]!; j++) {
      const label = b.label[j]!;
      if (label === HIDDEN || !a.alphabet.has(label)) go(label, first, b.target[j]!);
    }
    builder.close();
  }
  const pairs = new Int32Array(2 * table.size);
  for (let node = 0; node < table.size; node++) pairs.set(table.get(node), 2 * node);
  const piece = {
    nodes: table.size,
    ...builder.edges(),
    colour: Int32Array.from(colour),
    colours: colours.all,
    initial,
    alphabet: new Set([...a.alphabet, ...b.alphabet]),
  };
  return { piece, pairs };
}

/** The first edge of the node with this label, or one behind its edges with smaller labels. */
function edgeWith(piece: Piece, node: number, label: number): number {
  let low = piece.first[node]!;
  let high = piece.first[node + 1]!;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (piece.label[middle]! < label) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The same piece with these events hidden. Edges keep their places: they are no longer ordered by label. */
export function hide(piece: Piece, isHidden: (event: number) => boolean): Piece {
  return {
    ...piece,
    label: piece.label.map((label) => (label !== HIDDEN && isHidden(label) ? HIDDEN : label)),
    alphabet: new Set([...piece.alphabet].filter((event) => !isHidden(event))),
  };
}

/** One node for each class. Hidden steps inside a class vanish where `keepsLoop` does not want them. */
export function lumpTogether(
  piece: Piece,
  classOf: Int32Array,
  count: number,
  keepsLoop: (id: number) => boolean,
): Piece {
  const members: number[][] = Array.from({ length: count }, () => []);
  classOf.forEach((id, node) => {
    members[id]!.push(node);
  });
  const builder = new EdgeLists();
  const colour = new Int32Array(count);
  members.forEach((nodes, id) => {
    colour[id] = piece.colour[nodes[0]!]!;
    for (const node of nodes)
      for (let i = piece.first[node]!; i < piece.first[node + 1]!; i++) {
        const to = classOf[piece.target[i]!]!;
        if (piece.label[i] !== HIDDEN || to !== id || keepsLoop(id)) builder.add(piece.label[i]!, to);
      }
    builder.close();
  });
  return {
    nodes: count,
    ...builder.edges(),
    colour,
    colours: piece.colours,
    initial: [...new Set(piece.initial.map((node) => classOf[node]!))],
    alphabet: piece.alphabet,
  };
}

/** Sets of propositions, numbered. */
class Colours {
  readonly all: (readonly number[])[] = [];
  private readonly numbers = new Map<string, number>();

  number(propositions: readonly number[]): number {
    const key = propositions.join();
    let id = this.numbers.get(key);
    if (id === undefined) {
      id = this.all.push(propositions) - 1;
      this.numbers.set(key, id);
    }
    return id;
  }

  both(a: readonly number[], b: readonly number[]): number {
    return this.number([...a, ...b].sort((x, y) => x - y));
  }
}

/** Nodes that an edge can lead to: label and target share one number. */
const TARGETS = 2 ** 26;

/** Edges node by node. */
class EdgeLists {
  private readonly first: number[] = [0];
  private readonly label: number[] = [];
  private readonly target: number[] = [];
  /** Label and target of the edges of the next node, in one number, ordered as the pair is. */
  private open = new Float64Array(64);
  private count = 0;

  get size(): number {
    return this.label.length;
  }

  add(label: number, target: number): void {
    if (this.count === this.open.length) {
      const larger = new Float64Array(2 * this.open.length);
      larger.set(this.open);
      this.open = larger;
    }
    this.open[this.count++] = (label + 1) * TARGETS + target;
  }

  /** The edges of the next node are complete. */
  close(): void {
    const keys = this.open.subarray(0, this.count).sort();
    for (let i = 0; i < keys.length; i++) {
      if (i > 0 && keys[i] === keys[i - 1]) continue;
      this.label.push(Math.floor(keys[i]! / TARGETS) - 1);
      this.target.push(keys[i]! % TARGETS);
    }
    this.first.push(this.label.length);
    this.count = 0;
  }

  edges(): Pick<LabelledGraph, 'first' | 'label' | 'target'> {
    return {
      first: Int32Array.from(this.first),
      label: Int32Array.from(this.label),
      target: Int32Array.from(this.target),
    };
  }
}
