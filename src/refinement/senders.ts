// What a send can send: the code before it that is always taken in one piece, and whether its message can satisfy a receiver's condition
// (Post(p) ∧ B[x←d] of [CycleDeps] section 5). Intervals decide most cases at once; the rest is a question about terms.

import type { NetCycle } from '../net/cycles.ts';
import type { VariableId } from '../process/program.ts';
import { rangeOf, type Storage } from '../process/storage.ts';
import { type CodeContext, isOwn } from './context.ts';
import type { MessageDetermined, OperationAt } from './fastened.ts';
import {
  consequencesAt,
  evaluate,
  type Interval,
  runOperations,
  typeRange,
  type Values,
} from './intervals.ts';
import type { Operation } from './operations.ts';
import type { Facts } from './rows.ts';
import { SymbolicRun } from './symbolic-run.ts';
import { Arena, type TermId } from './symbols.ts';

type SendOperation = Extract<Operation, { kind: 'send' }>;

/** The transitions that put messages of the type into the queue. */
export function sendersOf({ net }: CodeContext, place: number): { transition: number; change: number }[] {
  return net.transitions.flatMap(({ effect }, transition) =>
    effect.flatMap((entry) =>
      entry.place === place && entry.change > 0 ? [{ transition, change: entry.change }] : [],
    ),
  );
}

/** The way to a send that has no other entrance, ended by the send itself; and the entrances to where it begins. */
export interface WayToSend {
  readonly transitions: readonly number[];
  readonly entrances: readonly number[];
  /** A process may also start where it begins. */
  readonly isStart: boolean;
}

export function wayToSend({ net, graphs }: CodeContext, sender: number): WayToSend {
  const netClass = net.transitions[sender]!.class;
  const { graph, transitions } = graphs[netClass]!;
  const way = [sender];
  const seen = new Set<number>();
  for (;;) {
    const { from } = net.transitions[way[0]!]!;
    const entrances = graph.in[from]!.map((arc) => transitions[arc]!);
    const isStart = from === net.classes[netClass]!.initial;
    if (entrances.length !== 1 || isStart || seen.has(from)) return { transitions: way, entrances, isStart };
    seen.add(from);
    way.unshift(entrances[0]!);
  }
}

/** One sending, and the condition that its message may or may not satisfy. */
interface Question {
  readonly facts: Facts;
  readonly cycle: NetCycle;
  readonly claim: MessageDetermined;
  /** The transitions up to the send, and what the sender's variables hold before them. */
  readonly way: readonly number[];
  readonly send: SendOperation;
  readonly start: Values;
}

/** Could the message that is sent at the end of these transitions satisfy the cycle's condition? */
export function maySatisfy(
  facts: Facts,
  cycle: NetCycle,
  claim: MessageDetermined,
  way: readonly number[],
): boolean {
  const { context } = facts;
  const sender = way.at(-1)!;
  const sends = context.operations[sender]!.filter((operation) => operation.kind === 'send');
  const [send] = sends;
  if (sends.length !== 1 || send === undefined) return true;
  const start = facts.of(context.net.transitions[sender]!.class)[context.net.transitions[way[0]!]!.from];
  // No value at all: the send is never reached this way.
  if (!start) return false;
  const question: Question = { facts, cycle, claim, way, send, start };
  return mayByIntervals(question) && mayByTerms(question);
}

function mayByIntervals({ facts, cycle, claim, way, send, start }: Question): boolean {
  const { context } = facts;
  const values = valuesAtSend(context, way, send, start);
  if (values === null) return false;
  const fields = unchangedFields(context, cycle, claim);
  const contents = (variable: VariableId): Interval => {
    const field = fields.get(variable) ?? -1;
    const expression = send.statement.args[field];
    const storage = context.net.places[claim.place]!.storage?.[field];
    if (expression === undefined || storage === undefined) return typeRange(context, variable);
    return through(context, evaluate(context, values, expression), storage, variable);
  };
  const test = operationAt(context, cycle, claim.test);
  if (test?.kind !== 'test') return true;
  const received: Values = new Map([...fields.keys()].map((variable) => [variable, contents(variable)]));
  return consequencesAt(context, received, test.expression, test.truth).every(({ terms, constant }) => {
    let most = Number(constant);
    for (const [variable, coefficient] of terms) {
      const interval = contents(variable);
      most += Number(coefficient) * (coefficient > 0n ? interval.most : interval.least);
    }
    return most >= 0;
  });
}

const operationAt = (context: CodeContext, cycle: NetCycle, at: OperationAt): Operation | undefined =>
  context.operations[cycle.transitions[at.step] ?? -1]?.[at.operation];

