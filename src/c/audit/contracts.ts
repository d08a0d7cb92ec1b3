// The shape of a proof by contracts: what functions that call themselves require and ensure, and the proof of the program that is read with that
// (lower/contracts.ts says why this is enough).

import { BROKEN_SEAL, isIntact } from '../../base/digest.ts';
import { isListOf } from './proof.ts';

export const CONTRACTS_KIND = 'c-contracts';

export interface ContractsProof {
  readonly contracts: readonly {
    readonly function: string;
    readonly requires: readonly string[];
    readonly ensures: readonly string[];
  }[];
  /** A certificate of its own. */
  readonly proof: object;
}

/** A text says what is wrong with the document. */
export function readContracts(document: object): ContractsProof | string {
  if (!isIntact(document)) return BROKEN_SEAL;
  const { contracts, proof } = document as Record<string, unknown>;
  const isText = (value: unknown) => typeof value === 'string';
  const isGood =
    typeof proof === 'object' &&
    proof !== null &&
    isListOf(contracts, (one) => {
      const { function: name, requires, ensures } = (one ?? {}) as Record<string, unknown>;
      return isText(name) && isListOf(requires, isText) && isListOf(ensures, isText);
    });
  return isGood ? (document as unknown as ContractsProof) : 'it is a certificate of something else';
}
