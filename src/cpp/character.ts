// The values of character constants as gcc has them: several characters make one number, the last one its lowest byte.

import { escapedByte } from '../source/decode.ts';

const ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  e: 27,
  E: 27,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
};

/** Of the characters, in bits. */
export type UnitWidth = 8 | 16 | 32;

/** As UTF-8, UTF-16 or UTF-32. */
function encoded(code: number, width: UnitWidth): number[] {
  if (width === 8) return [...new TextEncoder().encode(String.fromCodePoint(code))];
  if (width === 32 || code <= 0xffff) return [code];
  return [0xd800 + ((code - 0x10000) >> 10), 0xdc00 + (code & 0x3ff)];
}

/** The units of what stands between the quotes. */
export function unitsOf(inside: string, width: UnitWidth): number[] | null {
  const units: number[] = [];
  for (let i = 0; i < inside.length; ) {
    if (inside[i] !== '\\') {
      const code = inside.codePointAt(i)!;
      i += code > 0xffff ? 2 : 1;
      const byte = escapedByte(code);
      // Of bytes that are no characters gcc makes no wide ones either.
      if (byte !== null && width > 8) return null;
      units.push(...(byte === null ? encoded(code, width) : [byte]));
      continue;
    }
    const numeric = /^\\(?:([0-7]{1,3})|x([0-9a-fA-F]+)|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(
      inside.slice(i, i + 40),
    );
    if (numeric !== null) {
      const [all, octal, hex, short, long] = numeric;
      const code =
        octal !== undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex ?? short ?? long!, 16);
      const universal = short !== undefined || long !== undefined;
      if (universal && code > 0x10ffff) return null;
      units.push(...(universal ? encoded(code, width) : [Number(BigInt.asUintN(width, BigInt(code)))]));
      i += all.length;
      continue;
    }
    const letter = inside[i + 1];
    if (letter === undefined) return null;
    // Before anything but ASCII it means nothing: what stands there is several bytes.
    if (letter > '\x7f') {
      i += 1;
      continue;
    }
    units.push(ESCAPES[letter] ?? letter.charCodeAt(0));
    i += 2;
  }
  return units;
}

const widthOfPrefix = (prefix: string | undefined): UnitWidth =>
  prefix === 'u' ? 16 : prefix === 'U' || prefix === 'L' ? 32 : 8;

/** Of a character constant with its quotes and prefix; null when it is none. */
export function characterValue(text: string): bigint | null {
  const [, prefix, inside] = /^(u8|[uUL])?'([\s\S]*)'$/.exec(text) ?? [];
  if (inside === undefined || inside === '') return null;
  const width = widthOfPrefix(prefix);
  const units = unitsOf(inside, width);
  if (units === null || units.length === 0) return null;
  const last = BigInt(units.at(-1)!);
  if (width > 8) return prefix === 'L' ? BigInt.asIntN(32, last) : last;
  if (units.length === 1) return BigInt.asIntN(8, BigInt(units[0]!));
  return BigInt.asIntN(
    32,
    units.slice(-4).reduce((value, unit) => (value << 8n) | BigInt(unit), 0n),
  );
}
