// The syntax tree: what the user wrote, macros and inlines expanded, nothing resolved yet.

import type { BinaryOperator, ChannelQuery, UnaryOperator } from '../process/expression.ts';
import type { Span } from '../source/source.ts';
import type { Expansion } from './codes.ts';

/** A place in the user's text, and how it came there. */
export interface Place {
  readonly span: Span;
  readonly expansion: Expansion | null;
}

export interface Name extends Place {
  readonly text: string;
}

/** `a.b[i].c` */
export interface Reference extends Place {
  readonly parts: readonly ReferencePart[];
}

export interface ReferencePart {
  readonly name: Name;
  readonly index: ExpressionNode | null;
}

export type TemporalOperator =
  | 'not'
  | 'next'
  | 'always'
  | 'eventually'
  | 'implies'
  | 'equivalent'
  | 'until'
  | 'weak-until'
  | 'release';

/** `depth` counts the nesting, so that nobody who walks the tree runs out of stack. */
export type ExpressionNode = Place & { readonly depth: number } & (
    | { readonly kind: 'number'; readonly value: number; readonly text: string }
    | { readonly kind: 'reference'; readonly reference: Reference }
    | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: ExpressionNode }
    | {
        readonly kind: 'binary';
        readonly operator: BinaryOperator;
        readonly left: ExpressionNode;
        readonly right: ExpressionNode;
      }
    | {
        readonly kind: 'conditional';
        readonly condition: ExpressionNode;
        readonly whenTrue: ExpressionNode;
        readonly whenFalse: ExpressionNode;
      }
    | {
        readonly kind: 'run';
        readonly proctype: Name;
        readonly args: readonly ExpressionNode[];
        readonly priority: ExpressionNode | null;
      }
    | { readonly kind: 'query'; readonly query: ChannelQuery; readonly channel: Reference }
    | {
        readonly kind: 'poll';
        readonly channel: Reference;
        readonly args: readonly ReceiveNode[];
        readonly random: boolean;
      }
    | { readonly kind: 'enabled' | 'pc_value' | 'get_priority'; readonly process: ExpressionNode }
    | { readonly kind: 'timeout' | 'np_' }
    | {
        readonly kind: 'remote-label';
        readonly proctype: Name;
        readonly process: ExpressionNode | null;
        readonly label: Name;
      }
    | {
        readonly kind: 'remote-variable';
        readonly proctype: Name;
        readonly process: ExpressionNode | null;
        readonly variable: ReferencePart;
      }
    | { readonly kind: 'c_expr'; readonly text: string }
    /** Only inside `ltl`. */
    | {
        readonly kind: 'temporal';
        readonly operator: TemporalOperator;
        readonly operands: readonly ExpressionNode[];
      }
  );

export type ReceiveNode =
  | { readonly kind: 'reference'; readonly reference: Reference }
  | { readonly kind: 'eval'; readonly expression: ExpressionNode }
  | (Place & { readonly kind: 'number'; readonly value: number; readonly text: string });

export interface TypeNode extends Place {
  /** 'byte', …, 'mtype', 'chan', or the name of a typedef. */
  readonly name: string;
  /** `mtype:set` */
  readonly set: Name | null;
}

export interface Declaration extends Place {
  readonly visibility: 'hidden' | 'show' | 'local' | null;
  readonly type: TypeNode;
  readonly variables: readonly VariableNode[];
}

export interface VariableNode {
  readonly name: Name;
  /** `x : 3` */
  readonly width: { readonly value: number; readonly span: Span } | null;
  readonly length: ExpressionNode | null;
  readonly initial: InitialNode | null;
}

export type InitialNode =
  | { readonly kind: 'expression'; readonly expression: ExpressionNode }
  | { readonly kind: 'list'; readonly values: readonly ExpressionNode[] }
  | (Place & {
      readonly kind: 'channel';
      readonly capacity: ExpressionNode;
      readonly fields: readonly TypeNode[];
    });

