// One statement on one way. Queue lengths are not known, so a send on a buffered channel always succeeds (channels are unlimited
// here), a receive succeeds with every message that can be in the queue, and tests of lengths may go either way.

import type { LValue, ReceiveArgument } from '../process/expression.ts';
import type { Edge, EdgeId, Receive, ScalarType, Send, Statement, VariableId } from '../process/program.ts';
import { hasRun, indexReads, isMoreThanText } from '../process/uses.ts';
import { fieldPlan } from './plan.ts';
import type { Message, Queue } from './queues.ts';
import type { Run } from './run.ts';
import { ANY, isChannel, mayEqual, stored, type Value } from './value.ts';

export interface Siblings {
  /** Every edge of the control graph (or d_step body), by EdgeId. */
  readonly edges: readonly Edge[];
  /** The edges of the location the statement leaves. */
  readonly here: readonly EdgeId[];
  /** Variables that are live after it; null: assume all. */
  readonly liveAfter: ReadonlySet<VariableId> | null;
}

/** False when the edge cannot be taken on this way. d_steps are not executed here. */
export function execute(run: Run, edge: Edge, siblings: Siblings): boolean {
  const done = unlessEscapes(run, edge, siblings) && perform(run, edge, siblings);
  return done && !run.failed;
}

/** `unless`: not while an escape is certainly executable. The receiver in a handshake is not asked about its escapes. */
function unlessEscapes(run: Run, edge: Edge, siblings: Siblings): boolean {
  if (edge.blockedBy.length === 0 || mayShakeHands(run, edge.statement)) return true;
  // An offer in the escape that finds no partner makes SPIN's verifier forget the escape (explore/code-statement.ts).
  if (edge.blockedBy.some((other) => mayOffer(run, siblings.edges[other]!.statement))) return true;
  return edge.blockedBy.every((other) => mayBlock(run, siblings.edges[other]!.statement));
}

function mayShakeHands(run: Run, statement: Statement): boolean {
  if (statement.kind !== 'receive') return false;
  const queue = run.probe(() => run.queue(statement.channel));
  return queue === null || queue.capacity === 0;
}

function mayOffer(run: Run, statement: Statement): boolean {
  if (statement.kind !== 'send') return false;
  const queue = run.probe(() => run.queue(statement.channel));
  return queue === null || queue.capacity === 0;
}

function perform(run: Run, edge: Edge, siblings: Siblings): boolean {
  const { statement } = edge;
  switch (statement.kind) {
    case 'condition':
      if (run.evaluate(statement.expression) === 0) return false;
      run.lengths.learn(run, statement.expression);
      return true;
    case 'else':
      // SPIN looks at the edges before the `else` only; choices merged into one location may have others behind it.
      return siblings.here
        .slice(0, siblings.here.indexOf(edge.id))
        .every((other) => mayBlock(run, siblings.edges[other]!.statement));
    case 'assign':
      run.write(statement.target, run.evaluate(statement.value));
      return true;
    case 'send':
      return send(run, statement);
    case 'receive':
      return receive(run, statement, siblings.liveAfter);
    case 'assert':
      if (hasRun(statement.expression)) run.evaluate(statement.expression);
      return true;
    case 'print':
      for (const arg of statement.args) if (isMoreThanText(arg)) run.evaluate(arg);
      return true;
    case 'opaque':
      run.updates.unknown(
        'embedded-c',
        `embedded C (${statement.code.kind}) may send messages or change variables`,
        statement.code.span,
      );
      return true;
    case 'dstep':
    case 'end':
      return false;
  }
}

/** Can the statement be not executable? Only a certain `false` is relied upon. */
export function mayBlock(run: Run, statement: Statement): boolean {
  return run.probe(() => blocks(run, statement)) ?? true;
}

function blocks(run: Run, statement: Statement): boolean {
  switch (statement.kind) {
    case 'condition': {
      if (hasRun(statement.expression)) return true;
      const value = run.evaluate(statement.expression);
      return value === ANY || value === 0;
    }
    case 'send':
      return !alwaysSends(run, statement);
    case 'assign':
    case 'assert':
    case 'print':
      return false;
    case 'dstep': {
      const { locations, initial, edges } = statement.body;
      return locations[initial]!.edges.every((edge) => mayBlock(run, edges[edge]!.statement));
    }
    case 'else':
    case 'receive':
    case 'opaque':
    case 'end':
      return true;
  }
}

