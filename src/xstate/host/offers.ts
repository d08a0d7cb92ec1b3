// What may happen to an actor of itself: events from outside, promises that settle, values of observables, what callbacks send back.

import type { Offer } from '../../actors/behaviour.ts';
import { ANY, OPEN, STAND_IN } from './any.ts';
import type { Ledger, StateRecord } from './ledger.ts';
import type { LogicRecord } from './logics.ts';
import type { XEvent, XSnapshot } from './types.ts';
import { matches } from './words.ts';

export function offersOf(ledger: Ledger, { record, snapshot }: StateRecord): readonly Offer[] {
  const { outputs = {}, errors = {}, callbacks = {} } = ledger.declared;
  const offer = (kind: Offer['kind'], event: XEvent): Offer => ({ kind, event: ledger.eventValue(event) });
  const settled = (type: string, values: readonly unknown[] | undefined): Offer[] =>
    (values ?? [ANY]).map((data) => offer('settled', { type, data }));
  const sendBack = (): Offer[] =>
    (callbacks[record.name] ?? []).map((event) =>
      offer('callback', {
        type: 'xstate.spillway.sendBack',
        event: typeof event === 'string' ? { type: event } : event,
      }),
    );
  switch (record.kind) {
    case 'machine':
      return externalTypes(ledger, record, snapshot).flatMap((type) =>
        payloads(ledger, type).map((event) => offer('external', event)),
      );
    case 'promise':
      return [
        ...settled('xstate.promise.resolve', outputs[record.name]),
        ...settled('xstate.promise.reject', errors[record.name]),
      ];
    case 'observable':
    case 'event-observable':
      return [
        ...(record.kind === 'observable'
          ? (outputs[record.name] ?? [ANY]).map((data) =>
              offer('callback', { type: 'xstate.observable.next', data }),
            )
          : sendBack()),
        offer('settled', { type: 'xstate.observable.complete', data: undefined }),
        ...settled('xstate.observable.error', errors[record.name]),
      ];
    case 'callback':
      if (callbacks[record.name] === undefined)
        ledger.caveat(
          'widened',
          `what the callback ${record.name} sends is not declared: events that no actor sends are taken to come at any time (spillway.callbacks says more)`,
        );
      return sendBack();
    case 'transition':
      return [];
  }
}

/** The types that the configuration has a transition for and that nobody inside sends. */
function externalTypes({ declared, lessons }: Ledger, record: LogicRecord, snapshot: XSnapshot): string[] {
  const types = new Set((snapshot._nodes ?? []).flatMap((node) => [...node.transitions.keys()]));
  const internal = lessons.internal.get(record.name);
  const fromCallbacks = new Set(
    Object.values(declared.callbacks ?? {}).flatMap((list) =>
      list.map((event) => (typeof event === 'string' ? event : event.type)),
    ),
  );
  if (declared.events !== undefined)
    return Object.keys(declared.events).filter((type) =>
      [...types].some((descriptor) => matches(type, descriptor)),
    );
  return [...types]
    .map(standInFor)
    .filter(
      (type) => !type.startsWith('xstate.') && internal?.has(type) !== true && !fromCallbacks.has(type),
    );
}

/** One type for all those that only a pattern matches. */
const standInFor = (descriptor: string): string =>
  descriptor === '*' ? STAND_IN : descriptor.replace(/\.\*$/, `.${STAND_IN}`);

function payloads({ declared }: Ledger, type: string): XEvent[] {
  const cases = declared.events?.[type];
  if (cases === undefined) {
    const open = { type };
    Object.defineProperty(open, OPEN, { value: true });
    return [open];
  }
  return cases.length === 0 ? [{ type }] : cases.map((payload) => ({ ...payload, type }));
}
