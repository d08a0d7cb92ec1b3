// A run that the concrete machine has executed.

import type { Cell, Edge } from './program.ts';

export interface Input {
  /** The function that gave it (`__VERIFIER_nondet_int`) or wrote it (`read by scanf`), or the uninitialised variable. */
  readonly source: string;
  readonly cell: Cell;
  readonly value: bigint;
  readonly step: number;
  readonly kind: 'input' | 'uninitialised';
}

/** What a function read, to tell it from what it returned: `read by scanf`. */
export const READ_BY = 'read by ';

/** How many texts the program is given. */
export const ARGUMENT_COUNT = 'argument 1 of main';

export interface Confirmed {
  readonly kind: 'confirmed';
  readonly edges: readonly Edge[];
  readonly inputs: readonly Input[];
  /** Values of cells at the start that the program does not set. */
  readonly initial: ReadonlyMap<number, bigint>;
  /** Calls of the outside, in order, with the values they return. */
  readonly calls: readonly { readonly name: string; readonly value: bigint }[];
  /** What each step wrote: cells with their new values. */
  readonly changes: readonly (readonly { readonly cell: Cell; readonly value: bigint }[])[];
}
