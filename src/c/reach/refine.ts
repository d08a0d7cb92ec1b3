// New precision from an infeasible path: cells to follow, from the data slice of a condition that folds to false; predicates, from the
// contradictory conditions pulled back along the path by weakest preconditions ([MAGIC] section 10 leaves this step to (COYC03);
// this is its classical form, on cores).

import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { expressionsOf } from '../program/expressions.ts';
import type { Cell, Edge, Operation, Program } from '../program/program.ts';
import { atomsOf, cellAt, replaceSymbols, sizeOfExpr } from '../program/substitute.ts';
import type { Precision } from './abstraction.ts';
import type { PathResult } from './path.ts';
import type { Symbolic } from './symbolic.ts';
import { FRESH } from './symbolic.ts';
import { templates } from './templates.ts';
import { Turns } from './turns.ts';
import { usedBy } from './uses.ts';

type Infeasible = Extract<PathResult, { kind: 'infeasible' }>;

const MAX_ATOM = 80;
const MAX_SYMBOLS = 8;
/** New predicates from one condition in one round, those next to it first: loops would give one for each turn. */
const MAX_NEW = 8;

export interface RefineOptions {
  /** Cells that are not followed by value again. */
  readonly banned: ReadonlySet<number>;
  readonly isCut: readonly boolean[];
  /** Also equations from the assignments on the path: relations that weakest preconditions only approach step by step. */
  readonly equations: boolean;
  /** Told of cells that flow into conditions together with inputs: their values may be without end. */
  readonly onOpen: (cell: number) => void;
}

/** Null when nothing new can be learned from the path. */
export function refine(
  program: Program,
  path: Infeasible,
  precision: Precision,
  options: RefineOptions,
): Precision | null {
  if (path.folded) {
    // Each step breaks the path alone: the one whose reason is cheapest to follow is taken.
    const reasons = path.core.map((step) => ({
      step,
      cost: costOf(program, sliceOf(program, path, step), precision),
    }));
    reasons.sort((a, b) => a.cost - b.cost || a.step - b.step);
    for (const { step } of reasons.slice(0, 8)) {
      const finer = fromSteps(program, path, [step], precision, options);
      if (finer !== null) return finer;
    }
  } else {
    const finer = fromSteps(program, path, path.core, precision, options);
    if (finer !== null) return finer;
  }
  return fromTemplates(program, path, precision) ?? fromEverything(program, path, precision, options);
}

/** Simple bounds and equalities over what the contradictory conditions depend on. */
function fromTemplates(program: Program, path: Infeasible, precision: Precision): Precision | null {
  const cells = new Set<number>();
  for (const step of path.core) for (const cell of sliceOf(program, path, step).cells) cells.add(cell);
  const tests = path.core.map((step) => testOf(path.edges[step]!.operation));
  return extend(precision, [], templates(program, cells, tests, new Set(precision.predicates)));
}

function fromSteps(
  program: Program,
  path: Infeasible,
  steps: readonly number[],
  precision: Precision,
  options: RefineOptions,
): Precision | null {
  const { banned, isCut } = options;
  const known = new Set(precision.predicates);
  const cells = new Set<number>();
  const atoms = new Set<Expr>();
  for (const step of steps) {
    const slice = sliceOf(program, path, step);
    for (const cell of slice.cells) if (!banned.has(cell)) cells.add(cell);
    if (slice.open) for (const cell of slice.cells) options.onOpen(cell);
    if (options.equations) for (const atom of slice.equations) atoms.add(atom);
    if (!path.folded || slice.open || [...slice.cells].some((cell) => banned.has(cell)))
      for (const atom of pulledBack(program, path, step, isCut, known)) atoms.add(atom);
  }
  return extend(
    precision,
    path.folded || atoms.size === 0 ? cells : constantCells(program, path, cells),
    atoms,
  );
}

/** Everything the path's conditions depend on. */
function fromEverything(
  program: Program,
  path: Infeasible,
  precision: Precision,
  { banned, isCut }: RefineOptions,
): Precision | null {
  const known = new Set(precision.predicates);
  const cells = new Set<number>();
  const atoms = new Set<Expr>();
  const last = path.core[path.core.length - 1]!;
  for (let step = Math.max(0, last - 400); step <= last; step++) {
    if (!isTest(path.edges[step]!.operation)) continue;
    for (const cell of sliceOf(program, path, step).cells) if (!banned.has(cell)) cells.add(cell);
    for (const atom of pulledBack(program, path, step, isCut, known)) atoms.add(atom);
  }
  return extend(precision, cells, atoms);
}

/** How dear it is to follow a slice: computed values take many values, flags only a few. */
function costOf(program: Program, slice: Slice, precision: Precision): number {
  let cost = slice.open ? 50 : 0;
  const computed = computedCells(program);
  for (const cell of slice.cells) if (!precision.tracked.has(cell)) cost += computed.has(cell) ? 20 : 1;
  return cost;
}

const computedCache = new WeakMap<Program, Set<number>>();

