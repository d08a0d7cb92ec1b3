// Visits every expression and every written cell of a program: what the compiler must know before it lays out memory.

import type { Expression, LValue, ReceiveArgument } from '../process/expression.ts';
import type { DStepBody, Edge, Initialiser, Proctype, Program, Statement } from '../process/program.ts';

export interface Visitor {
  readonly expression?: (expression: Expression) => void;
  readonly statement?: (statement: Statement) => void;
  /** A cell that a statement may change. */
  readonly write?: (cell: LValue) => void;
}

export function walkProgram(program: Program, claim: Proctype | null, visitor: Visitor): void {
  for (const variable of program.variables) walkInitialiser(variable.initial, visitor);
  for (const proctype of program.proctypes) walkProctype(proctype, visitor);
  if (claim !== null) walkProctype(claim, visitor);
}

export function walkProctype(proctype: Proctype, visitor: Visitor): void {
  if (proctype.provided !== null) walkExpression(proctype.provided, visitor);
  for (const edge of proctype.edges) walkEdge(edge, visitor);
}

function walkInitialiser(initial: Initialiser | null, visitor: Visitor): void {
  if (initial === null || initial.kind === 'channel' || initial.kind === 'channel-field') return;
  const values = initial.kind === 'each' ? [initial.value] : initial.values;
  for (const value of values) walkExpression(value, visitor);
}

function walkEdge(edge: Edge, visitor: Visitor): void {
  walkStatement(edge.statement, visitor);
}

function walkBody(body: DStepBody, visitor: Visitor): void {
  for (const edge of body.edges) walkEdge(edge, visitor);
}

export function walkStatement(statement: Statement, visitor: Visitor): void {
  visitor.statement?.(statement);
  switch (statement.kind) {
    case 'condition':
    case 'assert':
      walkExpression(statement.expression, visitor);
      break;
    case 'assign':
      visitor.write?.(statement.target);
      walkCell(statement.target, visitor);
      walkExpression(statement.value, visitor);
      break;
    case 'send':
      walkCell(statement.channel, visitor);
      for (const argument of statement.args) walkExpression(argument, visitor);
      break;
    case 'receive':
      walkCell(statement.channel, visitor);
      for (const argument of statement.args) walkArgument(argument, visitor, true);
      break;
    case 'print':
      for (const argument of statement.args) walkExpression(argument, visitor);
      break;
    case 'dstep':
      walkBody(statement.body, visitor);
      break;
    default:
      break;
  }
}

function walkArgument(argument: ReceiveArgument, visitor: Visitor, stores: boolean): void {
  if (argument.kind === 'match') walkExpression(argument.value, visitor);
  if (argument.kind === 'store') {
    if (stores) visitor.write?.(argument.target);
    walkCell(argument.target, visitor);
  }
}

function walkCell(cell: LValue, visitor: Visitor): void {
  for (const step of cell.path) if (step.kind === 'index') walkExpression(step.index, visitor);
}

export function walkExpression(expression: Expression, visitor: Visitor): void {
  visitor.expression?.(expression);
  switch (expression.kind) {
    case 'read':
      walkCell(expression.cell, visitor);
      break;
    case 'unary':
      walkExpression(expression.operand, visitor);
      break;
    case 'binary':
      walkExpression(expression.left, visitor);
      walkExpression(expression.right, visitor);
      break;
    case 'conditional':
      walkExpression(expression.condition, visitor);
      walkExpression(expression.whenTrue, visitor);
      walkExpression(expression.whenFalse, visitor);
      break;
    case 'channel-query':
      walkCell(expression.channel, visitor);
      break;
    case 'poll':
      walkCell(expression.channel, visitor);
      for (const argument of expression.args) walkArgument(argument, visitor, false);
      break;
    case 'run':
      for (const argument of expression.args) walkExpression(argument, visitor);
      if (expression.priority !== null) walkExpression(expression.priority, visitor);
      break;
    case 'enabled':
    case 'pc_value':
    case 'get_priority':
      walkExpression(expression.process, visitor);
      break;
    case 'set_priority':
      walkExpression(expression.process, visitor);
      walkExpression(expression.priority, visitor);
      break;
    case 'remote-label':
      if (expression.process !== null) walkExpression(expression.process, visitor);
      break;
    case 'remote-read':
      if (expression.process !== null) walkExpression(expression.process, visitor);
      walkCell(expression.cell, visitor);
      break;
    default:
      break;
  }
}
