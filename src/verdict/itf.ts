// Traces in the Informal Trace Format of Apalache and Quint: a list of states, each with the values of some variables. Values are compared as texts, in
// the words of runs: numbers (also `{"#bigint":"3"}`), truth values and names as they are, queues as lists of messages, a message of several
// parts with commas between them.

import { BrokenLog } from './event-log.ts';

export interface StateTrace {
  /** What was observed; all the rest may change unseen. */
  readonly variables: readonly string[];
  /** By state, in the order of `variables`; null: not seen in this state. */
  readonly states: readonly (readonly (string | null)[])[];
}

/** Says what a step was, not what a state is. */
const NO_VARIABLES: readonly string[] = ['#meta', 'step'];

export function readItf(document: unknown): StateTrace {
  if (!isObject(document) || !Array.isArray(document['states']) || document['states'].length === 0)
    throw new BrokenLog('an ITF trace has a list "states"');
  const listed = document['vars'];
  const first = document['states'][0] as unknown;
  const names = Array.isArray(listed) ? listed : isObject(first) ? Object.keys(first) : [];
  const variables = [...new Set(names)].filter(
    (name) => typeof name === 'string' && !NO_VARIABLES.includes(name),
  );
  const states = document['states'].map((state: unknown, index) => {
    if (!isObject(state)) throw new BrokenLog(`state ${index} is not an object`);
    return variables.map((name) =>
      state[name] === undefined ? null : textOf(state[name], `state ${index}: ${name}`),
    );
  });
  return { variables, states };
}

function textOf(value: unknown, place: string): string {
  if (['string', 'number', 'boolean'].includes(typeof value)) return String(value);
  if (isObject(value) && typeof value['#bigint'] === 'string') return value['#bigint'];
  const items = Array.isArray(value) ? value : isObject(value) ? value['#tup'] : undefined;
  if (!Array.isArray(items))
    throw new BrokenLog(`${place} is no number, truth value, text or list of messages`);
  return queueText(items.map((item) => messageText(item, place)));
}

function messageText(message: unknown, place: string): string {
  const parts = isObject(message) && Array.isArray(message['#tup']) ? message['#tup'] : message;
  return Array.isArray(parts) ? parts.map((part) => textOf(part, place)).join(',') : textOf(parts, place);
}

/** The contents of a queue as one text. */
export const queueText = (messages: readonly string[]): string => `[${messages.join('; ')}]`;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of a state what is not as in the one before. */
export type Difference = readonly { readonly name: string; readonly value: string }[];

export type StateConformance =
  | { readonly kind: 'possible'; readonly states: number }
  | {
      readonly kind: 'impossible';
      readonly state: number;
      readonly seen: Difference;
      /** What could have changed instead. */
      readonly allowed: readonly Difference[];
    }
  | { readonly kind: 'unknown'; readonly state: number; readonly limit: 'state-limit' | 'time-limit' };
