// Where functions from elsewhere may call functions of these files (lower/call-backs.ts).

import type { Expr } from './expr.ts';
import type { Operation } from './program.ts';

export interface CallBack {
  /** Taken when a function that states a property is called, when any is, and when one is that may go on for ever. */
  readonly toError: Extract<Operation, { kind: 'assume' }>;
  readonly toUndefined: Extract<Operation, { kind: 'assume' }>;
  readonly toLoop: Extract<Operation, { kind: 'assume' }>;
  /** What the function from elsewhere is given. */
  readonly given: readonly Expr[];
  /** Addresses of functions that are defined here, of those that state a property, and of those that may go on for ever. */
  readonly ours: ReadonlySet<bigint>;
  readonly stating: ReadonlySet<bigint>;
  readonly endless: ReadonlySet<bigint>;
}
