import { impossible } from '../base/result.ts';
import type { Program, ScalarType, Type } from './program.ts';

/** The values a variable of the type can hold. */
export function rangeOf(type: ScalarType): { readonly min: number; readonly max: number } {
  switch (type.kind) {
    case 'bit':
    case 'bool':
      return { min: 0, max: 1 };
    case 'byte':
    case 'pid':
    case 'mtype':
    case 'chan':
      return { min: 0, max: 255 };
    case 'short':
      return { min: -32768, max: 32767 };
    case 'int':
      return { min: -2147483648, max: 2147483647 };
    case 'unsigned':
      return { min: 0, max: 2 ** type.bits - 1 };
    default:
      return impossible(type, 'every scalar type has a range');
  }
}

/** What a store of the value leaves in a cell of the type: SPIN truncates silently. */
export function truncate(type: ScalarType, value: number): number {
  switch (type.kind) {
    case 'bit':
    case 'bool':
      return value & 1;
    case 'byte':
    case 'pid':
    case 'mtype':
    case 'chan':
      return value & 255;
    case 'short':
      return (value << 16) >> 16;
    case 'int':
      return value | 0;
    case 'unsigned':
      return type.bits >= 32 ? value >>> 0 : value & (2 ** type.bits - 1);
    default:
      return impossible(type, 'every scalar type truncates');
  }
}

export function typeName(program: Program, type: Type): string {
  if (type.kind === 'struct') return program.structs[type.struct]!.name;
  if (type.kind === 'mtype') return type.set === '' ? 'mtype' : `mtype:${type.set}`;
  return type.kind === 'unsigned' ? `unsigned : ${type.bits}` : type.kind;
}
