// C types with the sizes of gcc on Linux: x86-64 (LP64), or i386 (ILP32). What lies differently there carries it in its type: pointers of 4 bytes, and
// numbers of 64 bits that structs align to 4. Pointers are computed with in 64 bits all the same.

import type { Expr } from './expr.ts';

export type CType = Described & {
  /** `const`, `volatile` and `restrict`, in this order, with blanks between them. Values have none. */
  readonly qualifiers?: string;
  /** In bytes, where a typedef says so. */
  readonly align?: number;
};

type Described =
  | { readonly kind: 'void' }
  | {
      readonly kind: 'int';
      readonly width: number;
      readonly signed: boolean;
      readonly name: string;
      readonly rank: number;
      /** As a member of a struct, where that is not its alignment elsewhere. */
      readonly memberAlign?: number;
      /** Which enumeration it is; each is a type of its own. */
      readonly enumeration?: object;
      /** Declared `_Atomic`. */
      readonly atomic?: true;
    }
  /** `quad`: of 128 bits, with which nobody here computes. `extended`: a type of its own beside the one that has its format, such as `_Float64`. */
  | {
      readonly kind: 'float';
      readonly width: number;
      readonly memberAlign?: number;
      readonly extended?: string;
      readonly quad?: true;
      readonly atomic?: true;
    }
  /** `narrow`: of 32 bits. */
  | { readonly kind: 'pointer'; readonly to: CType; readonly narrow?: true; readonly atomic?: true }
  /** `variable`: how many elements of a size that is known there are in it, known only at run time; its length is null. */
  | { readonly kind: 'array'; readonly of: CType; readonly length: number | null; readonly variable?: Expr }
  | { readonly kind: 'record'; readonly record: RecordInfo }
  | {
      readonly kind: 'function';
      readonly result: CType;
      readonly parameters: readonly CType[];
      readonly variadic: boolean;
      /** Defined with names only in its brackets, and no prototype before: as a type it says nothing about its parameters. */
      readonly old?: true;
    };

export type IntType = Extract<CType, { kind: 'int' }>;
export type FloatType = Extract<CType, { kind: 'float' }>;

/** A struct or union; its fields are filled in when its definition is met. */
export interface RecordInfo {
  readonly tag: string;
  readonly union: boolean;
  fields: readonly Field[] | null;
  size: number;
  align: number;
}

export interface Field {
  /** Null for an anonymous struct or union, whose fields are found through it. */
  readonly name: string | null;
  readonly type: CType;
  readonly offset: number;
  /** Null for everything but bit-fields. */
  readonly bits: BitRange | null;
  /** What it asks for in its struct, in bytes. */
  readonly align: number;
}

/** Where a bit-field lies: in a stretch of bytes that it shares with its neighbours. */
export interface BitRange {
  readonly width: number;
  /** How many bits of the stretch lie below it. */
  readonly shift: number;
  /** The stretch, which starts at the field's offset, in bits. */
  readonly unit: number;
  /** Where fields in other bytes belong to the same memory location (C11 3.14): how far before the stretch it begins, and its bytes. */
  readonly shared?: { readonly before: number; readonly bytes: number };
}

const integer = (name: string, width: number, signed: boolean, rank: number): IntType => ({
  kind: 'int',
  name,
  width,
  signed,
  rank,
});

export const VOID: CType = { kind: 'void' };
export const BOOL = integer('_Bool', 8, false, 0);
export const CHAR = integer('char', 8, true, 1);
export const SCHAR = integer('signed char', 8, true, 1);
export const UCHAR = integer('unsigned char', 8, false, 1);
export const SHORT = integer('short', 16, true, 2);
export const USHORT = integer('unsigned short', 16, false, 2);
export const INT = integer('int', 32, true, 3);
export const UINT = integer('unsigned int', 32, false, 3);
export const LONG = integer('long', 64, true, 4);
export const ULONG = integer('unsigned long', 64, false, 4);
export const LLONG = integer('long long', 64, true, 5);
export const ULLONG = integer('unsigned long long', 64, false, 5);
export const INT128 = integer('__int128', 128, true, 6);
export const UINT128 = integer('unsigned __int128', 128, false, 6);
/** As x87 has it: 80 bits in 16 bytes, or in 12. */
const LDOUBLE: FloatType = { kind: 'float', width: 128 };
export const DOUBLE: FloatType = { kind: 'float', width: 64 };
export const FLOAT: FloatType = { kind: 'float', width: 32 };
/** What differs between the data models. */
export interface WordSizes {
  readonly name: 'LP64' | 'ILP32';
  readonly long: IntType;
  readonly ulong: IntType;
  /** Of sizeof, and of the difference of pointers. */
  readonly size: IntType;
  readonly difference: IntType;
  readonly llong: IntType;
  readonly ullong: IntType;
  readonly double: FloatType;
  readonly longDouble: FloatType;
}

const LONG32 = integer('long', 32, true, 4);
const ULONG32 = integer('unsigned long', 32, false, 4);
export const LP64: WordSizes = {
  name: 'LP64',
  long: LONG,
  ulong: ULONG,
  size: ULONG,
  difference: LONG,
  llong: LLONG,
  ullong: ULLONG,
  double: DOUBLE,
  longDouble: LDOUBLE,
};
export const ILP32: WordSizes = {
  name: 'ILP32',
  long: LONG32,
  ulong: ULONG32,
  size: UINT,
  difference: INT,
  llong: { ...LLONG, memberAlign: 4 },
  ullong: { ...ULLONG, memberAlign: 4 },
  double: { ...DOUBLE, memberAlign: 4 },
  longDouble: { kind: 'float', width: 96 },
};

