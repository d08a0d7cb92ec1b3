// Objects whose size is decided when they are allocated: as large as there is room for, with a cell that holds how many bytes they have. That no use reaches
// beyond is for tests to say, which are put in where the objects are known that an address can mean (extents.ts).

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import type { MemoryObject } from '../program/program.ts';
import { type CType, type ScalarType, ULONG } from '../program/types.ts';
import type { Context } from './context.ts';

export interface Sized {
  /** What it consists of. */
  readonly element: CType;
  /** How many bytes, in 64 bits. */
  readonly extent: Expr;
}

/** Among threads it is nobody's business: no race is about it. */
const EXTENT = { ...ULONG, atomic: true } as ScalarType;

export function newSized(
  { memory }: Context,
  name: string,
  kind: 'local' | 'heap',
  { element }: Sized,
): MemoryObject {
  return memory.sized(name, kind, element, memory.scalar(`(size of ${name})`, 'temporary', EXTENT));
}

/** It is allocated with this size. */
export function isGiven(
  context: Context,
  { extent: cell }: MemoryObject,
  { extent }: Sized,
  span: Span,
): void {
  context.emit({ kind: 'assign', cell: cell!, value: extent }, span);
}

/** No `malloc` gives more than half of all addresses. */
export const largestOf = ({ sizes }: Context): bigint => (1n << BigInt(sizes.size.width - 1)) - 1n;
