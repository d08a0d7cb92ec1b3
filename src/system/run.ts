// One way of executing a stretch of one process: statements over abstract values, with every open question answered by a choice.
// Nothing outside is written: what this way does is its outcome, what it looked at and would like to see goes to the updates.
//
// Soundness duty: for every concrete execution of the statements from a state the abstract state stands for, some sequence of
// choices does the same.

import type { Expression, LValue } from '../process/expression.ts';
import type { ProctypeId, VariableId } from '../process/program.ts';
import type { Span } from '../source/source.ts';
import type { Choices } from './choices.ts';
import type { ProcessClass } from './classes.ts';
import type { Reader } from './evaluate.ts';
import { evaluate } from './evaluate.ts';
import { Lengths } from './lengths.ts';
import { fieldType, type Message, messageKey, type Queue } from './queues.ts';
import type { Updates } from './updates.ts';
import { ANY, isChannel, queueOf, stored, type Value } from './value.ts';
import type { View } from './view.ts';

export interface QueueEffect {
  readonly queue: Queue;
  readonly message: Message;
  readonly kind: 'send' | 'receive' | 'copy';
}

export interface TokenTest {
  readonly cell: number;
  readonly value: number;
}

export interface Start {
  readonly proctype: ProctypeId;
  readonly args: readonly Value[];
  readonly at: Span;
}

export interface SentMessage {
  readonly queue: Queue;
  readonly message: Message;
  readonly fields: readonly Value[];
}

const NO_VARIABLES: ReadonlySet<VariableId> = new Set();

/** How many values of a variable that is not unfolded are told apart inside one transition. */
const FEW = 4;

export class Run implements Reader {
  readonly view: View;
  readonly updates: Updates;
  readonly process: ProcessClass;
  readonly choices: Choices;
  /** Unfolded cells of this process. */
  readonly values: Map<number, Value>;
  readonly effects: QueueEffect[] = [];
  readonly starts: Start[] = [];
  readonly sends: SentMessage[] = [];
  readonly lengths = new Lengths();
  /** A runtime error (index out of range, no such channel) or a limit: this way does not exist. */
  failed = false;
  private probing = false;
  private readonly coarse: boolean;
  /** Cells that are not unfolded, as far as this way has fixed or written them. */
  private readonly known = new Map<number, Value>();
  private readonly before = new Map<number, number>();
  private readonly written = new Set<number>();
  private readonly readFirst = new Set<number>();
  /** Variables written at an index that is not known: their cells hold anything, until they are written again. */
  private readonly blurred = new Set<VariableId>();
  /** What was written there. */
  readonly blurs: { readonly variable: VariableId; readonly value: Value }[] = [];
  /** Steps inside d_steps. */
  work = 0;

  constructor(
    view: View,
    process: ProcessClass,
    choices: Choices,
    values: Map<number, Value>,
    coarse: boolean,
    updates: Updates,
  ) {
    this.view = view;
    this.updates = updates;
    this.process = process;
    this.choices = choices;
    this.values = values;
    this.coarse = coarse;
  }

  get pid(): Value {
    return this.process.pid;
  }

  choose(options: number): number {
    return this.choices.choose(options);
  }

  sameChannel(queue: number): boolean {
    return this.view.queues.all[queue]!.single;
  }

  divisionMayFail(): void {
    this.updates.mayFail = true;
  }

  opaque(expression: Expression): void {
    this.updates.unknown('embedded-c', 'embedded C (c_expr) may do anything', expression.span);
  }

  evaluate(expression: Expression): Value {
    return evaluate(expression, this);
  }

  read(lvalue: LValue): Value {
    const cell = this.resolve(lvalue);
    if (cell !== null) return this.readCell(cell, lvalue.type.kind === 'chan');
    if (lvalue.type.kind === 'chan' && !this.failed) {
      this.updates.unknown('too-large', 'a channel is chosen among more than can be told apart', lvalue.span);
    }
    return ANY;
  }

