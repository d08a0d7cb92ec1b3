// One access to shared memory for each step. A step of the graph is a whole assignment or test: `x = x + y` reads twice and writes once, and other threads may
// come between. Here every location whose edges make more than one shared access gets steps before it that read into temporaries, one by one; the edges
// then use those. Loads whose address is itself read from shared memory are read from the inside out.
//
// Reads that C makes only on one side of a choice (`ite`) are not moved before it when they go through a pointer: the location stays whole, and is named, since
// what could come between is not seen.

import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { expressionsOf } from '../program/expressions.ts';
import { outgoingEdges } from '../program/interpreter.ts';
import { MoreCells } from '../program/more-cells.ts';
import type { Edge, Location, Operation, Program } from '../program/program.ts';
import { bitsType } from '../program/types.ts';
import type { Sharing } from './accesses.ts';
import { accessAt } from './accesses.ts';

export interface SplitProgram {
  readonly program: Program;
  /** Places that stayed whole though they make several accesses. */
  readonly whole: readonly Location[];
}

export function splitAccesses(program: Program, { shared }: Sharing): SplitProgram {
  return new Splitter(program, shared).run();
}

class Splitter {
  private readonly program: Program;
  private readonly shared: ReadonlySet<number>;
  private readonly locations: Location[];
  private readonly edges: Edge[] = [];
  private readonly more: MoreCells;
  private readonly whole: Location[] = [];

  constructor(program: Program, shared: ReadonlySet<number>) {
    this.program = program;
    this.shared = shared;
    this.locations = [...program.locations];
    this.more = new MoreCells(program);
  }

  run(): SplitProgram {
    const outgoing = outgoingEdges(this.program);
    for (const location of this.program.locations) this.at(location, outgoing[location.id]!);
    const { program, locations, edges, whole } = this;
    const { objects, cells } = this.more;
    return { program: { ...program, locations, edges, objects, cells }, whole };
  }

  private at(location: Location, edges: readonly Edge[]): void {
    const reads = new Set<Expr>();
    let lazy = false;
    for (const { operation } of edges)
      for (const expr of expressionsOf(operation))
        if (!this.sharedReads(expr, reads, false, new Set())) lazy = true;
    const { writes } = accessAt(this.program, edges);
    const writesShared = [...writes].some((id) => this.shared.has(id));
    // In one piece anyway, or only one access.
    const single = reads.size + (writesShared ? 1 : 0) <= 1;
    if (single || edges.some(({ atomic }) => atomic === true)) {
      for (const edge of edges) this.add(edge, edge.from);
      return;
    }
    if (lazy) {
      this.whole.push(location);
      for (const edge of edges) this.add(edge, edge.from);
      return;
    }
    const known = new Map<Expr, Expr>();
    const like = edges[0]!;
    let from = location.id;
    // Inner reads were met first.
    for (const read of reads) {
      const cell = this.more.add('(read)', bitsType(read.width));
      const value = this.rewritten(read, known, true);
      const to = this.location(location);
      const { atomic: _, spurious: __, call: ___, ...plain } = like;
      this.add({ ...plain, operation: { kind: 'assign', cell, value }, to }, from);
      known.set(read, this.program.pool.symbol(cell.id, cell.width));
      from = to;
    }
    for (const edge of edges) this.add({ ...edge, operation: this.operation(edge.operation, known) }, from);
  }

  private add(edge: Edge, from: number): void {
    this.edges.push({ ...edge, from, id: this.edges.length });
  }

  private location({ waits: _, idle: __, ...like }: Location): number {
    const id = this.locations.length;
    this.locations.push({ ...like, kind: 'inner', labels: [], id });
    return id;
  }

  /** Shared reads of an expression, inner ones first; false when one of them is made only on one side of a choice, through a pointer. */
  private sharedReads(expr: Expr, into: Set<Expr>, lazily: boolean, seen: Set<Expr>): boolean {
    if (seen.has(expr)) return true;
    seen.add(expr);
    if (expr.op === 'symbol') {
      const { object } = this.program.cells[symbolNumber(expr)]!;
      if (this.shared.has(object.id)) into.add(expr);
      return true;
    }
    const isChoice = expr.op === 'ite' || expr.op === 'conj' || expr.op === 'disj';
    let good = true;
    expr.args.forEach((arg, i) => {
      if (!this.sharedReads(arg, into, lazily || (isChoice && i > 0), seen)) good = false;
    });
    if (expr.op === 'load') {
      const { objects } = this.program.sites[Number(expr.value) - 1]!;
      if (objects.some(({ id }) => this.shared.has(id)) || expr.args[0]!.op === 'const') {
        into.add(expr);
        if (lazily) return false;
      }
    }
    return good;
  }

  private rewritten(expr: Expr, known: ReadonlyMap<Expr, Expr>, isRead = false): Expr {
    const found = isRead ? undefined : known.get(expr);
    if (found !== undefined) return found;
    if (expr.args.length === 0) return expr;
    return this.program.pool.rebuild(
      expr,
      expr.args.map((arg) => this.rewritten(arg, known)),
    );
  }

  private operation(operation: Operation, known: ReadonlyMap<Expr, Expr>): Operation {
    const put = (expr: Expr) => this.rewritten(expr, known);
    switch (operation.kind) {
      case 'assign':
        return { ...operation, value: put(operation.value) };
      case 'store':
        return { ...operation, address: put(operation.address), value: put(operation.value) };
      case 'assume':
      case 'defined':
        return { ...operation, test: put(operation.test) };
      case 'touch':
        return { ...operation, address: put(operation.address) };
      default:
        return operation;
    }
  }
}
