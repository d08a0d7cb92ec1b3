// Quotients and remainders as values of which a few facts are known, for questions that are too hard with the exact ones: `a % b` of 32 unknown bits, above all. An answer
// `unsat` is one about the exact values, too. The audit has facts of its own (audit/divisions.ts).

import * as t from '../../smt/term.ts';
import type { Expr } from '../program/expr.ts';

const DIVISIONS: ReadonlySet<Expr['op']> = new Set<Expr['op']>(['udiv', 'urem', 'sdiv', 'srem']);

/** Few bits are no trouble. */
const FEW_BITS = 16;

/** By what is not constant, of more than a few bits. */
export const isHardDivision = ({ op, args, width }: Expr): boolean =>
  DIVISIONS.has(op) && args[1]!.op !== 'const' && width > FEW_BITS;

/** There is such a division in it. */
export function dividesHard(root: Expr): boolean {
  const stack = [root];
  // Iterative: paths make deep expressions.
  for (let node = stack.at(-1); node !== undefined; node = stack.at(-1)) {
    const missing = node.args.filter((arg) => !known.has(arg));
    if (missing.length > 0) {
      stack.push(...missing);
      continue;
    }
    stack.pop();
    known.set(node, isHardDivision(node) || node.args.some((arg) => known.get(arg)));
  }
  return known.get(root)!;
}
const known = new WeakMap<Expr, boolean>();

/** What is true of the result, as SMT-LIB defines the operations. */
export function factsOf(op: Expr['op'], a: t.Bv, b: t.Bv, result: t.Bv): t.Bool[] {
  const { width } = result.sort;
  const [zero, one] = [t.bv(0n, width), t.bv(1n, width)];
  const below = (x: t.Bv, y: t.Bv) => t.bvCompare('bvult', x, y);
  const atMost = (x: t.Bv, y: t.Bv) => t.bvCompare('bvule', x, y);
  const isNegative = (x: t.Bv) => t.bvCompare('bvslt', x, zero);
  const notAbove = (x: t.Bv, y: t.Bv) => t.bvCompare('bvsle', x, y);
  const size = (x: t.Bv) => t.ite(isNegative(x), t.bvNeg(x), x);
  const half = (x: t.Bv) => t.bvOp('bvlshr', x, one);
  const isDefined = t.not(t.eq(b, zero));
  if (op === 'urem')
    return [
      t.implies(isDefined, below(result, b)),
      atMost(result, a),
      t.implies(below(a, b), t.eq(result, a)),
      t.implies(t.and(isDefined, atMost(b, a)), atMost(result, t.bvOp('bvsub', a, b))),
    ];
  if (op === 'udiv')
    return [
      t.implies(t.and(isDefined, t.not(t.eq(b, one))), atMost(result, half(a))),
      t.implies(t.eq(b, one), t.eq(result, a)),
      t.implies(below(a, b), t.eq(result, zero)),
      t.implies(t.and(isDefined, atMost(b, a)), atMost(one, result)),
    ];
  if (op === 'srem')
    return [
      t.implies(isDefined, below(size(result), size(b))),
      t.implies(t.not(isNegative(a)), t.and(t.not(isNegative(result)), notAbove(result, a))),
      t.implies(isNegative(a), t.and(notAbove(result, zero), notAbove(a, result))),
      t.implies(below(size(a), size(b)), t.eq(result, a)),
    ];
  return [
    t.implies(t.and(isDefined, t.not(t.eq(size(b), one))), atMost(size(result), half(size(a)))),
    t.implies(isDefined, atMost(size(result), size(a))),
    t.implies(t.eq(b, one), t.eq(result, a)),
    t.implies(below(size(a), size(b)), t.eq(result, zero)),
    t.implies(t.and(t.not(isNegative(a)), t.bvCompare('bvslt', zero, b)), t.not(isNegative(result))),
    t.implies(t.and(isNegative(a), t.bvCompare('bvslt', zero, b)), notAbove(result, zero)),
  ];
}
