// Integer bounds with a proof: a tree of case splits whose leaves are potentials (docs/certificates.md).
//
// Plain branch and bound on the flow system. At a leaf the linear program over the counts of transitions, with the intervals of
// the cases as bounds on rows and columns, has an exact optimum whose multipliers are a potential. When its floor is above the target, a count that
// is not an integer at the optimum is split: instances at a location first, then messages, then transitions. All of these are integers at the
// end of every run.

import type { Budget } from '../base/budget.ts';
import { floor, rational } from '../base/rational.ts';
import type { ExactVector } from '../lp/problem.ts';
import type { Session, Solver } from '../lp/solver.ts';
import { dot } from '../lp/verify.ts';
import type { NetIndex } from '../net/encode-flow.ts';
import { boundProblem, gainOf } from '../net/encode-flow.ts';
import { potentialFromFlow, sparse } from './find.ts';
import type { BoundProof, Quantity } from './proof.ts';

export interface BranchOptions {
  readonly budget: Budget;
  readonly maxLeaves: number;
}

interface Node {
  readonly cases: readonly { readonly on: Quantity; readonly least: number; readonly most: number | null }[];
}

/**
 * A proof of the least integer bound it can reach, or null when it ran out of budget. `target`: a value that is known to be reachable by
 * an integer solution, so that no proof can go below it.
 */
export function proveIntegerBound(
  solver: Solver,
  index: NetIndex,
  queue: number,
  target: bigint,
  options: BranchOptions,
): BoundProof | null {
  const problem = boundProblem(index, queue);
  const session = solver.open(problem, { budget: options.budget });
  try {
    return new Brancher(session, index, queue, target, options).prove({ cases: [] }, 0);
  } finally {
    session.close();
  }
}

const MAX_DEPTH = 64;

class Brancher {
  private readonly session: Session;
  private readonly index: NetIndex;
  private readonly queue: ReadonlySet<number>;
  private readonly target: bigint;
  private readonly options: BranchOptions;
  private leaves = 0;

  constructor(session: Session, index: NetIndex, queue: number, target: bigint, options: BranchOptions) {
    this.session = session;
    this.index = index;
    this.queue = new Set(index.net.queues[queue]!.places);
    this.target = target;
    this.options = options;
  }

  prove(node: Node, depth: number): BoundProof | null {
    if (this.leaves >= this.options.maxLeaves || depth > MAX_DEPTH || !this.options.budget.timeLeft())
      return null;
    this.enter(node, true);
    const outcome = this.session.solve();
    this.enter(node, false);
    if (outcome.kind === 'infeasible') return this.leaf('empty', node, outcome.dual);
    if (outcome.kind !== 'optimal') return null;
    const initial = [...this.queue].reduce((sum, place) => sum + this.index.net.places[place]!.initial, 0);
    const value = floor(rational(outcome.objective.num, outcome.objective.den)) + BigInt(initial);
    if (value <= this.target) return this.leaf('potential', node, outcome.dual);
    const fractional = this.fractional(outcome.primal);
    // An integer solution above the target: then that value is reachable too, and this leaf proves it is the most here.
    if (fractional === null) return this.leaf('potential', node, outcome.dual);
    return this.split(node, fractional.on, fractional.most, depth);
  }

  private split(node: Node, on: Quantity, most: number, depth: number): BoundProof | null {
    const now = this.intervalOf(node, on);
    const others = node.cases.filter((entry) => entry.on.kind !== on.kind || entry.on.at !== on.at);
    const low = this.prove({ cases: [...others, { on, least: now.least, most }] }, depth + 1);
    if (low === null) return null;
    const high = this.prove({ cases: [...others, { on, least: most + 1, most: now.most }] }, depth + 1);
    return high && { kind: 'split', on, most, low, high };
  }

  /** The first count that is not an integer at this point, and its floor. */
  private fractional(primal: ExactVector): { on: Quantity; most: number } | null {
    const { net, locations, initialInstances } = this.index;
    const found = (kind: Quantity['kind'], at: number, value: bigint) =>
      value % primal.denominator === 0n
        ? null
        : { on: { kind, at } as const, most: Number(floor(rational(value, primal.denominator))) };
    const rows = this.session.rows();
    for (const [row, { terms }] of rows.entries()) {
      const initial = row < locations ? initialInstances[row]! : net.places[row - locations]!.initial;
      const value = dot(terms, primal.values) + BigInt(initial) * primal.denominator;
      const split = row < locations ? found('location', row, value) : found('place', row - locations, value);
      if (split !== null) return split;
    }
    for (const [at, value] of primal.values.entries()) {
      const split = found('transition', at, value);
      if (split !== null) return split;
    }
    return null;
  }

  private intervalOf(node: Node, on: Quantity): { least: number; most: number | null } {
    const known = node.cases.find((entry) => entry.on.kind === on.kind && entry.on.at === on.at);
    return known ?? { least: 0, most: null };
  }

  /** Puts the cases' intervals into the linear program, or takes them out again. */
  private enter(node: Node, into: boolean): void {
    const { locations, initialInstances, net } = this.index;
    for (const { on, least, most } of node.cases) {
      if (on.kind === 'transition') {
        this.session.setColumnBounds(on.at, into ? least : 0, into ? most : null);
        continue;
      }
      const row = on.kind === 'location' ? on.at : locations + on.at;
      const initial = on.kind === 'location' ? initialInstances[row]! : net.places[on.at]!.initial;
      const lower = (into ? least : 0) - initial;
      this.session.setRowBounds(row, lower, into && most !== null ? most - initial : null);
    }
  }

  /** Multipliers of rows are weights; what a transition's own limits must pay for is its reduced cost. */
  private leaf(kind: 'potential' | 'empty', node: Node, dual: ExactVector): BoundProof {
    this.leaves++;
    const share = kind === 'potential' ? dual.denominator : 0n;
    const added = new Map([...this.queue].map((place) => [place, share]));
    const potential = potentialFromFlow(this.index, dual, added);
    const counts: bigint[] = this.index.net.transitions.map(() => 0n);
    const gains = new Map(gainOf(this.index.net, this.queue).map((term) => [term.column, term.coefficient]));
    const limited = node.cases.filter(({ on }) => on.kind === 'transition');
    if (limited.length > 0) {
      const columns = this.session.columnTerms();
      for (const { on } of limited)
        counts[on.at] = -(dot(columns[on.at]!, dual.values) + share * BigInt(gains.get(on.at) ?? 0));
    }
    return { kind, potential, counts: sparse(counts), divisor: share };
  }
}
