// What stands in an .ecfsm file, before names are looked up.

import type { Span } from '../../source/source.ts';

export interface Name {
  readonly text: string;
  readonly span: Span;
}

export type Expression =
  | { readonly kind: 'number'; readonly value: number; readonly span: Span }
  | { readonly kind: 'name'; readonly name: Name; readonly span: Span }
  | { readonly kind: 'register'; readonly machine: Name; readonly register: Name; readonly span: Span }
  | { readonly kind: 'call'; readonly name: Name; readonly argument: SequenceArgument; readonly span: Span }
  | { readonly kind: 'negate'; readonly of: Expression; readonly span: Span }
  | {
      readonly kind: 'add' | 'subtract' | 'multiply';
      readonly left: Expression;
      readonly right: Expression;
      readonly span: Span;
    };

/** `D`, `D.seq` or `D.2`: messages of a type, and which of their fields; the first where none is named. */
export interface TypeNode {
  readonly type: Name;
  readonly field: Name | null;
}

/** `A->B`, `A->B, MIP`, `A->B, {MIP.seq, MAP}`; in definitions the name of the sequence. */
export type SequenceArgument =
  | {
      readonly kind: 'channel';
      readonly from: Name;
      readonly to: Name;
      readonly types: readonly TypeNode[] | null;
      readonly span: Span;
    }
  | { readonly kind: 'sequence'; readonly name: Name; readonly span: Span };

export type Relation = '<=' | '<' | '>=' | '>' | '=' | '!=';

export interface ComparisonNode {
  readonly left: Expression;
  readonly relation: Relation;
  readonly right: Expression;
  readonly span: Span;
}

export type RegexNode =
  | { readonly kind: 'empty' }
  | { readonly kind: 'type'; readonly name: Name }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'star' | 'plus' | 'optional'; readonly body: RegexNode };

export type FormulaNode =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly FormulaNode[]; readonly span: Span }
  /** `[label] formula` inside an alternative: the label becomes part of the disjunct's name. */
  | { readonly kind: 'label'; readonly name: Name; readonly body: FormulaNode; readonly span: Span }
  | {
      readonly kind: 'control';
      readonly machine: Name;
      readonly states: readonly Name[];
      readonly span: Span;
    }
  | {
      readonly kind: 'channel';
      readonly from: Name;
      readonly to: Name;
      readonly regex: RegexNode;
      readonly span: Span;
    }
  | {
      readonly kind: 'predicate';
      readonly name: Name;
      readonly argument: SequenceArgument;
      readonly span: Span;
    }
  | { readonly kind: 'compare'; readonly comparison: ComparisonNode; readonly span: Span };

export interface ActionNode {
  readonly name: Name;
  readonly from: Name;
  readonly to: Name;
  readonly kind: 'send' | 'receive' | 'internal';
  /** Null for an internal action. */
  readonly type: Name | null;
  /** Names for the fields of the message; none at all where the action does not look at them. */
  readonly parameters: readonly Name[];
  /** `to B`, `from A`; null where it is not said. */
  readonly peer: Name | null;
  readonly condition: readonly ComparisonNode[];
  readonly updates: readonly { readonly register: Name; readonly value: Expression }[];
  readonly span: Span;
}

export interface InitNode {
  readonly state: Name;
  readonly condition: readonly ComparisonNode[];
  readonly span: Span;
}

/** `defer A in wait, busy;`: messages from A stay in their channel there. */
export interface DeferNode {
  readonly peer: Name;
  readonly states: readonly Name[];
  readonly span: Span;
}

export interface MachineNode {
  readonly name: Name;
  readonly like: Name | null;
  /** `like A with B = C`: whoever is B for A is C for this machine. */
  readonly renamed: readonly { readonly old: Name; readonly now: Name }[];
  readonly states: readonly Name[];
  readonly registers: readonly Name[];
  /** Where the machine may stay for good. */
  readonly finals: readonly Name[];
  readonly defers: readonly DeferNode[];
  readonly inits: readonly InitNode[];
  readonly actions: readonly ActionNode[];
  readonly span: Span;
}

export interface RuleNode {
  readonly pattern: 'empty' | 'single' | 'snoc' | 'cons';
  /** The name of the element, where there is one. */
  readonly element: Name | null;
  /** A value, or a conjunction; `true` and `false` are the empty conjunction and null. */
  readonly body:
    | { readonly kind: 'value'; readonly value: Expression }
    | { readonly kind: 'atoms'; readonly atoms: readonly FormulaNode[] }
    | { readonly kind: 'truth'; readonly value: boolean };
  readonly condition: readonly ComparisonNode[];
  readonly span: Span;
}

export interface LemmaNode {
  readonly premises: readonly FormulaNode[];
  readonly conclusion: readonly ComparisonNode[];
  readonly span: Span;
}

export interface DefinitionNode {
  readonly kind: 'predicate' | 'function';
  readonly name: Name;
  readonly sequence: Name;
  readonly rules: readonly RuleNode[];
  readonly lemmas: readonly LemmaNode[];
  readonly span: Span;
}

export interface DisjunctNode {
  readonly name: Name;
  readonly formula: FormulaNode;
  readonly span: Span;
}

export interface GoalNode {
  readonly name: Name;
  /** Name patterns (`P1`, `P1.*`) of disjuncts. */
  readonly patterns: readonly Name[];
  /** Or control states: `A@S, B@{S, T}`; null where none are asked for. */
  readonly control: readonly { readonly machine: Name; readonly states: readonly Name[] }[];
  readonly span: Span;
}

export interface FileNode {
  readonly name: Name | null;
  readonly machines: readonly MachineNode[];
  /** `initial A@S, B@T where …;` joint initial states. */
  readonly initial: readonly {
    readonly control: readonly { readonly machine: Name; readonly states: readonly Name[] }[];
    readonly condition: readonly ComparisonNode[];
    readonly span: Span;
  }[];
  readonly definitions: readonly DefinitionNode[];
  readonly invariants: readonly { readonly disjuncts: readonly DisjunctNode[]; readonly span: Span }[];
  readonly goals: readonly GoalNode[];
  /** Channels that may lose messages. */
  readonly lossy: readonly ChannelNode[];
  /** Channels that may deliver a message more than once. */
  readonly duplicating: readonly ChannelNode[];
}

export interface ChannelNode {
  readonly from: Name;
  readonly to: Name;
  readonly span: Span;
}