/** Cells that some assignment computes from others (not a constant, not a copy). */
function computedCells(program: Program): Set<number> {
  let computed = computedCache.get(program);
  if (computed === undefined) {
    computed = new Set();
    for (const { operation } of program.edges) {
      const value = operation.kind === 'assign' || operation.kind === 'store' ? operation.value : null;
      if (value === null || isPlain(value)) continue;
      if (operation.kind === 'assign') computed.add(operation.cell.id);
      if (operation.kind === 'store') for (const cell of operation.site.cells) computed.add(cell.id);
    }
    computedCache.set(program, computed);
  }
  return computed;
}

const isPlain = (value: Expr): boolean =>
  value.op === 'const' ||
  value.op === 'symbol' ||
  value.op === 'load' ||
  value.width === 0 ||
  (value.op === 'ite' && isPlain(value.args[1]!) && isPlain(value.args[2]!)) ||
  ((value.op === 'zext' || value.op === 'sext' || value.op === 'trunc') && isPlain(value.args[0]!));

const isTest = (operation: Operation): boolean => operation.kind === 'assume' || operation.kind === 'defined';

function extend(precision: Precision, cells: Iterable<number>, atoms: Iterable<Expr>): Precision | null {
  const tracked = new Set(precision.tracked);
  for (const cell of cells) tracked.add(cell);
  const predicates = [...precision.predicates];
  for (const atom of atoms) if (!predicates.includes(atom)) predicates.push(atom);
  if (tracked.size === precision.tracked.size && predicates.length === precision.predicates.length)
    return null;
  return { tracked, predicates };
}

/** Of the cells in a slice, those that hold a constant somewhere on the path: worth following besides predicates. */
function constantCells(program: Program, path: Infeasible, cells: ReadonlySet<number>): Set<number> {
  const constant = new Set<number>();
  for (const cell of cells) if (program.initial.has(cell)) constant.add(cell);
  for (const { operation } of path.edges)
    if (operation.kind === 'assign' && operation.value.op === 'const' && cells.has(operation.cell.id))
      constant.add(operation.cell.id);
  return constant;
}

interface Slice {
  /** Cells whose values flow into the condition. */
  readonly cells: Set<number>;
  /** An input or unknown value flows into it too. */
  readonly open: boolean;
  readonly equations: readonly Expr[];
}

function sliceOf(program: Program, path: Infeasible, step: number): Slice {
  const relevant = new Set<number>();
  const cells = new Set<number>();
  const equations: Expr[] = [];
  let open = false;
  const need = (expr: Expr, at: number) => {
    for (const cell of readsOf(program, path.symbolic, expr, at)) {
      relevant.add(cell);
      cells.add(cell);
    }
  };
  need(testOf(path.edges[step]!.operation), step);
  const last = path.edges[step]!.operation;
  if (last.kind === 'store' || last.kind === 'assign')
    for (const expr of expressionsOf(last)) need(expr, step);
  for (let i = step - 1; i >= 0; i--) {
    const { operation } = path.edges[i]!;
    const written = writtenBy(operation, path.symbolic, i);
    if (!written.some((cell) => relevant.has(cell.id))) {
      // A store that could have meant a relevant cell: that it did not is part of the reason.
      if (operation.kind === 'store' && couldWrite(operation, relevant)) need(operation.address, i);
      continue;
    }
    if (operation.kind === 'input' || operation.kind === 'havoc') open = true;
    if (operation.kind !== 'store' || written.length === 1)
      for (const cell of written) relevant.delete(cell.id);
    for (const expr of expressionsOf(operation)) need(expr, i);
    const equation = equationOf(program, operation);
    if (equation !== null) equations.push(equation);
  }
  for (const cell of relevant) if (!program.initial.has(cell)) open = true;
  return { cells, open, equations };
}

/** After `c = e` they are equal, as long as neither changes. */
function equationOf({ pool }: Program, operation: Operation): Expr | null {
  if (operation.kind !== 'assign' || operation.value.symbols.length === 0 || operation.value.hasLoad)
    return null;
  const left = pool.symbol(operation.cell.id, operation.cell.width);
  if (operation.value.symbols.includes(left) || sizeOfExpr(operation.value, 12) > 12) return null;
  const [atom] = atomsOf(pool, pool.eq(left, operation.value));
  return atom ?? null;
}

const couldWrite = (
  { site }: Extract<Operation, { kind: 'store' }>,
  relevant: ReadonlySet<number>,
): boolean =>
  site.cells.some((cell) => relevant.has(cell.id)) || site.blurred.some((cell) => relevant.has(cell.id));

function testOf(operation: Operation): Expr {
  if (operation.kind === 'assume' || operation.kind === 'defined') return operation.test;
  if (operation.kind === 'store') return operation.address;
  if (operation.kind === 'assign') return operation.value;
  throw new Error('impossible: an operation without a condition has broken a path');
}

function writtenBy(operation: Operation, symbolic: Symbolic, step: number): readonly Cell[] {
  if (operation.kind === 'assign' || operation.kind === 'input') return [operation.cell];
  if (operation.kind === 'havoc') return operation.cells;
  if (operation.kind !== 'store') return [];
  const exact = symbolic.resolved.get(`${step}:store`);
  return exact === undefined ? [...operation.site.cells, ...operation.site.blurred] : [exact];
}

