// Signed overflow as a property of its own. Everywhere else signed arithmetic wraps around, as with `-fwrapv`; a program that is read for `no-overflow` has a test
// at each operation on signed numbers that says whether its result is one of the type, and an error behind each of them. What was an error of the program's own is
// an ordinary end there.
//
// Signedness lies in the operators once a program is lowered, and `+` has but one: so the tests are made where the types are known, and only when they are asked
// for. Each is an operation of its own, before anything is simplified: that nobody uses a result does not do away with its test.
//
// What counts (C11 6.5p5, 6.5.5p6, 6.5.7p4): `+ - *`, the unary `-`, `++` and `--`, the assignments that compute, `/` and `%` of the least number by -1, and `<<` of
// a negative number or to a number that does not fit. Not conversions (implementation-defined), arithmetic of pointers, `__builtin_add_overflow` and its like, and
// atomic functions, which wrap around.

import type { Span } from '../../source/source.ts';
import { startOf } from '../../source/source.ts';
import { asSigned } from '../program/compute.ts';
import type { Expr, Pool } from '../program/expr.ts';
import type { Edge, Location, Program } from '../program/program.ts';
import { type IntType, showType } from '../program/types.ts';
import type { Context } from './context.ts';
import { rangeOf } from './ranges.ts';

export const NO_OVERFLOW = 'no-overflow';

/** The operation must give a number of its type, where that is what is asked. The operands are converted already. */
export function requireFit(context: Context, op: string, type: IntType, a: Expr, b: Expr, span: Span): void {
  if (!context.findsOverflows || !type.signed) return;
  const test = fits(context.pool, op, a, b);
  if (test !== null) requireThat(context, test, `the result of '${op}' does not fit ${showType(type)}`, span);
}

/** The test of an operation that counts, whatever it is. */
export function requireThat(context: Context, test: Expr, why: string, span: Span): void {
  if (!context.findsOverflows || test === context.pool.true) return;
  if (!context.constantMode) context.emit({ kind: 'defined', test, why, overflow: true }, span);
  // Else it is no constant expression, as the size of an array may be: then it is read again as a computation.
  else if (!context.isTrial && test === context.pool.false) context.overflowingConstant ??= span;
}

/** Is the exact result a number of the type? Null where it always is one, or others look. */
function fits(pool: Pool, op: string, a: Expr, b: Expr): Expr | null {
  switch (op) {
    case '+':
      return sumFits(pool, a, b);
    case '-':
      return differenceFits(pool, a, b);
    case '*':
      return productFits(pool, a, b);
    case '<<':
      return shiftFits(pool, a, b);
    default:
      return null;
  }
}

/** The least and the greatest number of so many bits. */
const limits = (width: number): readonly [least: bigint, greatest: bigint] => [
  -(1n << BigInt(width - 1)),
  (1n << BigInt(width - 1)) - 1n,
];

// Comparisons with what is left up to the limit, not sums of twice the width: bounds of variables are what invariants are made of.

function sumFits(pool: Pool, a: Expr, b: Expr): Expr {
  const { width } = a;
  const [least, greatest] = limits(width);
  const [lowA, highA] = rangeOf(a);
  const [lowB, highB] = rangeOf(b);
  // A constant is what the other one is compared with.
  const [x, by] = a.op === 'const' ? [b, a] : [a, b];
  const zero = pool.const(0n, width);
  const upTo = pool.compare('sle', x, pool.binary('sub', pool.const(greatest, width), by));
  const downTo = pool.compare('sle', pool.binary('sub', pool.const(least, width), by), x);
  return pool.and(
    highA + highB <= greatest ? pool.true : pool.or(pool.compare('sle', by, zero), upTo),
    lowA + lowB >= least ? pool.true : pool.or(pool.compare('sle', zero, by), downTo),
  );
}

