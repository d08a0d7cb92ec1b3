// The lives of objects. What `malloc` gave lives until it is given to `free`: a flag for each object that some `free` can mean says that it was, and is
// looked at before every use of the object. A variable lives as long as the block it is declared in (blocks.ts), so that it is known without flags where its use
// through a pointer comes too late.
//
// The tests are steps that are undefined where they fail (`defined`): for whoever asks for undefined behaviour these are errors, for the others ends of runs. They
// are put in before constants are, because a read whose value is known is no read any more.
//
// Variables that other threads use have flags, too.
//
// Not seen: a pointer to a variable of an earlier turn of a loop, or of an earlier call, where the variable is there again; temporary values of struct type. Functions without a definition are taken not to free anything.
//
// Soundness: each object of the heap is allocated once (heap.ts), so that one flag is enough.

import type { Expr } from '../program/expr.ts';
import { outgoingEdges } from '../program/interpreter.ts';
import { MoreCells } from '../program/more-cells.ts';
import type { Cell, Edge, Location, MemoryObject, Operation, Program } from '../program/program.ts';
import { type ScalarType, UCHAR } from '../program/types.ts';
import { Blocks } from './blocks.ts';
import { type Use, usesOf } from './memory-uses.ts';

/** Among threads flags are nobody's business: no race is about them. */
const FLAG = { ...UCHAR, atomic: true } as ScalarType;

export interface WithLifetimes {
  readonly program: Program;
  /** Of the objects that may be freed: is not 0 when they were. */
  readonly freed: ReadonlyMap<MemoryObject, Cell>;
}

/** The program with tests, and flags for what is freed, and for more where they are wanted. */
export function withLifetimes(program: Program, wanted: readonly MemoryObject[] = []): WithLifetimes {
  return new Lifetimes(program, wanted).run();
}

/** The program as it was read, with tests of lives and with constants put in. */
export function lived(program: Program): Program {
  let result = known.get(program);
  if (result === undefined) known.set(program, (result = withTests(program)));
  return result;
}

/** Asked for by several properties. */
const known = new WeakMap<Program, Program>();

function withTests(program: Program): Program {
  if (program.written === undefined) return program;
  const { program: written, simplify } = program.written;
  const { program: tested } = withLifetimes(written);
  const isSame = tested.edges.length === written.edges.length && tested.cells.length === written.cells.length;
  return isSame && releasesIn(written).length === 0 ? program : simplify(tested);
}

type Release = Extract<Operation, { kind: 'release' }>;

const releasesIn = ({ edges }: Program): Release[] =>
  edges.flatMap(({ operation }) => (operation.kind === 'release' ? [operation] : []));

/** Through addresses, and made for sure: a variable by its name is alive. */
const usesBy = (program: Program, operation: Operation): Use[] =>
  usesOf(program, operation).filter(({ address, when }) => address.op !== 'const' && when === null);

class Lifetimes {
  private readonly program: Program;
  private readonly blocks: Blocks;
  private readonly locations: Location[];
  private readonly edges: Edge[] = [];
  private readonly more: MoreCells;
  private readonly freed = new Map<MemoryObject, Cell>();
  /** Of variables that other threads use. */
  private readonly ended = new Map<MemoryObject, Cell>();

  constructor(program: Program, wanted: readonly MemoryObject[]) {
    this.program = program;
    this.blocks = new Blocks(program);
    this.locations = [...program.locations];
    this.more = new MoreCells(program);
    for (const object of [...releasesIn(program).flatMap(({ site }) => site.objects), ...wanted])
      if (program.allocations.has(object) && !this.freed.has(object))
        this.freed.set(object, this.more.add(`(freed ${object.name})`, FLAG));
    for (const { operation, block } of program.edges)
      for (const object of usesBy(program, operation).flatMap(({ site }) => site.objects))
        if (this.blocks.standing(object, block) === 'other' && !this.ended.has(object))
          this.ended.set(object, this.more.add(`(end of ${object.name})`, FLAG));
  }

  run(): WithLifetimes {
    const { program, freed, locations } = this;
    const outgoing = outgoingEdges(program);
    const incoming: Edge[][] = program.locations.map(() => []);
    if (this.ended.size > 0) for (const edge of program.edges) incoming[edge.to]!.push(edge);
    for (const location of program.locations) {
      const edges = outgoing[location.id]!;
      // Ways that part here look at the same values, so that all their tests belong before the parting.
      const path = new Path(this, location.id);
      this.atBorders(incoming[location.id]!, edges, path);
      for (const edge of edges) this.beforeUses(edge, path);
      for (const edge of edges)
        if (edge.operation.kind === 'release') this.release(edge, edge.operation, path);
        else this.add({ ...edge, from: path.at });
    }
    const { objects, cells } = this.more;
    const initial = new Map(program.initial);
    for (const { id } of [...freed.values(), ...this.ended.values()])
      initial.set(id, program.pool.const(0n, 8));
    return { program: { ...program, locations, edges: this.edges, objects, cells, initial }, freed };
  }

  add(edge: Omit<Edge, 'id'>): void {
    this.edges.push({ ...edge, id: this.edges.length });
  }

  location(like: number, more: Partial<Location>): number {
    const id = this.locations.length;
    const { contract: _, ...plain } = this.program.locations[like]!;
    this.locations.push({ ...plain, labels: [], kind: 'inner', why: '', ...more, id });
    return id;
  }

