// Linear measures from counterexamples: a measure for each head, linear in its variables, that fits all turns seen so far is asked of a solver for linear arithmetic; whether it fits
// all turns there are is asked of the bit-vectors; a turn that it does not fit is one more seen. (Linear ranking by Farkas' lemma, as Podelski and Rybalchenko, VMCAI
// 2004, and Alias and others, SAS 2010, do it, needs numbers without end; turns that were seen need nothing, so wrap-around, divisions and bits are as they are.)
// Small factors are tried first: they are what programs mean, and cheap to check.

import type { Budget } from '../../base/budget.ts';
import { Solver } from '../../smt/solver.ts';
import * as t from '../../smt/term.ts';
import { RANK_WIDTH } from '../audit/ranks.ts';
import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Cell } from '../program/program.ts';
import { replaceSymbols } from '../program/substitute.ts';
import { isSigned } from './candidates.ts';
import { dividesHard } from './divisions.ts';
import { type Invariants, valueAfter } from './houdini.ts';
import type { Oracle } from './oracle.ts';
import type { Passage, Regions } from './regions.ts';

/** By head. */
export type Measures = ReadonlyMap<number, Expr>;

interface Turn {
  readonly passage: Passage;
  /** The measure must become smaller and was not negative; else it must not become larger. */
  readonly isStrict: boolean;
}

interface SeenTurn {
  readonly turn: Turn;
  readonly before: readonly bigint[];
  readonly after: readonly bigint[];
}

const LARGEST_FACTORS = [1n, 3n, 25n];
const MOST_SEEN = 40;
/** Milliseconds for an example of a turn. */
const LIMIT = 5000;
const LIMIT_OF_DIVISIONS = 500;

export class LinearMeasures {
  private readonly regions: Regions;
  private readonly held: Invariants;
  private readonly cells: ReadonlyMap<number, readonly Cell[]>;
  private readonly oracle: Oracle;
  private readonly budget: Budget;
  private readonly solver: Solver;

  constructor(
    regions: Regions,
    held: Invariants,
    cells: ReadonlyMap<number, readonly Cell[]>,
    oracle: Oracle,
    budget: Budget,
  ) {
    this.regions = regions;
    this.held = held;
    this.cells = cells;
    this.oracle = oracle;
    this.budget = budget;
    this.solver = new Solver({ timeout: 2000, logic: 'QF_LIA', remaining: budget.remaining });
  }

  dispose(): void {
    this.solver.dispose();
  }

  /** Measures that all turns of `smaller` make smaller, and the others do not make larger. */
  async find(turns: readonly Passage[], smaller: readonly Passage[]): Promise<Measures | null> {
    const all = turns.map((passage) => ({ passage, isStrict: smaller.includes(passage) }));
    const seen: SeenTurn[] = [];
    for (const largest of LARGEST_FACTORS)
      for (;;) {
        if (!this.budget.timeLeft() || seen.length >= MOST_SEEN) return null;
        const factors = await this.fitting(seen, largest);
        if (factors === null) break;
        const measures = new Map([...factors].map(([head, of]) => [head, this.measure(head, of)]));
        const more = await this.misfit(all, measures);
        if (more === 'none') return measures;
        if (more === 'unknown') return null;
        seen.push(more);
      }
    return null;
  }

  /** For each head its factors, the constant last. */
  private async fitting(
    seen: readonly SeenTurn[],
    largest: bigint,
  ): Promise<Map<number, readonly bigint[]> | null> {
    const { solver } = this;
    solver.push();
    const factors = new Map(
      [...this.cells].map(([head, cells]) => [
        head,
        [...cells.map((_, i) => t.intVar(`f${head}_${i}`)), t.intVar(`d${head}`)],
      ]),
    );
    try {
      for (const terms of factors.values())
        for (const factor of terms.slice(0, -1))
          solver.assert(t.and(t.le(t.int(-largest), factor), t.le(factor, t.int(largest))));
      for (const { turn, before, after } of seen) {
        const at = (head: number, values: readonly bigint[]) =>
          t.add(
            ...factors
              .get(head)!
              .map((factor, i) => (i < values.length ? t.mul(t.int(values[i]!), factor) : factor)),
          );
        const first = at(turn.passage.from, before);
        const second = at(turn.passage.to, after);
        solver.assert(t.le(turn.isStrict ? t.add(second, t.int(1n)) : second, first));
        if (turn.isStrict) solver.assert(t.le(t.int(0n), first));
      }
      if ((await solver.check()) !== 'sat') return null;
      const names = [...factors.values()].flat();
      const values = await solver.values(names);
      let next = 0;
      const number = () => {
        const value = values[next++];
        return typeof value === 'bigint' ? value : 0n;
      };
      return new Map([...factors].map(([head, terms]) => [head, terms.map(number)]));
    } finally {
      solver.pop();
    }
  }

