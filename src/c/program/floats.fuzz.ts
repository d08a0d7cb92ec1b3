// Bits of floating-point numbers: the corners more often than chance would have it.

import fc from 'fast-check';
import { formatOf, infinity, nearest, notANumber, signBit, zero } from './ieee.ts';

export function anyBits(width: number): fc.Arbitrary<bigint> {
  const sign = 1n << BigInt(signBit(width));
  const small = fc
    .tuple(fc.boolean(), fc.integer({ min: 0, max: 40 }), fc.constantFrom(1n, 2n, 3n, 4n, 8n, 10n))
    .map(([negative, above, below]) => nearest(negative, BigInt(above), below, width));
  const corners = [
    zero(false, width),
    infinity(false, width),
    ...(formatOf(width).explicit ? [] : [infinity(false, width) - 1n]),
    nearest(false, 1n, 1n << BigInt(2 ** (formatOf(width).exponentBits - 1) - 2), width),
  ].flatMap((bits) => [bits, bits | sign]);
  const last = (1n << BigInt(signBit(width) + 1)) - 1n;
  // Of x87's patterns only those that mean a number.
  const raw = formatOf(width).explicit ? small : fc.bigInt({ min: 0n, max: last });
  return fc.oneof(raw, small, fc.constantFrom(...corners, notANumber(width)));
}
