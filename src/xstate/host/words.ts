// Events, errors and states as people read them.

import { ANY } from './any.ts';
import { brief } from './canonical.ts';
import type { XEvent, XNode } from './types.ts';

/** How the search knows a macrostep that never ends. */
export const ENDLESS = 'an endless macrostep';

export const nodeName = (node: XNode): string => node.path.join('.');

/** An event type and a descriptor: `mouse.*` and `*` are patterns. */
export const matches = (type: string, descriptor: string): boolean =>
  descriptor === '*' ||
  descriptor === type ||
  (descriptor.endsWith('.*') && `${type}.`.startsWith(descriptor.slice(0, -1)));

export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : error === ANY ? 'any error' : String(error);

export const errorText = (error: unknown): string => (error === ANY ? 'rejected' : errorMessage(error));

/** What can be written down of it. */
export function jsonOf(event: XEvent): unknown {
  try {
    return JSON.parse(JSON.stringify(event, (_, value) => (value === ANY ? undefined : value)));
  } catch {
    return { type: event.type };
  }
}

/** Parts of the platform's own events that say nothing to people. */
const UNTOLD = new Set(['actorId', 'sessionId', 'stateId', 'delay', 'id', 'of']);

export function eventText(event: XEvent, nameOf: (reference: object) => string): string {
  if (event.type === 'xstate.spillway.sendBack')
    return `sends ${eventText(event['event'] as XEvent, nameOf)}`;
  const { type, ...payload } = event;
  const platform = type.startsWith('xstate.');
  const shown = Object.fromEntries(
    Object.entries(payload).filter(([key, value]) => value !== undefined && !(platform && UNTOLD.has(key))),
  );
  const label = shortType(typeOf(event));
  return Object.keys(shown).length === 0 ? label : `${label} ${brief(shown, nameOf, 50)}`;
}

/** XState 6 has the ids of actors, states and timers beside the type: with them it is the type that XState 5 has. */
export function typeOf(event: XEvent): string {
  const { type } = event;
  if (type === 'xstate.timer') return String(event['of'] ?? event['id']);
  if (type === 'xstate.after') return `xstate.after.${String(event['delay'])}.${String(event['stateId'])}`;
  if (!/^xstate\.(?:done|error|snapshot|timeout)\.(?:actor|state)$|^xstate\.timeout$/.test(type)) return type;
  const id = event['actorId'] ?? event['stateId'];
  return id === undefined ? type : `${type}.${String(id)}`;
}

function shortType(type: string): string {
  const after = /^xstate\.after\.([^.]*)\./.exec(type);
  if (after !== null) return `after ${after[1]}`;
  return type
    .replace(/^xstate\.done\.actor\./, 'done ')
    .replace(/^xstate\.error\.actor\./, 'error ')
    .replace(/^xstate\.promise\.resolve$/, 'resolves')
    .replace(/^xstate\.promise\.reject$/, 'rejects')
    .replace(/^xstate\.observable\./, '')
    .replace(/^xstate\.snapshot\.(?:actor\.)?/, 'snapshot ')
    .replace(/^xstate\.timeout\.(?:actor\.)?/, 'timeout of ')
    .replace(/^xstate\.timer\.auto\.\d+$/, 'timer');
}

/** The configuration by its innermost states: `a.b` or `(x, y.z)`. */
export function stateText(nodes: readonly XNode[]): string {
  const leaves = nodes.filter((node) => !nodes.some((other) => other.parent === node));
  const names = leaves.map(nodeName);
  return names.length === 1 ? names[0]! : names.length === 0 ? '' : `(${names.join(', ')})`;
}
