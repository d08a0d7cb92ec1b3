// What the two refinement loops share: the rows known so far, and what a counterexample's cycles add to them.
//
// Only cycles of counterexamples are analysed, each once. A counterexample is spurious when a row, old or new, rules it out.

import type { Budget } from '../base/budget.ts';
import { decomposeRay, type Ray } from '../counterexample/ray.ts';
import type { ExactVector } from '../lp/problem.ts';
import type { Solver } from '../lp/solver.ts';
import type { NetCycle } from '../net/cycles.ts';
import type { NetIndex } from '../net/encode-flow.ts';
import { componentOf, cycleKey, cyclesOfComponent } from './components.ts';
import { settled } from './contents-smt.ts';
import { countersOf } from './counters.ts';
import { cyclicClaims } from './cyclic.ts';
import { isNumbered, terminationsOf } from './dependencies.ts';
import { messageConditions } from './fastened.ts';
import type { RefinedSystem } from './refined-system.ts';
import { type Claim, deriveRow, type Facts, type RayRow } from './rows.ts';
import type { Termination } from './termination.ts';

export interface RefinementLimits {
  /** Counterexamples that are looked at. */
  readonly maxRounds: number;
  /** Cycles of the components that get columns. */
  readonly maxCycles: number;
  /** Nested case splits on dependencies without a number. */
  readonly maxSplits: number;
}

export const DEFAULT_LIMITS: RefinementLimits = { maxRounds: 40, maxCycles: 2_000, maxSplits: 6 };

/** Refinement must leave time for what comes after it: unfolding, and the search for a real run. */
export const REFINEMENT_SHARE = 0.25;

export interface RefinementStats {
  counterexamples: number;
  spurious: number;
  analysedCycles: number;
  dependencies: number;
}

const MAX_COUNTERS = 300;

export class Refiner {
  readonly facts: Facts;
  readonly solver: Solver;
  readonly index: NetIndex;
  readonly budget: Budget;
  readonly rows: RayRow[] = [];
  readonly stats: RefinementStats = { counterexamples: 0, spurious: 0, analysedCycles: 0, dependencies: 0 };
  private readonly maxCycles: number;
  private readonly cycleCounts = new Map<string, number>();
  private readonly analysed = new Map<string, readonly (Termination & { claim: Claim })[]>();

  constructor(facts: Facts, solver: Solver, index: NetIndex, budget: Budget, maxCycles: number) {
    this.maxCycles = maxCycles;
    this.facts = facts;
    this.solver = solver;
    this.index = index;
    this.budget = budget;
  }

  /** Rows for all bounded variables: no enumeration, so they come first. */
  addCounters(): void {
    const { context } = this.facts;
    const before = this.rows.length;
    context.net.classes.forEach((_, netClass) => {
      for (const variable of countersOf(context, netClass)) {
        if (this.rows.length - before >= MAX_COUNTERS) return;
        for (const upwards of [true, false])
          this.add({ kind: 'counter', class: netClass, variable, upwards });
      }
    });
  }

  /** Analyses the cycles of a counterexample; true when that gave new rows. */
  async learnFrom(cycles: readonly NetCycle[]): Promise<boolean> {
    this.stats.counterexamples++;
    const before = this.rows.length;
    for (const cycle of cycles) {
      const key = cycleKey(cycle.transitions);
      if (this.analysed.has(key) || !this.budget.timeLeft()) continue;
      if (!Number.isFinite(this.facts.context.instances[cycle.class]!)) continue;
      this.stats.analysedCycles++;
      const terminations = terminationsOf(this.facts, this.solver, cycle);
      this.analysed.set(key, terminations);
      for (const { claim } of terminations) this.add(claim);
      for (const claim of cyclicClaims(this.facts.context, cycle))
        if (!isNumbered(terminations, claim)) this.add(claim);
      const conditions = messageConditions(this.facts.context, cycle);
      // What is open about contents is decided here, so that everything after can be derived without waiting.
      await settled(
        this.facts,
        () => {
          for (const { claim } of conditions) deriveRow(this.facts, claim);
        },
        this.budget,
      );
      for (const { claim } of conditions) this.add(claim);
    }
    const learned = this.rows.length > before;
    if (learned) this.stats.spurious++;
    this.stats.dependencies += this.rows.length - before;
    return learned;
  }

  /** Ranking functions of these cycles that came without a useful number. */
  unnumbered(cycles: readonly NetCycle[]): (Termination & { claim: Extract<Claim, { kind: 'ranking' }> })[] {
    return cycles.flatMap((cycle) =>
      (this.analysed.get(cycleKey(cycle.transitions)) ?? []).flatMap((termination) =>
        termination.iterations === null && termination.claim.kind === 'ranking'
          ? [{ ...termination, claim: termination.claim }]
          : [],
      ),
    );
  }

  private add(claim: Claim): void {
    const row = deriveRow(this.facts, claim);
    if (row !== null && isUsable(row) && this.isEnumerable(row)) this.rows.push(row);
  }

  /** A row about a cycle needs a column for every cycle of its component: without them it would cost all other rows their use. */
  private isEnumerable({ cycle }: RayRow): boolean {
    if (cycle === null) return true;
    const { context } = this.facts;
    const { class: netClass, transitions } = cycle.cycle;
    const component = componentOf(context, netClass, context.net.transitions[transitions[0]!]!.from);
    const key = `${component.class}:${component.location}`;
    let known = this.cycleCounts.get(key);
    if (known === undefined) {
      const found = cyclesOfComponent(context, component, this.maxCycles, this.budget.timeLeft);
      known = found === null ? Number.POSITIVE_INFINITY : found.length;
      this.cycleCounts.set(key, known);
    }
    let total = 0;
    for (const count of this.cycleCounts.values()) if (Number.isFinite(count)) total += count;
    return Number.isFinite(known) && total <= this.maxCycles;
  }
}

/** Coefficients a solver can work with. */
const isUsable = (row: RayRow): boolean =>
  [...row.coefficients.values(), row.cycle?.coefficient ?? 0n, row.constant].every(
    (value) => value < 10n ** 12n && value > -(10n ** 12n),
  );

/** The cycles of a point of the system: columns where there are any, the flow's decomposition elsewhere. */
export function cyclesOfPoint(index: NetIndex, system: RefinedSystem, point: ExactVector): NetCycle[] {
  const chosen = system.cycles.filter(({ column }) => point.values[column]! > 0n).map(({ cycle }) => cycle);
  const rest = new Map<number, bigint>();
  index.net.transitions.forEach((_, transition) => {
    const value = point.values[transition]!;
    if (value > 0n && !system.linkRows.has(transition)) rest.set(transition, value);
  });
  const parts = decomposeRay(index.net, rest).filter(({ kind }) => kind === 'cycle');
  return [...chosen, ...parts.map(({ cycle }) => cycle)];
}

/** The transitions of a point, as a ray. */
export function rayOfPoint(index: NetIndex, point: ExactVector): Ray {
  const ray = new Map<number, bigint>();
  index.net.transitions.forEach((_, transition) => {
    const value = point.values[transition]!;
    if (value > 0n) ray.set(transition, value);
  });
  return ray;
}
