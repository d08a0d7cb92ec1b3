// When two types are the same to C: `_Generic`, __builtin_types_compatible_p, pointers in a conditional expression.

import type { CType } from './types.ts';

const QUALIFIERS = ['const', 'volatile', 'restrict'];

/** What an array is qualified with its elements are. */
export function qualified(type: CType, qualifiers: string): CType {
  if (qualifiers === '' || type.kind === 'function') return type;
  if (type.kind === 'array') return { ...type, of: qualified(type.of, qualifiers) };
  const words = `${type.qualifiers ?? ''} ${qualifiers}`.split(' ');
  return { ...type, qualifiers: QUALIFIERS.filter((word) => words.includes(word)).join(' ') };
}

/** Of an array those of its elements. */
export const qualifiersOf = (type: CType): string =>
  type.kind === 'array' ? qualifiersOf(type.of) : (type.qualifiers ?? '');

/** The type of a value: what is said about the place where it lies does not belong to it. */
export function plain<T extends CType>(type: T): T {
  if (type.qualifiers === undefined && type.align === undefined) return type;
  const { qualifiers: _, align: __, ...rest } = type;
  return rest as T;
}

/** Without the qualifiers of the type as a whole. */
export const unqualified = (type: CType): CType =>
  type.kind === 'array' ? { ...type, of: unqualified(type.of) } : plain(type);

type Function = Extract<CType, { kind: 'function' }>;

export function isCompatible(a: CType, b: CType): boolean {
  if ((a.qualifiers ?? '') !== (b.qualifiers ?? '')) return false;
  if (a.kind === 'int' && b.kind === 'int')
    return (
      a.name === b.name &&
      a.atomic === b.atomic &&
      // An enumeration goes with the type it is kept in, but not with another one.
      (a.enumeration === undefined || b.enumeration === undefined || a.enumeration === b.enumeration)
    );
  if (a.kind === 'float' && b.kind === 'float')
    return a.width === b.width && a.quad === b.quad && a.extended === b.extended && a.atomic === b.atomic;
  if (a.kind === 'pointer' && b.kind === 'pointer') return a.atomic === b.atomic && isCompatible(a.to, b.to);
  // An array without a length goes with any.
  if (a.kind === 'array' && b.kind === 'array')
    return (a.length === b.length || a.length === null || b.length === null) && isCompatible(a.of, b.of);
  if (a.kind === 'record' && b.kind === 'record') return a.record === b.record;
  if (a.kind === 'function' && b.kind === 'function') return areCompatible(a, b);
  return a.kind === b.kind;
}

/** `f()`, which says nothing about its arguments. */
const isOpen = ({ variadic, parameters }: Function): boolean => variadic && parameters.length === 0;

function areCompatible(a: Function, b: Function): boolean {
  if (!isCompatible(plain(a.result), plain(b.result))) return false;
  if (isOpen(a) || isOpen(b)) return isOpen(a) ? isOpen(b) || takesPromoted(b) : takesPromoted(a);
  return (
    a.variadic === b.variadic &&
    a.parameters.length === b.parameters.length &&
    a.parameters.every((type, i) => isCompatible(plain(type), plain(b.parameters[i]!)))
  );
}

/** Arguments arrive as they are given to a function of which nothing is known. */
const takesPromoted = ({ variadic, parameters }: Function): boolean =>
  !variadic &&
  parameters.every(
    (type) => !(type.kind === 'int' && type.rank < 3) && !(type.kind === 'float' && type.width === 32),
  );
