// Large blocks (Beyer, Cimatti, Griggio, Keremoglu and Sebastiani, FMCAD 2009): the program as a few passages between anchors. Anchors are the heads
// of loops and the targets; all that lies between two of them, joins included, is one passage: the condition under which it is taken and the
// values after it, as formulas over the values before. Where ways meet values are chosen between, so a passage is as large as the code, not as its
// paths.

import type { Budget } from '../../base/budget.ts';
import type { Expr } from '../program/expr.ts';
import { outgoingEdges } from '../program/interpreter.ts';
import type { Edge, Program } from '../program/program.ts';
import { FRESH, Symbolic } from './symbolic.ts';

/** In place of a location: before the program begins. */
export const START = -1;

export interface Passage {
  /** An anchor, or START. */
  readonly from: number;
  readonly to: number;
  readonly guard: Expr;
  /** Cells that it may change; symbols stand for values before it, and (from FRESH on) for inputs and unknown values. */
  readonly env: ReadonlyMap<number, Expr>;
  /** Symbols of unknown values that the program may really take; others are what the analysis does not know. */
  readonly exact: ReadonlySet<Expr>;
}

export interface Regions {
  readonly program: Program;
  /** Anchors that are no targets. Every cycle goes through one. */
  readonly heads: readonly number[];
  readonly passages: readonly Passage[];
}

const MOST_EDGES = 20_000;
const MOST_ENTRIES = 4_000_000;

/** Null where it would take too long. Other places than heads of loops may be anchors, too. */
export function regionsOf(
  program: Program,
  isTarget: (location: number) => boolean,
  budget: Budget,
  anchors: readonly number[] = [],
): Regions | null {
  if (program.edges.length > MOST_EDGES || program.edges.length * program.cells.length > MOST_ENTRIES)
    return null;
  const outgoing = outgoingEdges(program);
  const { heads: ofLoops, order } = loopHeads(program, outgoing, isTarget);
  const heads = new Set([...ofLoops, ...anchors]);
  const stops = (location: number) => heads.has(location) || isTarget(location);
  const passages: Passage[] = [];
  const initial = new Map(program.initial);
  const work = new Work(program, outgoing, order, stops, budget);
  if (stops(program.entry))
    passages.push({
      from: START,
      to: program.entry,
      guard: program.pool.true,
      env: initial,
      exact: new Set(),
    });
  else passages.push(...work.from(START, program.entry, initial));
  for (const head of heads) if (!isTarget(head)) passages.push(...work.from(head, head, new Map()));
  return work.isLate ? null : { program, heads: [...heads].filter((head) => !isTarget(head)), passages };
}

/** Targets of edges that lead back in a search in depth, and the locations in an order in which other edges lead forward. */
function loopHeads(
  program: Program,
  outgoing: readonly (readonly Edge[])[],
  isTarget: (location: number) => boolean,
): { readonly heads: ReadonlySet<number>; readonly order: readonly number[] } {
  const heads = new Set<number>();
  const state = new Uint8Array(program.locations.length);
  const finished: number[] = [];
  const stack: { at: number; next: number }[] = [{ at: program.entry, next: 0 }];
  state[program.entry] = 1;
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const edge = isTarget(top.at) ? undefined : outgoing[top.at]![top.next++];
    if (edge === undefined) {
      state[top.at] = 2;
      finished.push(top.at);
      stack.pop();
    } else if (state[edge.to] === 1) heads.add(edge.to);
    else if (state[edge.to] === 0) {
      state[edge.to] = 1;
      stack.push({ at: edge.to, next: 0 });
    }
  }
  return { heads, order: finished.reverse() };
}

interface Arrival {
  readonly guard: Expr;
  readonly env: Map<number, Expr>;
}

class Work {
  private readonly program: Program;
  private readonly outgoing: readonly (readonly Edge[])[];
  private readonly order: readonly number[];
  private readonly rank: ReadonlyMap<number, number>;
  private readonly stops: (location: number) => boolean;
  private readonly budget: Budget;
  private fresh = 0;
  isLate = false;

  constructor(
    program: Program,
    outgoing: readonly (readonly Edge[])[],
    order: readonly number[],
    stops: (location: number) => boolean,
    budget: Budget,
  ) {
    this.program = program;
    this.outgoing = outgoing;
    this.order = order;
    this.rank = new Map(order.map((location, i) => [location, i]));
    this.stops = stops;
    this.budget = budget;
  }

  from(name: number, location: number, env: Map<number, Expr>): Passage[] {
    const exact = new Set<Expr>();
    const arrivals = new Map<number, Arrival[]>([[location, [{ guard: this.program.pool.true, env }]]]);
    const first = this.rank.get(location)!;
    let open = 1;
    for (let i = first; i < this.order.length && open > 0; i++) {
      const at = this.order[i]!;
      const here = arrivals.get(at);
      if (here === undefined || (this.stops(at) && at !== location)) continue;
      if (!this.budget.timeLeft()) this.isLate = true;
      if (this.isLate) return [];
      arrivals.delete(at);
      open--;
      const { guard, env: before } = this.merged(here);
      for (const edge of this.outgoing[at]!) {
        const arrival = this.along(edge, guard, before, exact);
        if (arrival === null) continue;
        const known = arrivals.get(edge.to);
        if (known !== undefined) known.push(arrival);
        else {
          arrivals.set(edge.to, [arrival]);
          if (!this.stops(edge.to)) open++;
        }
      }
    }
    return [...arrivals]
      .filter(([to]) => this.stops(to))
      .map(([to, here]) => ({ from: name, to, exact, ...this.merged(here) }));
  }

  private along(edge: Edge, guard: Expr, env: ReadonlyMap<number, Expr>, exact: Set<Expr>): Arrival | null {
    const { pool } = this.program;
    const symbolic = new Symbolic(this.program, FRESH + this.fresh, false);
    for (const [cell, value] of env) symbolic.env.set(cell, value);
    symbolic.run([edge.operation]);
    this.fresh += symbolic.fresh.length;
    for (const fresh of symbolic.fresh) if (fresh.exact) exact.add(fresh.symbol);
    if (symbolic.dead !== null) return null;
    let condition = guard;
    for (const { test } of symbolic.constraints) condition = pool.and(condition, test);
    return condition === pool.false ? null : { guard: condition, env: symbolic.env };
  }

  private merged(arrivals: readonly Arrival[]): Arrival {
    const { pool, cells } = this.program;
    let [{ guard, env }] = arrivals as [Arrival];
    for (const other of arrivals.slice(1)) {
      const both = new Map<number, Expr>();
      for (const cell of new Set([...env.keys(), ...other.env.keys()])) {
        const unchanged = () => pool.symbol(cell, cells[cell]!.width);
        const [a, b] = [other.env.get(cell) ?? unchanged(), env.get(cell) ?? unchanged()];
        both.set(cell, a === b ? a : pool.ite(other.guard, a, b));
      }
      env = both;
      guard = pool.or(guard, other.guard);
    }
    return { guard, env };
  }
}
