// What was allocated and never freed, as a property of its own: where the program ends (main returns, or it calls `exit`) a test that nothing is left, and an
// error behind it. Runs that end otherwise (`abort`, a failed assertion, something undefined) are not asked.
//
// A function that nobody defines may free what it can reach: whether anything is left after its call is not known.

import { outgoingEdges } from '../program/interpreter.ts';
import type { Edge, Location, MemoryObject, Operation, Program } from '../program/program.ts';
import { withLifetimes } from './lifetimes.ts';

export const NO_LEAKS = 'no-leaks';

const LEFT = 'memory that was allocated is not freed when the program ends';
const ELSEWHERE = 'a function that nobody defines may free what it can reach';
const BY_CALLERS =
  'what has been allocated by those who called the function that ends the program is not known';
const UNSEEN = 'whether memory is freed that a function allocates which is not modelled cannot be seen';

/** The program whose errors are ends at which something is left. */
export function withLeaks(program: Program): Program {
  if (program.written === undefined) return program;
  const { program: written, simplify } = program.written;
  return simplify(new Leaks(written).run());
}

class Leaks {
  private readonly lives: ReturnType<typeof withLifetimes>;
  private readonly locations: Location[];
  private readonly edges: Edge[];

  constructor(written: Program) {
    const isOpen = written.edges.some(({ operation }) => isFromOutside(operation));
    // Where others may free things, each thing has a flag.
    this.lives = withLifetimes(written, isOpen ? [...written.allocations.keys()] : []);
    const { program } = this.lives;
    this.locations = program.locations.map((location) => ({
      ...location,
      kind: location.kind === 'error' ? 'end' : location.kind,
      labels: [],
    }));
    this.edges = program.edges.map((edge) => ({ ...edge, operation: this.opened(edge.operation) }));
  }

  run(): Program {
    const { program } = this.lives;
    for (const edge of program.edges) this.giveUpAt(edge);
    const apart = lookedAtApart(program);
    for (const location of program.locations) {
      if (location.isExit !== true) continue;
      if (apart.has(location.id)) this.cutAt(location);
      else this.testAt(location);
    }
    const { locations, edges } = this;
    return { ...program, locations, edges, predicates: [] };
  }

  /** What a function of the library allocates that is not modelled is the program's to free: whether it does is not followed. */
  private giveUpAt({ operation, from, span }: Edge): void {
    if (operation.kind !== 'havoc' || operation.allocates !== true) return;
    const to = this.locations.length;
    const { contract: _, ...like } = this.locations[from]!;
    this.locations.push({ ...like, id: to, kind: 'cut', why: UNSEEN, span });
    this.edges.push({ id: this.edges.length, from, to, operation: { kind: 'skip' }, span });
  }

  /** A function that is looked at by itself, with any values (contracts.ts), ends the program: what its callers have allocated is not known there. */
  private cutAt({ id }: Location): void {
    if (this.lives.program.allocations.size === 0) return;
    this.locations[id] = { ...this.locations[id]!, kind: 'cut', why: BY_CALLERS };
  }

  private testAt({ id, span }: Location): void {
    const { pool } = this.lives.program;
    const isLeft = [...this.lives.program.allocations.keys()].reduce(
      (so, object) => pool.or(so, this.isLeft(object)),
      pool.false,
    );
    if (isLeft === pool.false) return;
    const like = this.locations[id]!;
    const to = (more: Partial<Location>, test: typeof isLeft, branch: string | null) => {
      const next = this.locations.length;
      this.locations.push({ ...like, ...more, id: next });
      const operation = { kind: 'assume', test, branch } as const;
      this.edges.push({ id: this.edges.length, from: id, to: next, operation, span });
    };
    to({ kind: 'error', why: LEFT }, isLeft, `[${LEFT}]`);
    to({}, pool.not(isLeft), null);
    this.locations[id] = { ...like, kind: 'inner', why: '' };
  }

  private isLeft(object: MemoryObject) {
    const { program, freed } = this.lives;
    const { pool } = program;
    const { counter, number } = program.allocations.get(object)!;
    const isThere = pool.compare('slt', pool.const(number, 32), pool.symbol(counter.id, 32));
    const flag = freed.get(object);
    return flag === undefined
      ? isThere
      : pool.and(isThere, pool.eq(pool.symbol(flag.id, 8), pool.const(0n, 8)));
  }

  private opened(operation: Operation): Operation {
    if (!isFromOutside(operation)) return operation;
    const flags = [...this.lives.freed.values()];
    return { ...operation, cells: [...operation.cells, ...flags], why: `${operation.why}; ${ELSEWHERE}` };
  }
}

const isFromOutside = (operation: Operation): operation is Extract<Operation, { kind: 'havoc' }> =>
  operation.kind === 'havoc' && operation.outside === true;

/** Where a run of a function by itself can be, in a program that is read with contracts. */
function lookedAtApart(program: Program): ReadonlySet<number> {
  const entries = program.locations.filter(({ contract }) => contract?.role === 'entry');
  const found = new Set(entries.map(({ id }) => id));
  const outgoing = outgoingEdges(program);
  for (const id of found) for (const { to } of outgoing[id]!) found.add(to);
  return found;
}
