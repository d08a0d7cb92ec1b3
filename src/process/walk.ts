// The one walk over the IR. `partsOf` says what an expression or a statement is made of, by a switch without a default: a new kind is a type
// error here, and reaches every analysis from here. Nobody else descends by hand, unless what a part means depends on where it stands.

import { impossible } from '../base/result.ts';
import type { Expression, LValue, ReceiveArgument } from './expression.ts';
import type { Edge, Initialiser, Proctype, Program, Statement } from './program.ts';

/** What stands directly inside: expressions, cells that are read (or asked about), cells that are written, statements of a d_step. */
export interface Parts {
  readonly expressions?: readonly Expression[];
  readonly cells?: readonly LValue[];
  readonly writes?: readonly LValue[];
  readonly edges?: readonly Edge[];
}

const NONE: Parts = {};

export function partsOf(expression: Expression): Parts {
  switch (expression.kind) {
    case 'constant':
    case 'timeout':
    case 'np_':
    case '_pid':
    case '_nr_pr':
    case '_last':
    case '_priority':
    case 'opaque':
      return NONE;
    case 'read':
      return { cells: [expression.cell] };
    case 'unary':
      return { expressions: [expression.operand] };
    case 'binary':
      return { expressions: [expression.left, expression.right] };
    case 'conditional':
      return { expressions: [expression.condition, expression.whenTrue, expression.whenFalse] };
    case 'channel-query':
      return { cells: [expression.channel] };
    case 'poll':
      // A variable in a poll matches anything: it is neither read nor written, only its index is looked at.
      return {
        cells: [expression.channel],
        expressions: [...matchesOf(expression.args), ...storesOf(expression.args).flatMap(indicesOf)],
      };
    case 'run':
      return { expressions: [...expression.args, ...given(expression.priority)] };
    case 'enabled':
    case 'pc_value':
    case 'get_priority':
      return { expressions: [expression.process] };
    case 'set_priority':
      return { expressions: [expression.process, expression.priority] };
    case 'remote-label':
      return { expressions: given(expression.process) };
    case 'remote-read':
      return { expressions: given(expression.process), cells: [expression.cell] };
    default:
      return impossible(expression, 'every expression has its parts');
  }
}

export function partsOfStatement(statement: Statement): Parts {
  switch (statement.kind) {
    case 'condition':
    case 'assert':
      return { expressions: [statement.expression] };
    case 'assign':
      return { expressions: [statement.value], writes: [statement.target] };
    case 'send':
      return { cells: [statement.channel], expressions: statement.args };
    case 'receive':
      return {
        cells: [statement.channel],
        expressions: matchesOf(statement.args),
        writes: storesOf(statement.args),
      };
    case 'print':
      return { expressions: statement.args };
    case 'dstep':
      return { edges: statement.body.edges };
    case 'else':
    case 'opaque':
    case 'end':
      return NONE;
    default:
      return impossible(statement, 'every statement has its parts');
  }
}

const given = <T>(value: T | null): readonly T[] => (value === null ? [] : [value]);
const matchesOf = (args: readonly ReceiveArgument[]): readonly Expression[] =>
  args.flatMap((argument) => (argument.kind === 'match' ? [argument.value] : []));
const storesOf = (args: readonly ReceiveArgument[]): readonly LValue[] =>
  args.flatMap((argument) => (argument.kind === 'store' ? [argument.target] : []));

/** The expressions that say which element the cell is. */
export const indicesOf = ({ path }: LValue): readonly Expression[] =>
  path.flatMap((step) => (step.kind === 'index' ? [step.index] : []));

export interface Visitor {
  /** Every expression, also inside others and inside indices; the outer one first. */
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

function walkProctype(proctype: Proctype, visitor: Visitor): void {
  if (proctype.provided !== null) walkExpression(proctype.provided, visitor);
  for (const edge of proctype.edges) walkStatement(edge.statement, visitor);
}

export function walkInitialiser(initial: Initialiser | null, visitor: Visitor): void {
  if (initial === null || initial.kind === 'channel' || initial.kind === 'channel-field') return;
  const values = initial.kind === 'each' ? [initial.value] : initial.values;
  for (const value of values) walkExpression(value, visitor);
}

export function walkStatement(statement: Statement, visitor: Visitor): void {
  visitor.statement?.(statement);
  walkParts(partsOfStatement(statement), visitor);
}

export function walkExpression(expression: Expression, visitor: Visitor): void {
  visitor.expression?.(expression);
  walkParts(partsOf(expression), visitor);
}

function walkParts({ expressions = [], cells = [], writes = [], edges = [] }: Parts, visitor: Visitor): void {
  for (const cell of writes) visitor.write?.(cell);
  for (const cell of [...writes, ...cells])
    for (const index of indicesOf(cell)) walkExpression(index, visitor);
  for (const inner of expressions) walkExpression(inner, visitor);
  for (const edge of edges) walkStatement(edge.statement, visitor);
}

/** Is there such an expression anywhere inside, indices included? */
export function containsExpression(root: Expression, test: (part: Expression) => boolean): boolean {
  let found = false;
  const expression = (part: Expression): void => {
    found ||= test(part);
  };
  walkExpression(root, { expression });
  return found;
}

/** … in a statement? */
export function mentions(root: Statement, test: (part: Expression) => boolean): boolean {
  let found = false;
  const expression = (part: Expression): void => {
    found ||= test(part);
  };
  walkStatement(root, { expression });
  return found;
}
