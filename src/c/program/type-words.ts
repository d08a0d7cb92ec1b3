// Types as words name them: `unsigned long int`, `_Float64x`, `uint32_t`.

import {
  BOOL,
  CHAR,
  type CType,
  FLOAT,
  type FloatType,
  INT,
  INT128,
  LONG,
  LP64,
  pointerTo,
  SCHAR,
  SHORT,
  UCHAR,
  UINT,
  UINT128,
  ULONG,
  USHORT,
  VOID,
  type WordSizes,
} from './types.ts';

const QUAD: FloatType = { kind: 'float', width: 128, quad: true };

/** The type of words such as `unsigned long int`; null when they are none. */
export function typeOfWords(words: readonly string[], sizes: WordSizes = LP64): CType | null {
  const known = words.filter(
    (word) => !['const', 'volatile', 'register', 'auto', 'static', 'extern'].includes(word),
  );
  const has = (word: string) => known.includes(word);
  const unsigned = has('unsigned');
  if (has('void')) return VOID;
  if (has('_Bool') || has('bool')) return BOOL;
  if (has('_Complex') || has('__complex__')) return null;
  if (has('float')) return FLOAT;
  if (has('_Float128') || has('__float128')) return QUAD;
  if (has('double')) return has('long') ? sizes.longDouble : sizes.double;
  const extended = known.find((word) => word.startsWith('_Float'));
  if (extended !== undefined) return extendedFloat(extended, sizes);
  if (has('__uint128_t')) return UINT128;
  if (has('__int128') || has('__int128_t')) return unsigned ? UINT128 : INT128;
  if (has('char')) return unsigned ? UCHAR : has('signed') ? SCHAR : CHAR;
  if (has('short')) return unsigned ? USHORT : SHORT;
  const longs = known.filter((word) => word === 'long').length;
  if (longs === 2) return unsigned ? sizes.ullong : sizes.llong;
  if (longs === 1) return unsigned ? sizes.ulong : sizes.long;
  if (has('int') || unsigned || has('signed')) return unsigned ? UINT : INT;
  return FIXED.get(known[0] ?? '') ?? null;
}

/** `_Float32` and its like: types of their own with the format of another one. */
export const extendedFloat = (extended: string, sizes: WordSizes): FloatType => ({
  ...(extended === '_Float32' ? FLOAT : extended === '_Float64x' ? sizes.longDouble : sizes.double),
  extended,
});

/** Names that the grammar takes for primitive types though C has them as typedefs. */
const FIXED: ReadonlyMap<string, CType> = new Map<string, CType>([
  ['size_t', ULONG],
  ['ssize_t', LONG],
  ['ptrdiff_t', LONG],
  ['intptr_t', LONG],
  ['uintptr_t', ULONG],
  ['int8_t', SCHAR],
  ['int16_t', SHORT],
  ['int32_t', INT],
  ['int64_t', LONG],
  ['uint8_t', UCHAR],
  ['uint16_t', USHORT],
  ['uint32_t', UINT],
  ['uint64_t', ULONG],
  ['char8_t', UCHAR],
  ['char16_t', USHORT],
  ['char32_t', UINT],
  ['char64_t', ULONG],
  ['charptr_t', ULONG],
  ['nullptr_t', pointerTo(VOID)],
  ['max_align_t', LONG],
]);
