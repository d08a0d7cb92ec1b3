// Invariants from z3's solver for Horn clauses (spacer: Komuravelli, Gurfinkel and Chaki, CAV 2014). Each cut point gets an unknown relation over the cells
// that are live there; each block is a clause, errors imply falsehood. A solution is one formula per cut point: written as a proof with one
// abstract state for each, it goes through the audit like every other. So nothing here has to be trusted: over the integers wrap-around is
// ignored, what has no counterpart there is any value, and an answer that was wrong for that reason is refused by the audit.

import { type Budget, fractionOf } from '../../base/budget.ts';
import type { Sexpr } from '../../smt/answer.ts';
import { parseSexprs } from '../../smt/answer.ts';
import { printSort, printSymbol, printTerm } from '../../smt/print.ts';
import { Solver } from '../../smt/solver.ts';
import type { Sort, Term } from '../../smt/term.ts';

import type { CellSet } from '../program/cell-set.ts';
import { has } from '../program/cell-set.ts';
import type { Expr, Pool } from '../program/expr.ts';
import type { Cell } from '../program/program.ts';
import type { AbstractState } from './abstraction.ts';
import type { BlockGraph } from './blocks.ts';
import { bitVectors } from './horn-bits.ts';
import { integers } from './horn-integers.ts';
import { inductivePart } from './houdini.ts';
import type { Oracle } from './oracle.ts';
import { FRESH, Symbolic } from './symbolic.ts';
import type { AbstractGraph } from './write.ts';

/** How values are written for the solver, and read back from its solution. */
export interface Numbers {
  readonly sort: (cell: Cell) => Sort;
  readonly variable: (cell: Cell) => Term;
  /** The term, with the variables that stand for inputs and unknown values; null where it cannot be said. */
  readonly term: (expr: Expr, fresh: Map<string, Term>) => Term | null;
  /** A formula of the solution over these parameters. */
  readonly read: (formula: Sexpr, parameters: ReadonlyMap<string, Cell>) => Expr | null;
}

const MOST_BLOCKS = 500;
const MOST_CELLS = 200;

/** What the unknown relations were found to be, by their names. */
type Solution = ReadonlyMap<string, readonly Sexpr[]>;

/**
 * A proof that no target is reached and that `accepts` takes; null when none was found. First over the integers; where that proof fails because of
 * wrap-around, what of it is inductive over bit-vectors together with bounds from the guards; then over bit-vectors from the start.
 */
export async function hornProof(
  graph: BlockGraph,
  live: readonly CellSet[],
  isTarget: (location: number) => boolean,
  oracle: Oracle,
  budget: Budget,
  accepts: (proof: AbstractGraph) => Promise<boolean>,
): Promise<AbstractGraph | null> {
  if (graph.blocks.length > MOST_BLOCKS) return null;
  const invariants = async (numbers: Numbers): Promise<Invariants | null> => {
    const clauses = clausesOf(graph, live, isTarget, numbers);
    const limit = Math.min(60_000, budget.remaining() * SHARE);
    const solution = clauses === null || limit < 50 ? null : await solve(clauses, limit, budget);
    return solution === null ? null : invariantsOf(graph, live, isTarget, numbers, solution);
  };
  const checked = async (found: Invariants | null): Promise<AbstractGraph | null> => {
    const proof = found === null ? null : await proofOf(graph, found, isTarget, oracle);
    return proof !== null && (await accepts(proof)) ? proof : null;
  };
  const guessed = await invariants(integers(graph.program));
  const proof = await checked(guessed);
  if (proof !== null) return proof;
  const inductive =
    guessed === null ? null : await inductivePart(graph, live, guessed, oracle, fractionOf(budget, SHARE));
  return (await checked(inductive)) ?? (await checked(await invariants(bitVectors(graph.program))));
}

/** By cut point; one that is not there cannot be reached. */
type Invariants = ReadonlyMap<number, readonly Expr[]>;

