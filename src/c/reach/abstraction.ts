// The abstract domain: at a cut point, known values of some cells (explicit part) and the truth of some predicates. [MAGIC] abstracts by
// predicates alone; flags and constants are followed far more cheaply as values, and predicates are left for what relates
// unknown quantities.
//
// Soundness: a successor is left out only when the solver says `unsat` or the constraint is false by evaluation; a predicate is
// recorded only when its negation is impossible, else both cases are followed. `unknown` answers count as possible.

import type { CellSet } from '../program/cell-set.ts';
import { has } from '../program/cell-set.ts';
import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { replaceSymbols } from '../program/substitute.ts';
import type { Block, BlockGraph } from './blocks.ts';
import type { Oracle } from './oracle.ts';
import { FRESH, Symbolic } from './symbolic.ts';

export interface Precision {
  /** Cells whose values are followed where they are known. */
  readonly tracked: ReadonlySet<number>;
  /** Tests over cells, in the form `atomsOf` gives them. */
  readonly predicates: readonly Expr[];
}

export interface AbstractState {
  readonly location: number;
  /** Cell → constant. */
  readonly values: ReadonlyMap<number, Expr>;
  /** Predicates or their negations. */
  readonly literals: readonly Expr[];
  readonly key: string;
}

interface BlockRun {
  readonly dead: boolean;
  readonly env: ReadonlyMap<number, Expr>;
  readonly constraints: readonly Expr[];
  /** Cells of the state before whose value the constraints determine. */
  readonly learned: ReadonlyMap<number, Expr>;
}

export class Abstraction {
  private readonly graph: BlockGraph;
  private readonly live: readonly CellSet[];
  private readonly oracle: Oracle;
  private readonly runs = new Map<string, BlockRun>();
  precision: Precision;
  private predicatesAt: (readonly Expr[])[] = [];

  constructor(graph: BlockGraph, live: readonly CellSet[], oracle: Oracle, precision: Precision) {
    this.graph = graph;
    this.live = live;
    this.oracle = oracle;
    this.precision = precision;
    this.refine(precision);
  }

  refine(precision: Precision): void {
    this.precision = precision;
    this.predicatesAt = this.live.map((live) =>
      precision.predicates.filter((predicate) =>
        predicate.symbols.every((symbol) => has(live, symbolNumber(symbol))),
      ),
    );
  }

  async initial(): Promise<AbstractState[]> {
    const { program } = this.graph;
    const values = new Map<number, Expr>();
    for (const [cell, value] of program.initial) values.set(cell, value);
    const at = program.entry;
    const known = (symbol: Expr) => values.get(symbolNumber(symbol));
    const kept = new Map([...values].filter(([cell]) => this.tracks(at, cell)));
    const predicates = this.predicatesAt[at]!.map((predicate) => ({
      predicate,
      now: replaceSymbols(program.pool, predicate, known),
    }));
    return this.split(at, kept, predicates, []);
  }

  private tracks(location: number, cell: number): boolean {
    return this.precision.tracked.has(cell) && has(this.live[location]!, cell);
  }

  /** The abstract states after a block; none when it cannot be taken. */
  async post(state: AbstractState, block: Block): Promise<AbstractState[]> {
    const { pool } = this.graph.program;
    const run = this.run(block, state);
    if (run.dead) return [];
    const known = (symbol: Expr): Expr | undefined => {
      const number = symbolNumber(symbol);
      return run.learned.get(number) ?? state.values.get(number);
    };
    const literals = state.literals.map((literal) => replaceSymbols(pool, literal, known));
    if (literals.includes(pool.false)) return [];
    const constraints = run.constraints.map((test) => replaceSymbols(pool, test, known));
    const context = [...constraints, ...literals].filter((test) => test !== pool.true);
    if (!(await this.feasible(constraints, context))) return [];

    const values = this.valuesAfter(state, block, run, known);
    const predicates: { predicate: Expr; now: Expr }[] = [];
    const decided: Expr[] = [];
    for (const predicate of this.predicatesAt[block.to]!) {
      if (predicate.symbols.every((symbol) => values.has(symbolNumber(symbol)))) continue;
      const unchanged = predicate.symbols.every((symbol) => !run.env.has(symbolNumber(symbol)));
      const old = unchanged
        ? state.literals.find((literal) => literal === predicate || literal === pool.not(predicate))
        : undefined;
      if (old !== undefined) decided.push(old);
      else
        predicates.push({
          predicate,
          now: replaceSymbols(
            pool,
            replaceSymbols(pool, predicate, (symbol) => run.env.get(symbolNumber(symbol))),
            known,
          ),
        });
    }
    return this.split(block.to, values, predicates, context, decided);
  }

  private valuesAfter(
    state: AbstractState,
    block: Block,
    run: BlockRun,
    known: (symbol: Expr) => Expr | undefined,
  ): Map<number, Expr> {
    const { pool } = this.graph.program;
    const values = new Map<number, Expr>();
    for (const [cell, value] of state.values)
      if (!run.env.has(cell) && this.tracks(block.to, cell)) values.set(cell, value);
    for (const [cell, value] of run.learned)
      if (cell < FRESH && !run.env.has(cell) && this.tracks(block.to, cell)) values.set(cell, value);
    for (const [cell, written] of run.env) {
      if (!this.tracks(block.to, cell)) continue;
      const value = written.op === 'const' ? written : replaceSymbols(pool, written, known);
      if (value.op === 'const') values.set(cell, value);
    }
    return values;
  }

