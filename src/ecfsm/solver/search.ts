// Satisfiability of formulas over difference constraints: a small case-splitting search over the incremental difference system.
//
// Facts are asserted at once; a disjunction first loses the options that contradict what is asserted (none left: contradiction, one
// left: assert it), then the shortest disjunction is split. Sums that are not differences are assumed to hold; before each split and at the end, the
// simplex is asked about them together with the tightest differences between their variables, which say all that the other constraints say about these. `Unsatisfiable` is always right, and a solution is one only if `assumed` is false.

import { DifferenceSystem } from './difference.ts';
import type { Formula, Sum } from './linear.ts';
import { constantSum, not, plusTimes, variableSum } from './linear.ts';
import { solveSums } from './simplex.ts';

export type Answer =
  | { readonly satisfiable: false }
  | { readonly satisfiable: true; readonly values: readonly number[]; readonly assumed: boolean };

interface Choice {
  readonly options: readonly Formula[];
  /** Part of the question: split before what is merely known, most of which has nothing to do with it. */
  readonly asked: boolean;
}

/** Case splits for one question; past it the answer is "perhaps", as with sums that are not understood. */
const MAX_DECISIONS = 50_000;

const PATIENCE = 40;

const rank = ({ options, asked }: Choice): number => options.length + (asked ? 0 : 1_000_000);

/** x − y <= c, 0 being the number zero. */
const differenceSum = (x: number, y: number, c: number): Sum =>
  plusTimes(
    plusTimes(constantSum(-c), x === 0 ? constantSum(0) : variableSum(x), 1),
    y === 0 ? constantSum(0) : variableSum(y),
    -1,
  );

export interface SearchCounts {
  bellmanFord: number;
  decisions: number;
  /** Systems of sums that are not differences. */
  simplex: number;
}

/** What is asserted can be extended by `enter` and taken back by `leave`; `solve` asks about everything asserted plus one formula. */
export class Search {
  private readonly system = new DifferenceSystem();
  private readonly truth = new Map<number, boolean>();
  private readonly trail: number[] = [];
  private readonly marks: number[] = [];
  private choices: Choice[] = [];
  private readonly choiceStack: Choice[][] = [];
  private consistent = true;
  private readonly consistentStack: boolean[] = [];
  private readonly assumedStack: number[] = [];
  /** Asserted sums that are not differences. */
  private readonly sums: Sum[] = [];
  private readonly counts: SearchCounts;
  private readonly timeLeft: () => boolean;
  private lastDecision = 0;
  private asking = false;

  constructor(counts: SearchCounts, timeLeft: () => boolean = () => true) {
    this.counts = counts;
    this.timeLeft = timeLeft;
  }

  grow(variables: number): void {
    this.system.grow(variables);
  }

  enter(): void {
    this.system.push();
    this.marks.push(this.trail.length);
    this.choiceStack.push(this.choices);
    this.consistentStack.push(this.consistent);
    this.assumedStack.push(this.sums.length);
  }

