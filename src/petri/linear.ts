// No state space: questions about reachable markings settled by the marking equation, case splits and traps.
//
// Every reachable marking is M0 + C·x for the counts x of a run. The clauses of a question are taken one by one: those with a single
// possible atom at once (propagation through groups of places whose sum never changes, such as the locations of one process), the others
// only where the linear program's solution violates them. A solution that violates none but empties a trap is cut off by the trap's row.
// No solution in any case: the proof tree, which linear-check.ts goes through again. A solution that nothing cuts off is a candidate: it
// tells a search where to look. It works for any number of tokens and processes, with places that grow for ever.

import type { Budget } from '../base/budget.ts';
import { feasibility } from '../lp/feasible.ts';
import { type Problem, ProblemBuilder, type Term } from '../lp/problem.ts';
import type { Solver } from '../lp/solver.ts';
import {
  checkLinearProof,
  type Leaf,
  type LinearProof,
  type ProofNode,
  type ProofStep,
} from './linear-check.ts';
import { effectOf, type PetriNet } from './net.ts';
import { constantGroups, type Group, Propagation } from './propagate.ts';
import type { Atom, Question } from './question.ts';
import { Relaxations } from './relax.ts';
import { largestTrap } from './traps.ts';

export interface LinearStats {
  lps: number;
  splits: number;
  traps: number;
}

export type LinearAnswer =
  | { readonly kind: 'impossible'; readonly proof: LinearProof; readonly stats: LinearStats }
  | {
      readonly kind: 'open';
      /** What the marking equation could not exclude: tokens per place and firings per transition, in floats. */
      readonly candidate: { readonly marking: Float64Array; readonly counts: Float64Array } | null;
      readonly stats: LinearStats;
    };

export interface LinearOptions {
  /** Places whose weighted sum never changes; those that do change, or overlap, are left out. */
  readonly groups?: readonly Group[];
  readonly maxNodes?: number;
}

const MAX_NODES = 1000;
const MAX_TRAPS = 300;
const NOTHING = 1e-6;

/** `loadSolver` is called only when propagation does not settle it. */
export async function settleLinearly(
  net: PetriNet,
  question: Question,
  budget: Budget,
  loadSolver: () => Promise<Solver>,
  options: LinearOptions = {},
): Promise<LinearAnswer> {
  const cases = new Cases(net, question, budget, loadSolver, options);
  const tree = await cases.settle([], []);
  const { stats } = cases;
  if (tree === null) return { kind: 'open', candidate: cases.candidate, stats };
  const proof = { traps: cases.traps, ...cases.relaxations.used(), tree };
  return checkLinearProof(net, question, proof)
    ? { kind: 'impossible', proof, stats }
    : { kind: 'open', candidate: null, stats };
}

class Cases {
  readonly stats: LinearStats = { lps: 0, splits: 0, traps: 0 };
  readonly traps: number[][] = [];
  candidate: { marking: Float64Array; counts: Float64Array } | null = null;
  private readonly net: PetriNet;
  private readonly question: Question;
  private readonly budget: Budget;
  private readonly loadSolver: () => Promise<Solver>;
  private readonly maxNodes: number;
  readonly relaxations: Relaxations;
  private readonly propagation: Propagation;
  private readonly rows: MarkingRows;
  private nodes = 0;

  constructor(
    net: PetriNet,
    question: Question,
    budget: Budget,
    loadSolver: () => Promise<Solver>,
    options: LinearOptions,
  ) {
    this.net = net;
    this.question = question;
    this.budget = budget;
    this.loadSolver = loadSolver;
    this.maxNodes = options.maxNodes ?? MAX_NODES;
    const groups = constantGroups(net, options.groups ?? []);
    this.propagation = new Propagation(net, question, groups);
    this.relaxations = new Relaxations(net, question, groups);
    this.rows = new MarkingRows(net);
  }

  /** A refutation of the clauses together with what is assumed; null when that stays open. `taken`: the clauses of `assumed`. */
  async settle(assumed: readonly Atom[], taken: readonly number[]): Promise<ProofNode | null> {
    if (++this.nodes > this.maxNodes || !this.budget.timeLeft()) return null;
    const { steps, atoms, clauses, closed } = this.propagation.run(assumed, taken);
    if (closed) return { steps, leaf: null };
    for (;;) {
      const solver = await this.loadSolver();
      const extra = this.relaxations.rows(solver, this.budget);
      const answer = feasibility(solver, this.rows.problem(this.traps, extra, atoms), this.budget);
      this.stats.lps++;
      if (answer === null) return null;
      if (answer.kind === 'infeasible')
        return {
          steps,
          leaf: this.rows.leaf(answer.dual.values, [this.traps.length, extra.length, atoms.length]),
        };
      const marking = this.rows.markingOf(answer.values);
      const violated = this.violated(marking, clauses);
      if (violated !== null) {
        const split = await this.split(violated, atoms, clauses);
        return split === null ? null : { steps: [...steps, split], leaf: null };
      }
      if (!this.cutOff(marking)) {
        this.candidate ??= { marking, counts: this.rows.countsOf(answer.values) };
        return null;
      }
    }
  }

