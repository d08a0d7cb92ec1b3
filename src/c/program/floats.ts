// Operations on floating-point numbers, as bits: what the concrete machine and the folding of constants compute. JavaScript's numbers are
// doubles and round as C does on a machine with FLT_EVAL_METHOD 0; a float's sum, difference, product, quotient and root are those of doubles,
// rounded again (doubles have more than 2 · 24 + 2 bits, so rounding twice changes nothing). Everything else is done exactly (`ieee.ts`).

import { exactly, notANumber } from './ieee.ts';

export type FloatBinary = 'fadd' | 'fsub' | 'fmul' | 'fdiv' | 'frem';
export type FloatCompare = 'feq' | 'flt' | 'fle';
/** Roots and roundings (`feven`: to the nearest, in the middle to even; `faway`: in the middle away from 0), and conversions. */
export type FloatUnary = 'fsqrt' | 'ffloor' | 'fceil' | 'ftrunc' | 'feven' | 'faway';
export type FloatConversion = 'ftof' | 'sitof' | 'uitof' | 'ftosi' | 'ftoui';
export type FloatOp = FloatBinary | FloatCompare | FloatUnary | FloatConversion;

/** How many arguments each has. */
export const FLOAT_ARGUMENTS: Readonly<Record<FloatOp, 1 | 2>> = {
  ...{ fadd: 2, fsub: 2, fmul: 2, fdiv: 2, frem: 2, feq: 2, flt: 2, fle: 2 },
  ...{ fsqrt: 1, ffloor: 1, fceil: 1, ftrunc: 1, feven: 1, faway: 1 },
  ...{ ftof: 1, sitof: 1, uitof: 1, ftosi: 1, ftoui: 1 },
};
export const isFloatOp = (op: string): op is FloatOp => Object.hasOwn(FLOAT_ARGUMENTS, op);
const CONVERSIONS: readonly string[] = ['ftof', 'sitof', 'uitof', 'ftosi', 'ftoui'];
export const isFloatConversion = (op: string): op is FloatConversion => CONVERSIONS.includes(op);
export const isFloatCompare = (op: string): op is FloatCompare =>
  op === 'feq' || op === 'flt' || op === 'fle';

const bytes = new DataView(new ArrayBuffer(8));

export function toNumber(bits: bigint, width: number): number {
  if (width === 32) {
    bytes.setUint32(0, Number(bits));
    return bytes.getFloat32(0);
  }
  bytes.setBigUint64(0, bits);
  return bytes.getFloat64(0);
}

export function fromNumber(value: number, width: number): bigint {
  if (Number.isNaN(value)) return notANumber(width);
  if (width === 32) {
    bytes.setFloat32(0, value);
    return BigInt(bytes.getUint32(0));
  }
  bytes.setFloat64(0, value);
  return bytes.getBigUint64(0);
}

/** Null where C leaves the result undefined: a number that the type does not hold. `from`: the width of the arguments. */
export function computeFloat(
  op: FloatOp,
  width: number,
  from: number,
  args: readonly bigint[],
): bigint | null {
  if (isFloatConversion(op) || from > 64) return exactly(op, width, from, args);
  const a = toNumber(args[0]!, from);
  const b = args[1] === undefined ? 0 : toNumber(args[1], from);
  const truth = (test: boolean): bigint => (test ? 1n : 0n);
  switch (op) {
    case 'feq':
      return truth(a === b);
    case 'flt':
      return truth(a < b);
    case 'fle':
      return truth(a <= b);
    case 'fadd':
      return fromNumber(a + b, width);
    case 'fsub':
      return fromNumber(a - b, width);
    case 'fmul':
      return fromNumber(a * b, width);
    case 'fdiv':
      return fromNumber(a / b, width);
    case 'frem':
      return fromNumber(a % b, width);
    case 'fsqrt':
      return fromNumber(Math.sqrt(a), width);
    case 'ffloor':
      return fromNumber(Math.floor(a), width);
    case 'fceil':
      return fromNumber(Math.ceil(a), width);
    case 'ftrunc':
      return fromNumber(Math.trunc(a), width);
    default:
      return exactly(op, width, from, args);
  }
}
