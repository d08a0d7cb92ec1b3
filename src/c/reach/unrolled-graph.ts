// A program with its loops unrolled, executed symbolically as a whole: each place of each turn once, where ways meet values are chosen between (as bounded model
// checkers do it: Clarke, Kroening and Lerda, TACAS 2004). Turns that constants decide are followed to their end; of those that something open decides so many as
// are asked for. What is met is a graph without cycles, whose leaves are errors, ways out of the model, and turns that were not followed.
//
// Values that are chosen where ways meet get names, with an equation each: terms stay flat however long the way is. Choices between constants stay what they are, so
// that they decide branches.

import type { CellSet } from '../program/cell-set.ts';
import { has } from '../program/cell-set.ts';
import type { Expr, Pool } from '../program/expr.ts';
import { outgoingEdges } from '../program/interpreter.ts';
import type { Edge, Operation, Program } from '../program/program.ts';
import { isConstantChoice } from '../program/simplify.ts';
import { sizeOfExpr } from '../program/substitute.ts';
import { type Nesting, nestingOf } from './nesting.ts';
import { FRESH, Symbolic } from './symbolic.ts';

/** What must hold for a way to be taken, the last condition first; ways that part share what is before. */
export interface Conditions {
  readonly test: Expr;
  readonly before: Conditions | null;
  readonly length: number;
  /** All of them as one test. */
  readonly all: Expr;
}

export interface Arrival {
  readonly from: UnrolledNode | null;
  readonly edge: Edge | null;
  readonly conditions: Conditions | null;
  readonly env: Map<number, Expr>;
}

export interface UnrolledNode {
  readonly location: number;
  /** For each loop around it: which turn, and how many of the turns before were decided by something open. */
  readonly turns: readonly number[];
  readonly openTurns: readonly number[];
  readonly arrivals: Arrival[];
  /** In the order of the graph, once it was gone through. */
  index: number;
  /** For each edge that leaves the location: where it leads; null where it cannot be taken, or leads to a leaf. */
  to: (UnrolledNode | null)[];
  conditions: Conditions | null;
}

export interface Leaf {
  readonly location: number;
  readonly kind: 'error' | 'cut' | 'turn';
  readonly arrival: Arrival;
}

export interface Unrolled {
  readonly nodes: readonly UnrolledNode[];
  readonly leaves: readonly Leaf[];
  /** What names stand for. */
  readonly equations: readonly Expr[];
}

const MOST_NODES = 40_000;
const MOST_WORK = 40_000_000;
/** Terms of more nodes get a name when they are written to memory. */
const MOST_UNNAMED = 12;

export class Unroller {
  private readonly program: Program;
  private readonly pool: Pool;
  private readonly outgoing: readonly (readonly Edge[])[];
  private readonly nesting: Nesting | null;
  private readonly isError: (location: number) => boolean;
  private readonly live: readonly CellSet[];

  constructor(
    program: Program,
    live: readonly CellSet[],
    isError: (location: number) => boolean,
    watch: () => void,
  ) {
    this.program = program;
    this.pool = program.pool;
    this.live = live;
    this.isError = isError;
    this.outgoing = outgoingEdges(program);
    this.nesting = nestingOf(program.entry, this.outgoing, watch);
  }

  /** Null where it becomes too large. `mostTurns`: of one loop at a time, those that something open decides. */
  unrolled(mostTurns: number): Unrolled | null {
    const { program, outgoing, nesting, live, isError } = this;
    return nesting === null ? null : new Work(program, outgoing, nesting, live, isError, mostTurns).run();
  }
}

class Work {
  private readonly program: Program;
  private readonly pool: Pool;
  private readonly outgoing: readonly (readonly Edge[])[];
  private readonly nesting: Nesting;
  private readonly live: readonly CellSet[];
  private readonly isError: (location: number) => boolean;
  private readonly mostTurns: number;
  private readonly known = new Map<string, UnrolledNode>();
  private readonly waiting: UnrolledNode[] = [];
  private readonly nodes: UnrolledNode[] = [];
  private readonly leaves: Leaf[] = [];
  private readonly equations: Expr[] = [];
  private fresh = 0;
  private work = 0;

