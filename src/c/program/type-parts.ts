// What types consist of: members by name, scalar parts by offset, and whether floating-point numbers are among them.

import {
  bitsType,
  type CType,
  type Field,
  isLongDouble,
  isScalar,
  type RecordInfo,
  type ScalarType,
  sameType,
  sizeOf,
  widthOf,
} from './types.ts';

/** A field by name, through anonymous members too, with its offset from the start of the record. */
export function findField(record: RecordInfo, name: string): Field | null {
  for (const field of record.fields ?? []) {
    if (field.name === name) return field;
    if (field.name === null && field.type.kind === 'record') {
      const inner = findField(field.type.record, name);
      if (inner !== null) return { ...inner, offset: inner.offset + field.offset };
    }
  }
  return null;
}

export interface Leaf {
  readonly offset: number;
  readonly type: ScalarType;
  /** How a user writes it after the object's name: `.next`, `[3].x`. */
  readonly path: string;
}

/** The scalar parts of a type, in order of their offsets; null when there are more than the limit. */
export function leavesOf(type: CType, limit: number): Leaf[] | null {
  const leaves: Leaf[] = [];
  const walk = (part: CType, offset: number, path: string): boolean => {
    if (isScalar(part)) return leaves.push({ offset, type: part, path }) <= limit;
    if (part.kind === 'array') {
      const size = sizeOf(part.of) ?? 0;
      for (let i = 0; i < (part.length ?? 0); i++)
        if (!walk(part.of, offset + i * size, `${path}[${i}]`)) return false;
      return true;
    }
    if (part.kind === 'record')
      return (part.record.fields ?? []).every((field, i, all) => {
        const inner = field.name === null ? path : `${path}.${field.name}`;
        if (field.bits === null) return walk(field.type, offset + field.offset, inner);
        // One leaf for the stretch that bit-fields share.
        const known = all.slice(0, i).some((other) => other.bits !== null && other.offset === field.offset);
        if (known && !part.record.union) return true;
        return walk(bitsType(field.bits.unit), offset + field.offset, inner);
      });
    return true;
  };
  return walk(type, 0, '') ? leaves : null;
}

type Lying = Pick<Leaf, 'offset' | 'type'>;

/** Of members of a union only those whose bytes no other one has: so they are copied whole. A pointer goes before a number of its size. */
export function widestOf<T extends Lying>(leaves: readonly T[]): readonly T[] {
  let kept: T[] = [];
  for (const leaf of leaves) {
    if (kept.some((other) => covers(other, leaf))) continue;
    kept = kept.filter((other) => !covers(leaf, other));
    kept.push(leaf);
  }
  return kept;
}

function covers(one: Lying, other: Lying): boolean {
  const [width, less] = [widthOf(one.type), widthOf(other.type)];
  const endOf = ({ offset, type }: Lying) => offset + widthOf(type) / 8;
  if (one.offset > other.offset || endOf(other) > endOf(one) || isLongDouble(one.type)) return false;
  return width > less || one.type.kind === 'pointer' || other.type.kind !== 'pointer';
}

/** Are there floating-point numbers in memory of this type? */
export const holdsFloats = (type: CType): boolean =>
  type.kind === 'float' ||
  (type.kind === 'array' && holdsFloats(type.of)) ||
  (type.kind === 'record' && (type.record.fields ?? []).some((field) => holdsFloats(field.type)));

/** Are there pointers? */
export const hasPointers = (type: CType): boolean =>
  type.kind === 'pointer' ||
  (type.kind === 'array' && hasPointers(type.of)) ||
  (type.kind === 'record' && (type.record.fields ?? []).some((field) => hasPointers(field.type)));

/** Does a floating-point number share its bytes with something else, in a union? */
export const sharesFloats = (type: CType): boolean => {
  if (type.kind === 'array') return sharesFloats(type.of);
  if (type.kind !== 'record') return false;
  const fields = type.record.fields ?? [];
  const [first] = fields;
  const isMixed =
    type.record.union && holdsFloats(type) && !fields.every((field) => sameType(field.type, first!.type));
  return isMixed || fields.some((field) => sharesFloats(field.type));
};
