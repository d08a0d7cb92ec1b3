// What a language of statecharts supplies: the behaviour of single actors, as a pure function on data.
//
// A front end (XState, SCXML) implements `Behaviour`; `explore` calls it until nothing new turns up and gives an `ActorSystem`: every
// actor as a finite graph. From there on nobody knows which language it was.
//
// The duties of a front end:
// - A macrostep is one call: `start` or `react` runs to the end of it, raised (internal) events and eventless transitions included, and
//   returns what the actor did as effects, in the order in which they take place.
// - Determinism: the same call has the same outcomes. Several outcomes are alternatives, of which any may happen (a guard on data
//   that is not known). Every outcome that can really happen must be among them: proofs rest on that. More are allowed, for
//   every run that refutes is replayed on the language's own interpreter.
// - Actors are named once and for all: an actor that is stopped and started again under the same id keeps its name.
// - Keys are opaque: two states (events, starts) are the same if and only if their keys are equal.

import type { Position } from '../source/source.ts';

/** Ids from the root to the actor with '/' between them: `shop`, `shop/basket`. */
export type ActorName = string;

/** A state of one actor: configuration, history and the data that matters. Timers are not part of it: see `send` with a delay. */
export type StateKey = string;

export interface EventValue {
  /** What `handled` and formulas know it by. */
  readonly type: string;
  /** Type and payload. */
  readonly key: string;
  /** For people: the type, and the payload where there is one. */
  readonly text: string;
  /** The event as JSON data, for tests that are written from runs; without what has no such form. */
  readonly data?: unknown;
}

/** How an actor comes to life: its logic and its input. */
export interface Start {
  readonly actor: ActorName;
  readonly parent: ActorName | null;
  /** The logic's name for people: the machine's id, the source of an invocation. */
  readonly logic: string;
  /** Logic and input. */
  readonly key: string;
}

export type Effect =
  /**
   * Append to the target's mailbox; with a delay (milliseconds, or null for now) later. `id` for `cancel`; what a second
   * delayed send with the same id means is the language's `TimerRule`. `to` null: there is no such actor, `target` says what the user called it.
   * `certain`: the target is alive when the sender acts in the language's own scheduler (its parent, its own running child, itself).
   */
  | {
      readonly kind: 'send';
      readonly to: ActorName | null;
      readonly target: string;
      readonly event: EventValue;
      readonly delay: number | null;
      readonly id: string | null;
      readonly certain: boolean;
    }
  /** Takes back the actor's own delayed sends of that id that have not fired. */
  | { readonly kind: 'cancel'; readonly id: string }
  | { readonly kind: 'start'; readonly start: Start }
  | { readonly kind: 'stop'; readonly actor: ActorName }
  /** To listeners outside the system: seen by formulas only. */
  | { readonly kind: 'emit'; readonly event: EventValue };

export interface Outcome {
  readonly state: StateKey;
  readonly effects: readonly Effect[];
  /** False: no transition was selected for the event, which is lost. */
  readonly handled: boolean;
  /** The transitions taken, as `Logic.transitions` names them. */
  readonly transitions: readonly string[];
  /** What was assumed, where the outcome is one of several: 'isValid is true'. */
  readonly assumed?: readonly string[];
}

export interface StateInfo {
  /** One line for people: the configuration, and the data where it is told apart. */
  readonly text: string;
  /** The active states by the names that formulas and `reachable` use: `a`, `a.b`. */
  readonly active: readonly string[];
  readonly tags: readonly string[];
  /** `done` and `error`: the actor takes no more events, its timers are gone. */
  readonly status: 'active' | 'done' | 'error';
  /** Why, for `error`. */
  readonly error?: string;
  /** A final state, or one without any way out: standing here for ever is what the author meant. */
  readonly rests: boolean;
  /** Marked as progress (a tag, or meta data). */
  readonly progress: boolean;
  readonly at: Position | null;
}

/**
 * Something that may happen to an actor of itself while it is in a state: an event from outside, a promise that settles, a value of
 * an observable. It is taken as an event, but only when the actor's mailbox is empty: the outside world waits. What is `external` waits even until no
 * message is under way anywhere (one patient user of the whole system); what is `local` does not (a user at every actor).
 */
export interface Offer {
  readonly kind: 'external' | 'local' | 'settled' | 'callback';
  readonly event: EventValue;
}

export const isFromOutside = (kind: Offer['kind']): boolean => kind === 'external' || kind === 'local';

/** The shape of a logic: for pictures, for `reachable`, for selectors in formulas. */
export interface Logic {
  readonly name: string;
  readonly root: StateNode;
  readonly transitions: readonly Transition[];
  readonly at: Position | null;
}

export interface StateNode {
  /** The name in `StateInfo.active`; '' for the root. */
  readonly name: string;
  readonly key: string;
  readonly kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history';
  readonly initial: string | null;
  readonly tags: readonly string[];
  /** Lines inside the box: `entry / log`, `invoke fetchUser`. */
  readonly lines: readonly string[];
  readonly states: readonly StateNode[];
  readonly at: Position | null;
}

export interface Transition {
  /** Unique within the logic. */
  readonly id: string;
  readonly from: string;
  /** Null: without a target. */
  readonly to: readonly string[] | null;
  /** `CLICK`, `after 500`, `always`, `done`. */
  readonly event: string;
  readonly guard: string | null;
  readonly actions: readonly string[];
  readonly at: Position | null;
}

/** What the exploration left out or widened: part of every verdict. */
export interface Caveat {
  /**
   * `widened`: more may happen in the model than in reality; proofs hold, and runs are replayed.
   * `unseen`: something that happens in reality may be missing; nothing is proved.
   */
  readonly kind: 'widened' | 'unseen';
  readonly message: string;
  readonly at: Position | null;
}

export interface Behaviour {
  readonly name: string;
  /** What runs from the beginning. Several starts of one actor are alternatives. */
  roots(): readonly Start[];
  start(start: Start): readonly Outcome[];
  react(actor: ActorName, state: StateKey, event: EventValue): readonly Outcome[];
  offers(actor: ActorName, state: StateKey): readonly Offer[];
  describe(actor: ActorName, state: StateKey): StateInfo;
  /** What the actor still does when it is stopped in that state: sends, at once. Stops of its own children are not among them. */
  stopped?(actor: ActorName, state: StateKey): readonly Effect[];
  logicOf(start: Start): Logic | null;
  caveats(): readonly Caveat[];
}
