// Queues and the messages that may be in them.
//
// A queue is an initialised channel: a cell with a channel initialiser, of the globals or of one class. Several instances of a class
// share one abstract queue, whose counts are then sums over the real ones: a bound of the sum bounds each.
//
// A message is known by its fields: a number where the field's value is told apart (asked for by a pattern, or split because it
// is stored into an unfolded variable), ANY for every other value. So messages are atoms of the partition that the receive
// patterns induce, restricted to what is sent ([Ciclo] VI-A).

import type { ChannelSite, ScalarType } from '../process/program.ts';
import type { Storage } from '../process/storage.ts';
import type { FieldPlan, Plan } from './plan.ts';
import { ANY, isChannel, type Value, ValueSet } from './value.ts';

export type Message = readonly Value[];

export interface Queue {
  readonly id: number;
  readonly key: string;
  /** `link[0]`, `proctype.name`. */
  readonly name: string;
  readonly site: ChannelSite;
  readonly capacity: number;
  readonly fields: readonly ScalarType[];
  readonly storage: readonly Storage[];
  readonly plans: readonly FieldPlan[];
  /** There is never more than one real channel behind it. */
  readonly single: boolean;
  /** The proctypes whose instances were needed to make it: keeps recursive creation finite. */
  readonly ancestry: ReadonlySet<number>;
  /** What can be in it, by key. */
  readonly messages: Map<string, Message>;
  /** Per field, values told apart so far. */
  readonly told: readonly Set<number>[];
  /** Per field, every value sent. */
  readonly sent: readonly ValueSet[];
  /** Classes to look at again when anything here grows. */
  readonly users: Set<number>;
}

export const messageKey = (message: Message): string =>
  message.map((value) => (value === ANY ? '_' : value)).join();

export interface QueueOrigin {
  readonly key: string;
  readonly name: string;
  readonly site: ChannelSite;
  readonly single: boolean;
  readonly ancestry: ReadonlySet<number>;
}

export class Queues {
  readonly all: Queue[] = [];
  private readonly byKey = new Map<string, Queue>();
  private readonly plan: Plan;
  private readonly limitPerField: number;

  constructor(plan: Plan, limitPerField: number) {
    this.plan = plan;
    this.limitPerField = limitPerField;
  }

  get(origin: QueueOrigin): Queue {
    let queue = this.byKey.get(origin.key);
    if (queue === undefined) {
      const { capacity, fields, storage } = origin.site;
      const plans = fields.map((_, index) => this.plan.field(origin.key, index));
      queue = {
        ...origin,
        id: this.all.length,
        capacity,
        fields,
        storage,
        plans,
        messages: new Map(),
        told: plans.map((plan) => new Set(plan.asked)),
        sent: fields.map(() => new ValueSet()),
        users: new Set(),
      };
      this.all.push(queue);
      this.byKey.set(origin.key, queue);
    }
    return queue;
  }

  /** The told-apart value a sent field counts as; 'any' when it may be each of them. */
  classify(queue: Queue, field: number, value: Value): Value | 'any' {
    const plan = queue.plans[field]!;
    const told = queue.told[field]!;
    if (value === ANY) return told.size > 0 || plan.split ? 'any' : ANY;
    // Channels are always told apart: there are few, and whether one equals a number that is asked for is not known.
    if (isChannel(value)) told.add(value);
    if (told.has(value)) return value;
    if (!plan.split) return ANY;
    if (told.size >= this.limitPerField) {
      this.plan.giveUpSplitting(plan);
      return ANY;
    }
    told.add(value);
    return value;
  }

  /** Notes that the message can be in the queue; true when that is new. */
  put(queue: Queue, message: Message, fields: readonly Value[], valuesPerField: number): boolean {
    let grew = false;
    for (const [index, value] of fields.entries()) {
      if (queue.sent[index]!.add(value, valuesPerField)) grew = true;
    }
    const key = messageKey(message);
    if (!queue.messages.has(key)) {
      queue.messages.set(key, message);
      grew = true;
    }
    return grew;
  }
}
