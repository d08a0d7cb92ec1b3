// A system of actors, explored: plain data that the interpreter, the translation into the program IR, the pictures and the reports
// read. Everything that a run can do is here; what was widened on the way stands in `caveats`.
//
// The meaning (see `semantics.ts`, which executes it):
// - Each actor has a state and one mailbox without limit. It takes the first message, and does all effects of one of the reactions to it.
// - `in-process`: as XState runs a system on one thread. A message to an idle actor is taken at once, before the sender's next effect; one to an
//   actor that is at work waits. Timers, offers and the outside come only when everything is quiet.
// - `distributed`: as if every actor had a machine of its own. A step of an actor is one indivisible step of the system; messages wait as long as the
//   receiver likes; timers may fire at any time after they were set; promises and callbacks, too, when the actor's own mailbox is empty. The outside
//   alone is patient: its events come when no message waits anywhere (otherwise every mailbox that it reaches would be without limit), unless an
//   offer is `local`: then it waits for the mailbox of its own actor only.
// - Timers are part of an actor's state here: `timers` lists those that may fire next. Of two set in one step the shorter fires first.
// - A message to an actor that is not running is lost, and so is one that no transition is selected for: both are facts for `handled`.

import type { Caveat, Logic, StateInfo } from './behaviour.ts';

export type Scheduler = 'in-process' | 'distributed';

/** Indices into the arrays of the system. */
export type ActorId = number;
export type MessageId = number;
/** Index into the states of one actor. */
export type StateId = number;

export interface ActorSystem {
  readonly name: string;
  readonly language: string;
  readonly messages: readonly Message[];
  readonly actors: readonly Actor[];
  readonly logics: readonly Logic[];
  readonly caveats: readonly Caveat[];
  /** Types of events that count as progress when they are taken; states say so themselves. */
  readonly progress?: readonly string[];
}

/** Has the author said what progress is? Otherwise whatever comes from outside, timers and promises are. */
export const hasProgressMarks = ({ actors, progress = [] }: ActorSystem): boolean =>
  progress.length > 0 || actors.some(({ states }) => states.some((state) => state.progress));

export interface Message {
  readonly type: string;
  /** The front end's own name for type and payload. */
  readonly key: string;
  readonly text: string;
  readonly data?: unknown;
}

export interface Actor {
  readonly name: string;
  readonly parent: ActorId | null;
  /** Index into `logics`, or null for logics without a shape (promises, callbacks). */
  readonly logic: number | null;
  readonly logicName: string;
  /** Runs from the beginning, by any of its starts. */
  readonly root: boolean;
  /** Stands for any number of actors, which share one mailbox and are in any of the states: see `families`. */
  readonly family: boolean;
  readonly starts: readonly ActorStart[];
  readonly states: readonly ActorState[];
}

export interface ActorStart {
  /** For people: the input, where there are several. */
  readonly text: string;
  readonly reactions: readonly Reaction[];
}

export interface ActorState extends StateInfo {
  /** By message: what may happen when it is taken. A message that is not here cannot arrive in this state. */
  readonly receives: readonly { readonly message: MessageId; readonly reactions: readonly Reaction[] }[];
  readonly offers: readonly {
    readonly kind: 'external' | 'local' | 'settled' | 'callback';
    readonly message: MessageId;
    readonly reactions: readonly Reaction[];
  }[];
  /** What the actor still sends when it is stopped here. */
  readonly onStop?: readonly SystemEffect[];
  /** Timers that may fire now: the message is sent, and the actor is in the state `next`, which differs in its timers only. */
  readonly timers: readonly {
    readonly to: ActorId | null;
    readonly target: string;
    readonly message: MessageId;
    readonly delay: number;
    readonly next: StateId;
  }[];
}

export interface Reaction {
  readonly next: StateId;
  readonly effects: readonly SystemEffect[];
  readonly handled: boolean;
  /** Indices into the logic's transitions. */
  readonly transitions: readonly number[];
  readonly assumed: readonly string[];
}

export type SystemEffect =
  /** `to` null: nobody of that name. `certain`: see `Effect`. */
  | {
      readonly kind: 'send';
      readonly to: ActorId | null;
      readonly target: string;
      readonly message: MessageId;
      readonly certain: boolean;
    }
  | { readonly kind: 'start'; readonly actor: ActorId; readonly start: number }
  | { readonly kind: 'stop'; readonly actor: ActorId }
  | { readonly kind: 'emit'; readonly message: MessageId };
