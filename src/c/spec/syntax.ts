// A .spec as written: C files, threads, events, procedures of the library, predicates, and what to prove.

import type { Span } from '../../source/source.ts';

export interface Spec {
  readonly files: readonly { readonly path: string; readonly span: Span }[];
  readonly constants: ReadonlyMap<string, number>;
  readonly threads: readonly ThreadDefinition[];
  readonly events: readonly EventDefinition[];
  readonly predicates: readonly PredicateDefinition[];
  /** Names and kinds of the `component` and `procedure` blocks; their text is .lks. */
  readonly processes: readonly ProcessDefinition[];
  readonly formulas: readonly { readonly name: string; readonly span: Span; readonly text: Span }[];
  readonly deadlockFree: boolean;
  readonly assertions: boolean;
  readonly unreachable: readonly { readonly label: string; readonly thread: string; readonly span: Span }[];
  readonly conforms: readonly { readonly thread: string; readonly process: string; readonly span: Span }[];
  /** The same text with everything but constants, components and procedures blanked: an .lks file with the same positions. */
  readonly lks: string;
}

export interface ThreadDefinition {
  readonly name: string;
  readonly function: string;
  readonly arguments: readonly bigint[];
  readonly span: Span;
  readonly functionSpan: Span;
}

export interface EventDefinition {
  /** The C function. */
  readonly name: string;
  /** Per argument the values it may have, or null (`_`) where it is ignored. */
  readonly ranges: readonly (readonly bigint[] | null)[];
  readonly span: Span;
}

export interface PredicateDefinition {
  /** Null for `track`: only a hint for the abstraction. */
  readonly name: string | null;
  readonly thread: string;
  /** A C expression. */
  readonly text: string;
  readonly span: Span;
}

export interface ProcessDefinition {
  readonly name: string;
  readonly routine: boolean;
  /** Of a procedure: the values of its arguments. The .lks part has one instance for each combination. */
  readonly ranges: readonly (readonly bigint[])[];
  readonly span: Span;
}
