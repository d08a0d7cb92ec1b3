// Machines and transition functions as one version of XState runs them.

import type { Outcome } from '../../actors/behaviour.ts';
import type { StartRecord, StateRecord } from './ledger.ts';
import type { XEvent } from './types.ts';

export interface Machines {
  start(actor: string, start: StartRecord): Outcome;
  react(actor: string, state: StateRecord, event: XEvent): Outcome;
  /** What an actor tells its parent when it ends, fails, or has a new snapshot. */
  doneEvent(actor: string, output: unknown): XEvent;
  errorEvent(actor: string, error: unknown): XEvent;
  snapshotEvent(actor: string, snapshot: unknown): XEvent;
}