/** Declarations stand among the statements. */
export type Step =
  | (Place & { readonly kind: 'declaration'; readonly declaration: Declaration })
  | (Place & { readonly kind: 'exclusive'; readonly channels: readonly Reference[] })
  | StatementNode;

export interface Sequence extends Place {
  readonly steps: readonly Step[];
}

export type StatementNode = Place &
  (
    | { readonly kind: 'labelled'; readonly label: Name; readonly statement: StatementNode | null }
    | { readonly kind: 'assign'; readonly target: Reference; readonly value: ExpressionNode }
    | {
        readonly kind: 'send';
        readonly channel: Reference;
        readonly args: readonly ExpressionNode[];
        readonly sorted: boolean;
      }
    | {
        readonly kind: 'receive';
        readonly channel: Reference;
        readonly args: readonly ReceiveNode[];
        readonly random: boolean;
        readonly copy: boolean;
      }
    | { readonly kind: 'expression'; readonly expression: ExpressionNode }
    | {
        readonly kind: 'set_priority';
        readonly process: ExpressionNode;
        readonly priority: ExpressionNode;
      }
    | { readonly kind: 'else' }
    | { readonly kind: 'break' }
    | { readonly kind: 'goto'; readonly label: Name }
    | { readonly kind: 'assert'; readonly expression: ExpressionNode }
    | { readonly kind: 'print'; readonly format: string; readonly args: readonly ExpressionNode[] }
    | { readonly kind: 'c_code'; readonly text: string }
    | { readonly kind: 'if' | 'do'; readonly options: readonly Sequence[] }
    | {
        readonly kind: 'for';
        readonly variable: Reference;
        readonly from: ExpressionNode;
        readonly to: ExpressionNode;
        readonly body: Sequence;
      }
    | {
        readonly kind: 'for-in';
        readonly variable: Reference;
        readonly collection: Reference;
        readonly body: Sequence;
      }
    | {
        readonly kind: 'select';
        readonly variable: Reference;
        readonly from: ExpressionNode;
        readonly to: ExpressionNode;
        /** Stands in an inline: SPIN expands it differently there. */
        readonly inInline: boolean;
      }
    | { readonly kind: 'atomic' | 'block'; readonly body: Sequence }
    | { readonly kind: 'd_step'; readonly body: Sequence }
    | { readonly kind: 'unless'; readonly body: StatementNode; readonly escape: StatementNode }
  );

export type Unit =
  | ProctypeNode
  | (Place & { readonly kind: 'declaration'; readonly declaration: Declaration })
  | (Place & { readonly kind: 'mtypes'; readonly set: Name | null; readonly names: readonly Name[] })
  | (Place & {
      readonly kind: 'typedef';
      readonly name: Name;
      readonly declarations: readonly Declaration[];
    })
  | (Place & {
      readonly kind: 'ltl';
      readonly name: string;
      /** The name, where the user gave one. */
      readonly label: Name | null;
      readonly formula: ExpressionNode;
      readonly text: string;
    })
  | (Place & { readonly kind: 'trace' | 'notrace'; readonly body: Sequence })
  | (Place & {
      readonly kind: 'c';
      readonly word: 'c_code' | 'c_decl' | 'c_state' | 'c_track';
      readonly text: string;
    });

export interface ProctypeNode extends Place {
  readonly kind: 'proctype' | 'init' | 'never';
  readonly name: Name;
  readonly deterministic: boolean;
  readonly active: { readonly count: ExpressionNode | null } | null;
  readonly parameters: readonly Declaration[];
  readonly priority: ExpressionNode | null;
  readonly provided: ExpressionNode | null;
  readonly body: Sequence;
}

export interface Model {
  readonly units: readonly Unit[];
  /** The names in what could not be read: what is said about them later may be wrong. */
  readonly skipped: ReadonlySet<string>;
  /** `_pid` stands among the arguments of some receive. */
  readonly receivesPid: boolean;
}
