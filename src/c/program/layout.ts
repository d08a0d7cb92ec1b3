// Where the fields of structs and unions lie: gcc's rules for x86-64 and i386, bit-fields included.
//
// A bit-field goes to the next bit unless it would then touch more units of its type's alignment than the type itself has; one of width 0 moves on to such a boundary.
// Bit-fields that share a byte share a stretch of bytes, which is one cell of memory.

import type { BitRange, Field, RecordInfo } from './types.ts';
import { alignOf, sizeOf } from './types.ts';

/** A field before it has a place; `bits` is the width of a bit-field. */
export interface Unplaced {
  readonly name: string | null;
  readonly type: Field['type'];
  readonly bits: number | null;
  readonly packed: boolean;
  /** At least so much, 0 where nothing is said: `aligned` counts in a packed struct, too, and puts a bit-field on a byte. */
  readonly aligned: number;
}

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to;

/** Bit-fields one after the other, none of width 0 between them, in bits: one memory location (C11 3.14). */
interface Location {
  start: number;
  end: number;
}

interface Bits {
  readonly field: Unplaced;
  /** From the start of the record. */
  readonly start: number;
  readonly location: Location;
}

/** What is said about a struct as a whole. */
export interface Tightness {
  readonly packed: boolean;
  /** At least so much. */
  readonly aligned: number;
  /** `#pragma pack(n)`: no member is aligned to more. */
  readonly most: number;
}

/** Lays out the fields; false when one has no size. */
export function layOut(
  record: RecordInfo,
  fields: readonly Unplaced[],
  { packed, aligned, most }: Tightness,
): boolean {
  const placed: (Field | Bits)[] = [];
  let align = 1;
  /** In bits. */
  let end = 0;
  let size = 0;
  let location: Location | null = null;
  for (const [i, field] of fields.entries()) {
    const bytes = sizeOf(field.type) ?? flexible(field, i === fields.length - 1);
    if (bytes === null) return false;
    // gcc: of bit-fields `packed` does not count where a pragma says how tight.
    const tight = (packed || field.packed) && (field.bits === null || most === Number.POSITIVE_INFINITY);
    const wanted = Math.max(tight ? 1 : alignOf(field.type), field.aligned);
    const alignment = Math.min(wanted, most);
    if (record.union) end = 0;
    if (record.union || field.bits === null || field.bits === 0) location = null;
    if (field.bits === null) {
      const offset = roundUp(Math.ceil(end / 8), alignment);
      placed.push({ name: field.name, type: field.type, offset, bits: null, align: alignment });
      end = (offset + bytes) * 8;
      align = Math.max(align, alignment);
    } else {
      const unit = bytes * 8;
      const step = alignOf(field.type) * 8;
      const own = Math.min(field.aligned, most);
      // Before it moves to where it wants to be aligned.
      const isNumber = isNumberAt(end, field.bits);
      if (own > 0) end = roundUp(end, own * 8);
      if (field.bits === 0) end = roundUp(end, step);
      else if (
        !tight &&
        most === Number.POSITIVE_INFINITY &&
        !isNumber &&
        Math.ceil(((end % step) + field.bits) / step) > unit / step
      )
        end = roundUp(end, step);
      if (field.bits > 0) location ??= { start: end, end };
      if (field.name !== null) placed.push({ field, start: end, location: location! });
      end += field.bits;
      if (location !== null) location.end = end;
      // A bit-field without a name does not make the struct more aligned.
      if (field.name !== null) align = Math.max(align, alignment);
    }
    size = Math.max(size, Math.ceil(end / 8));
  }
  record.align = Math.max(align, aligned);
  record.size = roundUp(size, record.align);
  record.fields = record.union
    ? placed.map((part) => ('field' in part ? stretch([part])[0]! : part))
    : stretches(placed);
  return true;
}

/** A bit-field that is a whole number where numbers of its size may lie is one to gcc, however much its type is aligned. */
const isNumberAt = (start: number, bits: number): boolean =>
  [8, 16, 32, 64].includes(bits) && start % bits === 0;

/** `int rest[];` at the end of a struct takes no room. */
const flexible = (field: Unplaced, last: boolean): number | null =>
  field.type.kind === 'array' && field.type.length === null && last && sizeOf(field.type.of) !== null
    ? 0
    : null;

/** Bit-fields that share bytes, directly or through others, in one stretch. */
function stretches(placed: readonly (Field | Bits)[]): Field[] {
  const result: Field[] = [];
  let group: Bits[] = [];
  const finish = () => {
    result.push(...stretch(group));
    group = [];
  };
  for (const part of placed) {
    if (!('field' in part)) {
      finish();
      result.push(part);
      continue;
    }
    const last = group.at(-1);
    if (
      last !== undefined &&
      Math.floor((last.start + last.field.bits! - 1) / 8) < Math.floor(part.start / 8)
    )
      finish();
    group.push(part);
  }
  finish();
  return result;
}

function stretch(group: readonly Bits[]): Field[] {
  if (group.length === 0) return [];
  const last = group.at(-1)!;
  const offset = Math.floor(group[0]!.start / 8);
  const unit = Math.ceil((last.start + last.field.bits!) / 8) * 8 - offset * 8;
  return group.map(({ field, start, location }) => ({
    name: field.name,
    type: field.type,
    offset,
    bits: { width: field.bits!, shift: start - offset * 8, unit, ...beside(location, offset, unit) },
    align: 1,
  }));
}

/** What of its memory location lies outside of the stretch. */
function beside({ start, end }: Location, offset: number, unit: number): Pick<BitRange, 'shared'> {
  const first = Math.floor(start / 8);
  const bytes = Math.ceil(end / 8) - first;
  return bytes * 8 === unit ? {} : { shared: { before: offset - first, bytes } };
}
