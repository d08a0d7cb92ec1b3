// The counting abstraction: what is left of a system when only counts matter.
//
// A net has process classes with control locations, and places that hold counts: message types of buffered queues, message
// types of rendezvous channels, and values of shared variables (token places). A transition moves one instance of a class between
// two locations, changes places, and may start instances of other classes.
//
// Soundness duty: every run of the concrete system, with channels of unlimited capacity, is a run of the net whose counts are never
// negative. The net may have more runs, never fewer. A queue's length is at every moment at most the sum of its places.

import type { Storage } from '../process/storage.ts';
import type { Position } from '../source/source.ts';

export interface Net {
  readonly classes: readonly NetClass[];
  readonly places: readonly Place[];
  readonly queues: readonly NetQueue[];
  readonly transitions: readonly NetTransition[];
}

export interface NetClass {
  /** As a user would name it: `client(0)`, `server`, `init`. */
  readonly name: string;
  readonly locations: readonly NetLocation[];
  /** Index into `locations`. */
  readonly initial: number;
  /** Instances at the start. */
  readonly instances: number;
  /** The proctype behind it (ProctypeId), for refinement and guided search. */
  readonly proctype: number;
}

export interface NetLocation {
  readonly name: string;
  /** Index of the location in the proctype's control graph (LocationId). */
  readonly origin: number;
  /** Values of unfolded variables here, by the names a user knows. */
  readonly values: readonly { readonly name: string; readonly value: number }[];
  readonly at: Position | null;
}

export interface Place {
  readonly name: string;
  /**
   * message: a count ≥ 0 of messages of one type in a buffered queue.
   * rendezvous: offers of one type on a rendezvous channel; always 0, so sends and receives balance exactly.
   * token: 1 while a shared variable has this value; the places of one variable hold one token in all. Also the free room of a
   * queue that is only sent to behind guards on its length: messages and room add up to a constant.
   */
  readonly kind: 'message' | 'rendezvous' | 'token';
  readonly initial: number;
  /** Of a message: what its fields keep of the values sent. */
  readonly storage?: readonly Storage[];
}

export interface NetQueue {
  /** As in docs/cli.md: `link[0]`, `toServer`, `proctype.name`. */
  readonly name: string;
  /** Indices of its message types in `places`. */
  readonly places: readonly number[];
  readonly declared: number;
  readonly at: Position | null;
}

export interface NetTransition {
  readonly class: number;
  readonly from: number;
  readonly to: number;
  /** Sparse, each place at most once, no zero changes. */
  readonly effect: readonly Change[];
  /** Places that must hold one more than is taken, and keep it: values that are only read. Not seen by the flow program. */
  readonly tests?: readonly number[];
  /** Sparse: instances started, per class. */
  readonly spawns: readonly Spawn[];
  /** A progress transition for livelock freedom. */
  readonly progress: boolean;
  /** The statement in the user's words, and where. */
  readonly text: string;
  readonly at: Position | null;
  /** The edges of the control graph (EdgeId) fused into this transition, in order. */
  readonly origin: readonly number[];
}

export interface Change {
  readonly place: number;
  readonly change: number;
}

export interface Spawn {
  readonly class: number;
  readonly count: number;
}