/** Of the time that is left, for one attempt. */
const SHARE = 0.6;

const relation = (location: number): string => `at${location}`;

const cellsAt = ({ program }: BlockGraph, live: readonly CellSet[], location: number): Cell[] =>
  program.cells.filter((cell) => has(live[location]!, cell.id));

function clausesOf(
  graph: BlockGraph,
  live: readonly CellSet[],
  isTarget: (location: number) => boolean,
  numbers: Numbers,
): string | null {
  const { program } = graph;
  const lines: string[] = [];
  const points = program.locations.filter(({ id }) => graph.isCut[id]);
  for (const { id } of points) {
    const cells = cellsAt(graph, live, id);
    if (cells.length > MOST_CELLS) return null;
    const sorts = cells.map((cell) => printSort(numbers.sort(cell))).join(' ');
    lines.push(`(declare-fun ${relation(id)} (${sorts}) Bool)`);
    if (isTarget(id))
      lines.push(clause(cells.map(numbers.variable), [use(graph, live, id, numbers)], 'false'));
  }
  const first = cellsAt(graph, live, program.entry);
  const start = first.map((cell) => {
    const initial = program.initial.get(cell.id);
    return initial === undefined ? numbers.variable(cell) : numbers.term(initial, new Map())!;
  });
  lines.push(clause(first.map(numbers.variable), [], apply(program.entry, start)));
  for (const block of graph.blocks) {
    if (isTarget(block.from)) continue;
    const symbolic = new Symbolic(program, FRESH, false);
    symbolic.run(block.operations);
    if (symbolic.dead !== null) continue;
    const fresh = new Map<string, Term>();
    const guards = symbolic.constraints.flatMap(({ test }) => {
      const term = numbers.term(test, fresh);
      return term === null ? [] : [printTerm(term)];
    });
    const targets = cellsAt(graph, live, block.to).map((cell, i): Term => {
      const after = symbolic.env.get(cell.id);
      const term = after === undefined ? numbers.variable(cell) : numbers.term(after, fresh);
      if (term !== null) return term;
      const any = { ...numbers.variable(cell), name: `any${i}` };
      fresh.set(any.name, any);
      return any;
    });
    // Cells that the block reads need not be live where they are only used to find out that it cannot be taken.
    const before = cellsAt(graph, live, block.from);
    const read = new Set([...before, ...block.reads.map((id) => program.cells[id]!)]);
    for (const value of symbolic.env.values())
      for (const symbol of value.symbols) {
        const cell = program.cells[Number(symbol.value) - 1];
        if (cell !== undefined) read.add(cell);
      }
    for (const cell of cellsAt(graph, live, block.to)) if (!symbolic.env.has(cell.id)) read.add(cell);
    const variables = [...[...read].map(numbers.variable), ...fresh.values()];
    const body = [use(graph, live, block.from, numbers), ...guards];
    lines.push(clause(variables, body, apply(block.to, targets)));
  }
  return lines.join('\n');
}

const apply = (location: number, terms: readonly Term[]): string =>
  terms.length === 0 ? relation(location) : `(${relation(location)} ${terms.map(printTerm).join(' ')})`;

const use = (graph: BlockGraph, live: readonly CellSet[], location: number, numbers: Numbers): string =>
  apply(location, cellsAt(graph, live, location).map(numbers.variable));

function clause(variables: readonly Term[], body: readonly string[], head: string): string {
  const bound = [...new Map(variables.map((v) => [v.name, v])).values()]
    .map((v) => `(${printSymbol(v.name)} ${printSort(v.sort)})`)
    .join(' ');
  const condition = body.length === 0 ? 'true' : `(and true ${body.join(' ')})`;
  const inner = `(=> ${condition} ${head})`;
  return `(assert ${bound === '' ? inner : `(forall (${bound}) ${inner})`})`;
}

