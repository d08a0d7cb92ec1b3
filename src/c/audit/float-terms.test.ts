// The solver computes with floating-point numbers what we compute.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Solver } from '../../smt/solver.ts';
import type { Bool, Term } from '../../smt/term.ts';
import * as t from '../../smt/term.ts';
import { anyBits } from '../program/floats.fuzz.ts';
import { FLOAT_ARGUMENTS, type FloatOp, isFloatCompare, isFloatConversion } from '../program/floats.ts';
import { exactly } from '../program/ieee.ts';
import { floatTermOf } from './float-terms.ts';

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 50);
const OPS = (Object.keys(FLOAT_ARGUMENTS) as FloatOp[]).filter((op) => op !== 'frem');

const cases = fc
  .tuple(fc.constantFrom(...OPS), fc.constantFrom(32, 64, 128), fc.constantFrom(32, 64, 128))
  .chain(([op, from, other]) => {
    const to = isFloatCompare(op) ? 0 : isFloatConversion(op) ? other : from;
    const bits =
      op === 'sitof' || op === 'uitof'
        ? fc.bigInt({ min: 0n, max: (1n << BigInt(from)) - 1n })
        : anyBits(from);
    return fc.tuple(fc.constant(op), fc.constant(from), fc.constant(to), bits, bits);
  });

test('on constants z3 agrees with the exact arithmetic', { timeout: 0 }, async () => {
  const solver = new Solver({ logic: 'QF_FPBV' });
  try {
    await fc.assert(
      fc.asyncProperty(cases, async ([op, from, to, a, b]) => {
        const args = FLOAT_ARGUMENTS[op] === 2 ? [a, b] : [a];
        const expected = exactly(op, to, from, args);
        if (expected === null) return;
        const constants = args.map((value) => t.bv(value, from));
        const term = floatTermOf(op, to, constants)!;
        const wanted: Term = to === 0 ? t.bool(expected !== 0n) : t.bv(expected, to);
        solver.push();
        solver.assert(t.not(t.eq(term as Term, wanted)) as Bool);
        expect([op, from, to, args, await solver.check()]).toEqual([op, from, to, args, 'unsat']);
        solver.pop();
      }),
      { numRuns: RUNS, seed: 8 },
    );
  } finally {
    solver.dispose();
  }
});
