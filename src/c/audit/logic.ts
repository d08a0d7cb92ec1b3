// Which of SMT-LIB's logics is enough: z3 is the better the less it has to expect.

import { usesFloats } from '../program/expressions.ts';
import type { Program } from '../program/program.ts';

/** For all that formulas can say of these programs. */
export function logicOf(...programs: readonly Program[]): string {
  // z3 knows arrays that are the same number everywhere in no smaller one.
  if (programs.some(({ cells }) => cells.some(({ array }) => array !== undefined))) return 'ALL';
  return programs.some(usesFloats) ? 'QF_FPBV' : 'QF_BV';
}