  private async split(
    clause: number,
    atoms: readonly Atom[],
    clauses: ReadonlySet<number>,
  ): Promise<ProofStep | null> {
    this.stats.splits++;
    const cases: ProofNode[] = [];
    for (const atom of this.question[clause]!) {
      const node = await this.settle([...atoms, atom], [...clauses, clause]);
      if (node === null) return null;
      cases.push(node);
    }
    return { clause, cases };
  }

  /** The clause with fewest atoms that the solution satisfies none of. */
  private violated(marking: Float64Array, taken: ReadonlySet<number>): number | null {
    let best: number | null = null;
    for (const [index, clause] of this.question.entries()) {
      if (taken.has(index) || (best !== null && this.question[best]!.length <= clause.length)) continue;
      if (!clause.some((atom) => value(marking, atom) >= atom.least - NOTHING)) best = index;
    }
    return best;
  }

  private cutOff(marking: Float64Array): boolean {
    const empty = [...marking].flatMap((tokens, place) => (tokens < NOTHING ? [place] : []));
    const trap = [...largestTrap(this.net, empty)];
    if (this.traps.length >= MAX_TRAPS || !trap.some((place) => this.net.places[place]!.initial > 0))
      return false;
    this.traps.push(trap);
    this.stats.traps++;
    return true;
  }
}

const value = (marking: Float64Array, { terms }: Atom): number =>
  terms.reduce((sum, { place, weight }) => sum + weight * marking[place]!, 0);

/** The marking equation as rows: one column for each way to change the marking, one row for each place. */
class MarkingRows {
  private readonly net: PetriNet;
  /** Per place: which columns change it. */
  private readonly change: readonly (readonly Term[])[];
  private readonly columnOf: readonly number[];
  private readonly columns: number;

  constructor(net: PetriNet) {
    this.net = net;
    const change: Term[][] = net.places.map(() => []);
    const known = new Map<string, number>();
    this.columnOf = net.transitions.map((transition) => {
      const effect = effectOf(transition);
      const key = [...effect].sort(([a], [b]) => a - b).join(';');
      const found = known.get(key);
      if (found !== undefined) return found;
      const column = known.size;
      known.set(key, column);
      for (const [place, coefficient] of effect) change[place]!.push({ column, coefficient });
      return column;
    });
    this.change = change;
    // Without columns there is nothing to solve, and HiGHS does not like it.
    this.columns = Math.max(1, known.size);
  }

  problem(
    traps: readonly (readonly number[])[],
    relaxations: readonly Atom[],
    atoms: readonly Atom[],
  ): Problem {
    const builder = new ProblemBuilder();
    for (let column = 0; column < this.columns; column++) builder.column();
    for (const [place, terms] of this.change.entries())
      builder.row(terms, negated(this.net.places[place]!.initial), null);
    for (const trap of traps)
      this.row(builder, { terms: trap.map((place) => ({ place, weight: 1 })), least: 1 });
    for (const atom of [...relaxations, ...atoms]) this.row(builder, atom);
    return builder.build(
      'minimise',
      Array.from({ length: this.columns }, (_, column) => ({ column, coefficient: 1 })),
    );
  }

  private row(builder: ProblemBuilder, { terms, least }: Atom): void {
    const start = terms.reduce((sum, { place, weight }) => sum + weight * this.net.places[place]!.initial, 0);
    const moved = terms.flatMap(({ place, weight }) =>
      this.change[place]!.map(({ column, coefficient }) => ({ column, coefficient: coefficient * weight })),
    );
    builder.row(moved, least - start === 0 ? 0 : least - start, null);
  }

  leaf(dual: readonly bigint[], sizes: readonly [traps: number, relaxations: number, atoms: number]): Leaf {
    let from = 0;
    const part = (count: number): (readonly [number, bigint])[] => {
      const pairs = dual.slice(from, from + count).map((multiplier, index) => [index, multiplier] as const);
      from += count;
      return pairs.filter(([, multiplier]) => multiplier !== 0n);
    };
    const [places, traps, relaxations, atoms] = [this.net.places.length, ...sizes].map(part);
    return { places: places!, traps: traps!, relaxations: relaxations!, atoms: atoms! };
  }

  markingOf(values: Float64Array): Float64Array {
    return Float64Array.from(this.change, (terms, place) =>
      terms.reduce(
        (sum, { column, coefficient }) => sum + coefficient * values[column]!,
        this.net.places[place]!.initial,
      ),
    );
  }

  /** Firings of transitions that change the same are with the first of them. */
  countsOf(values: Float64Array): Float64Array {
    const counted = new Set<number>();
    return Float64Array.from(this.columnOf, (column) => {
      if (counted.has(column)) return 0;
      counted.add(column);
      return values[column]!;
    });
  }
}

const negated = (value: number): number => (value === 0 ? 0 : -value);
