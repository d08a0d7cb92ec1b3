// Why nothing moves any more, or why one process never will: who stands where, what each waits for, and who could have helped.

import type { Position } from '../source/source.ts';

export interface BlockedProcess {
  /** As in the run's `actors`. */
  readonly process: string;
  readonly at: Position | null;
  /** The statement it stands at; with several alternatives the first. */
  readonly statement: string;
  /** One for each statement it could go on with. Empty: it has nothing left to do, but may not stop here. */
  readonly waitsFor: readonly Wait[];
}

export interface Wait {
  readonly statement: string;
  readonly at: Position | null;
  readonly kind: WaitKind;
  /** In words: 'a message in q, which is empty'. */
  readonly text: string;
  readonly queue?: string;
  /** Processes that could have helped, and why they do not. Empty: nobody ever could. */
  readonly helpers: readonly Helper[];
}

export type WaitKind =
  /** A receive from an empty channel. */
  | 'message'
  /** A send to a full channel. */
  | 'room'
  /** One half of a handshake. */
  | 'partner'
  /** The message in front is not the one that is wanted, which stands behind it. */
  | 'head-of-line'
  /** The message in front is not the one that is wanted. */
  | 'other-message'
  | 'condition'
  /** A statement that is never executable: `false`. */
  | 'never'
  /** Another process is in an atomic sequence without end. */
  | 'control'
  /** A process dies only after all younger ones. */
  | 'younger-process';

export interface Helper {
  readonly process: string;
  /** 'blocked itself', 'has ended', … */
  readonly text: string;
}

/** How a run ends whose processes are blocked. */
export interface Blockage {
  readonly processes: readonly BlockedProcess[];
  /** A circle of processes, each waiting for what the next one could do; null when there is none. */
  readonly circularWait: readonly string[] | null;
}
