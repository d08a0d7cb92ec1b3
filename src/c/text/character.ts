// Character constants in the conditions of #if.

const ESCAPES: Readonly<Record<string, number>> = {
  "'": 39,
  '"': 34,
  '\\': 92,
  '0': 0,
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
};

/** Of a character constant in a condition; undefined for the rarer ones, which are then refused there. */
export function characterValue(text: string): bigint | undefined {
  const [, plain, escaped] = /^'(?:([ -~])|\\(.))'$/.exec(text) ?? [];
  const code = plain !== undefined ? plain.charCodeAt(0) : ESCAPES[escaped ?? ''];
  return code === undefined ? undefined : BigInt(code);
}
