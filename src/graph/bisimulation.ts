// The coarsest bisimulation of a labelled graph: strong, or branching with explicit divergence (van Glabbeek, Luttik, Trčka 2009), which
// forgets hidden steps that decide nothing, but keeps whether one can go on hidden for ever.
//
// Signature refinement (Blom, van de Pol 2009): the signature of a node is the set of pairs (label, block) it has steps to; for branching
// bisimulation, the pairs it reaches after hidden steps inside its own block. Nodes of a block with different signatures part, until none do.
// As in Hopcroft's and in Groote, Jansen, Keiren and Wijs' O(m log n) algorithms the largest part keeps the block's name, so that a node changes its
// block at most log n times, and only nodes with a step into what has moved are looked at again. Hidden cycles are contracted first: their nodes
// are equivalent, and what is left of the hidden steps has an order in which signatures are computed once per round.
//
// `bisimulation-check.ts` judges the result by the definition; nothing is shared with it.

import type { LabelledGraph } from './labelled.ts';
import { HIDDEN, hiddenComponents, sourcesOf } from './labelled.ts';
import { Signatures } from './signatures.ts';

export type Bisimulation = 'strong' | 'branching';

export interface Blocks {
  /** The block of each node; numbered from 0 without gaps. */
  readonly of: Int32Array;
  readonly count: number;
  /** Branching only: whether the nodes of the block can go on hidden inside it for ever. */
  readonly divergent: Uint8Array;
}

/** Null when the time is over. */
export function coarsestBisimulation(
  graph: LabelledGraph,
  kind: Bisimulation,
  timeLeft: () => boolean,
): Blocks | null {
  const contracted = kind === 'strong' ? uncontracted(graph) : contract(graph);
  const refinement = new Refinement(contracted, kind);
  if (!refinement.run(timeLeft)) return null;
  const { block, count } = refinement;
  const divergent = new Uint8Array(count);
  contracted.diverges.forEach((flag, node) => {
    if (flag === 1) divergent[block[node]!] = 1;
  });
  return { of: contracted.of.map((node) => block[node]!), count, divergent };
}

interface Contracted {
  readonly graph: LabelledGraph;
  /** The contracted node of each node. */
  readonly of: Int32Array;
  readonly diverges: Uint8Array;
}

const uncontracted = (graph: LabelledGraph): Contracted => ({
  graph,
  of: Int32Array.from({ length: graph.nodes }, (_, node) => node),
  diverges: new Uint8Array(graph.nodes),
});

function contract(graph: LabelledGraph): Contracted {
  const { of, count } = hiddenComponents(graph);
  const { first, label, target, colour } = graph;
  const diverges = new Uint8Array(count);
  const degree = new Int32Array(count + 1);
  const isInner = (node: number, edge: number): boolean =>
    label[edge] === HIDDEN && of[target[edge]!] === of[node];
  for (let node = 0; node < graph.nodes; node++)
    for (let i = first[node]!; i < first[node + 1]!; i++)
      if (isInner(node, i)) diverges[of[node]!] = 1;
      else degree[of[node]! + 1]!++;
  for (let node = 0; node < count; node++) degree[node + 1]! += degree[node]!;
  const next = degree.slice(0, count);
  const labels = new Int32Array(degree[count]!);
  const targets = new Int32Array(degree[count]!);
  const colours = new Int32Array(count);
  for (let node = 0; node < graph.nodes; node++) {
    colours[of[node]!] = colour[node]!;
    for (let i = first[node]!; i < first[node + 1]!; i++) {
      if (isInner(node, i)) continue;
      const at = next[of[node]!]!++;
      labels[at] = label[i]!;
      targets[at] = of[target[i]!]!;
    }
  }
  return {
    graph: { nodes: count, first: degree, label: labels, target: targets, colour: colours },
    of,
    diverges,
  };
}

/** A signature's mark of going on hidden for ever. */
const DIVERGES = -1;

class Refinement {
  readonly block: Int32Array;
  count = 0;
  private readonly graph: LabelledGraph;
  private readonly diverges: Uint8Array;
  private readonly branching: boolean;
  private readonly members: number[][] = [];
  /** The place of each node in the list of its block. */
  private readonly place: Int32Array;
  private readonly signature: Int32Array;
  private readonly signatures = new Signatures();
  private readonly pairs: number[] = [];

  constructor({ graph, diverges }: Contracted, kind: Bisimulation) {
    this.graph = graph;
    this.diverges = diverges;
    this.branching = kind === 'branching';
    this.block = new Int32Array(graph.nodes);
    this.place = new Int32Array(graph.nodes);
    this.signature = new Int32Array(graph.nodes).fill(-1);
    const colours = new Map<number, number>();
    for (let node = 0; node < graph.nodes; node++) {
      const colour = graph.colour[node]!;
      if (!colours.has(colour)) colours.set(colour, this.members.push([]) - 1);
      this.put(node, colours.get(colour)!);
    }
    this.count = this.members.length;
  }

