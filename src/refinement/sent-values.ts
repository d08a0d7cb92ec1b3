// Which values messages carry: for every message type and field an interval that contains everything ever sent, by a fixpoint over all
// processes. It begins with nothing sent, so that a receive is not possible before something was; what grows too long is widened, to constants
// of the program and in the end to the field's type. What a receive stores is then known as well as what was sent.
//
// Soundness duty: by induction over the steps of a run, every message is within its type's intervals.

import { rangeOf, type Storage } from '../process/storage.ts';
import type { CodeContext } from './context.ts';
import { placeReceived } from './fastened.ts';
import {
  evaluate,
  type Interval,
  intervalsOf,
  ownVariables,
  runOperations,
  thresholdsOf,
  type Values,
} from './intervals.ts';
import type { Operation } from './operations.ts';

/** Per place: the fields' intervals; absent while nothing was sent. */
type Sent = ReadonlyMap<number, readonly Interval[]>;

const ROUNDS_BEFORE_WIDENING = 3;
const ROUNDS_BEFORE_GIVING_UP = 8;
/** Larger nets are not worth the rounds. */
const MOST_TRANSITIONS = 20_000;

/** The same code, with the values that receives can store. */
export function withSentValues(context: CodeContext): CodeContext {
  const stores = context.operations.some((operations) =>
    operations.some((operation) => operation.kind === 'assign' && operation.field !== null),
  );
  if (!stores || context.net.transitions.length > MOST_TRANSITIONS) return context;
  let sent: Sent = new Map();
  for (let round = 0; ; round++) {
    const annotated = annotate(context, sent);
    const next = sentUnder(annotated, sent, round);
    if (next === null) return annotated;
    sent = next;
  }
}

function annotate(context: CodeContext, sent: Sent): CodeContext {
  const impossible = new Set<number>();
  const operations = context.operations.map((list, transition) => {
    const place = placeReceived(context, transition);
    if (place === null || context.net.places[place]!.storage === undefined) return list;
    const fields = sent.get(place);
    if (fields === undefined) impossible.add(transition);
    return fields === undefined ? list : storing(list, fields);
  });
  return { ...context, operations, impossible };
}

/** Where one receive alone takes a message, what it stores is one of the place's. */
function storing(list: readonly Operation[], fields: readonly Interval[]): readonly Operation[] {
  const [receive, ...others] = list.flatMap((operation) => (operation.kind === 'receive' ? [operation] : []));
  if (receive === undefined || others.length > 0 || receive.statement.copy) return list;
  return list.map((operation) => {
    const range =
      operation.kind === 'assign' && operation.field !== null ? fields[operation.field] : undefined;
    return range === undefined ? operation : { ...operation, range };
  });
}

/** What is sent while no more than `sent` is received; null when that is nothing new. */
function sentUnder(context: CodeContext, sent: Sent, round: number): Sent | null {
  const { net } = context;
  const found = new Map<number, Interval[]>([...sent].map(([place, fields]) => [place, [...fields]]));
  let grown = false;
  net.classes.forEach((_, netClass) => {
    const at = intervalsOf(context, netClass);
    const own = ownVariables(context, netClass);
    for (const transition of context.graphs[netClass]!.transitions) {
      const values = at[net.transitions[transition]!.from] ?? null;
      if (values === null || context.impossible?.has(transition)) continue;
      for (const { place, change } of net.transitions[transition]!.effect) {
        const storages = net.places[place]!.storage;
        if (change <= 0 || storages === undefined) continue;
        const contents = contentsOf(context, transition, values, own, storages);
        if (contents === null) continue;
        const known = found.get(place);
        grown ||= known === undefined;
        const joined = storages.map((storage, field) => {
          const before = known?.[field] ?? contents[field]!;
          const after = join(context, storage, before, contents[field]!, round);
          grown ||= after.least !== before.least || after.most !== before.most;
          return after;
        });
        found.set(place, joined);
      }
    }
  });
  return grown ? found : null;
}

/** The fields of a message that the transition sends; null when it cannot be taken. */
function contentsOf(
  context: CodeContext,
  transition: number,
  values: Values,
  own: ReturnType<typeof ownVariables>,
  storages: readonly Storage[],
): Interval[] | null {
  const operations = context.operations[transition]!;
  const sends = operations.flatMap((operation) => (operation.kind === 'send' ? [operation] : []));
  const added = context.net.transitions[transition]!.effect.reduce(
    (sum, { place, change }) =>
      sum + (change > 0 && context.net.places[place]!.storage !== undefined ? change : 0),
    0,
  );
  const found: (Interval | null)[] = storages.map(() => null);
  const watch = (operation: Operation, now: Values): void => {
    if (operation.kind !== 'send') return;
    storages.forEach((storage, field) => {
      const argument = operation.statement.args[field];
      const value = argument && throughField(storage, evaluate(context, now, argument));
      found[field] = hull(found[field] ?? null, value ?? whole(storage));
    });
  };
  if (runOperations(context, values, operations, own, watch) === null) return null;
  // Several sends, or one inside a d_step, might be the one: all count, and what is not seen counts as anything.
  return storages.map((storage, field) =>
    sends.length < added ? whole(storage) : (found[field] ?? whole(storage)),
  );
}

const whole = (storage: Storage): Interval => {
  const { min, max } = rangeOf(storage);
  return { least: min, most: max };
};

const throughField = (storage: Storage, value: Interval): Interval => {
  const range = whole(storage);
  return value.least >= range.least && value.most <= range.most ? value : range;
};

const hull = (a: Interval | null, b: Interval): Interval =>
  a === null ? b : { least: Math.min(a.least, b.least), most: Math.max(a.most, b.most) };

function join(
  context: CodeContext,
  storage: Storage,
  before: Interval,
  more: Interval,
  round: number,
): Interval {
  const { least, most } = hull(before, more);
  if (least === before.least && most === before.most) return before;
  if (round < ROUNDS_BEFORE_WIDENING) return { least, most };
  const range = whole(storage);
  if (round >= ROUNDS_BEFORE_GIVING_UP) return range;
  const thresholds = thresholdsOf(context);
  const low =
    least < before.least ? (thresholds.findLast((threshold) => threshold <= least) ?? range.least) : least;
  const high = most > before.most ? (thresholds.find((threshold) => threshold >= most) ?? range.most) : most;
  return { least: Math.max(low, range.least), most: Math.min(high, range.most) };
}
