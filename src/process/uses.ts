// Which variables a statement reads and writes. Purely syntactic; arrays count as a whole.

import type { Expression, LValue } from './expression.ts';
import type { Statement, VariableId } from './program.ts';
import { containsExpression, indicesOf, partsOf, partsOfStatement, walkExpression } from './walk.ts';

export interface Uses {
  readonly reads: Set<VariableId>;
  /** Every variable it may change. */
  readonly writes: Set<VariableId>;
  /** Scalars it certainly overwrites before reading anything else from them. */
  readonly kills: Set<VariableId>;
}

export function usesOf(statement: Statement): Uses {
  const uses: Uses = { reads: new Set(), writes: new Set(), kills: new Set() };
  collect(statement, uses);
  for (const variable of uses.reads) uses.kills.delete(variable);
  return uses;
}

function collect(statement: Statement, uses: Uses): void {
  const { expressions = [], cells = [], writes = [], edges = [] } = partsOfStatement(statement);
  for (const expression of expressions) readsOf(expression, uses.reads);
  for (const cell of cells) readCell(cell, uses.reads);
  for (const cell of writes) write(cell, uses);
  for (const edge of edges) collect(edge.statement, uses);
  // Not every edge of the body is taken.
  if (edges.length > 1) uses.kills.clear();
}

function write(target: LValue, uses: Uses): void {
  uses.writes.add(target.variable);
  if (target.path.length === 0) uses.kills.add(target.variable);
  addIndices(target, uses.reads);
}

function addIndices(cell: LValue, reads: Set<VariableId>): void {
  for (const index of indicesOf(cell)) readsOf(index, reads);
}

function readCell(cell: LValue, reads: Set<VariableId>): void {
  reads.add(cell.variable);
  addIndices(cell, reads);
}

/** Adds the variables an expression reads (of this process and global ones). */
export function readsOf(expression: Expression, reads: Set<VariableId>): void {
  forEachPart(expression, (part) => {
    // What another process holds is none of these.
    if (part.kind === 'remote-read') addIndices(part.cell, reads);
    else for (const cell of partsOf(part).cells ?? []) readCell(cell, reads);
  });
}

/** The variables in a cell's indices. */
export function indexReads(cell: LValue): Set<VariableId> {
  const reads = new Set<VariableId>();
  addIndices(cell, reads);
  return reads;
}

/** The variables that decide where a cell lies, and the variable itself. */
export function readsOfCell(cell: LValue): Set<VariableId> {
  const reads = new Set<VariableId>();
  readCell(cell, reads);
  return reads;
}

const starting = new WeakMap<Expression, boolean>();

/** Asked at every step of every way: remembered. */
export function hasRun(expression: Expression): boolean {
  let found = starting.get(expression);
  if (found === undefined) {
    found = containsExpression(expression, ({ kind }) => kind === 'run' || kind === 'set_priority');
    starting.set(expression, found);
  }
  return found;
}

/** Is a printed argument more than text: can looking at it start a process or be an error? What is only read and computed with cannot. */
export const isMoreThanText = (expression: Expression): boolean =>
  containsExpression(
    expression,
    (part) =>
      !HARMLESS.has(part.kind) ||
      (part.kind === 'binary' && (part.operator === '/' || part.operator === '%')) ||
      (part.kind === 'read' && part.cell.path.some(mayLieOutside)),
  );

const HARMLESS: ReadonlySet<Expression['kind']> = new Set([
  ...(['constant', 'read', 'unary', 'binary', 'conditional', 'timeout'] as const),
  ...(['np_', '_pid', '_nr_pr', '_last', '_priority'] as const),
]);

/** May the index be outside of the array? */
export const mayLieOutside = (step: LValue['path'][number]): boolean =>
  step.kind === 'index' &&
  (step.index.kind !== 'constant' || step.index.value < 0 || step.index.value >= step.length);

/** Visits the expression and its sub-expressions (not those inside cells: see readsOfCell). */
export function forEachPart(expression: Expression, visit: (part: Expression) => void): void {
  visit(expression);
  for (const part of partsOf(expression).expressions ?? []) forEachPart(part, visit);
}

/** The same, with the indices inside cells. */
export const forEachPartAndIndex = (expression: Expression, visit: (part: Expression) => void): void =>
  walkExpression(expression, { expression: visit });
