// What proofs are made of. All numbers are integers; nothing here depends on how a proof was found.
//
// A potential gives every place and every location a weight. Φ is the sum of the weights of all messages and all instances. If no
// transition increases Φ, what a queue holds is limited by what Φ is at the start; if every transition that is not progress
// decreases it, such transitions cannot go on for ever. ([Ciclo] Theorems 1 and 2, read through linear duality; docs/certificates.md.)

/** A weight that is not zero; `at` is the index of a place, a flat location (classes in order), or a transition. */
export interface Weight {
  readonly at: number;
  readonly weight: bigint;
}

export interface Potential {
  readonly places: readonly Weight[];
  readonly locations: readonly Weight[];
}

/** A count that is an integer at the end of every run, and can therefore be split. */
export interface Quantity {
  readonly kind: 'location' | 'place' | 'transition';
  readonly at: number;
}

/**
 * A proof that a queue never holds more than some number, for the runs within the cases that led here.
 *
 * potential: Φ never increases, so divisor · (messages in the queue) + (the least the other weights contribute) ≤ Φ at the start.
 * `counts` weighs how often transitions were taken; those and negative weights need a case that limits them.
 * empty: the same sum shows that no run belongs to the cases at all.
 * split: the quantity is at most `most` in the first part and at least one more in the second.
 */
export type BoundProof =
  | {
      readonly kind: 'potential' | 'empty';
      readonly potential: Potential;
      readonly counts: readonly Weight[];
      readonly divisor: bigint;
    }
  | {
      readonly kind: 'split';
      readonly on: Quantity;
      readonly most: number;
      readonly low: BoundProof;
      readonly high: BoundProof;
    };

export const leaves = (proof: BoundProof): number =>
  proof.kind === 'split' ? leaves(proof.low) + leaves(proof.high) : 1;