  constructor(
    program: Program,
    outgoing: readonly (readonly Edge[])[],
    nesting: Nesting,
    live: readonly CellSet[],
    isError: (location: number) => boolean,
    mostTurns: number,
  ) {
    this.program = program;
    this.pool = program.pool;
    this.outgoing = outgoing;
    this.nesting = nesting;
    this.live = live;
    this.isError = isError;
    this.mostTurns = mostTurns;
  }

  run(): Unrolled | null {
    const { entry, initial } = this.program;
    const first = { from: null, edge: null, conditions: null, env: new Map(initial) };
    if (this.arrive(entry, first, null) === null) return null;
    for (let node = this.next(); node !== undefined; node = this.next()) {
      this.leave(node);
      if (this.nodes.length > MOST_NODES || this.work > MOST_WORK) return null;
    }
    return { nodes: this.nodes, leaves: this.leaves, equations: this.equations };
  }

  private leave(node: UnrolledNode): void {
    const { conditions, env } = this.merged(node);
    node.index = this.nodes.length;
    node.conditions = conditions;
    this.nodes.push(node);
    const edges = this.outgoing[node.location]!;
    node.to = edges.map((edge, i) => {
      // The last way takes what there is; the others take copies.
      const values = i === edges.length - 1 ? env : new Map(env);
      this.work += values.size;
      return this.along(node, edge, conditions, values);
    });
  }

  private along(
    node: UnrolledNode,
    edge: Edge,
    before: Conditions | null,
    env: Map<number, Expr>,
  ): UnrolledNode | null {
    const symbolic = new Symbolic(this.program, FRESH + this.fresh, false, env, true);
    symbolic.run([edge.operation]);
    this.fresh += symbolic.fresh.length;
    this.equations.push(...symbolic.reads!);
    if (symbolic.dead !== null) return null;
    this.nameWritten(edge.operation, env);
    let conditions = before;
    for (const { test } of symbolic.constraints) conditions = this.with(conditions, test);
    if (conditions?.all === this.pool.false) return null;
    return this.arrive(edge.to, { from: node, edge, conditions, env }, node);
  }

  /** What grows from turn to turn is named, too. */
  private nameWritten(operation: Operation, env: Map<number, Expr>): void {
    const written =
      operation.kind === 'assign' ? [operation.cell] : operation.kind === 'store' ? operation.site.cells : [];
    for (const { id } of written) {
      const value = env.get(id);
      if (value !== undefined && sizeOfExpr(value, MOST_UNNAMED) > MOST_UNNAMED)
        env.set(id, this.named(value));
    }
  }

  private with(before: Conditions | null, test: Expr): Conditions | null {
    if (test === this.pool.true) return before;
    if (before === null) return { test, before, length: 1, all: test };
    return { test, before, length: before.length + 1, all: this.pool.and(before.all, test) };
  }

  private arrive(location: number, arrival: Arrival, from: UnrolledNode | null): UnrolledNode | null {
    const { kind } = this.program.locations[location]!;
    if (this.isError(location) || kind === 'cut') {
      this.leaves.push({ location, kind: this.isError(location) ? 'error' : 'cut', arrival });
      return null;
    }
    if (kind !== 'inner') return null;
    const { turns, openTurns } = this.turnsAt(location, arrival, from);
    if (openTurns.some((count) => count > this.mostTurns)) {
      this.leaves.push({ location, kind: 'turn', arrival });
      return null;
    }
    const key = `${location} ${turns.join()}`;
    let node = this.known.get(key);
    if (node === undefined) {
      node = { location, turns, openTurns, arrivals: [], index: -1, to: [], conditions: null };
      this.known.set(key, node);
      this.insert(node);
    }
    node.arrivals.push(arrival);
    return node;
  }

  /** The turns of the loops that go on, a new one where the way leads to the head that it comes from, the first of those that are entered. */
  private turnsAt(location: number, { conditions }: Arrival, from: UnrolledNode | null) {
    const heads = this.nesting.heads[location]!;
    const before = from === null ? [] : this.nesting.heads[from.location]!;
    const turns: number[] = [];
    const openTurns: number[] = [];
    for (const [depth, head] of heads.entries()) {
      const goesOn = before[depth] === head;
      const isAgain =
        goesOn && head === location && this.nesting.rank[from!.location]! >= this.nesting.rank[head]!;
      turns.push(goesOn ? from!.turns[depth]! + (isAgain ? 1 : 0) : 0);
      const isOpen = isAgain && !this.isDecided(head, from!, depth, conditions);
      openTurns.push(goesOn ? from!.openTurns[depth]! + (isOpen ? 1 : 0) : 0);
    }
    return { turns, openTurns };
  }