function differenceFits(pool: Pool, a: Expr, b: Expr): Expr {
  const { width } = a;
  const [least, greatest] = limits(width);
  const [lowA, highA] = rangeOf(a);
  const [lowB, highB] = rangeOf(b);
  const zero = pool.const(0n, width);
  // From a constant: bounds of what is taken away from it.
  const upTo =
    a.op === 'const'
      ? pool.compare('sle', pool.binary('sub', a, pool.const(greatest, width)), b)
      : pool.compare('sle', a, pool.binary('add', pool.const(greatest, width), b));
  const downTo =
    a.op === 'const'
      ? pool.compare('sle', b, pool.binary('sub', a, pool.const(least, width)))
      : pool.compare('sle', pool.binary('add', pool.const(least, width), b), a);
  return pool.and(
    highA - lowB <= greatest ? pool.true : pool.or(pool.compare('sle', zero, b), upTo),
    lowA - highB >= least ? pool.true : pool.or(pool.compare('sle', b, zero), downTo),
  );
}

function productFits(pool: Pool, a: Expr, b: Expr): Expr {
  const { width } = a;
  const [least, greatest] = limits(width);
  const [rangeA, rangeB] = [rangeOf(a), rangeOf(b)];
  const corners = rangeA.flatMap((x) => rangeB.map((y) => x * y));
  if (corners.every((corner) => corner >= least && corner <= greatest)) return pool.true;
  const [x, by] = a.op === 'const' ? [b, a] : [a, b];
  if (by.op === 'const') {
    const factor = asSigned(by.value, width);
    const ends = [least, greatest].map((end) => end / factor).sort((p, q) => (p < q ? -1 : 1));
    // The quotient of the least number by -1 is beyond the greatest.
    const high = factor === -1n ? greatest : ends[1]!;
    return pool.and(
      pool.compare('sle', pool.const(ends[0]!, width), x),
      pool.compare('sle', x, pool.const(high, width)),
    );
  }
  const product = pool.binary('mul', pool.sext(a, 2 * width), pool.sext(b, 2 * width));
  return pool.and(
    pool.compare('sle', pool.const(least, 2 * width), product),
    pool.compare('sle', product, pool.const(greatest, 2 * width)),
  );
}

/** By less than the width: that is asked before. */
function shiftFits(pool: Pool, a: Expr, b: Expr): Expr {
  const { width } = a;
  const greatest = pool.const(limits(width)[1], width);
  return pool.and(
    pool.compare('sle', pool.const(0n, width), a),
    pool.compare('sle', a, pool.binary('lshr', greatest, b)),
  );
}

/** The program whose errors are the overflows that its reading marked. */
export function overflowsAsErrors(program: Program, overflowingConstant: Span | null): Program {
  const { pool } = program;
  const locations: Location[] = program.locations.map((location) => ({
    ...location,
    kind: location.kind === 'error' ? 'end' : location.kind,
    labels: [],
  }));
  const edges: Edge[] = [];
  const add = (edge: Omit<Edge, 'id'>): void => void edges.push({ ...edge, id: edges.length });
  if (overflowingConstant !== null) return stopped(program, locations, overflowingConstant);
  for (const edge of program.edges) {
    const { operation, from, span } = edge;
    if (operation.kind !== 'defined' || operation.overflow !== true) {
      add(edge);
      continue;
    }
    const { test, why } = operation;
    const { contract: _, ...like } = locations[from]!;
    const id = locations.length;
    locations.push({ ...like, id, kind: 'error', why, labels: [], span });
    add({ ...edge, to: id, operation: { kind: 'assume', test: pool.not(test), branch: `[${why}]` } });
    add({ ...edge, operation: { kind: 'assume', test, branch: null } });
  }
  return { ...program, locations, edges };
}

/** A constant expression whose value does not fit is none (C11 6.6p4): what compilers make of the program is their affair. */
function stopped(program: Program, locations: Location[], span: Span): Program {
  const id = locations.length;
  const why = `the constant expression at line ${startOf(span).line} overflows, which C does not allow`;
  locations.push({ ...locations[program.entry]!, id, kind: 'cut', why, span });
  const edge = { id: 0, from: program.entry, to: id, operation: { kind: 'skip' }, span } as const;
  return { ...program, locations, edges: [edge] };
}