export const pointerTo = (to: CType): CType => ({ kind: 'pointer', to });
/** As a program sees it. */
export const pointerIn = ({ name }: WordSizes, to: CType): Extract<CType, { kind: 'pointer' }> =>
  name === 'ILP32' ? { kind: 'pointer', to, narrow: true } : { kind: 'pointer', to };

/** Types that gcc computes in over bit-fields wider than int have any number of bits. */
export const bytesIn = (width: number): number => Math.ceil(width / 8);

/** Bytes; null for types without a size (void, functions, unfinished structs and arrays). */
export function sizeOf(type: CType): number | null {
  switch (type.kind) {
    case 'int':
    case 'float':
      return bytesIn(type.width);
    case 'pointer':
      return type.narrow ? 4 : 8;
    case 'array': {
      const element = sizeOf(type.of);
      return element === null || type.length === null ? null : element * type.length;
    }
    case 'record':
      return type.record.fields === null ? null : type.record.size;
    case 'void':
    case 'function':
      return null;
  }
}

/** What an array of variable size consists of, whose size is known. */
export const elementsOf = (type: CType): CType =>
  type.kind === 'array' && type.variable !== undefined ? elementsOf(type.of) : type;

export const isVariable = (type: CType): boolean => type.kind === 'array' && type.variable !== undefined;

/** As a member of a struct. */
export function alignOf(type: CType): number {
  if (type.align !== undefined) return type.align;
  if (type.kind === 'array') return alignOf(type.of);
  const isSplit = (type.kind === 'int' || type.kind === 'float') && type.atomic !== true;
  return (isSplit ? type.memberAlign : undefined) ?? ownAlignOf(type);
}

/** Of a variable. */
export function ownAlignOf(type: CType): number {
  if (type.align !== undefined) return type.align;
  if (type.kind === 'array') return ownAlignOf(type.of);
  if (type.kind === 'record') return type.record.align;
  const size = sizeOf(type) ?? 1;
  // 12 bytes lie on multiples of 4.
  return size & -size;
}

/** Names that stand for stretches of bit-fields, and types that gcc computes in where a bit-field is wider than int. */
export const bitsType = (width: number, signed = false): IntType =>
  integer(signed ? `int:${width}` : `unsigned:${width}`, width, signed, 3 + width / 1000);

export type ScalarType = Extract<CType, { kind: 'int' | 'float' | 'pointer' }>;
export const isScalar = (type: CType): type is ScalarType =>
  type.kind === 'int' || type.kind === 'float' || type.kind === 'pointer';
/** In memory. */
export const widthOf = (type: ScalarType): number =>
  type.kind === 'pointer' ? (type.narrow ? 32 : 64) : type.width;
/** In expressions. */
export const computedWidth = (type: ScalarType): number => (type.kind === 'pointer' ? 64 : type.width);
/** As part of a whole that is used in one piece: such accesses are plain ones. */
export const notAtomic = (type: ScalarType): ScalarType => {
  const { atomic: _, ...plain } = type;
  return plain;
};

/** The same type as it is kept where nobody sees it: in the width that is computed with. */
export const unseen = (type: ScalarType): ScalarType => {
  if (type.kind !== 'pointer' || !type.narrow) return type;
  const { narrow: _, ...wide } = type;
  return wide;
};
export const isSigned = (type: CType): boolean => type.kind === 'int' && type.signed;

/** Of a `long double` only so many bytes are written. */
export const X87_BYTES = 10;

export const isLongDouble = (type: CType): boolean =>
  type.kind === 'float' && type.width > 8 * X87_BYTES && type.quad !== true;

/** Integer promotion and the usual arithmetic conversions. */
export function promote(type: IntType): IntType {
  if (type.rank < INT.rank) return INT;
  if (type.enumeration === undefined) return type;
  const { enumeration: _, ...number } = type;
  return number;
}

export function commonType(a: IntType, b: IntType): IntType {
  const x = promote(a);
  const y = promote(b);
  // As gcc has it for the types of wide bit-fields; where widths differ C says the same of its own types.
  if (x.width !== y.width) return x.width > y.width ? x : y;
  if (x.signed === y.signed) return x.rank >= y.rank ? x : y;
  const [unsigned, signed] = x.signed ? [y, x] : [x, y];
  if (unsigned.rank >= signed.rank) return unsigned;
  if (signed.rank === LONG.rank) return signed.width === 32 ? ULONG32 : ULONG;
  return signed.rank === LLONG.rank ? ULLONG : signed.rank === INT128.rank ? UINT128 : UINT;
}

export function showType(type: CType): string {
  switch (type.kind) {
    case 'void':
      return 'void';
    case 'int':
      return type.name;
    case 'float':
      return type.width === 32
        ? 'float'
        : type.width === 64
          ? 'double'
          : type.quad
            ? '__float128'
            : 'long double';
    case 'pointer':
      return `${showType(type.to)} *`;
    case 'array':
      return `${showType(type.of)}[${type.length ?? ''}]`;
    case 'record':
      return `${type.record.union ? 'union' : 'struct'} ${type.record.tag}`;
    case 'function':
      return `${showType(type.result)} (${type.parameters.map(showType).join(', ')})`;
  }
}

/** The same in memory: neither qualifiers count nor which enumeration it is. */
export function sameType(a: CType, b: CType): boolean {
  if (a.kind === 'record' && b.kind === 'record') return a.record === b.record;
  if (a.kind === 'pointer' && b.kind === 'pointer') return sameType(a.to, b.to);
  if (a.kind === 'array' && b.kind === 'array') return a.length === b.length && sameType(a.of, b.of);
  return a.kind === b.kind && showType(a) === showType(b);
}
