// Typed, resolved expressions. Arithmetic is on 32-bit integers; a store keeps what its cell has room for (storage.ts), as in SPIN.

import type { Span } from '../source/source.ts';
import type { LocationId, ProctypeId, ScalarType, VariableId } from './program.ts';
import type { Storage } from './storage.ts';

export type UnaryOperator = '-' | '!' | '~';
export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '<<'
  | '>>'
  | '&'
  | '|'
  | '^'
  | '&&'
  | '||'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>=';

/** A scalar cell: a variable and the way through array elements and struct fields to it. */
export interface LValue {
  readonly variable: VariableId;
  readonly path: readonly PathStep[];
  readonly type: ScalarType;
  /** What the cell keeps of a value: not always what the type says. */
  readonly storage: Storage;
  readonly span: Span;
}

export type PathStep =
  | { readonly kind: 'index'; readonly index: Expression; readonly length: number }
  | { readonly kind: 'field'; readonly name: string };

export type Expression = { readonly span: Span } & ExpressionKind;

export type ExpressionKind =
  /** mtype names, true, false and labels of other kinds are constants here; `name` keeps what the user wrote. */
  | { readonly kind: 'constant'; readonly value: number; readonly name?: string; readonly type: ScalarType }
  | { readonly kind: 'read'; readonly cell: LValue }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  /** `(c -> a : b)` */
  | {
      readonly kind: 'conditional';
      readonly condition: Expression;
      readonly whenTrue: Expression;
      readonly whenFalse: Expression;
    }
  | { readonly kind: 'channel-query'; readonly query: ChannelQuery; readonly channel: LValue }
  /** `ch?[…]`, `ch??[…]`: would this receive be executable? */
  | {
      readonly kind: 'poll';
      readonly channel: LValue;
      readonly args: readonly ReceiveArgument[];
      readonly random: boolean;
    }
  /** The new process's number, 0 when there is no room for one more. A side effect: only at the root of a condition or assignment, or inside its expression as SPIN allows. */
  | {
      readonly kind: 'run';
      readonly proctype: ProctypeId;
      /** One for every scalar of the parameters: structures are flattened to their fields. */
      readonly args: readonly Expression[];
      readonly priority: Expression | null;
    }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'enabled' | 'pc_value' | 'get_priority'; readonly process: Expression }
  /** A statement of its own, always executable. */
  | { readonly kind: 'set_priority'; readonly process: Expression; readonly priority: Expression }
  | { readonly kind: 'np_' | '_pid' | '_nr_pr' | '_last' | '_priority' }
  /** `p[e]@label`: is that process at that location? `process` null: the only instance. */
  | {
      readonly kind: 'remote-label';
      readonly proctype: ProctypeId;
      readonly process: Expression | null;
      readonly label: string;
      readonly location: LocationId;
    }
  /** `p[e]:x` */
  | {
      readonly kind: 'remote-read';
      readonly proctype: ProctypeId;
      readonly process: Expression | null;
      readonly cell: LValue;
    }
  | { readonly kind: 'opaque'; readonly text: string };

export type ChannelQuery = 'len' | 'empty' | 'nempty' | 'full' | 'nfull';

export type ReceiveArgument =
  | { readonly kind: 'store'; readonly target: LValue }
  /** A constant or `eval(e)`: the field must equal the value. */
  | { readonly kind: 'match'; readonly value: Expression }
  /** `_` */
  | { readonly kind: 'ignore' };
