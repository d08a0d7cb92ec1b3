// How charts name each other, and times.

import { SCXML_PROCESSOR } from './event.ts';
import type { Surroundings, Target } from './session.ts';

export type Address = Target | { readonly kind: 'internal' };

/** Null: no address at all. Names that the system gives a meaning come first. */
export function addressOf(text: string | null, around: Surroundings): Address | null {
  if (text === null || text === '') return { kind: 'self' };
  const named = around.addresses.get(text);
  if (named !== undefined) return { kind: 'session', id: named };
  if (text === '#_internal') return { kind: 'internal' };
  if (text === '#_parent') return { kind: 'parent' };
  if (text.startsWith('#_scxml_')) {
    const id = text.slice('#_scxml_'.length);
    return id === around.sessionId ? { kind: 'self' } : { kind: 'session', id };
  }
  return text.startsWith('#_') ? { kind: 'invoked', id: text.slice(2) } : null;
}

export const isScxmlSend = (type: string | null): boolean =>
  type === null || type === '' || type === 'scxml' || type === SCXML_PROCESSOR;

export const isScxmlInvoke = (type: string | null): boolean =>
  type === null ||
  type === '' ||
  type === 'scxml' ||
  /^http:\/\/www\.w3\.org\/TR\/scxml\/?(#SCXMLEventProcessor)?$/.test(type);

/** CSS times: '1.5s', '200ms'; null for what is none. No delay is 0. */
export function milliseconds(text: string | null): number | null {
  if (text === null || text.trim() === '') return 0;
  const match = /^\s*(\d*\.?\d+)\s*(ms|s)?\s*$/i.exec(text);
  if (match === null) return null;
  return Math.round(Number(match[1]) * (match[2]?.toLowerCase() === 's' ? 1000 : 1));
}
