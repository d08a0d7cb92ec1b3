// The solver behind the analyses of this room: expressions become bit-vector terms once, answers are cached by the set of
// expressions asked about. `unknown` answers are passed on; callers decide what is sound.

import { type Budget, TimeOver } from '../../base/budget.ts';
import type { Value } from '../../smt/answer.ts';
import type { Answer } from '../../smt/solver.ts';
import { Solver } from '../../smt/solver.ts';
import * as t from '../../smt/term.ts';
import type { Expr } from '../program/expr.ts';
import { dividesHard } from './divisions.ts';
import { Terms } from './terms.ts';

/** Milliseconds for one step's question, and for a whole path's. */
const LIMIT = 5000;
const PATH_LIMIT = 20_000;
/** For what is asked about many goals at once, and then about each. */
const LIMIT_FOR_ALL = 1500;
const LIMIT_FOR_ONE = 500;
/** For a question with facts about divisions in the place of these. */
const ROUGH_LIMIT = 2000;

/** Whoever asks a solver says here how to end it: its question is then open. */
export interface Asking {
  end?: () => void;
}

export class Oracle {
  private readonly terms = new Terms();
  private readonly roughTerms = new Terms(true);
  private readonly answers = new Map<string, Answer>();
  private readonly solvers = new Map<string, Solver>();
  private readonly remaining: () => number;
  asked = 0;
  cached = 0;

  /** No question may last longer than the budget. */
  constructor({ remaining }: Pick<Budget, 'remaining'>) {
    this.remaining = remaining;
  }

  dispose(): void {
    for (const solver of this.solvers.values()) solver.dispose();
  }

  /** Questions without floating-point numbers are asked in their own logic, for which z3 is much better. */
  private solverFor(tests: readonly Expr[], cores: boolean): Solver {
    const logic = tests.some(({ hasFloat }) => hasFloat) ? 'QF_FPBV' : 'QF_BV';
    const key = `${logic} ${cores}`;
    let solver = this.solvers.get(key);
    if (solver === undefined) {
      const timeout = cores ? PATH_LIMIT : LIMIT;
      solver = new Solver({ timeout, cores, logic, remaining: this.remaining });
      this.solvers.set(key, solver);
    }
    return solver;
  }

  /** Can all of these hold together? */
  async satisfiable(tests: readonly Expr[], limit = LIMIT): Promise<Answer> {
    const unique = [...new Set(tests)];
    if (unique.some((test) => test.op === 'const' && test.value === 0n)) return 'unsat';
    const open = unique.filter((test) => test.op !== 'const');
    if (open.length === 0) return 'sat';
    const key = open
      .map((test) => test.id)
      .sort((a, b) => a - b)
      .join(' ');
    const known = this.answers.get(key);
    if (known !== undefined) {
      this.cached++;
      return known;
    }
    const answer =
      open.some(dividesHard) &&
      (await this.ask(open, this.roughTerms, Math.min(limit, ROUGH_LIMIT))) === 'unsat'
        ? 'unsat'
        : await this.ask(open, this.terms, limit);
    this.answers.set(key, answer);
    return answer;
  }

  /** `unsat`, or nobody knows: divisions are taken as facts about them say. */
  async satisfiableByFacts(tests: readonly Expr[]): Promise<'unsat' | 'unknown'> {
    return (await this.ask(tests, this.roughTerms, ROUGH_LIMIT)) === 'unsat' ? 'unsat' : 'unknown';
  }

  private async ask(tests: readonly Expr[], terms: Terms, limit: number): Promise<Answer> {
    this.asked++;
    if (this.remaining() <= 0) throw new TimeOver();
    const solver = this.solverFor(tests, false);
    solver.push();
    for (const test of tests) solver.assert(terms.of(test) as t.Bool);
    for (const fact of terms.alongside(tests)) solver.assert(fact);
    const answer = await solver.check([], Math.min(limit, this.remaining()));
    solver.pop();
    return answer;
  }

  /** The tests, with names for the goals, so that these are sent once and only truth values come back. Of hard divisions facts only: what they do not show is open. */
  private async named<T>(
    tests: readonly Expr[],
    goals: readonly Expr[],
    work: (solver: Solver, names: readonly t.Bool[]) => Promise<T>,
  ): Promise<T> {
    const all = [...tests, ...goals];
    const solver = this.solverFor(all, false);
    const names = goals.map((_, i) => t.boolVar(`goal${i}`));
    const terms = all.some(dividesHard) ? this.roughTerms : this.terms;
    solver.push();
    try {
      for (const test of tests) solver.assert(terms.of(test) as t.Bool);
      goals.forEach((goal, i) => void solver.assert(t.eq(names[i]!, terms.of(goal) as t.Bool)));
      for (const fact of terms.alongside(all)) solver.assert(fact);
      return await work(solver, names);
    } finally {
      solver.pop();
    }
  }