  /** False when the time is over before nothing changes any more. */
  run(timeLeft: () => boolean): boolean {
    const sources = sourcesOf(this.graph);
    const touched = new Uint8Array(this.graph.nodes);
    let queue: number[] = Array.from({ length: this.graph.nodes }, (_, node) => node);
    while (queue.length > 0) {
      if (!timeLeft()) return false;
      const moved = this.split(this.sign(queue, sources));
      queue = [];
      const touch = (node: number): void => {
        if (touched[node] === 1) return;
        touched[node] = 1;
        queue.push(node);
      };
      for (const node of moved) {
        // Its own hidden steps may have become visible as changes of the block.
        if (this.branching) touch(node);
        for (let i = sources.first[node]!; i < sources.first[node + 1]!; i++) touch(sources.source[i]!);
      }
      for (const node of queue) touched[node] = 0;
    }
    return true;
  }

  /** New signatures for these nodes and for all that inherit from them; returns the nodes whose signature changed. */
  private sign(nodes: number[], sources: ReturnType<typeof sourcesOf>): number[] {
    const changed: number[] = [];
    if (!this.branching) {
      for (const node of nodes) if (this.update(node)) changed.push(node);
      return changed;
    }
    // Inherited from smaller numbers only: in ascending order each is signed once.
    const waiting = new Queue(nodes);
    for (let node = waiting.pop(); node >= 0; node = waiting.pop()) {
      if (!this.update(node)) continue;
      changed.push(node);
      for (let i = sources.first[node]!; i < sources.first[node + 1]!; i++) {
        const before = sources.source[i]!;
        if (before > node && this.block[before] === this.block[node]) waiting.push(before);
      }
    }
    return changed;
  }

  private update(node: number): boolean {
    const { first, label, target } = this.graph;
    const { pairs, block } = this;
    pairs.length = 0;
    if (this.branching && this.diverges[node] === 1) pairs.push(DIVERGES);
    for (let i = first[node]!; i < first[node + 1]!; i++) {
      const to = target[i]!;
      if (this.branching && label[i] === HIDDEN && block[to] === block[node])
        pairs.push(...this.signatures.get(this.signature[to]!));
      else pairs.push((label[i]! + 1) * 2 ** 26 + block[to]!);
    }
    const id = this.signatures.intern(pairs);
    if (id === this.signature[node]) return false;
    this.signature[node] = id;
    return true;
  }

  /** Parts the blocks of these nodes by signature; the largest part stays. Returns the nodes that moved. */
  private split(changed: readonly number[]): number[] {
    const byBlock = new Map<number, Map<number, number[]>>();
    for (const node of changed) {
      let parts = byBlock.get(this.block[node]!);
      if (parts === undefined) byBlock.set(this.block[node]!, (parts = new Map()));
      const part = parts.get(this.signature[node]!);
      if (part === undefined) parts.set(this.signature[node]!, [node]);
      else part.push(node);
    }
    const moved: number[] = [];
    for (const [block, parts] of byBlock) {
      let rest = this.members[block]!.length;
      for (const part of parts.values()) rest -= part.length;
      const largest = [...parts.values()].reduce((a, b) => (b.length > a.length ? b : a));
      if (rest > 0 && largest.length > rest) {
        const gone = new Set([...parts.values()].flat());
        this.move(
          this.members[block]!.filter((node) => !gone.has(node)),
          moved,
        );
      }
      for (const part of parts.values())
        if (part !== largest || rest >= largest.length) this.move(part, moved);
    }
    return moved;
  }

  private move(nodes: readonly number[], moved: number[]): void {
    const block = this.members.push([]) - 1;
    this.count = this.members.length;
    for (const node of nodes) {
      this.take(node);
      this.put(node, block);
      moved.push(node);
    }
  }

  private put(node: number, block: number): void {
    this.block[node] = block;
    this.place[node] = this.members[block]!.push(node) - 1;
  }

  private take(node: number): void {
    const list = this.members[this.block[node]!]!;
    const last = list.pop()!;
    if (last === node) return;
    list[this.place[node]!] = last;
    this.place[last] = this.place[node]!;
  }
}

/** Numbers in ascending order, each once: a binary heap. */
class Queue {
  private readonly heap: number[];
  private last = -1;

  constructor(numbers: readonly number[]) {
    this.heap = [...numbers].sort((a, b) => a - b);
  }

  push(value: number): void {
    const { heap } = this;
    let at = heap.push(value) - 1;
    while (at > 0 && heap[(at - 1) >> 1]! > value) {
      heap[at] = heap[(at - 1) >> 1]!;
      at = (at - 1) >> 1;
    }
    heap[at] = value;
  }

  /** −1 when there is none left. Only numbers greater than the last one may have been added since. */
  pop(): number {
    while (this.heap.length > 0) {
      const least = this.heap[0]!;
      this.sink(this.heap.pop()!);
      if (least === this.last) continue;
      this.last = least;
      return least;
    }
    return -1;
  }

  private sink(value: number): void {
    const { heap } = this;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= value) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = value;
  }
}
