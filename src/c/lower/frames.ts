// A call that is being inlined: where its jumps lead, and the objects that it has.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import type { Block, Cell, MemoryObject } from '../program/program.ts';
import type { CType } from '../program/types.ts';
import type { FunctionDefinition } from '../syntax/ast.ts';

export interface Frame {
  readonly function: string;
  /** Null outside of functions. */
  readonly definition: FunctionDefinition | null;
  readonly depth: number;
  readonly end: number;
  readonly result: MemoryObject | null;
  readonly resultType: CType;
  /** Not 0 when the function ended without a value; null where it cannot. */
  readonly noValue: Cell | null;
  readonly labels: Map<string, { location: number; defined: boolean; span: Span }>;
  /** Jumps through pointers to labels. */
  readonly jumps: {
    readonly from: number;
    readonly pointer: Expr;
    readonly text: string;
    readonly span: Span;
  }[];
  /** Cells of variables in it that hold constants. */
  readonly constants: number[];
  breakTo: number | null;
  continueTo: number | null;
  cases:
    | {
        readonly value: Expr | null;
        readonly upTo: Expr | null;
        readonly location: number;
        readonly span: Span;
      }[]
    | null;
  switchWidth: number;
  /** Locals and temporaries: one per declaration and function, shared by all inlined copies (no recursion, so never two at once). */
  readonly objects: FrameObjects;
  /** Of the whole function. */
  readonly block: OpenBlock;
}

/** As long as the program is read. */
export interface OpenBlock extends Block {
  readonly outer: Block[];
  readonly objects: Set<MemoryObject>;
}

export const newBlock = (...outer: Block[]): OpenBlock => ({ outer, objects: new Set() });

/** By the node of the program that needs them, then by what for. */
export type FrameObjects = Map<unknown, Map<string, MemoryObject>>;

/** Nothing of it was read. */
export const NEW_FRAME = (): Pick<
  Frame,
  | 'definition'
  | 'noValue'
  | 'labels'
  | 'jumps'
  | 'constants'
  | 'breakTo'
  | 'continueTo'
  | 'cases'
  | 'switchWidth'
> => ({
  definition: null,
  noValue: null,
  labels: new Map(),
  jumps: [],
  constants: [],
  breakTo: null,
  continueTo: null,
  cases: null,
  switchWidth: 32,
});
