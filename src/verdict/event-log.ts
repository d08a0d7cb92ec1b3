// A recorded trace: what processes sent and received, one JSON object a line, with as much of each event as was observed.
//
//   {"process":"client","event":"send","queue":"requests","message":"get,3"}
//
// Every field but `event` may be left out; a message may be a list, with null for a part that nobody saw. A handshake is a send and,
// right after it, a receive. An object with the key `observed` instead says what the log is about: all the rest may happen unseen.

import type { Run } from './run.ts';

export const LOGGED_KINDS = ['send', 'receive', 'copy'] as const;
export type LoggedKind = (typeof LOGGED_KINDS)[number];

/** What happens in a model. */
export interface MessageEvent {
  readonly kind: LoggedKind;
  readonly process: string;
  readonly queue: string;
  readonly message: string;
}

/** What was seen of it: null is anything. */
export interface LoggedEvent {
  readonly kind: LoggedKind;
  readonly process: string | null;
  readonly queue: string | null;
  readonly message: string | readonly (string | null)[] | null;
  readonly line: number;
}

export type Conformance =
  | { readonly kind: 'possible'; readonly events: number }
  /** What could have happened instead; none: nothing that would have been observed. */
  | { readonly kind: 'impossible'; readonly event: LoggedEvent; readonly allowed: readonly MessageEvent[] }
  | { readonly kind: 'unknown'; readonly event: LoggedEvent; readonly limit: 'state-limit' | 'time-limit' };

/** Null: all of them. */
export interface Observed {
  readonly queues: readonly string[] | null;
  readonly processes: readonly string[] | null;
  readonly events: readonly LoggedKind[] | null;
}

export const EVERYTHING: Observed = { queues: null, processes: null, events: null };

export class BrokenLog extends Error {}

export const isObserved = (event: MessageEvent, { queues, processes, events }: Observed): boolean =>
  (queues === null || queues.includes(event.queue)) &&
  (processes === null || processes.includes(event.process)) &&
  (events === null || events.includes(event.kind));

export function fits(event: MessageEvent, seen: LoggedEvent): boolean {
  if (event.kind !== seen.kind) return false;
  if (seen.process !== null && seen.process !== event.process) return false;
  if (seen.queue !== null && seen.queue !== event.queue) return false;
  if (seen.message === null || typeof seen.message === 'string')
    return seen.message === null || seen.message === event.message;
  const parts = event.message.split(',');
  return (
    parts.length === seen.message.length && seen.message.every((one, i) => one === null || one === parts[i])
  );
}

export function messageEvents(run: Run): MessageEvent[] {
  return run.steps.flatMap(({ actors, events }) =>
    events.flatMap((event): MessageEvent[] => {
      const [process, partner] = actors.map((actor) => run.actors[actor] ?? '?') as [string, string?];
      if (event.kind !== 'send' && event.kind !== 'receive' && event.kind !== 'rendezvous') return [];
      const { queue, message } = event;
      if (event.kind === 'send') return [{ kind: 'send', process, queue, message }];
      if (event.kind === 'receive')
        return [{ kind: event.copy ? 'copy' : 'receive', process, queue, message }];
      return [
        { kind: 'send', process, queue, message },
        { kind: 'receive', process: partner ?? '?', queue, message },
      ];
    }),
  );
}

export const writeEventLog = (run: Run): string =>
  messageEvents(run)
    .map(
      ({ kind, process, queue, message }) => `${JSON.stringify({ process, event: kind, queue, message })}\n`,
    )
    .join('');

/** Line by line, so that a log of any length can be read; what it is about is told at once. */
export function* readEventLog(
  lines: Iterable<string>,
  tell: (observed: Observed) => void,
): Generator<LoggedEvent> {
  let number = 0;
  let isFirst = true;
  for (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    const fields = objectIn(line, number);
    if (fields['observed'] !== undefined) {
      if (!isFirst) throw new BrokenLog(`line ${number}: "observed" stands before all events`);
      tell(observedIn(fields['observed'], number));
    } else yield eventIn(fields, number);
    isFirst = false;
  }
}

function objectIn(line: string, number: number): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new BrokenLog(`line ${number}: not JSON; each line is one event: {"process":…,"event":"send",…}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new BrokenLog(`line ${number}: not an object`);
}

function eventIn(fields: Record<string, unknown>, line: number): LoggedEvent {
  const kind = LOGGED_KINDS.find((one) => one === fields['event']);
  if (kind === undefined) throw new BrokenLog(`line ${line}: "event" is one of ${LOGGED_KINDS.join(', ')}`);
  const text = (key: string): string | null => {
    const value = fields[key] ?? null;
    if (value === null || typeof value === 'string') return value;
    throw new BrokenLog(`line ${line}: "${key}" must be a text`);
  };
  return {
    kind,
    process: text('process'),
    queue: text('queue'),
    message: messageIn(fields['message'], line),
    line,
  };
}

function messageIn(value: unknown, line: number): LoggedEvent['message'] {
  if (value === undefined || value === null) return null;
  if (isScalar(value)) return String(value);
  if (Array.isArray(value) && value.every((one) => one === null || isScalar(one)))
    return value.map((one) => (one === null ? null : String(one)));
  throw new BrokenLog(`line ${line}: "message" is a text, a number or a list of them`);
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

function observedIn(value: unknown, line: number): Observed {
  const known = ['queues', 'processes', 'events'];
  const fields = objectIn(JSON.stringify(value), line);
  const wrong = Object.keys(fields).find((key) => !known.includes(key));
  if (wrong !== undefined)
    throw new BrokenLog(`line ${line}: "observed" has ${known.join(', ')}, not "${wrong}"`);
  const list = (key: string): string[] | null => {
    const items = fields[key] ?? null;
    if (items === null || (Array.isArray(items) && items.every((one) => typeof one === 'string')))
      return items;
    throw new BrokenLog(`line ${line}: "${key}" must be a list of texts`);
  };
  const events = list('events');
  const strange = events?.find((one) => !(LOGGED_KINDS as readonly string[]).includes(one));
  if (strange !== undefined) throw new BrokenLog(`line ${line}: there is no event "${strange}"`);
  return { queues: list('queues'), processes: list('processes'), events: events as LoggedKind[] | null };
}
