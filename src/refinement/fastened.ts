// Conditions on what was received ([CycleDeps] section 5): a cycle receives a message and tests later, on a way that is always
// taken in one piece, what it stored.
//
// The fastened cycles property: every cycle that shares a location with c on the way from the receive to the test contains the way up
// to there. That is so exactly when no location behind the receive can be entered, from within its component, but over the
// way. Entering from outside, or starting there, happens once per instance: the row pays for that.

import { components } from '../graph/components.ts';
import type { NetCycle } from '../net/cycles.ts';
import type { Expression, LValue } from '../process/expression.ts';
import type { VariableId } from '../process/program.ts';
import type { CodeContext } from './context.ts';
import type { Operation } from './operations.ts';
import type { Claim } from './rows.ts';

export type MessageClaim = Extract<Claim, { kind: 'messages' }>;
/** An operation of the cycle's n-th transition. */
export type OperationAt = MessageClaim['test'];

export interface MessageDetermined {
  readonly receive: OperationAt;
  readonly test: OperationAt;
  readonly place: number;
}

/** A condition, with the cycle turned so that it begins with the receive. */
export interface MessageCondition {
  readonly cycle: NetCycle;
  readonly claim: MessageClaim;
}

/** The conditions of the cycle that something received before has a part in, where the cycles are fastened. */
export function messageConditions(context: CodeContext, given: NetCycle): MessageCondition[] {
  const found: MessageCondition[] = [];
  given.transitions.forEach((transition, start) => {
    const place = placeReceived(context, transition);
    if (place === null) return;
    const transitions = [...given.transitions.slice(start), ...given.transitions.slice(0, start)];
    const cycle = { ...given, transitions };
    context.operations[transition]!.forEach((operation, number) => {
      if (operation.kind !== 'receive') return;
      for (const test of testsAfter(context, cycle, number)) {
        const receive = { step: 0, operation: number };
        const claim: MessageClaim = { kind: 'messages', cycle: transitions, receive, test, place };
        if (isDetermined(context, cycle, claim) && slipsPast(context, cycle, claim) !== null)
          found.push({ cycle, claim });
      }
    });
  });
  return found;
}

/** The only place a transition takes a message from, if it is one and takes one. */
export function placeReceived({ net }: CodeContext, transition: number): number | null {
  const taken = net.transitions[transition]!.effect.filter(
    ({ place, change }) => net.places[place]!.kind !== 'token' && change < 0,
  );
  return taken.length === 1 && taken[0]!.change === -1 ? taken[0]!.place : null;
}

function* testsAfter(context: CodeContext, cycle: NetCycle, receive: number): Generator<OperationAt> {
  for (const [step, transition] of cycle.transitions.entries()) {
    const operations = context.operations[transition]!;
    for (let number = step === 0 ? receive + 1 : 0; number < operations.length; number++)
      if (operations[number]!.kind === 'test') yield { step, operation: number };
  }
}

/** Receive and test are what they are said to be, in that order, and the test reads something that came from the message. */
export function isDetermined(context: CodeContext, cycle: NetCycle, claim: MessageDetermined): boolean {
  const way = wayBetween(context, cycle, claim);
  const receive = way[0];
  const test = way.at(-1);
  if (receive?.kind !== 'receive' || test?.kind !== 'test' || receive.statement.copy) return false;
  const { proctype } = context.net.classes[cycle.class]!;
  const carried = new Set<VariableId>();
  for (const argument of receive.statement.args)
    if (argument.kind === 'store' && context.program.variables[argument.target.variable]!.owner === proctype)
      carried.add(argument.target.variable);
  for (const operation of way) {
    if (operation.kind !== 'assign' || operation.stored === null) continue;
    if ([...variablesIn(operation.stored)].some((variable) => carried.has(variable)))
      carried.add(operation.variable);
  }
  return [...variablesIn(test.expression)].some((variable) => carried.has(variable));
}

/** The operations from the receive to the test, both included. */
function wayBetween(
  context: CodeContext,
  cycle: NetCycle,
  { receive, test }: MessageDetermined,
): Operation[] {
  const way: Operation[] = [];
  if (test.step >= cycle.transitions.length) return way;
  for (let step = receive.step; step <= test.step; step++) {
    const operations = context.operations[cycle.transitions[step]!] ?? [];
    const first = step === receive.step ? receive.operation : 0;
    const last = step === test.step ? test.operation : operations.length - 1;
    way.push(...operations.slice(first, last + 1));
  }
  return way;
}

function variablesIn(expression: Expression, into = new Set<VariableId>()): Set<VariableId> {
  const visitCell = ({ variable, path }: LValue): void => {
    into.add(variable);
    for (const step of path) if (step.kind === 'index') variablesIn(step.index, into);
  };
  switch (expression.kind) {
    case 'read':
      visitCell(expression.cell);
      break;
    case 'unary':
      variablesIn(expression.operand, into);
      break;
    case 'binary':
      variablesIn(expression.left, into);
      variablesIn(expression.right, into);
      break;
    case 'conditional':
      for (const part of [expression.condition, expression.whenTrue, expression.whenFalse])
        variablesIn(part, into);
      break;
    default:
  }
  return into;
}

/** How often an instance can come to the test past the receive: never (0), or once. Null: the cycles are not fastened. */
export function slipsPast(context: CodeContext, cycle: NetCycle, claim: MessageDetermined): 0 | 1 | null {
  const { net, graphs } = context;
  const { graph, transitions } = graphs[cycle.class]!;
  const { of } = components(graph);
  let slips: 0 | 1 = 0;
  for (let step = claim.receive.step + 1; step <= claim.test.step; step++) {
    const location = net.transitions[cycle.transitions[step]!]!.from;
    const before = cycle.transitions[step - 1]!;
    if (location === net.classes[cycle.class]!.initial) slips = 1;
    for (const arc of graph.in[location]!) {
      if (transitions[arc] === before) continue;
      if (of[graph.arcs[arc]!.from] === of[location]) return null;
      slips = 1;
    }
  }
  return slips;
}
