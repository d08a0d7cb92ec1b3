// What names mean, block by block.

import type { Span } from '../../source/source.ts';
import type { Cell, MemoryObject } from '../program/program.ts';
import type { CType, IntType, RecordInfo } from '../program/types.ts';
import type { FunctionDefinition } from '../syntax/ast.ts';
import { refuse } from '../text/codes.ts';

export type Entity =
  /** `aligned`: what its declarations ask for. `weak`: it may be defined nowhere. `differs`: elsewhere it is something else, so that nobody may use it. */
  | {
      readonly kind: 'object';
      readonly object: MemoryObject;
      readonly type: CType;
      readonly aligned?: number;
      readonly weak?: boolean;
      readonly differs?: boolean;
    }
  | {
      readonly kind: 'function';
      readonly name: string;
      /** As its definition says, once that is read. */
      type: Extract<CType, { kind: 'function' }>;
      definition: FunctionDefinition | null;
      /** Declared never to come back. */
      noreturn?: boolean;
      weak?: boolean;
      /** What it is called in the object file, where its declaration says so: perhaps it is another name of one that is defined. */
      alias?: string;
      /** The scope of the file it is defined in. */
      scope: Scope;
    }
  /** An array of variable size: where it lies. */
  | { readonly kind: 'array'; readonly pointer: Cell; readonly type: CType }
  /** `type`: that of its enumeration; what fits an int is one. */
  | { readonly kind: 'constant'; readonly value: bigint; readonly type?: IntType }
  | { readonly kind: 'type'; readonly type: CType };

export type VariableEntity = Extract<Entity, { kind: 'object' }>;
/** Of a variable that files declare differently, where it is defined or used. */
export const refuseDiffering = (name: string, span: Span): never =>
  refuse('SPW5014', `'${name}' is declared as something else before`, span, 'give it one type everywhere');

export type FunctionEntity = Extract<Entity, { kind: 'function' }>;

export class Scope {
  readonly outer: Scope | null;
  readonly names = new Map<string, Entity>();
  readonly records = new Map<string, RecordInfo>();
  /** GNU C's `__label__`: what the labels of this block alone are called. */
  readonly labels = new Map<string, string>();

  constructor(outer: Scope | null) {
    this.outer = outer;
  }

  get isEmpty(): boolean {
    return this.names.size + this.records.size + this.labels.size === 0;
  }

  find(name: string): Entity | null {
    for (let scope: Scope | null = this; scope !== null; scope = scope.outer) {
      const found = scope.names.get(name);
      if (found !== undefined) return found;
    }
    return null;
  }

  findLabel(name: string): string {
    for (let scope: Scope | null = this; scope !== null; scope = scope.outer) {
      const found = scope.labels.get(name);
      if (found !== undefined) return found;
    }
    return name;
  }

  findRecord(tag: string): RecordInfo | null {
    for (let scope: Scope | null = this; scope !== null; scope = scope.outer) {
      const found = scope.records.get(tag);
      if (found !== undefined) return found;
    }
    return null;
  }
}
