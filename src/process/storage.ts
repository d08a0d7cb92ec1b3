// What a place keeps of a value. This is the one table of widths: the explorer, the abstraction, the refinement and the audit ask here.
//
// The truth is SPIN's verifier (its `typ2c` and `genaddqueue`), which does not always keep what the declared type says: elements of `bit`
// and `bool` arrays are whole bytes, and so is the field of a channel with exactly one `bit` or `bool` field; a `hidden` unsigned
// is a byte. Nothing but a `Storage` can be asked for its range or made to truncate: a declared type alone does not know.

import { impossible } from '../base/result.ts';
import type { Program, ScalarType, Variable } from './program.ts';

/** The low bits of a value, read back with or without a sign. */
export interface Storage {
  readonly bits: number;
  readonly signed: boolean;
}

const BYTE: Storage = { bits: 8, signed: false };
/** What every expression is computed in. */
export const INT: Storage = { bits: 32, signed: true };

function declaredWidth(type: ScalarType): Storage {
  switch (type.kind) {
    case 'bit':
    case 'bool':
      return { bits: 1, signed: false };
    case 'byte':
    case 'pid':
    case 'mtype':
    case 'chan':
      return BYTE;
    case 'short':
      return { bits: 16, signed: true };
    case 'int':
      return INT;
    case 'unsigned':
      return { bits: type.bits, signed: false };
    default:
      return impossible(type, 'every scalar type has a width');
  }
}

export interface PlaceKind {
  /** An element of an array, also of one element. */
  readonly isElement: boolean;
  /** A `hidden` variable. */
  readonly hidden?: boolean;
}

/** A variable, an element of an array, a field of a structure. */
export function placeStorage(type: ScalarType, { isElement, hidden = false }: PlaceKind): Storage {
  const declared = declaredWidth(type);
  const isBit = type.kind === 'bit' || type.kind === 'bool';
  return (isElement && isBit) || (hidden && type.kind === 'unsigned') ? BYTE : declared;
}

/** A variable that is a single number; null for arrays and structures. */
export function variableStorage({ type, length, hidden }: Variable): Storage | null {
  if (length !== null || type.kind === 'struct') return null;
  return placeStorage(type, { isElement: false, hidden });
}

/** The fields of a channel's messages. */
export function messageStorage(fields: readonly ScalarType[]): readonly Storage[] {
  return fields.map((type) => placeStorage(type, { isElement: fields.length === 1 }));
}

/** The values a place can hold. */
export function rangeOf({ bits, signed }: Storage): { readonly min: number; readonly max: number } {
  return signed ? { min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 } : { min: 0, max: 2 ** bits - 1 };
}

/** What a store of the value leaves: the rest is cut off silently. */
export function truncate({ bits, signed }: Storage, value: number): number {
  if (bits >= 32) return value | 0;
  return signed ? (value << (32 - bits)) >> (32 - bits) : value & (2 ** bits - 1);
}

export const sameStorage = (a: Storage, b: Storage): boolean => a.bits === b.bits && a.signed === b.signed;

/** A scalar inside a variable or message, in the order in which SPIN lays them out. */
export interface StoredCell {
  /** `x`, `a[2]`, `s.f[1]` */
  readonly name: string;
  readonly type: ScalarType;
  readonly storage: Storage;
}

/** The scalars of a variable or field, in order. */
export function cellsOf(
  structs: Program['structs'],
  item: Pick<Variable, 'name' | 'type' | 'length'> & { readonly hidden?: boolean },
): StoredCell[] {
  const { type, length, hidden = false } = item;
  const isElement = length !== null;
  return Array.from({ length: length ?? 1 }, (_, i) =>
    isElement ? `${item.name}[${i}]` : item.name,
  ).flatMap((name) => {
    if (type.kind !== 'struct') return [{ name, type, storage: placeStorage(type, { isElement, hidden }) }];
    return structs[type.struct]!.fields.flatMap((field) =>
      cellsOf(structs, field).map((cell) => ({ ...cell, name: `${name}.${cell.name}` })),
    );
  });
}