  private readCell(cell: number, isChannel: boolean): Value {
    const unfolded = this.values.get(cell);
    if (unfolded !== undefined && unfolded !== ANY) return unfolded;
    if (unfolded === ANY && !isChannel) return ANY;
    const known = this.known.get(cell);
    if (known !== undefined && known !== ANY) return known;
    if (known === ANY && !isChannel) return ANY;
    if (known === undefined && !isChannel && this.isBlurred(cell)) return ANY;
    if (!this.written.has(cell)) this.readFirst.add(cell);
    this.updates.reads.add(cell);
    const possible = this.view.store.peek(cell, this.process);
    if (possible === null) return this.forgetToken(cell);
    const isToken = this.view.plan.tokens.has(cell);
    const few = isChannel || isToken || (possible.size <= FEW && !this.coarse);
    if (possible.size !== 1 && !few) return ANY;
    const value = [...possible][this.choose(possible.size)]!;
    if (unfolded === ANY) this.values.set(cell, value);
    else this.known.set(cell, value);
    if (isToken && !this.before.has(cell)) this.before.set(cell, value);
    return value;
  }

  private isBlurred(cell: number): boolean {
    return this.blurred.size > 0 && this.blurred.has(this.view.layout.variableOf(cell));
  }

  /** A token whose values are not few any more is no token. */
  private forgetToken(cell: number): Value {
    if (this.view.plan.tokens.has(cell)) this.updates.wish({ kind: 'drop-token', cell });
    return ANY;
  }

  write(lvalue: LValue, value: Value): void {
    const cell = this.resolve(lvalue);
    const kept = stored(lvalue.storage, value);
    if (cell !== null) this.writeCell(cell, kept);
    else if (!this.failed) this.writeSomewhere(lvalue.variable, kept);
  }

  private writeCell(cell: number, value: Value): void {
    if (this.view.plan.tokens.has(cell) && !this.before.has(cell)) this.readCell(cell, false);
    if (this.view.isUnfolded(cell, this.process)) this.values.set(cell, value);
    else this.known.set(cell, value);
    this.written.add(cell);
  }

  private writeSomewhere(variable: VariableId, value: Value): void {
    const { layout } = this.view;
    const first = layout.base[variable]!;
    const end = first + layout.size[variable]!;
    for (const cells of [this.values, this.known]) {
      for (const cell of cells.keys()) if (cell >= first && cell < end) cells.set(cell, ANY);
    }
    for (const cell of this.view.plan.tokens)
      if (cell >= first && cell < end) this.updates.wish({ kind: 'drop-token', cell });
    this.blurred.add(variable);
    this.blurs.push({ variable, value });
  }

  /** The cell an lvalue names; null when its index is not known (or does not exist: then `failed`). */
  private resolve(lvalue: LValue): number | null {
    const { limits, layout } = this.view;
    const located = layout.locate(lvalue);
    let { cell } = located;
    const spreadOthers = this.coarse ? 0 : limits.spreadIndex;
    const spread = lvalue.type.kind === 'chan' ? limits.spreadChannels : spreadOthers;
    for (const { index, length, stride } of located.strides) {
      let at = this.evaluate(index);
      // A channel is some small number.
      if (at === ANY || isChannel(at)) {
        this.updates.mayFail = true;
        if (length > spread) return null;
        at = this.choose(length);
      }
      if (at < 0 || at >= length) {
        this.outOfRange(lvalue, at);
        return null;
      }
      cell += at * stride;
    }
    return cell;
  }

  /**
   * An error of the model ends the run. Where it is certain, what SPIN's verifier would do behind it (`pan -c0` goes on with whatever memory
   * holds) is not seen, so nothing may rest on the net; where the index is only one of several possible ones, it is taken not to happen.
   */
  private outOfRange({ span }: LValue, index: number): void {
    if (!this.failed && !this.probing && this.choices.asked === 0)
      this.updates.unknown('runtime-error', `the index ${index} lies outside its array`, span);
    this.failed = true;
  }

  /** Asks without consequences: an error while asking is not an error of this way. */
  probe<T>(question: () => T): T | null {
    const { failed, probing } = this;
    this.failed = false;
    this.probing = true;
    const answer = question();
    const answered = !this.failed;
    this.failed = failed;
    this.probing = probing;
    return answered ? answer : null;
  }

  /** The queue a channel refers to; null when there is none or it is not known (then noted, and `failed`). */
  queue(channel: LValue): Queue | null {
    const value = this.read(channel);
    const id = queueOf(value);
    if (id !== null) {
      const queue = this.view.queues.all[id]!;
      this.updates.uses.add(queue);
      return queue;
    }
    if (value !== 0 && !this.failed)
      this.updates.unknown('unknown-channel', 'which channel is used here is not known', channel.span);
    this.updates.mayFail = true;
    this.failed = true;
    return null;
  }

