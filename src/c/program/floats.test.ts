// Numbers computed in two ways, by the processor and exactly; literals; corners that IEEE 754 names.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyBits } from './floats.fuzz.ts';
import { computeFloat, FLOAT_ARGUMENTS, type FloatOp, fromNumber, toNumber } from './floats.ts';
import { exactly, notANumber, parseFloating } from './ieee.ts';

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 1000);
const OPS = Object.keys(FLOAT_ARGUMENTS) as FloatOp[];

test('the fast way and the exact one agree', () => {
  const cases = fc
    .constantFrom(32, 64)
    .chain((width) => fc.tuple(fc.constant(width), fc.constantFrom(...OPS), anyBits(width), anyBits(width)));
  fc.assert(
    fc.property(cases, ([width, op, a, b]) => {
      const to = ['feq', 'flt', 'fle'].includes(op) ? 0 : width;
      expect(computeFloat(op, to, width, [a, b])).toBe(exactly(op, to, width, [a, b]));
    }),
    { numRuns: RUNS, seed: 3 },
  );
});

test('conversions between the formats, and of whole numbers, round once', () => {
  const view = (value: number) => fromNumber(value, 32);
  fc.assert(
    fc.property(anyBits(64), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (bits, whole) => {
      expect(exactly('ftof', 32, 64, [bits])).toBe(view(toNumber(bits, 64)));
      const asDouble = exactly('sitof', 64, 64, [BigInt.asUintN(64, whole)])!;
      expect(toNumber(asDouble, 64)).toBe(Number(whole));
      // To long double and back nothing is lost.
      const wide = exactly('sitof', 128, 64, [BigInt.asUintN(64, whole)])!;
      expect(exactly('ftosi', 64, 128, [wide])).toBe(BigInt.asUintN(64, whole));
      const there = exactly('ftof', 128, 64, [bits])!;
      const back = exactly('ftof', 64, 128, [there])!;
      if (!Number.isNaN(toNumber(bits, 64))) expect(back).toBe(bits);
    }),
    { numRuns: RUNS, seed: 4 },
  );
});

test('literals are read as JavaScript reads them, and hexadecimal ones by their bits', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }), (value) => {
      expect(toNumber(parseFloating(String(value).replace('+', ''), 64)!, 64)).toBe(value);
    }),
    { seed: 5 },
  );
  expect(toNumber(parseFloating('0x1.8p3', 64)!, 64)).toBe(12);
  expect(parseFloating('1e999999999', 64)).toBe(fromNumber(Number.POSITIVE_INFINITY, 64));
  expect(parseFloating('.', 64)).toBeNull();
  // Rounding to double first would give the neighbour.
  expect(parseFloating('1.00000017881393432617187499', 32)).toBe(0x3f800001n);
});

test('what has no result in C has none', () => {
  const double = (value: number) => fromNumber(value, 64);
  expect(computeFloat('ftosi', 32, 64, [double(2 ** 31)])).toBeNull();
  expect(computeFloat('ftosi', 32, 64, [double(-(2 ** 31) - 0.5)])).toBe(0x80000000n);
  expect(computeFloat('ftoui', 8, 64, [double(-0.5)])).toBe(0n);
  expect(computeFloat('ftoui', 8, 64, [double(256)])).toBeNull();
  expect(computeFloat('ftosi', 32, 64, [notANumber(64)])).toBeNull();
});
