// Cycles that need messages ([CycleDeps] section 5). SC: a cycle that receives needs cycles that send. FC: when it also tests what
// it received, and the cycles around are fastened, senders whose message cannot satisfy the test are dropped.
//
// The contents a sender can give are intervals: along the stretch before the send that is always taken in one piece, from the intervals
// where it begins. That decides the constants and guarded values of real models exactly; what it cannot decide stays a sender.

import type { NetCycle } from '../net/cycles.ts';
import type { ScalarType, VariableId } from '../process/program.ts';
import { rangeOf } from '../process/types.ts';
import { type CodeContext, isOwn } from './context.ts';
import { evaluate, type Interval, runOperations, typeRange, type Values } from './intervals.ts';
import { consequences } from './linear.ts';
import type { Operation } from './operations.ts';
import { type Claim, cycleAt, type Facts, type RayRow } from './rows.ts';

type MessageClaim = Extract<Claim, { kind: 'messages' }>;
type Test = Extract<Operation, { kind: 'test' }>;

export interface MessageDetermined {
  readonly receive: MessageClaim['receive'];
  readonly test: MessageClaim['test'];
  readonly place: number;
}

/** The conditions of the cycle that are determined by a message it receives: all their variables come from one receive. */
export function messageConditions(context: CodeContext, cycle: NetCycle): MessageDetermined[] {
  const found: MessageDetermined[] = [];
  cycle.transitions.forEach((transition, step) => {
    const place = placeReceived(context, transition);
    if (place === null) return;
    context.operations[transition]!.forEach((operation, number) => {
      if (operation.kind !== 'receive') return;
      for (const test of testsAfter(context, cycle, step, number)) {
        const claim = { receive: { step, operation: number }, test, place };
        if (storedFields(context, cycle, claim) !== null) found.push(claim);
      }
    });
  });
  return found;
}

/** The only place a transition takes a message from, if it is one and takes one. */
function placeReceived({ net }: CodeContext, transition: number): number | null {
  const taken = net.transitions[transition]!.effect.filter(
    ({ place, change }) => net.places[place]!.kind !== 'token' && change < 0,
  );
  return taken.length === 1 && taken[0]!.change === -1 ? taken[0]!.place : null;
}

function* testsAfter(
  context: CodeContext,
  cycle: NetCycle,
  from: number,
  operation: number,
): Generator<{ step: number; operation: number }> {
  for (let step = from; step < cycle.transitions.length; step++) {
    const operations = context.operations[cycle.transitions[step]!]!;
    for (let number = step === from ? operation + 1 : 0; number < operations.length; number++)
      if (operations[number]!.kind === 'test') yield { step, operation: number };
  }
}

const testAt = (context: CodeContext, cycle: NetCycle, at: MessageClaim['test']): Test | null => {
  const operation = context.operations[cycle.transitions[at.step] ?? -1]?.[at.operation];
  return operation?.kind === 'test' ? operation : null;
};

/** Variable of the condition → field of the message; null when the condition is not determined by it. */
function storedFields(
  context: CodeContext,
  cycle: NetCycle,
  claim: MessageDetermined,
): ReadonlyMap<VariableId, number> | null {
  const operations = context.operations[cycle.transitions[claim.receive.step] ?? -1];
  const receive = operations?.[claim.receive.operation];
  const test = testAt(context, cycle, claim.test);
  if (receive?.kind !== 'receive' || test === null || receive.statement.copy) return null;
  if (!between(claim.receive, claim.test)) return null;
  const fields = new Map<VariableId, number>();
  receive.statement.args.forEach((argument, field) => {
    if (argument.kind === 'store' && argument.target.path.length === 0)
      fields.set(argument.target.variable, field);
  });
  const forms = consequences(test.expression, test.truth);
  const variables = forms.flatMap(({ terms }) => [...terms.keys()]);
  if (variables.length === 0) return null;
  const { proctype } = context.net.classes[cycle.class]!;
  for (const variable of variables) {
    if (!fields.has(variable) || context.program.variables[variable]!.owner !== proctype) return null;
    if (writtenBetween(context, cycle, claim, variable)) return null;
  }
  return fields;
}

const between = (a: MessageClaim['test'], b: MessageClaim['test']): boolean =>
  a.step < b.step || (a.step === b.step && a.operation < b.operation);

function writtenBetween(
  context: CodeContext,
  cycle: NetCycle,
  claim: MessageDetermined,
  variable: VariableId,
): boolean {
  const storing = context.operations[cycle.transitions[claim.receive.step]!]![claim.receive.operation]!.edge;
  for (let step = claim.receive.step; step <= claim.test.step; step++) {
    const operations = context.operations[cycle.transitions[step]!]!;
    for (const [number, operation] of operations.entries()) {
      if (operation.kind !== 'assign' || operation.variable !== variable || operation.edge === storing)
        continue;
      if (
        between(claim.receive, { step, operation: number }) &&
        between({ step, operation: number }, claim.test)
      )
        return true;
    }
  }
  return false;
}

/** Every cycle that shares a location on the way from the receive to the test contains the way up to there. */
export function isFastened(context: CodeContext, cycle: NetCycle, claim: MessageDetermined): boolean {
  const { net, graphs } = context;
  const { graph, transitions } = graphs[cycle.class]!;
  // Then and only then does every location on the way have the way's own transition as its only entrance from a cycle.
  for (let step = claim.receive.step + 1; step <= claim.test.step; step++) {
    const location = net.transitions[cycle.transitions[step]!]!.from;
    if (location === net.classes[cycle.class]!.initial) return false;
    const before = cycle.transitions[step - 1]!;
    if (!graph.in[location]!.every((arc) => transitions[arc] === before)) return false;
  }
  return true;
}

