// Bounds of single queues by the flow system, each with a proof that was checked.
//
// First one potential for all queues together (the least total number of messages): it already proves a bound for each. Then,
// queue by queue on a warm basis, the least potential for that queue alone, unless one of the flows found so far fills the queue up to its
// bound: then, by weak duality, no potential proves a smaller one. Last, where the linear optimum is no integer point, case
// splits. For very many queues the second step is work for one representative of each kind only: when it
// gains nothing there, the common potential is as good as any for the others.

import type { Budget, Observer } from '../base/budget.ts';
import { proveIntegerBound } from '../certificate/branch.ts';
import type { Checker } from '../certificate/check.ts';
import { plainProof, potentialFromFlow } from '../certificate/find.ts';
import type { BoundProof, Potential } from '../certificate/proof.ts';
import type { ExactVector, Term } from '../lp/problem.ts';
import type { Session, Solver } from '../lp/solver.ts';
import { dot } from '../lp/verify.ts';
import type { NetIndex } from '../net/encode-flow.ts';
import { boundProblem, encodeFlow, gainOf, queueGains } from '../net/encode-flow.ts';
import { queueKinds } from './kinds.ts';

export interface ProvenBound {
  readonly bound: bigint;
  readonly proof: BoundProof;
}

/** So many queues each get a linear program of their own, however large the net and however alike they look. */
const FEW = 16;
/** Transitions times queues with a linear program of their own. */
const WORK_LIMIT = 2_000_000;
const MAX_LEAVES = 64;
/** Above this many transitions an integer program per queue is not worth its time. */
const INTEGER_LIMIT = 3_000;

export class FlowBounds {
  private readonly solver: Solver;
  private readonly index: NetIndex;
  private readonly check: Checker;
  private readonly budget: Budget;
  private readonly observer: Observer;
  private readonly best = new Map<number, ProvenBound>();
  /** Queues whose linear optimum is no integer point: there an integer bound may be smaller. */
  private readonly fractional = new Set<number>();
  /** Per queue, by how much the flow fills it. */
  private readonly gains: readonly (readonly Term[])[];
  /** Queues that some flow fills up to the bound that is known for them. */
  private readonly reached = new Set<number>();

  constructor(solver: Solver, index: NetIndex, check: Checker, budget: Budget, observer: Observer) {
    this.solver = solver;
    this.index = index;
    this.check = check;
    this.budget = budget;
    this.observer = observer;
    this.gains = queueGains(index.net);
  }

  /** A proof for each of the queues that some potential covers. `first` comes from the classification. */
  prove(
    queues: readonly number[],
    first: Potential | null,
    integers: boolean,
  ): ReadonlyMap<number, ProvenBound> {
    const filled = queues.filter((queue) => this.index.net.queues[queue]!.places.length > 0);
    for (const queue of queues) if (!filled.includes(queue)) this.offerEmpty(queue);
    if (first !== null) for (const queue of filled) this.offer(queue, first);
    const session = this.solver.open(encodeFlow(this.index, 'runs').build('maximise', []), {
      budget: this.budget,
    });
    try {
      this.proveTogether(session, filled);
      this.proveEach(session, filled);
    } finally {
      session.close();
    }
    if (integers && this.index.net.transitions.length <= INTEGER_LIMIT) this.proveIntegers(filled);
    return this.best;
  }

  /** One potential with weight on the messages of all these queues, and the least value at the start. */
  private proveTogether(session: Session, queues: readonly number[]): void {
    const { net } = this.index;
    const places = new Set(queues.flatMap((queue) => net.queues[queue]!.places));
    const found = this.leastPotential(session, places);
    if (found === null) return;
    for (const queue of queues) this.offer(queue, found.potential);
    this.noteReached(found.flow, queues);
  }

  private noteReached(flow: ExactVector, queues: readonly number[]): void {
    const { net } = this.index;
    for (const queue of queues) {
      const known = this.best.get(queue);
      if (known === undefined || this.reached.has(queue)) continue;
      const initial = net.queues[queue]!.places.reduce((sum, place) => sum + net.places[place]!.initial, 0);
      const filled = dot(this.gains[queue]!, flow.values) + BigInt(initial) * flow.denominator;
      if (filled < known.bound * flow.denominator) continue;
      this.reached.add(queue);
      if (!isIntegral(flow)) this.fractional.add(queue);
    }
  }

  private proveEach(session: Session, queues: readonly number[]): void {
    const affordable = Math.max(FEW, Math.floor(WORK_LIMIT / (this.index.net.transitions.length + 1)));
    const kinds = queues.length <= FEW ? null : queueKinds(this.index.net);
    const settled = new Set<string>();
    let solved = 0;
    for (const queue of queues) {
      if (!this.budget.timeLeft()) return;
      if (this.reached.has(queue)) continue;
      if (kinds !== null && (settled.has(kinds[queue]!) || solved >= affordable)) continue;
      this.observer.progress(`${solved} of ${queues.length} queues`);
      const before = this.best.get(queue)?.bound;
      const found = this.leastPotential(session, new Set(this.index.net.queues[queue]!.places));
      solved++;
      if (found === null) continue;
      this.offer(queue, found.potential);
      if (!isIntegral(found.flow)) this.fractional.add(queue);
      if (queues.length <= FEW) this.noteReached(found.flow, queues);
      if (kinds !== null && this.best.get(queue)?.bound === before) settled.add(kinds[queue]!);
    }
  }

  private proveIntegers(queues: readonly number[]): void {
    const budget = this.budget;
    for (const queue of queues) {
      const known = this.best.get(queue);
      if (known === undefined || known.bound === 0n || !this.fractional.has(queue) || !budget.timeLeft())
        continue;
      const point = this.solver.integerPoint(boundProblem(this.index, queue), { budget });
      if (point === null) continue;
      const { net } = this.index;
      const target = net.queues[queue]!.places.reduce(
        (sum, place) => sum + BigInt(net.places[place]!.initial),
        point.objective,
      );
      if (target >= known.bound) continue;
      const proof = proveIntegerBound(this.solver, this.index, queue, target, {
        budget,
        maxLeaves: MAX_LEAVES,
      });
      if (proof !== null) this.offerProof(queue, proof);
    }
  }

  private leastPotential(
    session: Session,
    places: ReadonlySet<number>,
  ): { readonly potential: Potential; readonly flow: ExactVector } | null {
    session.setObjective('maximise', gainOf(this.index.net, places));
    const outcome = session.solve();
    if (outcome.kind !== 'optimal') return null;
    const added = new Map([...places].map((place) => [place, outcome.dual.denominator]));
    return {
      potential: potentialFromFlow(this.index, outcome.dual, added),
      flow: outcome.primal,
    };
  }

  private offer(queue: number, potential: Potential): void {
    const proof = plainProof(potential, new Set(this.index.net.queues[queue]!.places));
    if (proof !== null) this.offerProof(queue, proof);
  }

  private offerEmpty(queue: number): void {
    const potential = { places: [], locations: [] };
    this.offerProof(queue, { kind: 'potential', potential, counts: [], divisor: 1n });
  }

  private offerProof(queue: number, proof: BoundProof): void {
    const checked = this.check.bound(queue, proof);
    if (!checked.ok) return;
    const known = this.best.get(queue);
    if (known === undefined || checked.value < known.bound)
      this.best.set(queue, { bound: checked.value, proof });
  }
}

const isIntegral = (point: ExactVector): boolean =>
  point.denominator === 1n || point.values.every((value) => value % point.denominator === 0n);
