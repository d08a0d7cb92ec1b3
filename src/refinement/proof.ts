// Refined proofs: a potential whose inequalities may use rows that were derived from the code.
//
// For a ray, let x_t count transitions and x_c rounds of cycles. Known are the rows of the net, x_t = Σ x_c over the cycles through t inside a
// linked component (a circulation is a sum of elementary cycles), and the derived rows. A proof multiplies and adds them up so that no
// ray with the forbidden gain is left. `cases` splits on a dependency that has no number ([Ciclo] (52)–(54)): a cycle is not repeated for
// ever, or it is and so is one of those it depends on.

import type { Potential, Weight } from '../certificate/proof.ts';
import type { Claim } from './rows.ts';

export interface RefinedPotential {
  readonly potential: Potential;
  /** Multipliers of the links, by transition; any sign. Transitions of a class's component are linked together or not at all. */
  readonly links: readonly Weight[];
  /** The components whose transitions are linked: a class and one of its locations. */
  readonly components: readonly { readonly class: number; readonly location: number }[];
  readonly rows: readonly { readonly claim: Claim; readonly multiplier: bigint }[];
}

/** Of a dependency without a number: the claim that gives it, and how the cycles it depends on are found. */
export interface SplitClaim {
  readonly claim: Extract<Claim, { kind: 'ranking' }>;
}

export type LivelockProof =
  | {
      readonly kind: 'leaf';
      readonly proof: RefinedPotential;
      /** What the ray would have to contain: a step, or a cycle of the n-th split above. */
      readonly goal: 'steps' | number;
    }
  | {
      readonly kind: 'split';
      readonly on: SplitClaim;
      readonly never: LivelockProof;
      readonly both: LivelockProof;
    };
