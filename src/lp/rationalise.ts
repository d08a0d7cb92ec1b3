// From floating point to exact rationals.
//
// Two ways, cheapest first. `nearby` reads each float as a rational with a small denominator: enough for most of our problems, whose
// vertices are small fractions. `refine` solves a square integer system exactly: the float factorisation gives digits, the residual is
// computed in BigInt, the next solve gives the next digits, and at the end continued fractions turn the digits into rationals with a
// running common denominator (iterative refinement, Ursic and Patarra; Wan). Neither is trusted: whoever calls verifies the result.

import { gcd } from '../base/rational.ts';
import type { ExactVector } from './problem.ts';

const LARGEST_DENOMINATOR = 10_000;
const LARGEST_COMMON = 10n ** 15n;

/** Reads floats as rationals with small denominators, or null when some value is none. */
export function nearby(values: Float64Array): ExactVector | null {
  let common = 1n;
  for (const value of values) {
    if (!Number.isFinite(value) || Math.abs(value) > 1e12) return null;
    const scaled = value * Number(common);
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * Math.max(1, Number(common) / 1000)) continue;
    const denominator = denominatorNear(value);
    if (denominator === null) return null;
    const den = BigInt(denominator);
    common *= den / gcd(common, den);
    if (common > LARGEST_COMMON) return null;
  }
  const factor = Number(common);
  return { values: Array.from(values, (value) => BigInt(Math.round(value * factor))), denominator: common };
}

/** The smallest denominator that comes within rounding noise, by the continued fraction. */
function denominatorNear(value: number): number | null {
  let rest = Math.abs(value);
  let previous = 0;
  let denominator = 1;
  for (let step = 0; step < 20; step++) {
    const scaled = value * denominator;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-7 * denominator) return denominator;
    const fraction = rest - Math.floor(rest);
    if (fraction < 1e-12) return null;
    rest = 1 / fraction;
    [previous, denominator] = [denominator, Math.floor(rest) * denominator + previous];
    if (denominator > LARGEST_DENOMINATOR) return null;
  }
  return null;
}

/** A square integer matrix: multiply exactly, and solve approximately. */
export interface SquareSystem {
  readonly multiply: (vector: readonly bigint[]) => bigint[];
  readonly solve: (right: Float64Array) => Float64Array;
}

const DIGITS = 24n;
const SCALE = 2 ** 24;

/**
 * The exact solution of `system · x = right`, or null when the digits do not settle within the rounds. `accept` has the last word and
 * is asked after 2, 4, 8, … rounds.
 */
export function refine(
  system: SquareSystem,
  right: readonly bigint[],
  accept: (candidate: ExactVector) => boolean,
  rounds = 64,
): ExactVector | null {
  let digits: bigint[] = right.map(() => 0n);
  let residual: bigint[] = [...right];
  let ask = 2;
  for (let round = 1; round <= rounds; round++) {
    const step = correction(system, residual);
    if (step === null) return null;
    const product = system.multiply(step);
    digits = digits.map((digit, index) => (digit << DIGITS) + step[index]!);
    residual = residual.map((rest, index) => (rest << DIGITS) - product[index]!);
    if (round === ask || residual.every((rest) => rest === 0n)) {
      ask *= 2;
      const candidate = reconstruct(digits, DIGITS * BigInt(round));
      if (candidate !== null && accept(candidate)) return candidate;
      if (residual.every((rest) => rest === 0n)) return null;
    }
  }
  return null;
}

/** The next digits: the float solution for the residual, scaled so that nothing overflows. */
function correction(system: SquareSystem, residual: readonly bigint[]): bigint[] | null {
  let largest = 0n;
  for (const rest of residual) {
    const size = rest < 0n ? -rest : rest;
    if (size > largest) largest = size;
  }
  if (largest === 0n) return residual.map(() => 0n);
  const shift = BigInt(Math.max(0, largest.toString(2).length - 60));
  const solved = system.solve(Float64Array.from(residual, (rest) => Number(rest >> shift)));
  const step: bigint[] = [];
  for (const value of solved) {
    if (!Number.isFinite(value) || Math.abs(value) > 1e60) return null;
    step.push(toBigInt(value * SCALE) << shift);
  }
  return step;
}

const toBigInt = (value: number): bigint => BigInt(Math.round(value));

/** Rationals from binary digits after the point, with a running common denominator. */
function reconstruct(digits: readonly bigint[], exponent: bigint): ExactVector | null {
  const one = 1n << exponent;
  const noise = 1n << (exponent / 2n);
  let common = 1n;
  for (const digit of digits) {
    const value = digit * common;
    if (distanceToInteger(value, one) * 4n <= noise) continue;
    const denominator = fractionDenominator(value, one, noise);
    if (denominator === null) return null;
    common *= denominator;
    if (common * common > one) return null;
  }
  return { values: digits.map((digit) => roundDivide(digit * common, one)), denominator: common };
}

function distanceToInteger(value: bigint, one: bigint): bigint {
  const rest = ((value % one) + one) % one;
  return rest * 2n > one ? one - rest : rest;
}

const roundDivide = (value: bigint, one: bigint): bigint => (value * 2n + one) >> bitLength(one);
/** one is a power of two: dividing by 2·one is a shift by its bit length. */
const bitLength = (one: bigint): bigint => BigInt(one.toString(2).length);

function fractionDenominator(value: bigint, one: bigint, noise: bigint): bigint | null {
  let [high, low] = [one, ((value % one) + one) % one];
  let [previous, denominator] = [0n, 1n];
  while (low !== 0n) {
    const quotient = high / low;
    [high, low] = [low, high % low];
    [previous, denominator] = [denominator, quotient * denominator + previous];
    if (denominator * denominator > one) return null;
    if (distanceToInteger(value * denominator, one) <= noise) return denominator;
  }
  return null;
}
