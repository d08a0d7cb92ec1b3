// Bounded unrolling of the whole program, joins included: errors behind any combination of ways are found by one question to the solver, and where all loops
// end within so many turns, whatever the inputs, that none was found is a proof. The proof is the unrolled graph; the audit goes through it with formulas of its own.

import { type Budget, TimeOver, watchOf } from '../../base/budget.ts';
import type { UnrollingProof } from '../audit/unrolling.ts';
import type { CellSet } from '../program/cell-set.ts';
import type { Confirmed } from '../program/confirmed.ts';
import type { Expr } from '../program/expr.ts';
import type { Edge, Program } from '../program/program.ts';
import { replaceSymbols } from '../program/substitute.ts';
import { confirm } from './confirm.ts';
import type { Oracle } from './oracle.ts';
import { checkPath } from './path.ts';
import type { Arrival, Leaf, Unrolled } from './unrolled-graph.ts';
import { Unroller } from './unrolled-graph.ts';

/** Turns of a loop that something open decides, tried one after the other: those that take little time, and the others. */
export const FEW_TURNS: readonly number[] = [1, 4, 16];
export const MANY_TURNS: readonly number[] = [64, 256];

export type UnrollingResult = { readonly proof: UnrollingProof } | { readonly run: Confirmed } | null;

/** Null where there are more turns than are tried, or formulas become too large or too hard: then other analyses are asked. */
export async function byUnrolling(
  program: Program,
  live: readonly CellSet[],
  isError: (location: number) => boolean,
  oracle: Oracle,
  budget: Budget,
): Promise<UnrollingResult> {
  const turns = [...FEW_TURNS, ...MANY_TURNS];
  const found = await unrolledFor(turns, program, live, isError, oracle, budget);
  return found === 'more-turns' ? null : found;
}

/** Also tells whether it may be worth while to try more of them. */
export async function unrolledFor(
  turns: readonly number[],
  program: Program,
  live: readonly CellSet[],
  isError: (location: number) => boolean,
  oracle: Oracle,
  budget: Budget,
): Promise<UnrollingResult | 'more-turns'> {
  try {
    return await program.pool.watched(watchOf(budget), () =>
      tried(turns, program, live, isError, oracle, budget),
    );
  } catch (error) {
    if (error instanceof TimeOver || error instanceof RangeError) return null;
    throw error;
  }
}

async function tried(
  all: readonly number[],
  program: Program,
  live: readonly CellSet[],
  isError: (location: number) => boolean,
  oracle: Oracle,
  budget: Budget,
): Promise<UnrollingResult | 'more-turns'> {
  const unroller = new Unroller(program, live, isError, watchOf(budget));
  for (const turns of all) {
    if (!budget.timeLeft()) return null;
    const unrolled = unroller.unrolled(turns);
    if (unrolled === null) return null;
    const question = new Question(program, unrolled, oracle, budget);
    const wrong = unrolled.leaves.filter(({ kind }) => kind === 'error');
    const reached = await question.canBeReached(wrong);
    if (reached === 'unknown') return null;
    if (reached === 'sat') return question.runTo(wrong, isError);
    const open = unrolled.leaves.filter(({ kind }) => kind !== 'error');
    const left = await question.canBeReached(open);
    if (left === 'unsat') return { proof: proofOf(unrolled) };
    // Where the program goes on in a way that is not modelled more turns do not help.
    if (left === 'unknown' || !open.some(({ kind }) => kind === 'turn')) return null;
  }
  return 'more-turns';
}

const proofOf = ({ nodes }: Unrolled): UnrollingProof => ({
  places: nodes.map(({ location, to }) => [location, ...to.map((node) => node?.index ?? -1)]),
});

class Question {
  private readonly program: Program;
  private readonly unrolled: Unrolled;
  private readonly oracle: Oracle;
  private readonly budget: Budget;

  constructor(program: Program, unrolled: Unrolled, oracle: Oracle, budget: Budget) {
    this.program = program;
    this.unrolled = unrolled;
    this.oracle = oracle;
    this.budget = budget;
  }

  private tests(leaves: readonly Leaf[]): Expr[] {
    const { pool } = this.program;
    const some = balanced(
      leaves.map(({ arrival }) => arrival.conditions?.all ?? pool.true),
      (a, b) => pool.or(a, b),
      pool.false,
    );
    return [...this.unrolled.equations, some];
  }

  async canBeReached(leaves: readonly Leaf[]): Promise<'sat' | 'unsat' | 'unknown'> {
    if (leaves.length === 0) return 'unsat';
    return this.oracle.satisfiable(this.tests(leaves), this.budget.remaining());
  }

  /** The run that a model of the formulas describes, executed. */
  async runTo(leaves: readonly Leaf[], isError: (location: number) => boolean): Promise<UnrollingResult> {
    const { pool } = this.program;
    const tests = this.tests(leaves);
    const symbols = [...new Set(tests.flatMap((test) => test.symbols))];
    const solved = await this.oracle.solve(tests, symbols);
    if (solved.answer !== 'sat') return null;
    const values = new Map(symbols.map((symbol, i) => [symbol, pool.const(solved.values[i]!, symbol.width)]));
    // What decides only between ways that meet again may be in no question: any value will do.
    const valueOfSymbol = (symbol: Expr) =>
      values.get(symbol) ?? (symbol.width > 0 ? pool.const(0n, symbol.width) : undefined);
    const isTaken = ({ conditions }: Arrival): boolean =>
      conditions === null || replaceSymbols(pool, conditions.all, valueOfSymbol) === pool.true;
    const leaf = leaves.find(({ arrival }) => isTaken(arrival));
    if (leaf === undefined) return null;
    const edges: Edge[] = [];
    for (let at = leaf.arrival; at.from !== null; ) {
      edges.push(at.edge!);
      // Where several ways could have been taken the values are those of the last.
      const before: Arrival | undefined = at.from.arrivals.findLast(isTaken);
      if (before === undefined) return null;
      at = before;
    }
    const path = await checkPath(this.program, edges.reverse(), this.oracle);
    const run = path.kind === 'feasible' ? confirm(this.program, path, isError) : null;
    return run?.kind === 'confirmed' ? { run } : null;
  }
}

/** In pairs, so that the term is not as deep as the list is long. */
function balanced(terms: readonly Expr[], join: (a: Expr, b: Expr) => Expr, none: Expr): Expr {
  let level = terms;
  while (level.length > 1)
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, i) =>
      2 * i + 1 < level.length ? join(level[2 * i]!, level[2 * i + 1]!) : level[2 * i]!,
    );
  return level[0] ?? none;
}