  get pool() {
    return this.program.pool;
  }

  private beforeUses(edge: Edge, path: Path): void {
    for (const use of usesBy(this.program, edge.operation)) this.beforeUse(use, edge, path);
  }

  private beforeUse({ site, address, how }: Use, edge: Edge, path: Path): void {
    const { pool } = this;
    // Where it can mean nothing else it is as bad when it means nothing.
    const isOnly = site.objects.length === 1 && !site.foreign;
    let isFreed: Expr = pool.false;
    for (const object of site.objects) {
      const isMeant = isOnly ? pool.true : this.isInside(object, address);
      const freed = this.freed.get(object);
      if (freed !== undefined) isFreed = pool.or(isFreed, pool.and(isMeant, this.holds(freed)));
      const standing = this.blocks.standing(object, edge.block);
      // What has no name of its own has one in parentheses.
      const what = object.name.startsWith('(') ? 'memory' : `'${object.name}'`;
      const isOver =
        standing === 'ended'
          ? isMeant
          : standing === 'other'
            ? pool.and(isMeant, this.holds(this.ended.get(object)!))
            : pool.false;
      path.test(pool.not(isOver), `${how} ${what} after its end is undefined`, edge);
      if (standing === 'open') path.leave(isMeant, `whether ${what} is still there cannot be seen`, edge);
    }
    path.test(pool.not(isFreed), `${how} memory that was freed is undefined`, edge);
  }

  /** Variables that other threads use have flags, which change where their blocks begin and end. */
  private atBorders(before: readonly Edge[], after: readonly Edge[], path: Path): void {
    const [first] = after;
    if (first === undefined) return;
    for (const [object, cell] of this.ended) {
      const hasEnded = ({ block }: Edge) => this.blocks.standing(object, block) === 'ended';
      const isOver = hasEnded(first);
      if (this.blocks.standing(object, first.block) === 'other') continue;
      if (before.every((edge) => hasEnded(edge) === isOver)) continue;
      if (!after.every((edge) => hasEnded(edge) === isOver))
        path.leave(this.pool.true, `where '${object.name}' ends cannot be seen`, first);
      path.step({ kind: 'assign', cell, value: this.pool.const(isOver ? 1n : 0n, 8) }, first);
    }
  }

  /** `free(p)`: nothing, or where something lies that was allocated and not yet freed. */
  private release(edge: Edge, { site, address }: Release, path: Path): void {
    const { pool } = this;
    const isAt = ({ address: start }: MemoryObject) => pool.eq(address, pool.const(start, 64));
    const targets = site.objects.filter((object) => this.freed.has(object));
    const isValid = targets.reduce(
      (so, object) => pool.or(so, isAt(object)),
      pool.eq(address, pool.const(0n, 64)),
    );
    if (site.foreign)
      path.leave(
        pool.not(isValid),
        'whether what is freed was allocated cannot be seen: the pointer comes from elsewhere',
        edge,
      );
    else path.test(isValid, 'what is freed was not allocated', edge);
    const isFreed = targets.reduce(
      (so, object) => pool.or(so, pool.and(isAt(object), this.holds(this.freed.get(object)!))),
      pool.false,
    );
    path.test(pool.not(isFreed), 'what is freed was freed before', edge);
    for (const object of targets) {
      const cell = this.freed.get(object)!;
      const value = pool.ite(isAt(object), pool.const(1n, 8), pool.symbol(cell.id, 8));
      path.step({ kind: 'assign', cell, value }, edge);
    }
    this.add({ ...edge, from: path.at, operation: { kind: 'skip' } });
  }

  private holds(flag: Cell): Expr {
    return this.pool.test(this.pool.symbol(flag.id, 8));
  }

  private isInside(object: MemoryObject, address: Expr): Expr {
    const { pool } = this;
    const offset = pool.binary('sub', address, pool.const(object.address, 64));
    return pool.compare('ult', offset, pool.const(object.size, 64));
  }
}

/** What is put in before the edges of a location, one after the other. */
class Path {
  at: number;
  private readonly lifetimes: Lifetimes;
  private readonly start: number;
  private readonly tests = new Set<Expr>();

  constructor(lifetimes: Lifetimes, start: number) {
    this.lifetimes = lifetimes;
    this.start = start;
    this.at = start;
  }

  test(test: Expr, why: string, edge: Edge): void {
    if (test === this.lifetimes.pool.true || this.tests.has(test)) return;
    this.tests.add(test);
    this.step({ kind: 'defined', test, why }, edge);
  }

  /** In one piece: no other thread comes between. */
  step(operation: Operation, { span, block }: Edge): void {
    const to = this.lifetimes.location(this.start, {});
    this.lifetimes.add({ from: this.at, to, span, operation, atomic: true, ...(block && { block }) });
    this.at = to;
  }

  /** A way out of what is known, beside the way on. */
  leave(test: Expr, why: string, { span }: Edge): void {
    if (test === this.lifetimes.pool.false) return;
    const to = this.lifetimes.location(this.start, { kind: 'cut', why, span });
    this.lifetimes.add({ from: this.at, to, span, operation: { kind: 'assume', test, branch: `[${why}]` } });
  }
}