/** A send on a buffered channel, which is taken to be never full: noted, for those who want to know about declared capacities. */
export function alwaysSends(run: Run, statement: Send): boolean {
  if (!run.view.plan.neverFull) return false;
  const queue = run.probe(() => run.queue(statement.channel));
  if (queue === null || queue.capacity === 0) return false;
  if (!run.view.assumedNeverFull.has(queue)) run.updates.wish({ kind: 'never-full', queue });
  return true;
}

export function send(run: Run, statement: Send): boolean {
  const queue = run.queue(statement.channel);
  if (queue === null) return false;
  const fields = queue.storage.map((storage, index): Value => {
    const arg = statement.args[index];
    return arg === undefined ? 0 : stored(storage, run.evaluate(arg));
  });
  run.send(queue, fields);
  return true;
}

function receive(run: Run, statement: Receive, liveAfter: ReadonlySet<VariableId> | null): boolean {
  const queue = run.queue(statement.channel);
  if (queue === null) return false;
  const asked = statement.args.map((arg, index) => askedFor(run, queue, arg, index));
  const candidates = run
    .messagesIn(queue)
    .filter((message) => asked.every((value, index) => mayMatch(message, index, value)));
  if (candidates.length === 0) return false;
  const message = candidates[run.choose(candidates.length)]!;
  run.effects.push({ queue, message, kind: statement.copy ? 'copy' : 'receive' });
  // A target may be the index of a later one: `q?i,a[i]`.
  const isIndex = (variable: VariableId): boolean =>
    statement.args.some((arg) => arg.kind === 'store' && indexReads(arg.target).has(variable));
  for (const [index, arg] of statement.args.entries()) {
    if (arg.kind !== 'store') continue;
    const { variable } = arg.target;
    const isLive = (liveAfter?.has(variable) ?? true) || isIndex(variable);
    store(run, queue, message, index, arg.target, isLive);
  }
  return true;
}

/** The value a pattern asks for in a field, ANY when it asks for none or for one that is not known. */
function askedFor(run: Run, queue: Queue, arg: ReceiveArgument, index: number): Value {
  const type: ScalarType | undefined = queue.fields[index];
  if (arg.kind !== 'match' || type === undefined) return ANY;
  const value = run.evaluate(arg.value);
  if (value === ANY) return ANY;
  const { valuesPerField, evaluatedPerField } = run.view.limits;
  const most = arg.value.kind === 'constant' ? valuesPerField : evaluatedPerField;
  // Too many are asked for: this pattern may match whatever it likes.
  return run.ask(queue, index, value, most) ? value : ANY;
}

/** Values asked for are told apart, so a field that is ANY is some other value. */
function mayMatch(message: Message, index: number, asked: Value): boolean {
  const field = message[index];
  if (asked === ANY || field === undefined) return true;
  return field !== ANY && mayEqual(field, asked);
}

/** Does the pattern match every real message that this one stands for? Stores and `_` match everything. */
export function certainlyMatches(run: Run, statement: Receive, queue: Queue, message: Message): boolean {
  return statement.args.every((arg, index) => {
    if (arg.kind !== 'match') return true;
    const asked = askedFor(run, queue, arg, index);
    const field = message[index];
    return asked !== ANY && field !== undefined && field !== ANY && field === asked && !isChannel(field);
  });
}

function store(
  run: Run,
  queue: Queue,
  message: Message,
  index: number,
  target: LValue,
  isLive: boolean,
): void {
  const { plan, layout } = run.view;
  const first = layout.base[target.variable]!;
  // A dead local is not worth telling messages apart; a global may be read by others.
  if (!isLive && !layout.isGlobal(first)) return;
  if (index < queue.fields.length && isLive && run.view.isUnfolded(first, run.process)) {
    const { split, tooMany } = fieldPlan(plan, queue.key, index);
    if (!split && !tooMany) run.updates.wish({ kind: 'split', queue, field: index });
  }
  run.write(target, received(run, queue, message, index));
}

/** The value of a message's field: told apart, or one of those that were ever sent. */
function received(run: Run, queue: Queue, message: Message, index: number): Value {
  const field = message[index];
  if (field !== undefined && field !== ANY) return field;
  const sent = run.hasSentTo(queue) ? null : (queue.sent[index]?.known ?? null);
  if (sent === null) return ANY;
  const others = [...sent].filter((value) => !queue.distinguished[index]!.has(value));
  const isChannel = queue.fields[index]!.kind === 'chan';
  if (others.length === 1 || (isChannel && others.length > 0)) return others[run.choose(others.length)]!;
  return ANY;
}
