// What the search needs to know of a program with threads, worked out once: who touches what now and later, which steps concern nobody else, which private
// memory no longer matters where a thread stands.

import { has } from '../program/cell-set.ts';
import { outgoingEdges } from '../program/interpreter.ts';
import type { Cell, Edge, Program } from '../program/program.ts';
import { liveCells } from '../reach/liveness.ts';
import { accessAt, sharingOf } from './accesses.ts';

/** Sets of shared objects as bits. */
export type Bits = Uint32Array;

export interface Touched {
  readonly reads: Bits;
  readonly writes: Bits;
}

export const conflict = (a: Touched, b: Touched): boolean =>
  meet(a.writes, b.writes) || meet(a.writes, b.reads) || meet(a.reads, b.writes);

const meet = (a: Bits, b: Bits): boolean => {
  for (let i = 0; i < a.length; i++) if ((a[i]! & b[i]!) !== 0) return true;
  return false;
};

export class ThreadGraph {
  readonly program: Program;
  readonly outgoing: readonly (readonly Edge[])[];
  readonly shared: ReadonlySet<number>;
  /** By location: shared objects of its edges, and of everything that can follow. */
  readonly now: readonly Touched[];
  readonly later: readonly Touched[];
  /** By location: nothing shared, one way on whatever the values are, nothing that the search must look at. */
  readonly quiet: readonly boolean[];
  private readonly live: ReturnType<typeof liveCells>;
  private readonly bitOf = new Map<number, number>();
  private readonly words: number;
  private readonly privateCells: readonly (readonly Cell[])[];
  private readonly forgotten = new Map<string, readonly Cell[]>();

  constructor(program: Program) {
    this.program = program;
    this.outgoing = outgoingEdges(program);
    const { shared, owner } = sharingOf(program);
    this.shared = shared;
    for (const id of shared) this.bitOf.set(id, this.bitOf.size);
    this.words = Math.max(1, Math.ceil(shared.size / 32));
    this.now = this.inOnePiece(program.locations.map(({ id }) => this.touched(this.outgoing[id]!)));
    this.later = this.closed();
    // What others may read matters everywhere; so what flows into it matters, too.
    const common = program.cells.filter(({ object }) => shared.has(object.id)).map(({ id }) => id);
    this.live = liveCells(program, common);
    this.quiet = program.locations.map((location) => this.isQuiet(location.id));
    this.privateCells = (program.threads ?? []).map((_, thread) =>
      program.cells.filter((cell) => owner[cell.object.id] === thread),
    );
  }

  /** Could the value of the cell, as a thread has it that stands there, still matter? */
  matters(cell: Cell, location: number): boolean {
    return has(this.live[location]!, cell.id);
  }

  /** Cells of the thread alone that do not matter where it stands. */
  deadCells(thread: number, location: number): readonly Cell[] {
    const key = `${thread} ${location}`;
    let found = this.forgotten.get(key);
    if (found === undefined) {
      const matters = (cell: Cell) => this.matters(cell, location);
      // What lies beside bytes that matter in one member of a union stays, too: names of threads are known by all of their bytes.
      const isNear = (cell: Cell) => matters(cell) || cell.overlaps.some(matters);
      found = this.privateCells[thread]!.filter((cell) => !isNear(cell) && !cell.overlaps.some(isNear));
      this.forgotten.set(key, found);
    }
    return found;
  }

  private touched(edges: readonly Edge[]): Touched {
    const { reads, writes } = accessAt(this.program, edges);
    return { reads: this.bits(reads), writes: this.bits(writes) };
  }

  private bits(objects: ReadonlySet<number>): Bits {
    const bits = new Uint32Array(this.words);
    for (const id of objects) {
      const bit = this.bitOf.get(id);
      if (bit !== undefined) bits[bit >> 5]! |= 1 << (bit & 31);
    }
    return bits;
  }

  /** A step with all that follows it before another thread may go on. */
  private inOnePiece(single: readonly Touched[]): Touched[] {
    const { locations } = this.program;
    const inside = this.insideSections();
    return backwards(this.program, single, ({ to }) => locations[to]!.atomic === true || inside.has(to));
  }

  /** Locations between the two ends of a section that nobody may come between. */
  private insideSections(): ReadonlySet<number> {
    const { atomicHolder } = this.program;
    const holds = ({ operation }: Edge): bigint | null =>
      operation.kind === 'assign' && operation.cell === atomicHolder && operation.value.op === 'const'
        ? operation.value.value
        : null;
    const inside = new Set<number>();
    for (const edge of this.program.edges) if ((holds(edge) ?? 0n) !== 0n) inside.add(edge.to);
    for (const location of inside)
      for (const edge of this.outgoing[location]!) if (holds(edge) !== 0n) inside.add(edge.to);
    return inside;
  }

  private closed(): Touched[] {
    return backwards(this.program, this.now, () => true);
  }

  private isQuiet(location: number): boolean {
    const { kind, labels, waits, idle } = this.program.locations[location]!;
    const edges = this.outgoing[location]!;
    if (kind !== 'inner' || labels.includes('ERROR') || waits !== undefined || idle === true) return false;
    const { reads, writes } = this.now[location]!;
    const touchesShared = [...reads, ...writes].some((word) => word !== 0);
    const plain = edges.every(
      ({ operation, to }) =>
        operation.kind !== 'input' &&
        (operation.kind !== 'havoc' || operation.cells.every((cell) => !this.matters(cell, to))),
    );
    return edges.length > 0 && !touchesShared && plain && partsByTest(edges);
  }
}

/** What can be touched from each location on, along edges that count: from the ends backwards until nothing is added. */
function backwards(
  { locations, edges, pool }: Program,
  single: readonly Touched[],
  counts: (edge: Edge) => boolean,
): Touched[] {
  const later = single.map(({ reads, writes }) => ({ reads: reads.slice(), writes: writes.slice() }));
  const incoming: number[][] = locations.map(() => []);
  for (const edge of edges) if (counts(edge)) incoming[edge.to]!.push(edge.from);
  const queue = locations.map(({ id }) => id);
  const add = (into: Bits, from: Bits): boolean => {
    let changed = false;
    for (let i = 0; i < into.length; i++) {
      const sum = into[i]! | from[i]!;
      if (sum >>> 0 !== into[i]! >>> 0) changed = true;
      into[i] = sum;
    }
    return changed;
  };
  while (queue.length > 0) {
    pool.watch();
    const at = queue.pop()!;
    for (const before of incoming[at]!) {
      const reads = add(later[before]!.reads, later[at]!.reads);
      const writes = add(later[before]!.writes, later[at]!.writes);
      if (reads || writes) queue.push(before);
    }
  }
  return later;
}

/** One edge, or tests of which at most one holds. */
function partsByTest(edges: readonly Edge[]): boolean {
  if (edges.length === 1) return true;
  return edges.every(({ operation }) => operation.kind === 'assume');
}
