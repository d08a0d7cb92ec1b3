// The parts as data: what a certificate says and `audit/composition.ts` checks.

import type { Bisimulation } from '../../graph/bisimulation.ts';
import type { Part } from './part.ts';

/** A component alone: the class of each of its states. */
export interface ComponentRecord {
  readonly component: number;
  readonly classes: readonly number[];
}

/** Two earlier records multiplied: the pairs of their classes that are reached, two numbers each, and the class of each pair. */
export interface ProductRecord {
  readonly of: readonly [number, number];
  readonly pairs: readonly number[];
  readonly classes: readonly number[];
}

export type PartRecord = ComponentRecord | ProductRecord;

/** Parts that are enough for one conjunct of the question. */
export interface CompositionProof {
  readonly equivalence: Bisimulation;
  /** Indices into the list of records. */
  readonly parts: readonly number[];
}

export interface CompositionRecord {
  readonly records: readonly PartRecord[];
  /** For deadlock one, for a formula one for each of its conjuncts. */
  readonly proofs: readonly CompositionProof[];
}

export function recordOf(
  proofs: readonly { readonly equivalence: Bisimulation; readonly parts: readonly Part[] }[],
): CompositionRecord {
  const records: PartRecord[] = [];
  const known = new Map<Part, number>();
  const write = (part: Part): number => {
    const before = known.get(part);
    if (before !== undefined) return before;
    const classes = [...part.classOf];
    const record: PartRecord =
      part.factors === null
        ? { component: part.components[0]!, classes }
        : { of: [write(part.factors[0]), write(part.factors[1])], pairs: [...part.pairs], classes };
    const id = records.push(record) - 1;
    known.set(part, id);
    return id;
  };
  const written = proofs.map(({ equivalence, parts }) => ({ equivalence, parts: parts.map(write) }));
  return { records, proofs: written };
}
