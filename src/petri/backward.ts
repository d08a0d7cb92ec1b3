// Backward coverability: can a marking above the target be reached?
//
// From the targets backwards, always the least markings from which a step leads above what was found; by Dickson's lemma that ends
// (Abdulla, Čerāns, Jonsson, Tsay). Markings that the marking equation excludes are thrown away before they multiply, with the weights
// that exclude them kept as potentials for all others (Blondin, Finkel, Haase, Haddad: *Approaching the coverability problem
// continuously*, 2016). The potentials and the final basis are the proof; when the initial marking is met, the way back is a run.

import type { Budget } from '../base/budget.ts';
import { type Problem, ProblemBuilder } from '../lp/problem.ts';
import type { Session, Solver } from '../lp/solver.ts';
import { type BackwardProof, checkBackwardProof, neededBefore } from './backward-check.ts';
import { effectOf, initialMarking, isBelow, type Marking, type PetriNet } from './net.ts';

export type BackwardOutcome =
  | { readonly kind: 'covered'; readonly run: readonly number[]; readonly expanded: number }
  | { readonly kind: 'uncoverable'; readonly proof: BackwardProof; readonly expanded: number }
  | { readonly kind: 'stopped'; readonly why: 'time' | 'size' | 'numbers'; readonly expanded: number };

export interface BackwardLimits {
  readonly basis?: number;
}

const MAX_BASIS = 5_000;

interface Node {
  readonly marking: Marking;
  /** The transition that leads from here above `next`. */
  readonly transition: number;
  readonly next: Node | null;
}

export function coverBackward(
  net: PetriNet,
  targets: readonly Marking[],
  solver: Solver,
  budget: Budget,
  limits: BackwardLimits = {},
): BackwardOutcome {
  const pruning = new Pruning(net, solver, budget);
  try {
    const outcome = new BackwardSearch(net, pruning, budget, limits.basis ?? MAX_BASIS).run(targets);
    if (outcome.kind !== 'uncoverable' || checkBackwardProof(net, targets, outcome.proof)) return outcome;
    return { kind: 'stopped', why: 'numbers', expanded: outcome.expanded };
  } finally {
    pruning.close();
  }
}

class BackwardSearch {
  private readonly net: PetriNet;
  private readonly pruning: Pruning;
  private readonly budget: Budget;
  private readonly maxBasis: number;
  private readonly start: Marking;
  private readonly basis = new Set<Node>();

  constructor(net: PetriNet, pruning: Pruning, budget: Budget, maxBasis: number) {
    this.net = net;
    this.pruning = pruning;
    this.budget = budget;
    this.maxBasis = maxBasis;
    this.start = initialMarking(net);
  }

  run(targets: readonly Marking[]): BackwardOutcome {
    let expanded = 0;
    let layer: Node[] = [];
    for (const marking of targets) this.add({ marking, transition: -1, next: null }, layer);
    while (layer.length > 0) {
      const next: Node[] = [];
      // The least demanding first: they rule out most others.
      layer.sort((a, b) => total(a.marking) - total(b.marking));
      for (const node of layer) {
        if (!this.basis.has(node)) continue;
        if (isBelow(node.marking, this.start)) return { kind: 'covered', run: runFrom(node), expanded };
        if (!this.budget.timeLeft()) return { kind: 'stopped', why: 'time', expanded };
        if (this.basis.size > this.maxBasis) return { kind: 'stopped', why: 'size', expanded };
        expanded++;
        for (const [number, transition] of this.net.transitions.entries())
          this.add({ marking: neededBefore(transition, node.marking), transition: number, next: node }, next);
      }
      layer = next;
    }
    const basis = [...this.basis].map(({ marking }) => marking);
    return { kind: 'uncoverable', proof: { basis, potentials: this.pruning.potentials }, expanded };
  }

  private add(node: Node, layer: Node[]): void {
    if (node.marking.some((count) => count > MOST_TOKENS)) return;
    for (const known of this.basis) if (isBelow(known.marking, node.marking)) return;
    if (this.pruning.excludes(node.marking)) return;
    for (const known of this.basis) if (isBelow(node.marking, known.marking)) this.basis.delete(known);
    this.basis.add(node);
    layer.push(node);
  }
}

/** Beyond that integers are not exact: what is left out here, the checker misses. */
const MOST_TOKENS = 2 ** 50;

const total = (marking: Marking): number => marking.reduce((sum, count) => sum + count, 0);

function runFrom(node: Node): number[] {
  const run: number[] = [];
  for (let at: Node | null = node; at !== null && at.next !== null; at = at.next) run.push(at.transition);
  return run;
}

/** For each of the markings: weights that no transition raises and that exclude it (and all above it); null where counts alone do not. */
export function potentialsAgainst(
  net: PetriNet,
  markings: readonly Marking[],
  solver: Solver,
  budget: Budget,
): (readonly bigint[] | null)[] {
  const pruning = new Pruning(net, solver, budget);
  try {
    return markings.map((marking) => (budget.timeLeft() ? pruning.against(marking) : null));
  } finally {
    pruning.close();
  }
}

/** The marking equation: is some M0 + C·x above the marking? If not, the weights that show it. */
class Pruning {
  readonly potentials: bigint[][] = [];
  private readonly start: Marking;
  private readonly session: Session;
  private readonly starts: bigint[] = [];

  constructor(net: PetriNet, solver: Solver, budget: Budget) {
    this.start = initialMarking(net);
    this.session = solver.open(markingProblem(net), { budget });
  }

  excludes(marking: Marking): boolean {
    return this.against(marking) !== null;
  }

  against(marking: Marking): readonly bigint[] | null {
    for (const [index, weights] of this.potentials.entries())
      if (weighted(weights, marking) > this.starts[index]!) return weights;
    for (const [place, count] of marking.entries()) {
      const least = count - this.start[place]!;
      this.session.setRowBounds(place, least === 0 ? 0 : least, null);
    }
    const outcome = this.session.solve();
    if (outcome.kind !== 'infeasible') return null;
    this.potentials.push([...outcome.dual.values]);
    this.starts.push(weighted(outcome.dual.values, this.start));
    return this.potentials.at(-1)!;
  }

  close(): void {
    this.session.close();
  }
}

function weighted(weights: readonly bigint[], marking: Marking): bigint {
  let sum = 0n;
  for (const [place, count] of marking.entries())
    if (count !== 0 && weights[place] !== 0n) sum += weights[place]! * BigInt(count);
  return sum;
}

function markingProblem(net: PetriNet): Problem {
  const builder = new ProblemBuilder();
  const rows: { column: number; coefficient: number }[][] = net.places.map(() => []);
  for (const transition of net.transitions) {
    const column = builder.column();
    for (const [place, coefficient] of effectOf(transition)) rows[place]!.push({ column, coefficient });
  }
  for (const terms of rows) builder.row(terms, 0, null);
  return builder.build('minimise', []);
}
