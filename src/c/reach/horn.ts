// Invariants from z3's solver for Horn clauses (spacer: Komuravelli, Gurfinkel and Chaki, CAV 2014). Each head of a loop gets an unknown relation over the cells
// that are live there; each passage is a clause, targets imply falsehood. Nothing of the solution has to be trusted: over the integers wrap-around is
// ignored, what has no counterpart there is any value; what is inductive of it is found out by houdini.ts, and the audit checks that.

import type { Budget } from '../../base/budget.ts';
import type { Sexpr } from '../../smt/answer.ts';
import { parseSexprs } from '../../smt/answer.ts';
import { printSort, printSymbol, printTerm } from '../../smt/print.ts';
import { Solver } from '../../smt/solver.ts';
import type { Sort, Term } from '../../smt/term.ts';
import type { CellSet } from '../program/cell-set.ts';
import { has } from '../program/cell-set.ts';
import type { Expr, Pool } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Cell } from '../program/program.ts';
import type { Invariants } from './houdini.ts';
import type { Asking } from './oracle.ts';
import { type Passage, type Regions, START } from './regions.ts';
import { FRESH } from './symbolic.ts';

/** How values are written for the solver, and read back from its solution. */
export interface Numbers {
  readonly sort: (cell: Cell) => Sort;
  readonly variable: (cell: Cell) => Term;
  /** The term, with the variables that stand for inputs and unknown values; null where it cannot be said. */
  readonly term: (expr: Expr, fresh: Map<string, Term>) => Term | null;
  /** A formula of the solution over these parameters. */
  readonly read: (formula: Sexpr, parameters: ReadonlyMap<string, Cell>) => Expr | null;
  /** Of two numbers that are at most each other. */
  readonly equation?: (a: Expr, b: Expr) => Expr;
}

const MOST_CELLS = 200;
/** With less it is not worth starting the solver. */
export const LEAST_MILLISECONDS = 50;

/** What the unknown relations were found to be, by their names. */
export type Solution = ReadonlyMap<string, readonly Sexpr[]>;

/** For each head what the solver finds; null when it finds nothing within so many milliseconds. */
export async function hornInvariants(
  regions: Regions,
  live: readonly CellSet[],
  numbers: Numbers,
  limit: number,
  budget: Budget,
): Promise<Invariants | null> {
  const clauses = clausesOf(regions, live, numbers);
  const solution =
    clauses === null || limit < LEAST_MILLISECONDS ? null : await solve(clauses, limit, budget);
  return solution instanceof Map ? invariantsOf(regions, live, numbers, solution) : null;
}

const hasFloat = ({ passages }: Regions): boolean =>
  passages.some(({ guard, env }) => guard.hasFloat || [...env.values()].some((value) => value.hasFloat));

const relation = (location: number): string => `at${location}`;

export const cellsAt = ({ program }: Regions, live: readonly CellSet[], location: number): Cell[] =>
  program.cells.filter(({ id, array }) => array === undefined && has(live[location]!, id));

/** What else has to hold for a passage, given the values after it: calls of other relations. */
export type Beside = (passage: Passage, after: (cell: Cell) => Term) => readonly string[];

/** Null where floating point is computed with, or too many values matter. */
export function clausesOf(
  regions: Regions,
  live: readonly CellSet[],
  numbers: Numbers,
  beside: Beside = () => [],
): string | null {
  const { heads, passages } = regions;
  if (hasFloat(regions)) return null;
  const lines: string[] = [];
  for (const head of heads) {
    const cells = cellsAt(regions, live, head);
    if (cells.length > MOST_CELLS) return null;
    const sorts = cells.map((cell) => printSort(numbers.sort(cell))).join(' ');
    lines.push(`(declare-fun ${relation(head)} (${sorts}) Bool)`);
  }
  for (const passage of passages) lines.push(clauseOf(regions, live, passage, numbers, beside));
  return lines.join('\n');
}

function clauseOf(
  regions: Regions,
  live: readonly CellSet[],
  passage: Passage,
  numbers: Numbers,
  beside: Beside,
): string {
  const { from, to, guard, env } = passage;
  const { program, heads } = regions;
  const fresh = new Map<string, Term>();
  const read = new Set(from === START ? [] : cellsAt(regions, live, from));
  const reads = (expr: Expr) => {
    for (const symbol of expr.symbols)
      if (symbolNumber(symbol) < FRESH && symbol.width >= 0) read.add(program.cells[symbolNumber(symbol)]!);
  };
  reads(guard);
  const condition = numbers.term(guard, fresh);
  const after = (cell: Cell): Term => {
    const value = env.get(cell.id) ?? program.pool.symbol(cell.id, cell.width);
    reads(value);
    const term = numbers.term(value, fresh);
    if (term !== null) return term;
    const any = { ...numbers.variable(cell), name: `any${cell.id}` };
    fresh.set(any.name, any);
    return any;
  };
  const targets = (heads.includes(to) ? cellsAt(regions, live, to) : []).map(after);
  const body = condition === null ? [] : [printTerm(condition)];
  if (from !== START) body.push(applyAt(from, cellsAt(regions, live, from).map(numbers.variable)));
  body.push(...beside(passage, after));
  const variables = [...[...read].map(numbers.variable), ...fresh.values()];
  return clause(variables, body, heads.includes(to) ? applyAt(to, targets) : 'false');
}

