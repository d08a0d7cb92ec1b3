// What a session is between two macrosteps, and what a macrostep does: plain data, so that states can be compared, stored and continued from.

import type { Span } from '../source/source.ts';
import type { Chart, Invoke } from './chart.ts';
import type { ChartEvent } from './event.ts';
import { type Encoded, NO_DATA } from './sandbox.ts';
import type { History } from './select.ts';

export interface Session {
  readonly status: 'running' | 'done';
  /** Active states in document order, without the root. */
  readonly configuration: readonly number[];
  readonly history: History;
  readonly data: Encoded;
  /** With late binding: states that were entered before, whose data is not made again. */
  readonly entered: readonly number[];
  readonly invocations: readonly Invocation[];
  /** Numbers for ids that the session makes up; 0 as long as it made up none. */
  readonly ids: number;
  /** The event of the last macrostep, kept where a handler could still read it when the session is taken down. */
  readonly event: ChartEvent | null;
}

export interface Invocation {
  readonly state: number;
  readonly index: number;
  readonly id: string;
}

export const NEW_SESSION: Session = {
  status: 'running',
  configuration: [],
  history: new Map(),
  data: NO_DATA,
  entered: [],
  invocations: [],
  ids: 0,
  event: null,
};

export type Target =
  | { readonly kind: 'self' }
  | { readonly kind: 'parent' }
  | { readonly kind: 'invoked'; readonly id: string }
  | { readonly kind: 'session'; readonly id: string };

export type Effect =
  | {
      readonly kind: 'send';
      readonly target: Target;
      /** As the chart wrote it. */
      readonly address: string;
      readonly event: ChartEvent;
      /** Milliseconds. */
      readonly delay: number;
      readonly id: string | null;
      readonly span: Span;
    }
  | { readonly kind: 'cancel'; readonly id: string; readonly span: Span }
  | {
      readonly kind: 'start';
      readonly id: string;
      readonly invoke: Invoke;
      readonly chart: Chart;
      /** Values for the variables of the invoked chart. */
      readonly values: ReadonlyMap<string, Encoded>;
      readonly span: Span;
    }
  | { readonly kind: 'stop'; readonly id: string; readonly span: Span }
  /** Autoforward: the event as it came. */
  | { readonly kind: 'forward'; readonly id: string; readonly event: ChartEvent; readonly span: Span }
  | { readonly kind: 'log'; readonly label: string; readonly text: string; readonly span: Span }
  /** The session reached its end: the parent hears of it. */
  | { readonly kind: 'done'; readonly data: Encoded; readonly span: Span };

export type StartSource =
  | { readonly kind: 'chart'; readonly chart: Chart }
  | { readonly kind: 'src'; readonly src: string }
  | { readonly kind: 'text'; readonly text: string };

/** An internal event, and where it was raised. */
export interface Raised {
  readonly event: ChartEvent;
  readonly span: Span;
}

/** One microstep: what enabled it, and what it did. */
export interface Microstep {
  /** Null: eventless. */
  readonly event: string | null;
  /** Numbers of transitions; empty for the initial entry. */
  readonly transitions: readonly number[];
  readonly exited: readonly number[];
  readonly entered: readonly number[];
}

export interface Outcome {
  readonly session: Session;
  readonly effects: readonly Effect[];
  /** Did a transition, or a `finalize`, or an autoforward take the external event? Always true for a start. */
  readonly handled: boolean;
  /** Internal events that no transition was selected for. */
  readonly dropped: readonly Raised[];
  readonly steps: readonly Microstep[];
}

/** What an event carries in from outside. */
export type Input =
  | { readonly kind: 'start'; readonly values: ReadonlyMap<string, Encoded> }
  | { readonly kind: 'event'; readonly event: ChartEvent }
  | { readonly kind: 'cancel' };

/** Whom a session can reach, and what it is called. */
export interface Surroundings {
  readonly sessionId: string;
  readonly hasParent: boolean;
  /** What the parent calls it. */
  readonly invokeId: string | null;
  /** Target names that the system gives a meaning, to session ids. */
  readonly addresses: ReadonlyMap<string, string>;
  /** The chart that an invocation starts, or null when it cannot be had. */
  readonly resolve: (source: StartSource) => Chart | null;
  /** Is there a session of that id (`#_scxml_id`)? */
  readonly knows: (id: string) => boolean;
}

/** Two sessions of one chart are the same if and only if their keys are. */
export function keyOf(session: Session): string {
  return JSON.stringify([
    session.status === 'done' ? 1 : 0,
    session.configuration,
    [...session.history].sort(([a], [b]) => a - b),
    session.entered,
    session.invocations.map(({ state, index, id }) => [state, index, id]),
    session.ids,
    session.event,
    session.data,
  ]);
}

export function sessionOf(key: string): Session {
  const [done, configuration, history, entered, invocations, ids, event, data] = JSON.parse(key) as [
    number,
    number[],
    [number, number[]][],
    number[],
    [number, number, string][],
    number,
    ChartEvent | null,
    string,
  ];
  return {
    status: done === 1 ? 'done' : 'running',
    configuration,
    history: new Map(history),
    data,
    entered,
    invocations: invocations.map(([state, index, id]) => ({ state, index, id })),
    ids,
    event,
  };
}
