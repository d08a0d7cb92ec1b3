// The .lks file as written: parameters, replication and expressions still in place. `expand` turns it into structures.

import type { Span } from '../source/source.ts';

export type Expression =
  | { readonly kind: 'number'; readonly value: number; readonly span: Span }
  | { readonly kind: 'name'; readonly name: string; readonly span: Span }
  | {
      readonly kind: 'unary';
      readonly operator: '-' | '!';
      readonly operand: Expression;
      readonly span: Span;
    }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly span: Span;
    };

export type BinaryOperator =
  | '||'
  | '&&'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '+'
  | '-'
  | '*'
  | '/'
  | '%';

/** A name with indices: `take[i][i + 1]`. Events, propositions and states are named so. */
export interface Reference {
  readonly name: string;
  readonly indices: readonly Expression[];
  readonly span: Span;
}

/** `for i in low..high when (guard):` */
export interface Replication {
  readonly variable: string;
  readonly low: Expression;
  readonly high: Expression;
  readonly guard: Expression | null;
  readonly span: Span;
}

/** An item under any number of `for` clauses, outermost first, and a guard of its own (`when (…)`). */
export interface Replicated<T> {
  readonly loops: readonly Replication[];
  readonly guard: Expression | null;
  readonly item: T;
}

/** `{a, b} -> c -> STATE`: the labels in turn, then where they lead. */
export interface Branch {
  readonly labels: readonly (readonly Replicated<Reference>[])[];
  readonly target: Target;
}

export type Target =
  | { readonly kind: 'state'; readonly state: Reference }
  | { readonly kind: 'stop'; readonly span: Span }
  | { readonly kind: 'choice'; readonly branches: readonly Replicated<Branch>[]; readonly span: Span };

export interface StateDefinition {
  readonly head: Reference;
  readonly propositions: readonly Replicated<Reference>[];
  readonly body: Target;
}

export interface ComponentDefinition {
  readonly name: string;
  readonly span: Span;
  readonly parameters: readonly { readonly name: string; readonly span: Span }[];
  readonly initial: readonly Replicated<Reference>[];
  readonly alphabet: readonly Replicated<Reference>[];
  readonly states: readonly Replicated<StateDefinition>[];
  readonly allowUnreachable: boolean;
}

export interface Instance {
  readonly component: string;
  readonly arguments: readonly Expression[];
  readonly span: Span;
}

export interface FormulaDefinition {
  readonly name: string;
  readonly nameSpan: Span;
  /** The text between the braces. */
  readonly text: Span;
}

export interface LksFile {
  readonly constants: readonly { readonly name: string; readonly span: Span; readonly value: Expression }[];
  readonly components: readonly ComponentDefinition[];
  /** Null without a `system` clause: then every component is there once. */
  readonly system: { readonly instances: readonly Replicated<Instance>[]; readonly span: Span } | null;
  readonly formulas: readonly FormulaDefinition[];
  /** The span of `deadlock-free;`, null when the file does not state it. */
  readonly deadlockFree: Span | null;
}
