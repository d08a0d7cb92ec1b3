// Between which signed numbers an expression always lies, seen from its form alone.

import { asSigned } from '../program/compute.ts';
import type { Expr } from '../program/expr.ts';

type Range = readonly [low: bigint, high: bigint];

/** Further down everything may be anything: forms share parts, and are walked through at every operation. */
const DEEPEST = 6;

const hull = (values: readonly bigint[]): Range => {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return [sorted[0]!, sorted.at(-1)!];
};

export function rangeOf(expr: Expr, depth = 0): Range {
  const whole: Range = [-(1n << BigInt(expr.width - 1)), (1n << BigInt(expr.width - 1)) - 1n];
  if (depth > DEEPEST) return whole;
  const part = (i: number): Range => rangeOf(expr.args[i]!, depth + 1);
  const second = expr.args[1];
  const by = second?.op === 'const' ? asSigned(second.value, second.width) : null;
  switch (expr.op) {
    case 'const': {
      const value = asSigned(expr.value, expr.width);
      return [value, value];
    }
    case 'zext': {
      const inner = part(0);
      return inner[0] >= 0n ? inner : [0n, (1n << BigInt(expr.args[0]!.width)) - 1n];
    }
    case 'sext':
      return part(0);
    case 'ite': {
      return hull([...part(1), ...part(2)]);
    }
    case 'add':
    case 'sub':
    case 'mul': {
      const [a, b] = [part(0), part(1)];
      const ends = a.flatMap((x) =>
        b.map((y) => (expr.op === 'add' ? x + y : expr.op === 'sub' ? x - y : x * y)),
      );
      const [least, most] = hull(ends);
      // Nothing wraps around.
      return least >= whole[0] && most <= whole[1] ? [least, most] : whole;
    }
    case 'and':
      return by !== null && by >= 0n ? [0n, by] : whole;
    case 'lshr':
      return by !== null && by > 0n && by < BigInt(expr.width)
        ? [0n, (1n << (BigInt(expr.width) - by)) - 1n]
        : whole;
    case 'ashr': {
      const [low, high] = part(0);
      return by !== null && by >= 0n && by < BigInt(expr.width) ? [low >> by, high >> by] : whole;
    }
    case 'srem': {
      if (by === null || by === 0n) return whole;
      const most = (by < 0n ? -by : by) - 1n;
      const [low, high] = part(0);
      return [low >= 0n ? 0n : -most, high <= 0n ? 0n : most];
    }
    case 'urem':
      return by !== null && by > 0n ? [0n, by - 1n] : whole;
    case 'sdiv': {
      if (by === null || by <= 0n) return whole;
      const [low, high] = part(0);
      return [low / by, high / by];
    }
    default:
      return whole;
  }
}
