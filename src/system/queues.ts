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
import { fieldPlan, type Plan } from './plan.ts';
import { ANY, isChannel, type PossibleValues, type Value, ValueSet } from './value.ts';

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
  /** There is never more than one real channel behind it. */
  readonly single: boolean;
  /** The proctypes whose instances were needed to make it: keeps recursive creation finite. */
  readonly ancestry: ReadonlySet<number>;
  /** What can be in it, by key. */
  readonly messages: ReadonlyMap<string, Message>;
  /** Per field, the values that patterns ask for. */
  readonly asked: readonly ReadonlySet<number>[];
  /** Per field, the values whose messages are told apart so far. */
  readonly distinguished: readonly ReadonlySet<number>[];
  /** Per field, every value sent. */
  readonly sent: readonly PossibleValues[];
}

/** The same for those who keep the table. */
interface QueueState extends Queue {
  readonly messages: Map<string, Message>;
  readonly asked: readonly Set<number>[];
  readonly distinguished: readonly Set<number>[];
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

/** What a sent field counts as: a value that is told apart, ANY for every other one, or `each`: it may be any of them. */
export type FieldType =
  | { readonly kind: 'one'; readonly value: Value }
  /** Told apart from now on. */
  | { readonly kind: 'new'; readonly value: number }
  | { readonly kind: 'each' }
  /** One of the others, because there are too many to tell them all apart. */
  | { readonly kind: 'too-many' };

/** `more` values are about to be told apart, too. */
export function fieldType(
  queue: Queue,
  index: number,
  value: Value,
  { plan, limit, more }: { readonly plan: Plan; readonly limit: number; readonly more: readonly number[] },
): FieldType {
  const { split } = fieldPlan(plan, queue.key, index);
  const distinguished = queue.distinguished[index]!;
  if (value === ANY) return distinguished.size > 0 || split ? { kind: 'each' } : { kind: 'one', value: ANY };
  if (distinguished.has(value) || more.includes(value)) return { kind: 'one', value };
  // Channels are always told apart: there are few, and whether one equals a number that is asked for is not known.
  if (isChannel(value)) return { kind: 'new', value };
  if (!split) return { kind: 'one', value: ANY };
  return distinguished.size + more.length >= limit ? { kind: 'too-many' } : { kind: 'new', value };
}

/** Every queue found so far. Only who explores changes it. */
export class Queues {
  private readonly states: QueueState[] = [];
  private readonly byKey = new Map<string, QueueState>();
  private readonly plan: () => Plan;
  private readonly wake: (user: number) => void;

  constructor(plan: () => Plan, wake: (user: number) => void) {
    this.plan = plan;
    this.wake = wake;
  }

  get all(): readonly Queue[] {
    return this.states;
  }

  get(origin: QueueOrigin): Queue {
    let queue = this.byKey.get(origin.key);
    if (queue === undefined) {
      const { capacity, fields, storage } = origin.site;
      const asked = fields.map((_, index) => fieldPlan(this.plan(), origin.key, index).asked);
      queue = {
        ...origin,
        id: this.states.length,
        capacity,
        fields,
        storage,
        messages: new Map(),
        asked: asked.map((values) => new Set(values)),
        distinguished: asked.map((values) => new Set(values)),
        sent: fields.map(() => new ValueSet()),
        users: new Set(),
      };
      this.states.push(queue);
      this.byKey.set(origin.key, queue);
    }
    return queue;
  }

  /** The class is looked at again when the queue changes. */
  use({ id }: Queue, user: number): void {
    this.states[id]!.users.add(user);
  }

  ask({ id }: Queue, field: number, value: number): void {
    this.states[id]!.asked[field]!.add(value);
  }

  distinguish({ id }: Queue, field: number, value: number, countedBefore: boolean): void {
    const queue = this.states[id]!;
    const distinguished = queue.distinguished[field]!;
    if (distinguished.has(value)) return;
    distinguished.add(value);
    // Such messages counted among all others: let the senders say again what those are.
    if (countedBefore)
      for (const [key, message] of queue.messages) if (message[field] === ANY) queue.messages.delete(key);
    this.wakeUsers(queue);
  }

  /** Notes that the message can be in the queue. */
  put({ id }: Queue, message: Message, fields: readonly Value[], valuesPerField: number): void {
    const queue = this.states[id]!;
    let grew = false;
    for (const [index, value] of fields.entries()) {
      if (queue.sent[index]!.add(value, valuesPerField)) grew = true;
    }
    const key = messageKey(message);
    if (!queue.messages.has(key)) {
      queue.messages.set(key, message);
      grew = true;
    }
    if (grew) this.wakeUsers(queue);
  }

  private wakeUsers(queue: QueueState): void {
    for (const user of queue.users) this.wake(user);
  }
}
