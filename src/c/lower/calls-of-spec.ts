// What a .spec says about calls: which are events, and what library routines may do. A lone .c file says nothing.

import type { Span } from '../../source/source.ts';

export interface EventCall {
  /** For each argument of the call the values it may have, which become part of the event's name; null: the argument is ignored. */
  readonly arguments: readonly (readonly bigint[] | null)[];
  readonly event: string;
}

/** A routine as a process: events lead from state to state, returns end it with a value. */
export interface RoutineProcess {
  readonly name: string;
  readonly initial: readonly number[];
  readonly states: readonly RoutineState[];
  readonly span: Span;
}

export interface RoutineState {
  readonly steps: readonly { readonly event: string; readonly to: number }[];
  /** In this state the routine may return. `any`: with any value; null: it may not return here. */
  readonly returns: readonly (bigint | 'any')[];
}

/** A routine by the values of its arguments; one entry without values when they do not matter. */
export type Routine = readonly { readonly values: readonly bigint[]; readonly process: RoutineProcess }[];

export interface Calls {
  readonly events: ReadonlyMap<string, EventCall>;
  readonly routines: ReadonlyMap<string, Routine>;
}

export const PLAIN_C: Calls = { events: new Map(), routines: new Map() };
