// Which variables a statement reads and writes. Purely syntactic; arrays count as a whole.

import type { Expression, LValue, ReceiveArgument } from '../process/expression.ts';
import type { Statement, VariableId } from '../process/program.ts';

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
  switch (statement.kind) {
    case 'condition':
    case 'assert':
      readsOf(statement.expression, uses.reads);
      return;
    case 'assign':
      readsOf(statement.value, uses.reads);
      write(statement.target, uses);
      return;
    case 'send':
      readCell(statement.channel, uses.reads);
      for (const arg of statement.args) readsOf(arg, uses.reads);
      return;
    case 'receive':
      readCell(statement.channel, uses.reads);
      for (const arg of statement.args) receiveArgument(arg, uses);
      return;
    case 'print':
      for (const arg of statement.args) readsOf(arg, uses.reads);
      return;
    case 'dstep':
      for (const edge of statement.body.edges) collect(edge.statement, uses);
      // Not every edge of the body is taken.
      if (statement.body.edges.length > 1) uses.kills.clear();
      return;
    case 'else':
    case 'opaque':
    case 'end':
      return;
  }
}

function receiveArgument(arg: ReceiveArgument, uses: Uses): void {
  if (arg.kind === 'match') readsOf(arg.value, uses.reads);
  if (arg.kind === 'store') write(arg.target, uses);
}

function write(target: LValue, uses: Uses): void {
  uses.writes.add(target.variable);
  if (target.path.length === 0) uses.kills.add(target.variable);
  indicesOf(target, uses.reads);
}

function indicesOf(cell: LValue, reads: Set<VariableId>): void {
  for (const step of cell.path) if (step.kind === 'index') readsOf(step.index, reads);
}

function readCell(cell: LValue, reads: Set<VariableId>): void {
  reads.add(cell.variable);
  indicesOf(cell, reads);
}

/** Adds the variables an expression reads (of this process and global ones). */
export function readsOf(expression: Expression, reads: Set<VariableId>): void {
  forEachPart(expression, (part) => {
    if (part.kind === 'read') readCell(part.cell, reads);
    else if (part.kind === 'channel-query') readCell(part.channel, reads);
    else if (part.kind === 'poll') {
      readCell(part.channel, reads);
      for (const arg of part.args) if (arg.kind === 'match') readsOf(arg.value, reads);
    }
  });
}

/** The variables in a cell's indices. */
export function indexReads(cell: LValue): Set<VariableId> {
  const reads = new Set<VariableId>();
  indicesOf(cell, reads);
  return reads;
}

/** The variables that decide where a cell lies, and the variable itself. */
export function readsOfCell(cell: LValue): Set<VariableId> {
  const reads = new Set<VariableId>();
  readCell(cell, reads);
  return reads;
}

export function hasRun(expression: Expression): boolean {
  let found = false;
  forEachPartAndIndex(expression, (part) => {
    found ||= part.kind === 'run' || part.kind === 'set_priority';
  });
  return found;
}

/** Visits the expression and its sub-expressions (not those inside cells: see readsOfCell). */
export function forEachPart(expression: Expression, visit: (part: Expression) => void): void {
  visit(expression);
  const inner = (part: Expression): void => forEachPart(part, visit);
  switch (expression.kind) {
    case 'unary':
      inner(expression.operand);
      return;
    case 'binary':
      inner(expression.left);
      inner(expression.right);
      return;
    case 'conditional':
      inner(expression.condition);
      inner(expression.whenTrue);
      inner(expression.whenFalse);
      return;
    case 'run':
      for (const arg of expression.args) inner(arg);
      if (expression.priority !== null) inner(expression.priority);
      return;
    case 'enabled':
    case 'pc_value':
    case 'get_priority':
      inner(expression.process);
      return;
    case 'set_priority':
      inner(expression.process);
      inner(expression.priority);
      return;
    case 'remote-label':
    case 'remote-read':
      if (expression.process !== null) inner(expression.process);
      return;
    default:
      return;
  }
}

/** The same, with the indices inside cells. */
export function forEachPartAndIndex(expression: Expression, visit: (part: Expression) => void): void {
  const inCell = (cell: LValue): void => {
    for (const step of cell.path) if (step.kind === 'index') forEachPartAndIndex(step.index, visit);
  };
  forEachPart(expression, (part) => {
    visit(part);
    if (part.kind === 'read' || part.kind === 'remote-read') inCell(part.cell);
    if (part.kind === 'channel-query' || part.kind === 'poll') inCell(part.channel);
  });
}
