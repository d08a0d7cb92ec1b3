// Satisfiability of formulas over difference constraints: a small case-splitting search over the incremental difference system.
//
// Facts are asserted at once; a disjunction first loses the options that contradict what is asserted (none left: contradiction, one
// left: assert it), then the shortest disjunction is split. Sums that are not differences are not understood here: they are assumed to
// hold and remembered, so `unsatisfiable` is always right, and a `model` is one only if `assumed` is false.

import { DifferenceSystem } from './difference.ts';
import type { Formula, Sum } from './linear.ts';
import { not } from './linear.ts';

export type Answer =
  | { readonly satisfiable: false }
  | { readonly satisfiable: true; readonly values: readonly number[]; readonly assumed: boolean };

type Choice = readonly Formula[];

/** Case splits for one question; past it the answer is "perhaps", as with sums that are not understood. */
const MAX_DECISIONS = 50_000;

export interface SearchCounts {
  bellmanFord: number;
  decisions: number;
}

/** What is asserted can be extended by `enter` and taken back by `leave`; `solve` asks about everything asserted plus one formula. */
export class Search {
  private readonly system = new DifferenceSystem();
  private readonly truth = new Map<number, boolean>();
  private readonly trail: number[] = [];
  private readonly marks: number[] = [];
  private choices: readonly Choice[] = [];
  private readonly choiceStack: (readonly Choice[])[] = [];
  private consistent = true;
  private readonly consistentStack: boolean[] = [];
  private assumed = 0;
  private readonly assumedStack: number[] = [];
  private readonly counts: SearchCounts;
  private lastDecision = 0;

  constructor(counts: SearchCounts) {
    this.counts = counts;
  }

  grow(variables: number): void {
    this.system.grow(variables);
  }

  enter(): void {
    this.system.push();
    this.marks.push(this.trail.length);
    this.choiceStack.push(this.choices);
    this.consistentStack.push(this.consistent);
    this.assumedStack.push(this.assumed);
  }

  leave(): void {
    this.system.pop();
    const mark = this.marks.pop()!;
    while (this.trail.length > mark) this.truth.delete(this.trail.pop()!);
    this.choices = this.choiceStack.pop()!;
    this.consistent = this.consistentStack.pop()!;
    this.assumed = this.assumedStack.pop()!;
  }

  /** False when this contradicts what is asserted (as far as seen without case splits). */
  assert(formula: Formula): boolean {
    if (this.consistent && !this.assertInner(formula)) this.consistent = false;
    return this.consistent;
  }

  private assertInner(formula: Formula): boolean {
    switch (formula.kind) {
      case 'true':
        return true;
      case 'false':
        return false;
      case 'and':
        return formula.parts.every((part) => this.assertInner(part));
      case 'or':
        this.choices = [...this.choices, formula.parts];
        return true;
      case 'proposition': {
        const known = this.truth.get(formula.id);
        if (known !== undefined) return known === formula.positive;
        this.truth.set(formula.id, formula.positive);
        this.trail.push(formula.id);
        return true;
      }
      case 'atMost':
        return this.assertSum(formula.sum);
    }
  }

  private assertSum({ variables, coefficients, constant }: Sum): boolean {
    const before = this.system.runs;
    const result = this.addDifference(variables, coefficients, constant);
    this.counts.bellmanFord += this.system.runs - before;
    return result;
  }

  private addDifference(
    variables: readonly number[],
    coefficients: readonly number[],
    constant: number,
  ): boolean {
    const [a, b] = coefficients;
    if (variables.length === 1 && a === 1) return this.system.add(variables[0]!, 0, -constant);
    if (variables.length === 1 && a === -1) return this.system.add(0, variables[0]!, -constant);
    if (variables.length === 2 && a === 1 && b === -1)
      return this.system.add(variables[0]!, variables[1]!, -constant);
    if (variables.length === 2 && a === -1 && b === 1)
      return this.system.add(variables[1]!, variables[0]!, -constant);
    this.assumed++;
    return true;
  }

  /** Is everything asserted, together with this formula, satisfiable? Leaves what is asserted as it was. */
  solve(formula: Formula): Answer {
    this.lastDecision = this.counts.decisions + MAX_DECISIONS;
    this.enter();
    try {
      return this.assert(formula) ? this.split() : { satisfiable: false };
    } finally {
      this.leave();
    }
  }

  private split(): Answer {
    if (!this.propagate()) return { satisfiable: false };
    if (this.choices.length === 0)
      return { satisfiable: true, values: this.system.solution(), assumed: this.assumed > 0 };
    const shortest = this.choices.reduce((a, b) => (b.length < a.length ? b : a));
    this.choices = this.choices.filter((choice) => choice !== shortest);
    let weak: Answer | null = null;
    const refuted: Formula[] = [];
    for (const option of shortest) {
      if (++this.counts.decisions > this.lastDecision)
        return { satisfiable: true, values: this.system.solution(), assumed: true };
      this.enter();
      const open = this.assert(option) && refuted.every((earlier) => this.assert(earlier));
      const answer: Answer = open ? this.split() : { satisfiable: false };
      this.leave();
      if (answer.satisfiable && !answer.assumed) return answer;
      if (answer.satisfiable) weak = answer;
      // Later options need not look at solutions that this one already covers.
      else if (option.kind === 'atMost' || option.kind === 'proposition') refuted.push(not(option));
    }
    return weak ?? { satisfiable: false };
  }

  /** Drops options that are impossible now, until nothing changes. */
  private propagate(): boolean {
    for (let changed = true; changed; ) {
      changed = false;
      const pending = this.choices;
      this.choices = [];
      for (const choice of pending) {
        const open = choice.filter((option) => this.possible(option));
        if (open.length === 0) return false;
        if (open.length === 1) {
          if (!this.assertInner(open[0]!)) return false;
          changed = true;
        } else this.choices = [...this.choices, open];
      }
    }
    return true;
  }

  private possible(option: Formula): boolean {
    if (option.kind === 'or') return true;
    this.enter();
    const result = this.assertInner(option);
    this.leave();
    return result;
  }
}