  /** The block over the values that it reads, computed once for each combination of them. */
  private run(block: Block, state: AbstractState): BlockRun {
    const { program } = this.graph;
    let key = `${block.id}`;
    for (const cell of block.reads) {
      const value = state.values.get(cell);
      if (value !== undefined) key += ` ${cell}=${value.id}`;
    }
    const cached = this.runs.get(key);
    if (cached !== undefined) return cached;
    const symbolic = new Symbolic(program, FRESH, false);
    for (const cell of block.reads) {
      const value = state.values.get(cell);
      if (value !== undefined) symbolic.env.set(cell, value);
    }
    symbolic.run(block.operations);
    const run = settle(symbolic, block, state);
    this.runs.set(key, run);
    return run;
  }

  private async feasible(constraints: readonly Expr[], context: readonly Expr[]): Promise<boolean> {
    const { pool } = this.graph.program;
    if (constraints.includes(pool.false)) return false;
    const relevant = connected(context, constraints);
    if (relevant.length === 0 || (relevant.length === 1 && isPlain(relevant[0]!))) return true;
    return (await this.oracle.satisfiable(relevant)) !== 'unsat';
  }

  /** All combinations of truth values of the predicates that the context allows. */
  private async split(
    location: number,
    values: Map<number, Expr>,
    predicates: readonly { readonly predicate: Expr; readonly now: Expr }[],
    context: readonly Expr[],
    decided: readonly Expr[] = [],
  ): Promise<AbstractState[]> {
    const { pool } = this.graph.program;
    let cases: { literals: Expr[]; context: Expr[] }[] = [{ literals: [...decided], context: [...context] }];
    for (const { predicate, now } of predicates) {
      const next: typeof cases = [];
      for (const one of cases) {
        for (const positive of [true, false]) {
          const literal = positive ? predicate : pool.not(predicate);
          const test = positive ? now : pool.not(now);
          if (test === pool.false) continue;
          if (test === pool.true) next.push({ literals: [...one.literals, literal], context: one.context });
          else {
            const relevant = connected([...one.context, test], [test]);
            if (
              (relevant.length === 1 && isPlain(test)) ||
              (await this.oracle.satisfiable(relevant)) !== 'unsat'
            )
              next.push({ literals: [...one.literals, literal], context: [...one.context, test] });
          }
        }
      }
      cases = next;
    }
    return cases.map(({ literals }) => makeState(location, values, literals));
  }
}

function makeState(
  location: number,
  values: ReadonlyMap<number, Expr>,
  literals: readonly Expr[],
): AbstractState {
  const parts = [...values].sort(([a], [b]) => a - b).map(([cell, value]) => `${cell}=${value.value}`);
  const ids = literals.map((literal) => literal.id).sort((a, b) => a - b);
  return { location, values, literals, key: `${location}|${parts.join()}|${ids.join()}` };
}

/** Equations with constants among the constraints become known values, and may decide other constraints. */
function settle(symbolic: Symbolic, block: Block, state: AbstractState): BlockRun {
  const { pool } = symbolic;
  const learned = new Map<number, Expr>();
  let constraints = symbolic.constraints.map((constraint) => constraint.test);
  for (let round = 0; round < 4; round++) {
    const before = learned.size;
    for (const test of constraints) {
      const [symbol, value] = test.args;
      if (test.op === 'eq' && symbol!.op === 'symbol' && value!.op === 'const')
        learned.set(symbolNumber(symbol!), value!);
    }
    if (learned.size === before) break;
    constraints = constraints.map((test) => {
      const [symbol, value] = test.args;
      if (
        test.op === 'eq' &&
        symbol!.op === 'symbol' &&
        value!.op === 'const' &&
        learned.get(symbolNumber(symbol!)) === value
      )
        return test;
      return replaceSymbols(pool, test, (s) => learned.get(symbolNumber(s)));
    });
  }
  const env = new Map<number, Expr>();
  for (const [cell, value] of symbolic.env) {
    // What the block only read is not part of its effect.
    if (block.reads.includes(cell) && state.values.get(cell) === value && !writes(block, cell)) continue;
    env.set(
      cell,
      value.op === 'const' ? value : replaceSymbols(pool, value, (s) => learned.get(symbolNumber(s))),
    );
  }
  const dead = symbolic.dead !== null || constraints.includes(pool.false);
  return { dead, env, constraints: constraints.filter((test) => test !== pool.true), learned };
}

function writes(block: Block, cell: number): boolean {
  return block.operations.some((operation) => {
    if (operation.kind === 'assign' || operation.kind === 'input') return operation.cell.id === cell;
    if (operation.kind === 'havoc') return operation.cells.some((c) => c.id === cell);
    if (operation.kind === 'store')
      return (
        operation.site.cells.some((c) => c.id === cell) || operation.site.blurred.some((c) => c.id === cell)
      );
    return false;
  });
}

/** A comparison of one symbol with a constant or another symbol: neither always true nor always false. */
function isPlain(test: Expr): boolean {
  if (test.op === 'not') return isPlain(test.args[0]!);
  const [a, b] = test.args;
  if (a === undefined || b === undefined || test.args.length > 2) return false;
  return (
    (a.op === 'symbol' && (b.op === 'const' || b.op === 'symbol')) || (a.op === 'const' && b.op === 'symbol')
  );
}

/** The tests that share symbols, directly or through others, with the seeds. */
function connected(tests: readonly Expr[], seeds: readonly Expr[]): Expr[] {
  const symbols = new Set<Expr>();
  for (const seed of seeds) for (const symbol of seed.symbols) symbols.add(symbol);
  const rest = new Set(tests);
  const result: Expr[] = [];
  for (let changed = true; changed; ) {
    changed = false;
    for (const test of rest) {
      if (!test.symbols.some((symbol) => symbols.has(symbol))) continue;
      rest.delete(test);
      result.push(test);
      for (const symbol of test.symbols) symbols.add(symbol);
      changed = true;
    }
  }
  return result;
}
