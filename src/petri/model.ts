// A net as it was read, with what its file asks about it.

import type { Diagnostic } from '../source/diagnostic.ts';
import type { Span } from '../source/source.ts';
import type { Marking, PetriNet } from './net.ts';

export interface Target {
  /** `cover:NAME` asks for it. */
  readonly name: string;
  readonly marking: Marking;
  readonly span: Span | null;
}

export interface NetModel {
  readonly net: PetriNet;
  /** What must not be covered, as the file says. Any place can be asked for besides. */
  readonly targets: readonly Target[];
  /** Places that may hold any number of tokens at the start. */
  readonly parameters: ReadonlySet<number>;
}

export interface ReadNet {
  readonly model: NetModel | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Greater counts and weights are refused: what is computed from them must stay exact. */
export const MOST_TOKENS = 1_000_000_000;
