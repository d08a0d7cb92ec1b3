// What the analysis of livelock freedom is asked, and what it answers.

import type { Budget, Observer } from '../base/budget.ts';
import type { Potential } from '../certificate/proof.ts';
import type { Ray } from '../counterexample/ray.ts';
import type { Solver } from '../lp/solver.ts';
import type { ReasonCode } from '../verdict/reasons.ts';
import type { CertificateDocument, CycleDescription, Stats } from '../verdict/verdict.ts';

export interface LivelockOptions {
  readonly method?: 'flow' | 'cycles';
  readonly budget?: Budget;
  readonly observer?: Observer;
  readonly solver?: Solver;
  readonly maxCycles?: number;
  /** Stored in the certificate: what it takes to build the same net again from the model. */
  readonly abstraction?: CertificateDocument['abstraction'];
}

export interface LivelockAnalysis {
  readonly verdict: 'proved' | 'unknown';
  readonly method: 'flow' | 'cycles' | 'refined';
  /** Falls with every transition that is not progress. */
  readonly potential: Potential | null;
  readonly certificate: CertificateDocument | null;
  /** Loops without progress that, as far as counts go, can repeat for ever together. */
  readonly counterexample: { readonly ray: Ray; readonly cycles: readonly CycleDescription[] } | null;
  readonly reason?: string;
  readonly reasonCode?: ReasonCode;
  readonly stats: Stats;
}
