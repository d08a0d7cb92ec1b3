// One question at a time: does everything a context knows, with one more formula, have a solution?
//
// Difference constraints are decided by our own search. Only when a sum that is not a difference could matter is the SMT solver asked;
// it is started by the first such question. Counts of both go into the statistics.

import type { Budget } from '../../base/budget.ts';
import { UNLIMITED } from '../../base/budget.ts';
import { Solver } from '../../smt/solver.ts';
import * as smt from '../../smt/term.ts';
import type { Formula, Sum } from './linear.ts';
import { Search } from './search.ts';

export type Decision =
  | { readonly kind: 'unsatisfiable' }
  | { readonly kind: 'satisfiable'; readonly values: readonly number[] }
  /** Neither was shown. */
  | { readonly kind: 'open' };

export interface Counts {
  bellmanFord: number;
  decisions: number;
  simplex: number;
  /** Questions put to either solver. */
  questions: number;
  smt: number;
}

const UNSATISFIABLE: Decision = { kind: 'unsatisfiable' };
const OPEN: Decision = { kind: 'open' };
const SMT_LIMIT = 5000;

/** Shared by all questions of one check; holds the SMT solver, if one was needed. */
export class Decider {
  readonly counts: Counts = { bellmanFord: 0, decisions: 0, simplex: 0, questions: 0, smt: 0 };
  private solver: Solver | null = null;
  private broken = false;
  private readonly budget: Budget;
  readonly timeLeft: () => boolean;

  constructor(budget: Budget = UNLIMITED) {
    this.budget = budget;
    this.timeLeft = budget.timeLeft;
  }

  /** Facts common to several questions; variables 0..variables-1 may occur, 0 being the number zero. */
  problem(facts: readonly Formula[], variables: number): Problem {
    return new Problem(this, facts, variables);
  }

  async ask(formulas: readonly Formula[], variables: number): Promise<Decision> {
    if (this.broken || !this.budget.timeLeft()) return OPEN;
    this.counts.smt++;
    this.solver ??= new Solver({ timeout: SMT_LIMIT });
    const { solver } = this;
    solver.push();
    try {
      for (const formula of formulas) solver.assert(toTerm(formula));
      const answer = await solver.check([], Math.min(SMT_LIMIT, Math.ceil(this.budget.remaining())));
      if (answer !== 'sat') return answer === 'unsat' ? UNSATISFIABLE : OPEN;
      const names = Array.from({ length: variables - 1 }, (_, i) => smt.intVar(`x${i + 1}`));
      const values = await solver.values(names);
      return { kind: 'satisfiable', values: [0, ...values.map((value) => Number(value ?? 0))] };
    } catch {
      // No solver can be started: the question stays open, which is never a proof.
      this.broken = true;
      return OPEN;
    } finally {
      if (!this.broken) solver.pop();
    }
  }

  dispose(): void {
    this.solver?.dispose();
    this.solver = null;
  }
}

export class Problem {
  private readonly decider: Decider;
  private readonly facts: readonly Formula[];
  private readonly variables: number;
  private readonly search: Search;

  constructor(decider: Decider, facts: readonly Formula[], variables: number) {
    this.decider = decider;
    this.facts = facts;
    this.variables = variables;
    this.search = new Search(decider.counts, decider.timeLeft);
    this.search.grow(variables);
    for (const fact of facts) this.search.assert(fact);
  }

  /** Not a promise where our own search settles it: that is nearly always. */
  solve(formula: Formula): Decision | Promise<Decision> {
    this.decider.counts.questions++;
    const answer = this.search.solve(formula);
    if (!answer.satisfiable) return UNSATISFIABLE;
    if (!answer.assumed) return { kind: 'satisfiable', values: answer.values };
    return this.decider.ask([...this.facts, formula], this.variables);
  }
}

function toTerm(formula: Formula): smt.Bool {
  switch (formula.kind) {
    case 'true':
      return smt.TRUE;
    case 'false':
      return smt.FALSE;
    case 'atMost':
      return smt.le(sumTerm(formula.sum), smt.int(0));
    case 'proposition': {
      const atom = smt.boolVar(`p${formula.id}`);
      return formula.positive ? atom : smt.not(atom);
    }
    case 'and':
      return smt.and(...formula.parts.map(toTerm));
    case 'or':
      return smt.or(...formula.parts.map(toTerm));
  }
}

const sumTerm = ({ variables, coefficients, constant }: Sum): smt.Int =>
  smt.add(
    ...variables.map((variable, i) => smt.mul(smt.int(coefficients[i]!), smt.intVar(`x${variable}`))),
    smt.int(constant),
  );
