// What executing statements may look at: the tables of an exploration as they stand, none of which it can change.
// (Cells and queues come into being when they are first looked at; nobody can tell that from their having been there all along.)

import type { Liveness } from '../process/liveness.ts';
import type { Program } from '../process/program.ts';
import type { ProcessClass } from './classes.ts';
import type { Layout } from './layout.ts';
import type { Limits } from './limits.ts';
import type { Plan } from './plan.ts';
import type { Queue } from './queues.ts';

export interface View {
  readonly program: Program;
  readonly layout: Layout;
  readonly plan: Plan;
  readonly limits: Limits;
  /** By id. */
  readonly queues: { readonly all: readonly Queue[] };
  readonly store: {
    /** Every value the cell may ever hold, as seen by the class; null for anything. */
    peek(cell: number, owner: ProcessClass): ReadonlySet<number> | null;
  };
  /** Queues that are taken to be never full: sends inside fused segments, and beside an `else`. */
  readonly assumedNeverFull: ReadonlySet<Queue>;
  /** No process can be interrupted inside `atomic` by a priority. */
  readonly atomicHolds: boolean;
  livenessOf(process: ProcessClass): Liveness;
  /** Is the cell part of this class's locations? */
  isUnfolded(cell: number, process: ProcessClass): boolean;
}