/** Cells an expression reads at a step of the path; loads count as the cell that they meant there. */
function readsOf(program: Program, symbolic: Symbolic, expr: Expr, step: number): Set<number> {
  if (!expr.hasLoad) return usedBy(program, expr);
  const cells = new Set<number>();
  // Parts that are shared are looked at once.
  const seen = new Set<Expr>();
  const walk = (node: Expr) => {
    if (seen.has(node)) return;
    seen.add(node);
    if (node.op === 'symbol') cells.add(symbolNumber(node));
    if (node.op === 'load') {
      const site = program.sites[Number(node.value) - 1]!;
      const exact = symbolic.resolved.get(`${step}:${site.id}`);
      for (const cell of exact === undefined ? site.cells : [exact]) cells.add(cell.id);
    }
    for (const arg of node.args) walk(arg);
  };
  walk(expr);
  return cells;
}

/** The condition of a step, as it reads at each cut point before it. */
function pulledBack(
  program: Program,
  path: Infeasible,
  step: number,
  isCut: readonly boolean[],
  known: ReadonlySet<Expr>,
): Set<Expr> {
  const { pool } = program;
  const atoms = new Set<Expr>();
  const turns = new Turns(known);
  const collect = (expr: Expr) => {
    for (const atom of atomsOf(pool, expr))
      if (
        !turns.tooMany(atom) &&
        !known.has(atom) &&
        !atom.hasLoad &&
        atom.symbols.length <= MAX_SYMBOLS &&
        atom.symbols.every((s) => symbolNumber(s) < FRESH) &&
        sizeOfExpr(atom, MAX_ATOM) <= MAX_ATOM
      ) {
        atoms.add(atom);
        turns.count(atom);
      }
  };
  const last = path.edges[step]!.operation;
  if (!isTest(last)) return atoms;
  let current = withoutLoads(program, path.symbolic, testOf(last), step);
  if (isCut[path.edges[step]!.from]) collect(current);
  for (let i = step - 1; i >= 0 && current.op !== 'const' && atoms.size < MAX_NEW; i--) {
    const edge: Edge = path.edges[i]!;
    current = before(program, path.symbolic, edge.operation, current, i);
    if (current.symbols.some((symbol) => symbolNumber(symbol) >= FRESH)) break;
    if (isCut[edge.from]) collect(current);
  }
  return atoms;
}

/** The weakest precondition of a test under one operation of the path; cells that get unknown values become fresh symbols. */
function before(program: Program, symbolic: Symbolic, operation: Operation, test: Expr, step: number): Expr {
  const { pool } = program;
  if (operation.kind === 'assign') {
    const value = withoutLoads(program, symbolic, operation.value, step);
    return replaceSymbols(pool, test, (s) => (symbolNumber(s) === operation.cell.id ? value : undefined));
  }
  if (operation.kind === 'input' || operation.kind === 'havoc') {
    const changed = new Set(
      operation.kind === 'input' ? [operation.cell.id] : operation.cells.map((cell) => cell.id),
    );
    return replaceSymbols(pool, test, (s) =>
      changed.has(symbolNumber(s)) ? pool.symbol(FRESH + step, s.width) : undefined,
    );
  }
  if (operation.kind !== 'store') return test;
  const exact = symbolic.resolved.get(`${step}:store`);
  const address = withoutLoads(program, symbolic, operation.address, step);
  const value = withoutLoads(program, symbolic, operation.value, step);
  return replaceSymbols(pool, test, (s) => {
    const cell = program.cells[symbolNumber(s)];
    if (cell === undefined) return undefined;
    if (exact !== undefined) return exact === cell ? value : undefined;
    if (operation.site.blurred.includes(cell)) return pool.symbol(FRESH + step, s.width);
    if (!operation.site.cells.includes(cell)) return undefined;
    return pool.ite(pool.eq(address, pool.const(cell.address, 64)), value, s);
  });
}

/** Loads as the cells they meant on the path, or as a choice between the cells they can mean. */
function withoutLoads(program: Program, symbolic: Symbolic, expr: Expr, step: number): Expr {
  if (!expr.hasLoad) return expr;
  const { pool } = program;
  // Parts that are shared are rewritten once.
  const known = new Map<Expr, Expr>();
  const walk = (node: Expr): Expr => {
    if (!node.hasLoad) return node;
    let result = known.get(node);
    if (result === undefined) known.set(node, (result = rewritten(node)));
    return result;
  };
  const rewritten = (node: Expr): Expr => {
    const args = node.args.map(walk);
    if (node.op !== 'load') return pool.rebuild(node, args);
    const site = program.sites[Number(node.value) - 1]!;
    const exact = symbolic.resolved.get(`${step}:${site.id}`);
    if (exact !== undefined) return pool.symbol(exact.id, exact.width);
    return cellAt(pool, args[0]!, site.cells, pool.symbol(FRESH + step, node.width));
  };
  return walk(expr);
}
