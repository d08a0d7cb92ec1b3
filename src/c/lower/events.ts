// Calls that a .spec declares: events, whose arguments become part of their names, and routines given as processes.

import type { Expr } from '../program/expr.ts';
import type { Cell } from '../program/program.ts';
import type { CType, IntType } from '../program/types.ts';
import { isScalar, widthOf } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { nothing } from './call-values.ts';
import type { EventCall, Routine, RoutineProcess } from './calls-of-spec.ts';
import type { Context } from './context.ts';
import type { Value } from './places.ts';

type CallNode = Extract<Expression, { kind: 'call' }>;

/** As the .lks notation writes indices: `take[1][2]`. */
const eventName = (event: string, values: readonly bigint[]): string =>
  event + values.map((value) => `[${value}]`).join('');

/** What a location says where a call cannot be followed. */
export const outsideRange = (event: string): string =>
  `the event '${event}' is called with an argument outside its declared values`;

/** The argument is this value; no argument is one that its type does not hold. */
const isValue = ({ pool }: Context, { type, expr }: Value, value: bigint): Expr =>
  type.kind === 'int' && value !== asValueOf(type, value)
    ? pool.false
    : pool.eq(expr, pool.const(value, expr.width));

const asValueOf = ({ width, signed }: IntType, value: bigint): bigint =>
  signed ? BigInt.asIntN(width, value) : BigInt.asUintN(width, value);

/** One branch for each combination of argument values; a value outside the declared ones is not modelled. */
export function eventCall(
  context: Context,
  node: CallNode,
  { event, arguments: ranges }: EventCall,
  values: readonly Value[],
  result: CType,
): Value {
  const { pool } = context;
  const join = context.location(node.span);
  const expand = (i: number, chosen: readonly bigint[]): void => {
    if (context.here === null) return;
    const range = ranges[i];
    const arg = values[i];
    if (i >= ranges.length || arg === undefined) {
      context.emit({ kind: 'event', name: eventName(event, chosen) }, node.span, {
        name: event,
        result: null,
      });
      context.jump(join, node.span);
      return;
    }
    if (range === null || range === undefined) {
      expand(i + 1, chosen);
      return;
    }
    const start = context.here;
    let none = pool.true;
    for (const value of range) {
      const test = isValue(context, arg, value);
      none = pool.and(none, pool.not(test));
      if (test === pool.false) continue;
      context.here = start;
      if (test !== pool.true)
        context.emit({ kind: 'assume', test, branch: `[argument ${i + 1} == ${value}]` }, node.span);
      expand(i + 1, [...chosen, value]);
    }
    if (none === pool.false) return;
    context.here = start;
    context.emit({ kind: 'assume', test: none, branch: `[argument ${i + 1} is another value]` }, node.span);
    context.stop('cut', outsideRange(event), node.span);
  };
  expand(0, []);
  context.here = join;
  if (!isScalar(result)) return nothing(context);
  return {
    type: result,
    expr: context.unknown(node, result, `the event '${event}' returns a value nobody declares`, node.span),
  };
}

/** The routine's process, copied into the graph: each of its states is a location. */
export function routineCall(
  context: Context,
  node: CallNode,
  routine: Routine,
  values: readonly Value[],
  result: CType,
): Value {
  const { pool } = context;
  const join = context.location(node.span);
  const cell = isScalar(result) ? context.temporary(node, result, 'result') : null;
  const start = context.here;
  let none = pool.true;
  for (const { values: wanted, process } of routine) {
    const test = wanted.reduce((all, value, i) => {
      const arg = values[i];
      return arg === undefined ? all : pool.and(all, isValue(context, arg, value));
    }, pool.true);
    none = pool.and(none, pool.not(test));
    context.here = start;
    if (test === pool.false) continue;
    if (test !== pool.true)
      context.emit({ kind: 'assume', test, branch: `[arguments ${wanted.join(', ')}]` }, node.span);
    copyProcess(context, node, process, cell, join);
  }
  context.here = none === pool.false ? null : start;
  if (none !== pool.false) {
    context.emit({ kind: 'assume', test: none, branch: '[other arguments]' }, node.span);
    context.stop(
      'cut',
      'a procedure is called with arguments that the specification does not have',
      node.span,
    );
  }
  context.here = join;
  return cell === null ? nothing(context) : { type: result, expr: pool.symbol(cell.id, widthOf(cell.type)) };
}

function copyProcess(
  context: Context,
  node: CallNode,
  process: RoutineProcess,
  cell: Cell | null,
  join: number,
): void {
  const locations = process.states.map(() => context.location(node.span));
  const start = context.here;
  if (start !== null)
    for (const state of process.initial) context.edge(start, locations[state]!, { kind: 'skip' }, node.span);
  process.states.forEach((state, i) => {
    if (state.steps.length + state.returns.length === 0)
      context.locations[locations[i]!]!.waitsForNothing = true;
    for (const { event, to } of state.steps)
      context.edge(locations[i]!, locations[to]!, { kind: 'event', name: event }, node.span);
    for (const returned of state.returns) {
      context.here = locations[i]!;
      if (cell !== null)
        context.emit(
          returned === 'any'
            ? { kind: 'input', cell, source: process.name }
            : { kind: 'assign', cell, value: context.pool.const(returned, cell.width) },
          node.span,
        );
      context.emit({ kind: 'skip' }, node.span, { name: process.name, result: cell });
      context.jump(join, node.span);
    }
  });
}
