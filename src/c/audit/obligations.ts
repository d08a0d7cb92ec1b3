// What the audit must show: formulas that cannot hold together. Most fall to constants; the rest goes to the solver, each question once, many
// in one round trip.

import type { Budget } from '../../base/budget.ts';
import { freeConstants, printSort, printSymbol, printTerm } from '../../smt/print.ts';
import type { Solver } from '../../smt/solver.ts';
import { withoutDivisions } from './divisions.ts';
import type { Formula, Formulas } from './formula.ts';

const BATCH = 100;
/** Milliseconds for one question. */
const LIMIT = 10_000;
/** For one with facts about divisions in the place of these. */
const ROUGH_LIMIT = 3000;

export class Obligations {
  private readonly formulas: Formulas;
  private readonly open = new Map<
    string,
    { readonly tests: readonly Formula[]; readonly what: () => string }
  >();
  /** How many were stated, and how many of those went to the solver. */
  stated = 0;

  constructor(formulas: Formulas) {
    this.formulas = formulas;
  }

  get asked(): number {
    return this.open.size;
  }

  /** These formulas contradict each other. */
  impossible(tests: readonly Formula[], what: () => string): void {
    this.stated++;
    const unique = new Set(tests);
    unique.delete(this.formulas.true);
    for (const test of unique)
      if (test === this.formulas.false || unique.has(this.formulas.not(test))) return;
    const kept = [...unique].sort((a, b) => a.id - b.id);
    const key = kept.map(({ id }) => id).join();
    if (!this.open.has(key)) this.open.set(key, { tests: kept, what });
  }

  /** Null when all are met; else what is not, or is not known to be. */
  async settle(
    solver: Solver,
    { timeLeft, remaining }: Budget,
    limit = LIMIT,
  ): Promise<{ readonly kind: 'rejected' | 'unfinished'; readonly reason: string } | null> {
    const all = await this.withoutEasy(solver, remaining);
    for (let at = 0; at < all.length; at += BATCH) {
      if (!timeLeft()) return { kind: 'unfinished', reason: 'the time was over' };
      const some = all.slice(at, at + BATCH);
      const questions = some.map(({ tests }) => this.question(tests));
      const answers = await answersTo(solver, questions, Math.min(limit, remaining()));
      for (const [i, { what }] of some.entries()) {
        if (answers[i] === 'unsat') continue;
        if (answers[i] === 'sat') return { kind: 'rejected', reason: what() };
        if (!timeLeft()) return { kind: 'unfinished', reason: 'the time was over' };
        return { kind: 'unfinished', reason: `the solver does not decide whether ${what()}` };
      }
    }
    return null;
  }

  /** Those that facts about quotients and remainders do not settle. */
  private async withoutEasy(solver: Solver, remaining: () => number) {
    const all = [...this.open.values()];
    const rough = all.map(({ tests }) => withoutDivisions(this.formulas, tests));
    const questions = rough.flatMap((tests) => (tests === null ? [] : [this.question(tests)]));
    if (questions.length === 0) return all;
    const answers = await answersTo(solver, questions, Math.min(ROUGH_LIMIT, remaining()));
    let next = 0;
    return all.filter((_, i) => rough[i] === null || answers[next++] !== 'unsat');
  }

  private question(tests: readonly Formula[]): string {
    const terms = [...tests, ...this.formulas.between(tests)].map((test) => this.formulas.term(test));
    const constants = new Map<string, string>();
    for (const term of terms)
      for (const [name, sort] of freeConstants(term)) constants.set(printSymbol(name), printSort(sort));
    return [
      '(push 1)',
      ...[...constants].map(([name, sort]) => `(declare-const ${name} ${sort})`),
      ...terms.map((term) => `(assert ${printTerm(term)})`),
      '(check-sat)',
      '(pop 1)',
    ].join('\n');
  }
}

const ANSWERS: ReadonlySet<string> = new Set(['sat', 'unsat', 'unknown', 'timeout']);

/** In the order of the questions; none from the first on that the solver does not understand: the words of a complaint must not be counted as answers to others. */
async function answersTo(
  solver: Solver,
  questions: readonly string[],
  limit: number,
): Promise<readonly string[]> {
  const output = await solver.run(
    [`(set-option :timeout ${Math.max(1, Math.floor(limit))})`, ...questions].join('\n'),
  );
  const words = (output ?? '').split(/\s+/).filter((word) => word !== '');
  const other = words.findIndex((word) => !ANSWERS.has(word));
  return other < 0 ? words : words.slice(0, other);
}
