// Floating-point arithmetic on bit-vectors: arguments and results are the bits of IEEE 754 numbers, in between is SMT-LIB's theory of floating
// point, rounding to nearest and to even in the middle. An operation's NaN always has the same bits, `nan`.

import type { Bool, Bv, Term } from './term.ts';
import { bv, bvSort, eq, extract, ite, not } from './term.ts';

/** Sizes of exponent and significand (with the leading one), and the bits of NaN. */
export interface FloatShape {
  readonly exponent: number;
  readonly significand: number;
  readonly nan: bigint;
  /** The leading one is written down, as x87 does: 80 bits of the vector count. */
  readonly explicit: boolean;
}

const BOOL = { kind: 'bool' } as const;
type Fp = Term<{ readonly kind: 'fp'; readonly exponent: number; readonly significand: number }>;

const fpOf = ({ exponent, significand }: FloatShape, op: string, args: readonly Term[]): Fp => ({
  sort: { kind: 'fp', exponent, significand },
  op,
  args,
  name: '',
});
const literal = (name: string): Term => ({ sort: BOOL, op: 'literal', args: [], name });
const RNE = literal('RNE');
const asFp = ({ exponent, significand }: FloatShape): string => `(_ to_fp ${exponent} ${significand})`;

/** The number that bits mean. */
function number(shape: FloatShape, bits: Bv): Fp {
  if (!shape.explicit) return fpOf(shape, asFp(shape), [bits]);
  const high = shape.exponent + shape.significand;
  const sign = extract(high, shape.significand, bits);
  const fraction = extract(shape.significand - 2, 0, bits);
  const joined: Bv = { sort: bvSort(high), op: 'concat', args: [sign, fraction], name: '' };
  return fpOf(shape, asFp(shape), [joined]);
}

/** The bits of a number. */
function bitsOf(shape: FloatShape, value: Fp, width: number): Bv {
  const size = shape.exponent + shape.significand;
  const raw: Bv = { sort: bvSort(size), op: 'fp.to_ieee_bv', args: [value], name: '' };
  const isNan: Bool = { sort: BOOL, op: 'fp.isNaN', args: [value], name: '' };
  return ite(isNan, bv(shape.nan, width), shape.explicit ? withLeadingOne(shape, raw, width) : raw);
}

function withLeadingOne(shape: FloatShape, raw: Bv, width: number): Bv {
  const fraction = shape.significand - 1;
  const field = extract(fraction + shape.exponent - 1, fraction, raw);
  const one = ite(not(eq(field, bv(0n, shape.exponent))), bv(1n, 1), bv(0n, 1));
  const used = shape.exponent + shape.significand + 1;
  const parts = [bv(0n, width - used), extract(fraction + shape.exponent, fraction, raw), one];
  return {
    sort: bvSort(width),
    op: 'concat',
    args: [...parts, extract(fraction - 1, 0, raw)],
    name: '',
  };
}

const ARITHMETIC: Readonly<Record<string, string>> = {
  fadd: 'fp.add',
  fsub: 'fp.sub',
  fmul: 'fp.mul',
  fdiv: 'fp.div',
  fsqrt: 'fp.sqrt',
};
const COMPARISON: Readonly<Record<string, string>> = { feq: 'fp.eq', flt: 'fp.lt', fle: 'fp.leq' };
const ROUNDING: Readonly<Record<string, string>> = {
  ffloor: 'RTN',
  fceil: 'RTP',
  ftrunc: 'RTZ',
  feven: 'RNE',
  faway: 'RNA',
};

/**
 * The term of an operation; null for those that the theory lacks (`frem`), which callers take as any value. Conversions to whole numbers mean
 * anything where the number does not fit.
 */
export function floatTerm(
  op: string,
  width: number,
  shapeOf: (width: number) => FloatShape,
  args: readonly Bv[],
): Bv | Bool | null {
  const [a, b] = args as [Bv, Bv];
  const from = a.sort.width;
  if (op === 'sitof' || op === 'uitof') {
    const shape = shapeOf(width);
    const convert = op === 'sitof' ? asFp(shape) : asFp(shape).replace('to_fp', 'to_fp_unsigned');
    return bitsOf(shape, fpOf(shape, convert, [RNE, a]), width);
  }
  const shape = shapeOf(from);
  const x = number(shape, a);
  if (op in COMPARISON) return { sort: BOOL, op: COMPARISON[op]!, args: [x, number(shape, b)], name: '' };
  if (op === 'ftosi' || op === 'ftoui') {
    const convert = `(_ fp.to_${op === 'ftosi' ? 's' : 'u'}bv ${width})`;
    return { sort: bvSort(width), op: convert, args: [literal('RTZ'), x], name: '' };
  }
  if (op === 'ftof') {
    const to = shapeOf(width);
    return bitsOf(to, fpOf(to, asFp(to), [RNE, x]), width);
  }
  if (op in ROUNDING)
    return bitsOf(shape, fpOf(shape, 'fp.roundToIntegral', [literal(ROUNDING[op]!), x]), width);
  if (op in ARITHMETIC) {
    const numbers = op === 'fsqrt' ? [x] : [x, number(shape, b)];
    return bitsOf(shape, fpOf(shape, ARITHMETIC[op]!, [RNE, ...numbers]), width);
  }
  return null;
}