/** Relations that z3 puts into each other come back with quantifiers, and cannot be read. */
const OPTIONS = ['inline_eager', 'inline_linear', 'slice']
  .map((name) => `(set-option :fp.xform.${name} false)`)
  .join('\n');

async function solve(clauses: string, limit: number, { remaining }: Budget): Promise<Solution | null> {
  const solver = new Solver({ timeout: limit, logic: 'HORN', remaining });
  try {
    const output = await solver.run(
      `(set-option :timeout ${Math.floor(limit)})\n${OPTIONS}\n${clauses}\n(check-sat)\n(get-model)`,
    );
    if (output === null || !/^\s*sat\b/.test(output)) return null;
    const model = parseSexprs(output)[1];
    if (!Array.isArray(model)) return null;
    const definitions = new Map<string, readonly Sexpr[]>();
    for (const item of model as readonly Sexpr[])
      if (Array.isArray(item) && item[0] === 'define-fun') definitions.set(String(item[1]), item as Sexpr[]);
    return definitions;
  } finally {
    solver.dispose();
  }
}

function invariantsOf(
  graph: BlockGraph,
  live: readonly CellSet[],
  isTarget: (location: number) => boolean,
  numbers: Numbers,
  solution: Solution,
): Invariants | null {
  const { pool, locations } = graph.program;
  const result = new Map<number, readonly Expr[]>();
  for (const { id } of locations) {
    if (!graph.isCut[id]) continue;
    const definition = solution.get(relation(id));
    const cells = cellsAt(graph, live, id);
    const parameters = new Map<string, Cell>();
    ((definition?.[2] ?? []) as readonly Sexpr[]).forEach((parameter, i) => {
      parameters.set(String((parameter as readonly Sexpr[])[0]), cells[i]!);
    });
    const open = isTarget(id) ? pool.false : pool.true;
    const invariant = definition === undefined ? open : numbers.read(definition[4]!, parameters);
    if (invariant === null) return null;
    if (invariant !== pool.false) result.set(id, withEquations(pool, conjuncts(invariant)));
  }
  return result;
}

/** One abstract state for each cut point that is not excluded; null when a target can be reached from one of them. */
async function proofOf(
  graph: BlockGraph,
  invariants: Invariants,
  isTarget: (location: number) => boolean,
  oracle: Oracle,
): Promise<AbstractGraph | null> {
  const { program } = graph;
  const states: AbstractState[] = [];
  const number = new Map<number, number>();
  for (const [location, literals] of invariants) {
    if (isTarget(location)) continue;
    number.set(location, states.length);
    states.push({ location, values: new Map(), literals, key: String(location) });
  }
  const start = number.get(program.entry);
  if (start === undefined) return null;
  const steps: { from: number; edge: number; to: number[] }[] = [];
  for (const { from, to, edges, operations } of graph.blocks) {
    const [source, target] = [number.get(from), number.get(to)];
    if (source === undefined) continue;
    if (target !== undefined) {
      steps.push({ from: source, edge: edges.at(-1)!.id, to: [target] });
      continue;
    }
    const symbolic = new Symbolic(program, FRESH, false);
    symbolic.run(operations);
    const guards = symbolic.constraints.map(({ test }) => test);
    const possible =
      symbolic.dead === null &&
      (await oracle.satisfiable([...states[source]!.literals, ...guards])) !== 'unsat';
    if (possible) return null;
  }
  return { states, initial: [start], steps };
}

function conjuncts(test: Expr): Expr[] {
  if (test.op === 'conj') return test.args.flatMap(conjuncts);
  return test.op === 'const' ? [] : [test];
}

/** `a <= b` and `b <= a` are one equation. */
function withEquations(pool: Pool, tests: readonly Expr[]): Expr[] {
  const known = new Set(tests);
  return tests.flatMap((test) => {
    const [a, b] = test.args as [Expr, Expr];
    if (test.op !== 'sle' || !known.has(pool.compare('sle', b, a))) return [test];
    return a.id < b.id ? [pool.eq(a, b)] : [];
  });
}