  /** Nothing but constants decided that another turn is taken: what must hold is what had to hold at the head. */
  private isDecided(head: number, from: UnrolledNode, depth: number, conditions: Conditions | null): boolean {
    const start = this.known.get(`${head} ${from.turns.slice(0, depth + 1).join()}`);
    return start !== undefined && start.index >= 0 && start.conditions === conditions;
  }

  private merged(node: UnrolledNode): Arrival {
    const [first, ...others] = node.arrivals as [Arrival, ...Arrival[]];
    if (others.length === 0) return first;
    const { pool } = this;
    const live = this.live[node.location]!;
    let { conditions, env } = first;
    for (const other of others) {
      const { shared, one, two } = this.apart(conditions, other.conditions);
      const both = new Map<number, Expr>();
      for (const cell of new Set([...env.keys(), ...other.env.keys()])) {
        if (!has(live, cell)) continue;
        const [a, b] = [this.valueIn(other.env, cell), this.valueIn(env, cell)];
        both.set(cell, a === b ? a : this.named(pool.ite(two, a, b)));
      }
      this.work += both.size;
      env = both;
      const either = one === pool.not(two) ? pool.true : pool.or(one, two);
      conditions = this.with(shared, this.namedTest(either));
    }
    return { ...first, conditions, env };
  }

  private valueIn(env: ReadonlyMap<number, Expr>, cell: number): Expr {
    return env.get(cell) ?? this.pool.symbol(cell, this.program.cells[cell]!.width);
  }

  /** What both ways have in common, and what each needs beyond. */
  private apart(a: Conditions | null, b: Conditions | null) {
    const { pool } = this;
    let [one, two] = [pool.true, pool.true];
    while (a !== b) {
      if ((a?.length ?? 0) >= (b?.length ?? 0)) {
        one = pool.and(a!.test, one);
        a = a!.before;
      } else {
        two = pool.and(b!.test, two);
        b = b!.before;
      }
    }
    return { shared: a, one, two };
  }

  private named(value: Expr): Expr {
    if (value.op === 'const' || value.op === 'symbol' || isConstantChoice(value)) return value;
    // An equation between arrays says something of every element.
    if (value.width < 0) return value;
    const name = this.pool.symbol(FRESH + this.fresh++, value.width);
    this.equations.push(this.pool.eq(name, value));
    return name;
  }

  private namedTest(test: Expr): Expr {
    if (test.op !== 'disj') return test;
    const bit = this.pool.symbol(FRESH + this.fresh++, 1);
    const one = this.pool.eq(bit, this.pool.const(1n, 1));
    this.equations.push(this.pool.eq(bit, this.pool.number(test, 1)));
    return one;
  }

  // ---- the nodes that wait, the first in the order of the nesting on top (a heap) ----

  private isBefore(a: UnrolledNode, b: UnrolledNode): boolean {
    const { heads, rank } = this.nesting;
    const [around, others] = [heads[a.location]!, heads[b.location]!];
    for (let depth = 0; ; depth++) {
      const [x, y] = [around[depth] ?? a.location, others[depth] ?? b.location];
      if (x !== y) return rank[x]! < rank[y]!;
      const [turn, other] = [a.turns[depth], b.turns[depth]];
      if (turn === undefined || other === undefined) return turn === undefined && other !== undefined;
      if (turn !== other) return turn < other;
    }
  }

  private insert(node: UnrolledNode): void {
    const { waiting } = this;
    let at = waiting.push(node) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.isBefore(waiting[at]!, waiting[above]!)) break;
      [waiting[at], waiting[above]] = [waiting[above]!, waiting[at]!];
      at = above;
    }
  }

  private next(): UnrolledNode | undefined {
    const { waiting } = this;
    const top = waiting[0];
    const last = waiting.pop();
    if (top === undefined || waiting.length === 0) return top;
    waiting[0] = last!;
    for (let at = 0; ; ) {
      let least = at;
      for (const below of [2 * at + 1, 2 * at + 2])
        if (below < waiting.length && this.isBefore(waiting[below]!, waiting[least]!)) least = below;
      if (least === at) return top;
      [waiting[at], waiting[least]] = [waiting[least]!, waiting[at]!];
      at = least;
    }
  }
}
