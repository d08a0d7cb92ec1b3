// The values of character constants as gcc has them: several characters make one number, the last one its lowest byte.

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

/** The units of what stands between the quotes: bytes (UTF-8), or whole characters for wide text. */
export function unitsOf(inside: string, wide: boolean): number[] | null {
  const units: number[] = [];
  for (let i = 0; i < inside.length; ) {
    if (inside[i] !== '\\') {
      const code = inside.codePointAt(i)!;
      i += code > 0xffff ? 2 : 1;
      units.push(...(wide ? [code] : new TextEncoder().encode(String.fromCodePoint(code))));
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
      if (universal && !wide) units.push(...new TextEncoder().encode(String.fromCodePoint(code)));
      else units.push(wide ? code : code & 255);
      i += all.length;
      continue;
    }
    const letter = inside[i + 1];
    if (letter === undefined) return null;
    units.push(ESCAPES[letter] ?? letter.charCodeAt(0));
    i += 2;
  }
  return units;
}

/** Of a character constant with its quotes and prefix; null when it is none. */
export function characterValue(text: string): bigint | null {
  const [, prefix, inside] = /^(u8|[uUL])?'([\s\S]*)'$/.exec(text) ?? [];
  if (inside === undefined || inside === '') return null;
  const wide = prefix !== undefined && prefix !== 'u8';
  const units = unitsOf(inside, wide);
  if (units === null || units.length === 0) return null;
  if (wide) return BigInt.asIntN(32, BigInt(units.at(-1)!));
  if (units.length === 1) return BigInt.asIntN(8, BigInt(units[0]!));
  return BigInt.asIntN(
    32,
    units.slice(-4).reduce((value, unit) => (value << 8n) | BigInt(unit), 0n),
  );
}
