// IEEE 754 numbers in exact arithmetic: a number is a fraction of integers, rounded once, to nearest and to even in the middle. Formats are
// told apart by their width in bits: 32 float, 64 double, 96 and 128 long double as x87 has it (80 bits, the rest is zero), which writes the
// leading one of its fraction down. Slow and simple: `floats.ts` is the fast way, and the tests compare the two.
//
// Which bits a NaN has that an operation makes, C leaves open: here always the same ones. Who can see them is the lowering's business.

export interface Format {
  readonly exponentBits: number;
  /** With the leading one. */
  readonly precision: number;
  /** The leading one has a bit of its own. */
  readonly explicit: boolean;
}

const SINGLE: Format = { exponentBits: 8, precision: 24, explicit: false };
const DOUBLE: Format = { exponentBits: 11, precision: 53, explicit: false };
const EXTENDED: Format = { exponentBits: 15, precision: 64, explicit: true };

export const formatOf = (width: number): Format => (width === 32 ? SINGLE : width === 64 ? DOUBLE : EXTENDED);

/** Bits behind the sign and the exponent. */
const fractionBits = ({ precision, explicit }: Format): number => (explicit ? precision : precision - 1);
export const signBit = (width: number): number =>
  fractionBits(formatOf(width)) + formatOf(width).exponentBits;

/** A finite number is mantissa · 2^exponent. */
export type Decoded =
  | { readonly kind: 'nan' }
  | { readonly kind: 'infinite'; readonly negative: boolean }
  | {
      readonly kind: 'finite';
      readonly negative: boolean;
      readonly mantissa: bigint;
      readonly exponent: number;
    };

const biasOf = ({ exponentBits }: Format): number => 2 ** (exponentBits - 1) - 1;
const ones = (bits: number): bigint => (1n << BigInt(bits)) - 1n;
const lengthOf = (value: bigint): number => value.toString(2).length;

export function decode(bits: bigint, width: number): Decoded {
  const format = formatOf(width);
  const { exponentBits, precision } = format;
  const behind = fractionBits(format);
  const fraction = bits & ones(precision - 1);
  const field = Number((bits >> BigInt(behind)) & ones(exponentBits));
  const negative = ((bits >> BigInt(behind + exponentBits)) & 1n) === 1n;
  if (field === 2 ** exponentBits - 1)
    return fraction === 0n ? { kind: 'infinite', negative } : { kind: 'nan' };
  const mantissa = field === 0 ? fraction : fraction | (1n << BigInt(precision - 1));
  return {
    kind: 'finite',
    negative,
    mantissa,
    exponent: Math.max(1, field) - biasOf(format) - precision + 1,
  };
}

function assemble(negative: boolean, field: number, mantissa: bigint, width: number): bigint {
  const format = formatOf(width);
  const fraction = format.explicit ? mantissa : mantissa & ones(format.precision - 1);
  const sign = negative ? 1n << BigInt(signBit(width)) : 0n;
  return sign | (BigInt(field) << BigInt(fractionBits(format))) | fraction;
}

const largestField = (width: number): number => 2 ** formatOf(width).exponentBits - 1;
const leadingOne = (width: number): bigint => 1n << BigInt(formatOf(width).precision - 1);

export const infinity = (negative: boolean, width: number): bigint =>
  assemble(negative, largestField(width), formatOf(width).explicit ? leadingOne(width) : 0n, width);
export const zero = (negative: boolean, width: number): bigint => assemble(negative, 0, 0n, width);
export const notANumber = (width: number): bigint =>
  assemble(false, largestField(width), leadingOne(width) | (leadingOne(width) >> 1n), width);

/** The number of a format that is nearest to a fraction of numbers that are not negative. */
export function nearest(negative: boolean, numerator: bigint, denominator: bigint, width: number): bigint {
  if (numerator === 0n) return zero(negative, width);
  const format = formatOf(width);
  const { precision } = format;
  const bias = biasOf(format);
  const least = 2 - bias - precision;
  let exponent = Math.max(least, lengthOf(numerator) - lengthOf(denominator) - precision);
  let [quotient, rest, divisor] = scaled(numerator, denominator, exponent);
  if (quotient >= 1n << BigInt(precision))
    [quotient, rest, divisor] = scaled(numerator, denominator, ++exponent);
  if (2n * rest > divisor || (2n * rest === divisor && (quotient & 1n) === 1n)) quotient++;
  if (quotient === 1n << BigInt(precision)) {
    quotient >>= 1n;
    exponent++;
  }
  const field = quotient < leadingOne(width) ? 0 : exponent + bias + precision - 1;
  return field >= largestField(width)
    ? infinity(negative, width)
    : assemble(negative, field, quotient, width);
}

