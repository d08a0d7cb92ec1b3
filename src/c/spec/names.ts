// What the structures of threads are made of by name: propositions, and the events that no specification declares.

import type { Expr } from '../program/expr.ts';

export interface Proposition {
  readonly name: string;
  /** A test over cells, or a set of locations. */
  readonly holds: { readonly test: Expr } | { readonly locations: ReadonlySet<number> };
}

/** Shared by all threads, offered by those that have ended. */
export const ALL_ENDED = 'threads.end';

export const ownStep = (component: string): string => `${component}.step`;
/** Names of events in a specification have no dot. */
export const isOwnStep = (event: string): boolean => event.endsWith('.step');
