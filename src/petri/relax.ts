// Clauses as rows of the linear program, where bounds of their places are known: most case splits become unnecessary. The rule is that of
// linear-check.ts. Bounds come from groups whose sum is constant, and for other places from weights that a linear program finds.

import type { Budget } from '../base/budget.ts';
import { ProblemBuilder } from '../lp/problem.ts';
import type { Solver } from '../lp/solver.ts';
import { type LinearProof, relaxed } from './linear-check.ts';
import { effectOf, type PetriNet } from './net.ts';
import type { Group } from './propagate.ts';
import type { Atom, Clause, Question } from './question.ts';

type Weights = LinearProof['potentials'][number];

/** Bounds that are asked of the solver, at most. */
const MANY_BOUNDS = 200;

export class Relaxations {
  private readonly net: PetriNet;
  private readonly question: Question;
  private readonly potentials: Weights[];
  private readonly found: { readonly clause: number; readonly bounds: readonly number[] }[] = [];
  private list: Atom[] | null = null;

  constructor(net: PetriNet, question: Question, groups: readonly Group[]) {
    this.net = net;
    this.question = question;
    this.potentials = groups.map((group) => group.map(([place, weight]) => [place, BigInt(weight)] as const));
  }

  rows(solver: Solver, budget: Budget): readonly Atom[] {
    if (this.list !== null) return this.list;
    this.list = [];
    const bounds = new Bounds(this.net, this.potentials, solver, budget);
    for (const [index, clause] of this.question.entries()) {
      // One atom alone is taken as it is.
      if (clause.length < 2) continue;
      const used = boundsFor(clause, bounds);
      const row = relaxed(
        this.net,
        clause,
        used.map((potential) => this.potentials[potential] ?? []),
      );
      if (row === null) continue;
      this.list.push(row);
      this.found.push({ clause: index, bounds: used });
    }
    return this.list;
  }

  /** For the proof. */
  used(): Pick<LinearProof, 'potentials' | 'relaxations'> {
    return { potentials: this.potentials, relaxations: this.found };
  }
}

const boundsFor = (clause: Clause, bounds: Bounds): number[] =>
  clause.map(({ terms }) =>
    terms.every(({ weight }) => weight === -1) ? (bounds.of(terms.map(({ place }) => place)) ?? -1) : -1,
  );

class Bounds {
  private readonly net: PetriNet;
  private readonly potentials: Weights[];
  private readonly solver: Solver;
  private readonly budget: Budget;
  private readonly known = new Map<string, number | null>();
  private readonly byPlace = new Map<number, number[]>();
  private asked = 0;

  constructor(net: PetriNet, potentials: Weights[], solver: Solver, budget: Budget) {
    this.net = net;
    this.potentials = potentials;
    this.solver = solver;
    this.budget = budget;
    for (const index of potentials.keys()) this.note(index);
  }

  /** A potential that bounds the sum of these places. */
  of(places: readonly number[]): number | null {
    const key = places.join();
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const found = this.covering(places) ?? this.solved(places);
    this.known.set(key, found);
    return found;
  }

  private covering(places: readonly number[]): number | null {
    const [first, ...others] = places.map((place) => this.byPlace.get(place) ?? []);
    return first?.find((index) => others.every((list) => list.includes(index))) ?? null;
  }

  /** Least weights at the start with weight at least 1 on these places. */
  private solved(places: readonly number[]): number | null {
    if (++this.asked > MANY_BOUNDS || !this.budget.timeLeft()) return null;
    const builder = new ProblemBuilder();
    const wanted = new Set(places);
    for (const place of this.net.places.keys()) builder.column(wanted.has(place) ? 1 : 0);
    for (const transition of this.net.transitions) {
      const terms = [...effectOf(transition)].map(([column, coefficient]) => ({ column, coefficient }));
      if (terms.length > 0) builder.row(terms, null, 0);
    }
    const start = this.net.places.map(({ initial }, column) => ({ column, coefficient: initial }));
    const outcome = this.solver.solve(builder.build('minimise', start), { budget: this.budget });
    if (outcome.kind !== 'optimal') return null;
    const { values } = outcome.primal;
    this.potentials.push([...values.entries()].filter(([, weight]) => weight > 0n));
    this.note(this.potentials.length - 1);
    return this.potentials.length - 1;
  }

  private note(index: number): void {
    for (const [place] of this.potentials[index]!) {
      const list = this.byPlace.get(place) ?? [];
      list.push(index);
      this.byPlace.set(place, list);
    }
  }
}