  private async check(solver: Solver, limit: number): Promise<Answer> {
    this.asked++;
    if (this.remaining() <= 0) throw new TimeOver();
    return solver.check([], Math.min(limit, this.remaining()));
  }

  /**
   * Which of the goals the tests imply together: each model of the tests in which one is false strikes off all that are false in it. Null where the
   * solver gives up, or `mayAsk` says so.
   */
  kept(
    tests: readonly Expr[],
    goals: readonly Expr[],
    mayAsk: () => boolean,
  ): Promise<readonly boolean[] | null> {
    return this.named(tests, goals, async (solver, names) => {
      const kept = goals.map(() => true);
      while (kept.includes(true)) {
        if (!mayAsk()) return null;
        solver.push();
        solver.assert(t.not(t.and(...names.filter((_, i) => kept[i]))));
        const answer = await this.check(solver, LIMIT_FOR_ALL);
        const values = answer === 'sat' ? await solver.values(names) : [];
        solver.pop();
        if (answer === 'unsat') return kept;
        const wrong = values.flatMap((value, i) => (value === false && kept[i] ? [i] : []));
        for (const i of wrong) kept[i] = false;
        if (wrong.length === 0) return (await this.eachKept(solver, names, kept, mayAsk)) ? kept : null;
      }
      return kept;
    });
  }

  /** The combinations in which the goals can be true and false where the tests hold. Null where the solver gives up, or `mayAsk` says so. */
  combinations(
    tests: readonly Expr[],
    goals: readonly Expr[],
    most: number,
    mayAsk: () => boolean,
  ): Promise<readonly (readonly boolean[])[] | 'more' | null> {
    return this.named(tests, goals, async (solver, names) => {
      const found: (readonly boolean[])[] = [];
      while (found.length <= most) {
        if (!mayAsk()) return null;
        const answer = await this.check(solver, LIMIT);
        if (answer === 'unsat') return found;
        if (answer !== 'sat') return null;
        const values = (await solver.values(names)).map((value) => value === true);
        found.push(values);
        if (goals.length === 0) return found;
        solver.assert(t.or(...names.map((name, i) => (values[i] ? t.not(name) : name))));
      }
      return 'more';
    });
  }

  /** Where all goals together are too hard they are asked about one by one, and those that are too hard by themselves are given up. */
  private async eachKept(
    solver: Solver,
    names: readonly t.Bool[],
    kept: boolean[],
    mayAsk: () => boolean,
  ): Promise<boolean> {
    for (const [i, name] of names.entries()) {
      if (!kept[i]) continue;
      if (!mayAsk()) return false;
      solver.push();
      solver.assert(t.not(name));
      const answer = await this.check(solver, LIMIT_FOR_ONE);
      solver.pop();
      kept[i] = answer === 'unsat';
    }
    return true;
  }

  /** A model of the tests as values of the given symbols, or the indices of tests that contradict each other. */
  async solve(
    tests: readonly Expr[],
    symbols: readonly Expr[],
    limit = PATH_LIMIT,
  ): Promise<
    | { readonly answer: 'sat'; readonly values: readonly bigint[] }
    | { readonly answer: 'unsat'; readonly core: readonly number[] }
    | { readonly answer: 'unknown' }
  > {
    this.asked++;
    if (this.remaining() <= 0) throw new TimeOver();
    const solver = this.solverFor(tests, true);
    solver.push();
    tests.forEach((test, i) => void solver.assert(this.terms.of(test) as t.Bool, `g${i}`));
    for (const fact of this.terms.alongside(tests)) solver.assert(fact);
    // Of an array there is no one value; what is read of it has one.
    const wanted = symbols.filter(({ width }) => width >= 0).map((symbol) => this.terms.of(symbol));
    // Declaring the symbols before the question keeps the model valid.
    for (const term of wanted) solver.declare(term.name, term.sort);
    const answer = await solver.check([], Math.min(limit, this.remaining()));
    try {
      if (answer === 'sat') {
        const values = await solver.values(wanted);
        const found = (value: Value | undefined): bigint => (typeof value === 'bigint' ? value : 0n);
        let next = 0;
        return { answer, values: symbols.map(({ width }) => (width < 0 ? 0n : found(values[next++]))) };
      }
      if (answer === 'unsat') {
        const core = (await solver.core()).map((label) => Number(label.slice(1))).sort((a, b) => a - b);
        return { answer, core: core.length > 0 ? core : tests.map((_, i) => i) };
      }
      return { answer: 'unknown' };
    } finally {
      solver.pop();
    }
  }
}