/** Rounds ≤ good messages sent: the row of a message-determined condition in fastened cycles. */
export function messageRow(facts: Facts, claim: MessageClaim): RayRow | null {
  const { context } = facts;
  const cycle = cycleAt(context, claim.cycle);
  if (cycle === null || !Number.isFinite(context.instances[cycle.class]!)) return null;
  const fields = storedFields(context, cycle, claim);
  if (fields === null || placeReceived(context, cycle.transitions[claim.receive.step]!) !== claim.place)
    return null;
  if (!isFastened(context, cycle, claim)) return null;
  const coefficients = new Map<number, bigint>();
  let constant = BigInt(context.net.places[claim.place]!.initial);
  const add = (transition: number, change: number): void => {
    coefficients.set(transition, (coefficients.get(transition) ?? 0n) + BigInt(change));
  };
  for (const { transition, change } of sendersOf(context, claim.place)) {
    const entrances = entrancesOf(context, transition);
    if (entrances === null) {
      if (maySatisfy(facts, cycle, claim, fields, transition, null)) add(transition, change);
      continue;
    }
    // Each arrival before the send is followed by one send at most: arrivals are counted, each with what it brings.
    for (const entrance of entrances)
      if (maySatisfy(facts, cycle, claim, fields, transition, entrance)) add(entrance, change);
    const { class: netClass, from } = context.net.transitions[transition]!;
    if (from !== context.net.classes[netClass]!.initial) continue;
    if (!Number.isFinite(context.instances[netClass]!)) return null;
    constant += BigInt(change) * BigInt(context.instances[netClass]!);
  }
  return { claim, coefficients, cycle: { cycle, coefficient: -1n }, constant };
}

/** The transitions that put messages of the type into the queue. */
export function sendersOf({ net }: CodeContext, place: number): { transition: number; change: number }[] {
  return net.transitions.flatMap(({ effect }, transition) =>
    effect.flatMap((entry) =>
      entry.place === place && entry.change > 0 ? [{ transition, change: entry.change }] : [],
    ),
  );
}

/** The transitions that lead to the send, when there are several and they may bring different contents; null when one counts as all. */
export function entrancesOf({ net, graphs }: CodeContext, sender: number): number[] | null {
  const { class: netClass, from, to } = net.transitions[sender]!;
  const { graph, transitions } = graphs[netClass]!;
  const entrances = graph.in[from]!.map((arc) => transitions[arc]!);
  return entrances.length < 2 || from === to ? null : entrances;
}

/** Could the message that this transition sends, reached over that entrance, satisfy the cycle's condition? */
export function maySatisfy(
  facts: Facts,
  cycle: NetCycle,
  claim: MessageDetermined,
  fields: ReadonlyMap<VariableId, number>,
  sender: number,
  entrance: number | null,
): boolean {
  const { context } = facts;
  const sends = context.operations[sender]!.filter((operation) => operation.kind === 'send');
  const test = testAt(context, cycle, claim.test);
  const [send] = sends;
  if (sends.length !== 1 || send === undefined || test === null) return true;
  const values = valuesBefore(facts, entrance === null ? [sender] : [entrance, sender], send);
  // No value at all: the send is never reached this way.
  if (values === null) return false;
  const contents = (variable: VariableId): Interval | null => {
    const field = fields.get(variable) ?? -1;
    const expression = send.statement.args[field];
    const type = context.net.places[claim.place]!.fields?.[field];
    if (expression === undefined || type === undefined) return null;
    return through(context, evaluate(context, values, expression), type, variable);
  };
  return consequences(test.expression, test.truth).every(({ terms, constant }) => {
    let most = Number(constant);
    for (const [variable, coefficient] of terms) {
      const interval = contents(variable);
      if (interval === null) return true;
      most += Number(coefficient) * (coefficient > 0n ? interval.most : interval.least);
    }
    return most >= 0;
  });
}

export const conditionFields = storedFields;

/** What the variable holds after a value went through the field: both truncate silently. */
function through(context: CodeContext, value: Interval, type: ScalarType, variable: VariableId): Interval {
  const { min, max } = rangeOf(type);
  const range = typeRange(context, variable);
  return value.least >= Math.max(min, range.least) && value.most <= Math.min(max, range.most) ? value : range;
}

/** What the sender's own variables can hold when it sends: along the stretch before it that has no other entrance. */
function valuesBefore(facts: Facts, last: readonly number[], send: Operation): Values | null {
  const { context } = facts;
  const { net, graphs } = context;
  const netClass = net.transitions[last[0]!]!.class;
  const { graph, transitions } = graphs[netClass]!;
  const stretch = [...last];
  const seen = new Set<number>();
  for (;;) {
    const { from } = net.transitions[stretch[0]!]!;
    const entrances = graph.in[from]!;
    if (entrances.length !== 1 || from === net.classes[netClass]!.initial || seen.has(from)) break;
    seen.add(from);
    stretch.unshift(transitions[entrances[0]!]!);
  }
  const own = facts.of(netClass)[net.transitions[stretch[0]!]!.from] ?? null;
  if (own === null) return null;
  const isMine = (variable: VariableId): boolean => isOwn(context, netClass, variable);
  let values: Values | null = own;
  let atSend: Values | null = null;
  for (const transition of stretch) {
    if (values === null) return null;
    values = runOperations(context, values, context.operations[transition]!, isMine, (operation, now) => {
      if (operation === send) atSend = new Map(now);
    });
  }
  return atSend;
}