export const apply = (name: string, terms: readonly Term[]): string =>
  terms.length === 0 ? name : `(${name} ${terms.map(printTerm).join(' ')})`;
export const applyAt = (location: number, terms: readonly Term[]): string => apply(relation(location), terms);

export function clause(variables: readonly Term[], body: readonly string[], head: string): string {
  const bound = [...new Map(variables.map((v) => [v.name, v])).values()]
    .map((v) => `(${printSymbol(v.name)} ${printSort(v.sort)})`)
    .join(' ');
  const condition = body.length === 0 ? 'true' : `(and true ${body.join(' ')})`;
  const inner = `(=> ${condition} ${head})`;
  return `(assert ${bound === '' ? inner : `(forall (${bound}) ${inner})`})`;
}

/** Relations that z3 puts into each other come back with quantifiers, and cannot be read; but it finds more that way. */
const OPTIONS = ['inline_eager', 'inline_linear', 'slice']
  .map((name) => `(set-option :fp.xform.${name} false)`)
  .join('\n');

/** `none`: there is no solution. `open`: none was found within so many milliseconds. */
export async function solve(
  clauses: string,
  limit: number,
  { remaining }: Budget,
  inlining = false,
  asking: Asking = {},
): Promise<Solution | 'none' | 'open'> {
  // This solver often does not see its own limit: it is not waited for.
  const patience = () => Math.min(limit, remaining());
  const solver = new Solver({ timeout: limit, logic: 'HORN', remaining: patience });
  asking.end = () => solver.dispose();
  try {
    const output = await solver.run(
      `(set-option :timeout ${Math.floor(limit)})\n${inlining ? '' : OPTIONS}\n${clauses}\n(check-sat)\n(get-model)`,
    );
    if (output === null) return 'open';
    if (!/^\s*sat\b/.test(output)) return /^\s*unsat\b/.test(output) ? 'none' : 'open';
    const model = parseSexprs(output)[1];
    if (!Array.isArray(model)) return 'none';
    const definitions = new Map<string, readonly Sexpr[]>();
    for (const item of model as readonly Sexpr[])
      if (Array.isArray(item) && item[0] === 'define-fun') definitions.set(String(item[1]), item as Sexpr[]);
    return definitions;
  } finally {
    solver.dispose();
  }
}

function invariantsOf(
  regions: Regions,
  live: readonly CellSet[],
  numbers: Numbers,
  solution: Solution,
): Invariants | null {
  const { pool } = regions.program;
  const result = new Map<number, readonly Expr[]>();
  for (const head of regions.heads) {
    const invariant = readRelation(pool, numbers, solution, relation(head), cellsAt(regions, live, head));
    if (invariant === null) return null;
    result.set(head, invariant);
  }
  return result;
}

/** What the solution says of a relation over these cells. */
export function readRelation(
  pool: Pool,
  numbers: Numbers,
  solution: Solution,
  name: string,
  cells: readonly Cell[],
): Expr[] | null {
  const definition = solution.get(name);
  const parameters = new Map<string, Cell>();
  ((definition?.[2] ?? []) as readonly Sexpr[]).forEach((parameter, i) => {
    parameters.set(String((parameter as readonly Sexpr[])[0]), cells[i]!);
  });
  const read = definition === undefined ? pool.true : numbers.read(definition[4]!, parameters);
  if (read === null) return null;
  const equation = numbers.equation ?? ((a: Expr, b: Expr) => pool.eq(a, b));
  return withEquations(pool, conjuncts(read), equation);
}

function conjuncts(test: Expr): Expr[] {
  if (test.op === 'conj') return test.args.flatMap(conjuncts);
  return test.op === 'const' && test.value !== 0n ? [] : [test];
}

/** `a <= b` and `b <= a` are one equation. */
function withEquations(pool: Pool, tests: readonly Expr[], equation: (a: Expr, b: Expr) => Expr): Expr[] {
  const known = new Set(tests);
  return tests.flatMap((test) => {
    const [a, b] = test.args as [Expr, Expr];
    if (test.op !== 'sle' || !known.has(pool.compare('sle', b, a))) return [test];
    return a.id < b.id ? [equation(a, b)] : [];
  });
}
