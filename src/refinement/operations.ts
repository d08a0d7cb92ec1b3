// What a transition does to variables and channels, as a list of operations in order: tests, assignments, sends, receives.
//
// Soundness duty: a test in the list really held when the transition was taken; every variable the transition may change has an
// assignment here (with no value where the new one is not an expression over the old values).

import type { NetTransition } from '../net/net.ts';
import type { Expression, LValue } from '../process/expression.ts';
import type { Edge, Proctype, Program, Receive, Send, Statement, VariableId } from '../process/program.ts';
import { containsExpression } from '../process/walk.ts';
import type { Interval } from './intervals.ts';

export type Operation =
  /** The expression had this truth value. */
  | { readonly kind: 'test'; readonly expression: Expression; readonly truth: boolean; readonly edge: Edge }
  /** `value` null: some value or other. `whole` false: only an element or a field of it. */
  | {
      readonly kind: 'assign';
      readonly variable: VariableId;
      readonly value: Expression | null;
      readonly whole: boolean;
      /** The very cell, and what is stored there; null: some value or other. */
      readonly target: LValue;
      readonly stored: Expression | null;
      /** Of a receive: the field of the message that is stored; and the values it can have, where they are known. */
      readonly field: number | null;
      readonly range?: Interval;
      readonly edge: Edge;
    }
  | { readonly kind: 'send'; readonly statement: Send; readonly edge: Edge }
  | { readonly kind: 'receive'; readonly statement: Receive; readonly edge: Edge };

/** Null when the transition does something that cannot be seen through. */
export function operationsOf(
  program: Program,
  proctype: number,
  transition: NetTransition,
): Operation[] | null {
  const process = program.proctypes[proctype]!;
  const operations: Operation[] = [];
  for (const id of transition.origin) {
    const edge = process.edges[id];
    if (edge === undefined || !edgeOperations(process, edge, operations)) return null;
  }
  return operations;
}

function edgeOperations(process: Proctype, edge: Edge, into: Operation[]): boolean {
  const { statement } = edge;
  switch (statement.kind) {
    case 'condition':
      if (!hasSideEffect(statement.expression))
        into.push({ kind: 'test', expression: statement.expression, truth: true, edge });
      return true;
    case 'else':
      // SPIN looks at the edges before the `else` only; choices merged into one location may have others behind it.
      for (const sibling of process.locations[edge.from]!.edges) {
        if (sibling === edge.id) break;
        const other = process.edges[sibling]!.statement;
        if (other.kind === 'condition' && !hasSideEffect(other.expression))
          into.push({ kind: 'test', expression: other.expression, truth: false, edge });
      }
      return true;
    case 'assign':
      into.push(assignment(statement.target, hasSideEffect(statement.value) ? null : statement.value, edge));
      return true;
    case 'send':
      into.push({ kind: 'send', statement, edge });
      return true;
    case 'receive':
      into.push({ kind: 'receive', statement, edge });
      for (const [field, argument] of statement.args.entries())
        if (argument.kind === 'store') into.push(assignment(argument.target, null, edge, field));
      return true;
    case 'dstep':
      return statement.body.edges.every((inner) => dstepOperations(inner.statement, edge, into));
    case 'opaque':
      return false;
    default:
      return true;
  }
}

/** Which way a d_step takes is not told here: what it may assign counts, its tests do not. */
function dstepOperations(statement: Statement, edge: Edge, into: Operation[]): boolean {
  if (statement.kind === 'assign') into.push(assignment(statement.target, null, edge));
  if (statement.kind === 'receive')
    for (const argument of statement.args)
      if (argument.kind === 'store') into.push(assignment(argument.target, null, edge));
  if (statement.kind === 'dstep')
    return statement.body.edges.every((inner) => dstepOperations(inner.statement, edge, into));
  return statement.kind !== 'opaque';
}

const assignment = (
  target: LValue,
  value: Expression | null,
  edge: Edge,
  field: number | null = null,
): Operation => ({
  kind: 'assign',
  variable: target.variable,
  value: target.path.length === 0 ? value : null,
  whole: target.path.length === 0,
  target,
  stored: value,
  field,
  edge,
});

/** `run` and `set_priority` inside an expression: its value is not a function of the variables. */
const hasSideEffect = (expression: Expression): boolean =>
  containsExpression(expression, ({ kind }) => kind === 'run' || kind === 'set_priority');