  start(run: Expression & { readonly kind: 'run' }): Value {
    const args = run.args.map((arg) => this.evaluate(arg));
    // `run` gives 0, and starts nothing, when there is no room for one more process.
    if (this.choose(2) === 1) return 0;
    this.starts.push({ proctype: run.proctype, args, at: run.span });
    return ANY;
  }

  send(queue: Queue, fields: readonly Value[]): void {
    const message = fields.map((value, index) => this.typeOfField(queue, index, value));
    this.sends.push({ queue, message, fields });
    this.lengths.sent(queue);
    this.effects.push({ queue, message, kind: 'send' });
  }

  /** What a receive can find: what anyone can have sent, and what was sent earlier on this way. */
  messagesIn(queue: Queue): Message[] {
    const own = this.sends.filter(
      (send) => send.queue === queue && !queue.messages.has(messageKey(send.message)),
    );
    return [...queue.messages.values(), ...own.map(({ message }) => message)];
  }

  hasSentTo(queue: Queue): boolean {
    return this.sends.some((send) => send.queue === queue);
  }

  private typeOfField(queue: Queue, field: number, value: Value): Value {
    const { view, updates } = this;
    const type = fieldType(queue, field, value, {
      plan: view.plan,
      limit: view.limits.valuesPerField,
      more: updates.valuesOf('distinguish', queue, field),
    });
    switch (type.kind) {
      case 'one':
        return type.value;
      case 'new':
        updates.wish({ kind: 'distinguish', queue, field, value: type.value, countedBefore: false });
        return type.value;
      case 'too-many':
        updates.wish({ kind: 'give-up-splitting', queue, field });
        return ANY;
      case 'each': {
        const options = [ANY, ...queue.distinguished[field]!];
        return options[this.choose(options.length)]!;
      }
    }
  }

  /** A value that a pattern asks for is told apart from now on. False: too many are asked for. */
  ask(queue: Queue, field: number, value: number, most: number): boolean {
    const asked = queue.asked[field]!;
    const { updates } = this;
    if (asked.has(value)) return true;
    const more = updates.valuesOf('ask', queue, field);
    if (more.includes(value)) return true;
    if (asked.size + more.length >= most) return false;
    updates.wish({ kind: 'ask', queue, field, value });
    updates.wish({ kind: 'distinguish', queue, field, value, countedBefore: true });
    return true;
  }

  /** The values of token cells this way changes. */
  moves(): { readonly cell: number; readonly from: number; readonly to: Value }[] {
    if (this.before.size === 0) return [];
    return [...this.before]
      .filter(([cell]) => this.written.has(cell))
      .map(([cell, from]) => ({ cell, from, to: this.finalValue(cell) }))
      .filter(({ from, to }) => from !== to);
  }

  /** The values of token cells that this way rests on and leaves as they are. */
  tests(): TokenTest[] {
    if (this.before.size === 0) return [];
    return [...this.before]
      .filter(([cell, value]) => !this.written.has(cell) || this.finalValue(cell) === value)
      .map(([cell, value]) => ({ cell, value }));
  }

  /** The values of token cells that this way found. */
  tokens(): ReadonlyMap<number, number> {
    return this.before;
  }

  /** Shared variables written on this way. */
  sharedWrites(): ReadonlySet<VariableId> {
    if (this.written.size === 0 && this.blurs.length === 0) return NO_VARIABLES;
    const { layout, program } = this.view;
    const variables = [
      ...[...this.written].map((cell) => layout.variableOf(cell)),
      ...this.blurs.map(({ variable }) => variable),
    ];
    return new Set(variables.filter((variable) => program.variables[variable]!.owner === null));
  }

  /** Shared cells that were read and then written on this way: a token place would carry what was read. */
  readThenWritten(): number[] {
    return [...this.written].filter((cell) => this.readFirst.has(cell) && this.view.layout.isGlobal(cell));
  }

  private finalValue(cell: number): Value {
    return this.values.get(cell) ?? this.known.get(cell) ?? ANY;
  }

  /** The last value of every cell that was written. */
  writes(): { readonly cell: number; readonly value: Value }[] {
    return [...this.written].map((cell) => ({ cell, value: this.finalValue(cell) }));
  }
}
