// What the analysis of boundedness is asked, and what it answers.

import type { Budget, Observer } from '../base/budget.ts';
import type { BoundProof } from '../certificate/proof.ts';
import type { Ray } from '../counterexample/ray.ts';
import type { Solver } from '../lp/solver.ts';
import type { ReasonCode } from '../verdict/reasons.ts';
import type { CertificateDocument, CycleDescription, Stats } from '../verdict/verdict.ts';

export interface BoundednessOptions {
  /** flow: one linear program, no enumeration (default). cycles: the papers' independent cycle system. */
  readonly method?: 'flow' | 'cycles';
  readonly budget?: Budget;
  readonly observer?: Observer;
  /** For callers that keep one; loaded otherwise. */
  readonly solver?: Solver;
  /** For `cycles`: elementary cycles to enumerate at most. */
  readonly maxCycles?: number;
  /** Try to prove integer bounds below the linear ones by case splits (default true). */
  readonly integers?: boolean;
  /** Only these queues, by name (default: all). */
  readonly only?: readonly string[] | undefined;
  /** Stored in the certificate: what it takes to build the same net again from the model. */
  readonly abstraction?: CertificateDocument['abstraction'];
}

export interface BoundednessAnalysis {
  /** This analysis proves or does not know; refuting takes a concrete run. */
  readonly verdict: 'proved' | 'unknown';
  readonly method: 'flow' | 'cycles' | 'refined';
  readonly queues: readonly QueueBound[];
  /** Covers every queue that is proved; null when none is. */
  readonly certificate: CertificateDocument | null;
  /** One per unproved queue as far as there is one (at most a few), most useful first. */
  readonly counterexamples: readonly Counterexample[];
  readonly reason?: string;
  readonly reasonCode?: ReasonCode;
  readonly stats: Stats;
}

export interface QueueBound {
  /** Index in the net. */
  readonly queue: number;
  readonly name: string;
  readonly verdict: 'proved' | 'unknown';
  readonly bound: number | null;
  readonly certifiedBound: number | null;
  readonly declared: number;
  readonly fits: boolean | null;
  readonly proof: BoundProof | null;
}

/** A combination of loops that, as far as counts go, floods the queue. */
export interface Counterexample {
  /** Index in the net. */
  readonly queue: number;
  readonly ray: Ray;
  readonly cycles: readonly CycleDescription[];
}
