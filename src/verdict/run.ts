// A real run of the model: the evidence of a refutation, a simulation, or a replayed counterexample.
// It is self-contained (texts and positions, no ids), so that reports and trace files need nothing else.

import type { Position } from '../source/source.ts';
import type { Blockage } from './blocked.ts';

export interface Run {
  /** What goes wrong at the end: 'the queue grows', 'assertion violated', 'invalid end state'. */
  readonly title: string;
  /** Process or component names, e.g. `client(0)`; steps refer to them by index. Processes created on the way come later. */
  readonly actors: readonly string[];
  readonly queues: readonly { readonly name: string; readonly capacity: number | null }[];
  readonly initial: readonly Change[];
  readonly steps: readonly Step[];
  /** The steps from this index on repeat for ever; null for a finite run. */
  readonly loopStart: number | null;
  /** For pumping loops: messages a queue gains in each round. */
  readonly growth?: readonly { readonly queue: string; readonly perRound: number }[];
  /** For deadlocks: why nothing (or one process) can move any more after the last step. */
  readonly blocked?: Blockage;
}

export interface Step {
  /** One actor; several when components synchronise on an event. */
  readonly actors: readonly number[];
  readonly text: string;
  readonly at: Position | null;
  /** Of a handshake: where the second actor's half stands. */
  readonly partnerAt?: Position;
  readonly events: readonly Event[];
  /** What the step changed: variables and locations, by the names a user knows. */
  readonly changes: readonly Change[];
  /** What to choose to take this step again: meaning is the engine's own (pid and edge for Promela). */
  readonly choice: readonly number[];
}

export type Event =
  /** `position`: where the message was inserted, for sorted sends; at the end without it. */
  | { readonly kind: 'send'; readonly queue: string; readonly message: string; readonly position?: number }
  | {
      readonly kind: 'receive';
      readonly queue: string;
      readonly message: string;
      readonly position?: number;
      readonly copy?: boolean;
    }
  /** Sender and receiver are the step's first and second actor. */
  | { readonly kind: 'rendezvous'; readonly queue: string; readonly message: string }
  /** A synchronised event of components, or an event of a C program. */
  | { readonly kind: 'event'; readonly name: string }
  | { readonly kind: 'start'; readonly actor: number }
  | { readonly kind: 'end' }
  | { readonly kind: 'print'; readonly text: string };

/** A process between two steps: what it would do next. */
export interface Standing {
  /** As in the run's `actors`. */
  readonly process: string;
  readonly at: Position | null;
  /** One for each way on, whether it is open now or not; none at the end of its program. */
  readonly statements: readonly string[];
}

export interface Change {
  readonly name: string;
  readonly value: string;
}