  private measure(head: number, factors: readonly bigint[]): Expr {
    const { pool } = this.regions.program;
    let sum = pool.const(BigInt.asUintN(RANK_WIDTH, factors.at(-1)!), RANK_WIDTH);
    for (const [i, cell] of this.cells.get(head)!.entries()) {
      const factor = factors[i]!;
      if (factor === 0n) continue;
      const value = pool.resize(pool.symbol(cell.id, cell.width), RANK_WIDTH, isSigned(cell));
      const size = factor < 0n ? -factor : factor;
      const product = size === 1n ? value : pool.binary('mul', value, pool.const(size, RANK_WIDTH));
      sum = pool.binary(factor < 0n ? 'sub' : 'add', sum, product);
    }
    return sum;
  }

  /** A turn that the measures do not fit. */
  private async misfit(turns: readonly Turn[], measures: Measures): Promise<SeenTurn | 'none' | 'unknown'> {
    const { pool } = this.regions.program;
    for (const turn of turns) {
      const { passage, isStrict } = turn;
      const first = measures.get(passage.from)!;
      const second = valueAfter(this.regions, passage, measures.get(passage.to)!);
      const isGood = isStrict
        ? pool.and(pool.compare('slt', second, first), pool.compare('sle', pool.const(0n, RANK_WIDTH), first))
        : pool.compare('sle', second, first);
      const tests = [...(this.held.get(passage.from) ?? []), passage.guard, pool.not(isGood)];
      if (tests.includes(pool.false)) continue;
      const seen = await this.example(turn, tests);
      if (seen !== 'none') return seen;
    }
    return 'none';
  }

  private async example(turn: Turn, tests: readonly Expr[]): Promise<SeenTurn | 'none' | 'unknown'> {
    const { pool } = this.regions.program;
    const symbol = (cell: Cell) => pool.symbol(cell.id, cell.width);
    const before = this.cells.get(turn.passage.from)!.map(symbol);
    const after = this.cells
      .get(turn.passage.to)!
      .map((cell) => valueAfter(this.regions, turn.passage, symbol(cell)));
    const symbols = [...new Set([...tests, ...before, ...after].flatMap((expr) => expr.symbols))];
    const isHard = tests.some(dividesHard);
    if (isHard && (await this.oracle.satisfiableByFacts(tests)) === 'unsat') return 'none';
    const model = await this.oracle.solve(tests, symbols, isHard ? LIMIT_OF_DIVISIONS : LIMIT);
    if (model.answer === 'unsat') return 'none';
    if (model.answer === 'unknown') return 'unknown';
    const values = new Map(
      symbols.map((one, i) => [symbolNumber(one), pool.const(model.values[i]!, one.width)]),
    );
    const numbers = (exprs: readonly Expr[], head: number) =>
      exprs.map((expr, i) => {
        const value = replaceSymbols(pool, expr, (one) => values.get(symbolNumber(one)));
        if (value.op !== 'const') return null;
        return isSigned(this.cells.get(head)![i]!) ? BigInt.asIntN(value.width, value.value) : value.value;
      });
    const first = numbers(before, turn.passage.from);
    const second = numbers(after, turn.passage.to);
    if (first.includes(null) || second.includes(null)) return 'unknown';
    return { turn, before: first as bigint[], after: second as bigint[] };
  }
}