/** The fraction divided by 2^exponent: quotient, rest, and what the rest is a part of. */
function scaled(numerator: bigint, denominator: bigint, exponent: number): [bigint, bigint, bigint] {
  const shift = BigInt(Math.abs(exponent));
  const [above, below] = exponent < 0 ? [numerator << shift, denominator] : [numerator, denominator << shift];
  return [above / below, above % below, below];
}

type Finite = Extract<Decoded, { kind: 'finite' }>;

/** A sum or difference of powers of two as one numerator over one denominator. */
function overPower(mantissa: bigint, exponent: number): [bigint, bigint] {
  return exponent < 0 ? [mantissa, 1n << BigInt(-exponent)] : [mantissa << BigInt(exponent), 1n];
}

const signed = ({ negative, mantissa }: Finite): bigint => (negative ? -mantissa : mantissa);

function sum(a: Decoded, b: Decoded, width: number): bigint {
  if (a.kind === 'nan' || b.kind === 'nan') return notANumber(width);
  if (a.kind === 'infinite')
    return b.kind === 'infinite' && a.negative !== b.negative
      ? notANumber(width)
      : infinity(a.negative, width);
  if (b.kind === 'infinite') return infinity(b.negative, width);
  const low = Math.min(a.exponent, b.exponent);
  const total = (signed(a) << BigInt(a.exponent - low)) + (signed(b) << BigInt(b.exponent - low));
  // Only -0 + -0 is -0, when rounding to nearest.
  if (total === 0n) return zero(a.negative && b.negative, width);
  return nearest(total < 0n, ...overPower(total < 0n ? -total : total, low), width);
}

function product(a: Decoded, b: Decoded, width: number): bigint {
  if (a.kind === 'nan' || b.kind === 'nan') return notANumber(width);
  const negative = a.negative !== b.negative;
  const isZero = (x: Decoded) => x.kind === 'finite' && x.mantissa === 0n;
  if (a.kind === 'infinite' || b.kind === 'infinite')
    return isZero(a) || isZero(b) ? notANumber(width) : infinity(negative, width);
  return nearest(negative, ...overPower(a.mantissa * b.mantissa, a.exponent + b.exponent), width);
}

function quotient(a: Decoded, b: Decoded, width: number): bigint {
  if (a.kind === 'nan' || b.kind === 'nan') return notANumber(width);
  const negative = a.negative !== b.negative;
  if (a.kind === 'infinite') return b.kind === 'infinite' ? notANumber(width) : infinity(negative, width);
  if (b.kind === 'infinite') return zero(negative, width);
  if (b.mantissa === 0n) return a.mantissa === 0n ? notANumber(width) : infinity(negative, width);
  const [above, below] = overPower(a.mantissa, a.exponent - b.exponent);
  return nearest(negative, above, below * b.mantissa, width);
}

/** What is left of a when b is taken away as often as it fits, with the sign of a. */
function remainder(a: Decoded, b: Decoded, bits: bigint, width: number): bigint {
  if (a.kind !== 'finite' || b.kind === 'nan') return notANumber(width);
  if (b.kind === 'infinite') return bits;
  if (b.mantissa === 0n) return notANumber(width);
  const low = Math.min(a.exponent, b.exponent);
  const rest = (a.mantissa << BigInt(a.exponent - low)) % (b.mantissa << BigInt(b.exponent - low));
  return nearest(a.negative, ...overPower(rest, low), width);
}

function wholeRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(lengthOf(value) / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

function squareRoot(a: Decoded, bits: bigint, width: number): bigint {
  if (a.kind === 'nan') return notANumber(width);
  if (a.kind === 'finite' && a.mantissa === 0n) return bits;
  if (a.negative) return notANumber(width);
  if (a.kind === 'infinite') return bits;
  // An even power, and room for more digits than are kept; what is cut off decides no tie, so one more bit tells that there is something.
  const shift = 2 * formatOf(width).precision + 4 + (((a.exponent % 2) + 2) % 2);
  const radicand = a.mantissa << BigInt(shift);
  const root = wholeRoot(radicand);
  const sticky = root * root === radicand ? 0n : 1n;
  return nearest(false, ...overPower(2n * root + sticky, (a.exponent - shift) / 2 - 1), width);
}

export type Rounding = 'floor' | 'ceil' | 'trunc' | 'even' | 'away';

function whole(a: Decoded, bits: bigint, how: Rounding, width: number): bigint {
  if (a.kind === 'nan') return notANumber(width);
  if (a.kind === 'infinite' || a.exponent >= 0) return bits;
  const below = BigInt(-a.exponent);
  const cut = a.mantissa >> below;
  const rest = a.mantissa & ((1n << below) - 1n);
  const half = 1n << (below - 1n);
  const up =
    how === 'floor'
      ? a.negative && rest > 0n
      : how === 'ceil'
        ? !a.negative && rest > 0n
        : how === 'away'
          ? rest >= half
          : how === 'even' && (rest > half || (rest === half && (cut & 1n) === 1n));
  return nearest(a.negative, up ? cut + 1n : cut, 1n, width);
}

/** -1, 0, 1; null where one is not a number. */
function order(a: Decoded, b: Decoded): number | null {
  if (a.kind === 'nan' || b.kind === 'nan') return null;
  const rank = (x: Exclude<Decoded, { kind: 'nan' }>): number =>
    x.kind === 'infinite' ? (x.negative ? -1 : 1) : 0;
  if (a.kind === 'infinite' || b.kind === 'infinite') return Math.sign(rank(a) - rank(b));
  const low = Math.min(a.exponent, b.exponent);
  const difference = (signed(a) << BigInt(a.exponent - low)) - (signed(b) << BigInt(b.exponent - low));
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The whole number that is left when the rest is cut off; null for what is none. */
function cutOff(a: Decoded): bigint | null {
  if (a.kind !== 'finite') return null;
  const magnitude = a.exponent < 0 ? a.mantissa >> BigInt(-a.exponent) : a.mantissa << BigInt(a.exponent);
  return a.negative ? -magnitude : magnitude;
}

const flipped = (a: Decoded): Decoded => (a.kind === 'nan' ? a : { ...a, negative: !a.negative });
const WHOLE: Readonly<Record<string, Rounding>> = {
  ffloor: 'floor',
  fceil: 'ceil',
  ftrunc: 'trunc',
  feven: 'even',
  faway: 'away',
};

/** The result of an operation of `floats.ts`; null where C leaves it undefined. `from`: the width of its arguments. */
export function exactly(op: string, width: number, from: number, args: readonly bigint[]): bigint | null {
  const [x, y] = args as [bigint, bigint];
  if (op === 'sitof' || op === 'uitof') {
    const value = op === 'sitof' ? BigInt.asIntN(from, x) : x;
    return nearest(value < 0n, value < 0n ? -value : value, 1n, width);
  }
  const a = decode(x, from);
  const how = WHOLE[op];
  if (how !== undefined) return whole(a, x, how, width);
  switch (op) {
    case 'fsqrt':
      return squareRoot(a, x, width);
    case 'ftof':
      if (a.kind === 'nan') return notANumber(width);
      if (a.kind === 'infinite') return infinity(a.negative, width);
      return nearest(a.negative, ...overPower(a.mantissa, a.exponent), width);
    case 'ftosi':
    case 'ftoui': {
      const value = cutOff(a);
      if (value === null) return null;
      const fits =
        op === 'ftosi' ? value === BigInt.asIntN(width, value) : value === BigInt.asUintN(width, value);
      return fits ? BigInt.asUintN(width, value) : null;
    }
    default:
  }
  const b = decode(y, from);
  const compared = order(a, b);
  const truth = (test: boolean): bigint => (test ? 1n : 0n);
  switch (op) {
    case 'fadd':
      return sum(a, b, width);
    case 'fsub':
      return sum(a, flipped(b), width);
    case 'fmul':
      return product(a, b, width);
    case 'fdiv':
      return quotient(a, b, width);
    case 'frem':
      return remainder(a, b, x, width);
    case 'feq':
      return truth(compared === 0);
    case 'flt':
      return truth(compared === -1);
    case 'fle':
      return truth(compared === -1 || compared === 0);
    default:
      throw new Error(`impossible: ${op} is no operation on floating-point numbers`);
  }
}

/** The nearest number to a literal of C without its suffix, decimal or hexadecimal; null when it is none. */
export function parseFloating(text: string, width: number): bigint | null {
  const decimal = /^(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text);
  const hexadecimal = /^0[xX]([\da-fA-F]*)\.?([\da-fA-F]*)[pP]([+-]?\d+)$/.exec(text);
  const match = hexadecimal ?? decimal;
  if (match === null || match[1]! + match[2]! === '') return null;
  const digits = BigInt((hexadecimal === null ? '' : '0x') + match[1]! + match[2]!);
  const power = Number(match[3] ?? 0);
  if (digits === 0n) return zero(false, width);
  // Beyond every format, whatever the digits: do not build numbers of that size.
  if (Math.abs(power) > 100_000 + match[1]!.length + match[2]!.length)
    return power > 0 ? infinity(false, width) : zero(false, width);
  const exponent = power - match[2]!.length * (hexadecimal === null ? 1 : 4);
  const factor = (hexadecimal === null ? 10n : 2n) ** BigInt(Math.abs(exponent));
  return exponent < 0 ? nearest(false, digits, factor, width) : nearest(false, digits * factor, 1n, width);
}