/** Variable → the field it holds until the test. */
function unchangedFields(
  context: CodeContext,
  cycle: NetCycle,
  { receive, test }: MessageDetermined,
): ReadonlyMap<VariableId, number> {
  const operation = operationAt(context, cycle, receive);
  const fields = new Map<VariableId, number>();
  if (operation?.kind !== 'receive') return fields;
  const { proctype } = context.net.classes[cycle.class]!;
  operation.statement.args.forEach((argument, field) => {
    if (argument.kind !== 'store' || argument.target.path.length > 0) return;
    const { variable } = argument.target;
    if (context.program.variables[variable]!.owner === proctype) fields.set(variable, field);
  });
  const stored = receive.operation + operation.statement.args.filter(({ kind }) => kind === 'store').length;
  for (let step = receive.step; step <= test.step; step++) {
    context.operations[cycle.transitions[step]!]!.forEach((other, number) => {
      const isBehind = step > receive.step || number > stored;
      const isBefore = step < test.step || number < test.operation;
      if (other.kind === 'assign' && isBehind && isBefore) fields.delete(other.variable);
    });
  }
  return fields;
}

/** What the sender's own variables can hold when it sends; null when it cannot come to that. */
function valuesAtSend(
  context: CodeContext,
  way: readonly number[],
  send: SendOperation,
  start: Values,
): Values | null {
  const netClass = context.net.transitions[way[0]!]!.class;
  const isMine = (variable: VariableId): boolean => isOwn(context, netClass, variable);
  let values: Values | null = start;
  let atSend: Values | null = null;
  for (const transition of way) {
    if (values === null) return null;
    values = runOperations(context, values, context.operations[transition]!, isMine, (operation, now) => {
      if (operation === send) atSend = new Map(now);
    });
  }
  return atSend;
}

/** What the variable holds after a value went through the field: both truncate silently. */
function through(context: CodeContext, value: Interval, field: Storage, variable: VariableId): Interval {
  const { min, max } = rangeOf(field);
  const range = typeRange(context, variable);
  return value.least >= Math.max(min, range.least) && value.most <= Math.min(max, range.most) ? value : range;
}

/** The sender's code up to the send, and the receiver's from the receive to the test, as terms over all they do not know. */
function mayByTerms({ facts, cycle, claim, way, send, start }: Question): boolean {
  const { context } = facts;
  const { net } = context;
  const { storage } = net.places[claim.place]!;
  const receiving = cycle.transitions[claim.receive.step]!;
  const before = facts.of(cycle.class)[net.transitions[receiving]!.from];
  if (storage === undefined) return true;
  if (!before) return false;
  const arena = new Arena();
  const sender = new SymbolicRun(arena, context, net.transitions[way[0]!]!.class, start);
  const fields = sendAlong(arena, sender, context, way, send, storage);
  const receiver = new SymbolicRun(arena, context, cycle.class, before);
  receiveAlong(arena, receiver, context, cycle, claim, fields);
  if (sender.failed || receiver.failed) return true;
  return facts.contents.mayHold(arena, [...sender.constraints, ...receiver.constraints]);
}

/** The fields of the message. */
function sendAlong(
  arena: Arena,
  run: SymbolicRun,
  context: CodeContext,
  way: readonly number[],
  send: SendOperation,
  storages: readonly Storage[],
): TermId[] {
  const last = way.length - 1;
  for (const [number, transition] of way.entries()) {
    for (const operation of context.operations[transition]!) {
      if (number === last && operation === send) break;
      run.run(operation);
    }
  }
  run.arriveAt(send);
  return storages.map((storage, field) => {
    const argument = send.statement.args[field];
    return argument === undefined
      ? arena.unknownOf(storage)
      : arena.truncated(storage, run.evaluate(argument));
  });
}

function receiveAlong(
  arena: Arena,
  run: SymbolicRun,
  context: CodeContext,
  cycle: NetCycle,
  { receive, test }: MessageDetermined,
  fields: readonly TermId[],
): void {
  for (let step = receive.step; step <= test.step; step++) {
    const operations = context.operations[cycle.transitions[step]!]!;
    const end = step === test.step ? test.operation + 1 : operations.length;
    for (let number = 0; number < end; number++) {
      const operation = operations[number]!;
      if (step !== receive.step || number !== receive.operation || operation.kind !== 'receive') {
        run.run(operation);
        continue;
      }
      run.arriveAt(operation);
      const { args } = operation.statement;
      args.forEach((argument, field) => {
        if (argument.kind === 'match' && fields[field] !== undefined)
          run.constraints.push(arena.binary('==', fields[field], run.evaluate(argument.value)));
      });
      for (const [field, argument] of args.entries())
        if (argument.kind === 'store') run.write(argument.target, fields[field] ?? null);
      // The list says of each of these stores only that it happens.
      number += args.filter(({ kind }) => kind === 'store').length;
    }
  }
}