  leave(): void {
    this.system.pop();
    const mark = this.marks.pop()!;
    while (this.trail.length > mark) this.truth.delete(this.trail.pop()!);
    this.choices = this.choiceStack.pop()!;
    this.consistent = this.consistentStack.pop()!;
    this.sums.length = this.assumedStack.pop()!;
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
        this.choices = [...this.choices, { options: formula.parts, asked: this.asking }];
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

  private assertSum(sum: Sum): boolean {
    const before = this.system.runs;
    const result = this.addDifference(sum);
    this.counts.bellmanFord += this.system.runs - before;
    return result;
  }

  private addDifference(sum: Sum): boolean {
    const { variables, coefficients, constant } = sum;
    const [a, b] = coefficients;
    if (variables.length === 1 && a === 1) return this.system.add(variables[0]!, 0, -constant);
    if (variables.length === 1 && a === -1) return this.system.add(0, variables[0]!, -constant);
    if (variables.length === 2 && a === 1 && b === -1)
      return this.system.add(variables[0]!, variables[1]!, -constant);
    if (variables.length === 2 && a === -1 && b === 1)
      return this.system.add(variables[1]!, variables[0]!, -constant);
    this.sums.push(sum);
    return true;
  }

  /** Is everything asserted, together with this formula, satisfiable? Leaves what is asserted as it was. */
  solve(formula: Formula): Answer {
    this.lastDecision = this.counts.decisions + MAX_DECISIONS;
    this.enter();
    this.asking = true;
    try {
      return this.assert(formula) ? this.split() : { satisfiable: false };
    } finally {
      this.asking = false;
      this.leave();
    }
  }

  private split(): Answer {
    if (!this.propagate()) return { satisfiable: false };
    const whole = this.sums.length === 0 ? this.system.solution() : this.sumsTogether();
    if (whole === 'infeasible') return { satisfiable: false };
    if (this.choices.length === 0)
      return { satisfiable: true, values: whole ?? this.system.solution(), assumed: whole === null };
    const shortest = this.choices.reduce((a, b) => (rank(b) < rank(a) ? b : a));
    this.choices = this.choices.filter((choice) => choice !== shortest);
    let weak: Answer | null = null;
    const refuted: Formula[] = [];
    for (const option of shortest.options) {
      if (
        ++this.counts.decisions > this.lastDecision ||
        (this.counts.decisions % 32 === 0 && !this.timeLeft())
      )
        return { satisfiable: true, values: this.system.solution(), assumed: true };
      this.enter();
      const open = this.assert(option) && refuted.every((earlier) => this.assert(earlier));
      const answer: Answer = open ? this.split() : { satisfiable: false };
      this.leave();
      if (answer.satisfiable && !answer.assumed) return answer;
      if (answer.satisfiable) {
        // No contradiction will be shown any more: a little patience for a solution that is one, then the other solver.
        this.lastDecision = Math.min(this.lastDecision, this.counts.decisions + PATIENCE);
        weak = answer;
      }
      // Later options need not look at solutions that this one already covers.
      else if (option.kind === 'atMost' || option.kind === 'proposition') refuted.push(not(option));
    }
    return weak ?? { satisfiable: false };
  }

  /** A solution of everything asserted, without the choices; null when none is known. */
  private sumsTogether(): readonly number[] | 'infeasible' | null {
    const inside = [0, ...new Set(this.sums.flatMap(({ variables }) => variables))];
    const place = new Map(inside.map((variable, index) => [variable, index]));
    const constraints: Sum[] = this.sums.map((sum) => ({
      ...sum,
      variables: sum.variables.map((one) => place.get(one)!),
    }));
    for (const [j, y] of inside.entries()) {
      const bounds = this.system.boundsFrom(y);
      for (const [i, x] of inside.entries())
        if (i !== j && bounds[x] !== Number.POSITIVE_INFINITY)
          constraints.push(differenceSum(i, j, bounds[x]!));
    }
    this.counts.simplex++;
    const found = solveSums(constraints, inside.length);
    if (found.kind !== 'solution') return found.kind === 'infeasible' ? 'infeasible' : null;
    // The tightest differences allow every value that they allow to be continued to the other variables.
    this.enter();
    for (const [i, x] of inside.entries())
      if (i > 0) {
        this.system.add(x, 0, found.values[i]!);
        this.system.add(0, x, -found.values[i]!);
      }
    const values = this.system.solution();
    this.leave();
    return values;
  }

  /** Drops options that are impossible now, until nothing changes. */
  private propagate(): boolean {
    for (let changed = true; changed; ) {
      changed = false;
      const pending = this.choices;
      this.choices = [];
      for (const choice of pending) {
        const open = choice.options.filter((option) => this.possible(option));
        if (open.length === 0) return false;
        if (open.length === 1) {
          if (!this.assertInner(open[0]!)) return false;
          changed = true;
        } else this.choices.push({ options: open, asked: choice.asked });
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
