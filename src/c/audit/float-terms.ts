// Operations on floating-point numbers as the solver understands them.

import type { FloatShape } from '../../smt/floats.ts';
import { floatTerm } from '../../smt/floats.ts';
import type { Bool, Bv } from '../../smt/term.ts';
import type { FloatOp } from '../program/floats.ts';
import { formatOf, notANumber } from '../program/ieee.ts';

function shapeOf(width: number): FloatShape {
  const { exponentBits, precision, explicit } = formatOf(width);
  return { exponent: exponentBits, significand: precision, explicit, nan: notANumber(width) };
}

/** Null for what the theory lacks: any value, then. */
export const floatTermOf = (op: FloatOp, width: number, args: readonly Bv[]): Bv | Bool | null =>
  floatTerm(op, width, shapeOf, args);
