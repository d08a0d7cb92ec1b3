// What the threads say to each other: plain data only.

import type { RemoteModel } from '../check/check.ts';
import type { Fact } from '../engine/fact.ts';
import type { Ended } from '../engine/scheduler.ts';

/** To a worker: let this engine work on these questions. */
export interface WorkMessage {
  readonly model: RemoteModel;
  readonly engine: string;
  readonly open: readonly string[];
  readonly facts: readonly Fact[];
  /** Milliseconds, from now. */
  readonly remaining: number;
  readonly maxStates: number;
  readonly maxMemory: number;
  /** One Int32: not zero when the answer is no longer wanted. Shared, so that an engine sees it in the middle of its work. */
  readonly cancel: SharedArrayBuffer;
  /** One Int32: how many threads have nothing to do. */
  readonly free: SharedArrayBuffer;
}

export type WorkerMessage =
  | { readonly kind: 'fact'; readonly fact: Fact }
  | { readonly kind: 'stage' | 'progress'; readonly text: string }
  | Ended;
