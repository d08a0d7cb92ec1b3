// Exact rationals on BigInt, always in lowest terms with a positive denominator.
// Every certificate is checked with these (or with plain BigInt); no floating point takes part.

export interface Rational {
  readonly num: bigint;
  readonly den: bigint;
}

export function gcd(a: bigint, b: bigint): bigint {
  let x = a < 0n ? -a : a;
  let y = b < 0n ? -b : b;
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

export function rational(num: bigint | number, den: bigint | number = 1n): Rational {
  let n = BigInt(num);
  let d = BigInt(den);
  if (d === 0n) throw new Error('impossible: a rational with denominator zero');
  if (d < 0n) [n, d] = [-n, -d];
  const g = gcd(n, d);
  return g === 0n || g === 1n ? { num: n, den: d } : { num: n / g, den: d / g };
}

export const add = (a: Rational, b: Rational): Rational =>
  rational(a.num * b.den + b.num * a.den, a.den * b.den);
const sub = (a: Rational, b: Rational): Rational => rational(a.num * b.den - b.num * a.den, a.den * b.den);
const sign = (a: Rational): -1 | 0 | 1 => (a.num > 0n ? 1 : a.num < 0n ? -1 : 0);
export const compare = (a: Rational, b: Rational): -1 | 0 | 1 => sign(sub(a, b));

/** The largest integer not above a. */
export function floor(a: Rational): bigint {
  const quotient = a.num / a.den;
  return a.num % a.den !== 0n && a.num < 0n ? quotient - 1n : quotient;
}
