// When two types are the same to C: `_Generic`, __builtin_types_compatible_p, pointers in a conditional expression.

import type { CType, RecordInfo } from './types.ts';

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
const isOpen = ({ variadic, parameters, old }: Function): boolean =>
  old === true || (variadic && parameters.length === 0);

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

const isBool = (type: CType): boolean => type.kind === 'int' && type.name === '_Bool';

/** Of one variable in two files: do its parts lie in the same places? Signs, and what pointers point to, are for each file to say. */
export function liesAlike(a: CType, b: CType): boolean {
  if (a.kind === 'array' && b.kind === 'array')
    return (a.length === b.length || a.length === null || b.length === null) && liesAlike(a.of, b.of);
  if (a.kind === 'record' && b.kind === 'record')
    return a.record === b.record || areAlike(a.record, b.record);
  if (a.kind === 'int' && b.kind === 'int')
    // What is not 0 or 1 means nothing as a _Bool.
    return a.width === b.width && a.atomic === b.atomic && isBool(a) === isBool(b);
  if (a.kind === 'float' && b.kind === 'float') return isCompatible(plain(a), plain(b));
  return a.kind === b.kind;
}

function areAlike(a: RecordInfo, b: RecordInfo): boolean {
  // One that says nothing goes with any.
  if (a.fields === null || b.fields === null) return true;
  if (a.union !== b.union || a.size !== b.size || a.fields.length !== b.fields.length) return false;
  return a.fields.every((field, i) => {
    const other = b.fields![i]!;
    return (
      field.offset === other.offset &&
      field.bits?.width === other.bits?.width &&
      field.bits?.shift === other.bits?.shift &&
      liesAlike(field.type, other.type)
    );
  });
}
