// The rules by which expressions are simplified when they are made. Each holds for all values of its width; expr.test.ts compares with evaluation.

import type { BinaryOp, CompareOp } from './compute.ts';
import { asSigned, mask } from './compute.ts';
import type { Expr, Pool } from './expr.ts';

export function simplifyBinary(pool: Pool, op: BinaryOp, a: Expr, b: Expr): Expr | null {
  const width = a.width;
  const isConst = (e: Expr, value: bigint) => e.op === 'const' && e.value === value;
  switch (op) {
    case 'add':
      if (isConst(a, 0n)) return b;
      if (isConst(b, 0n)) return a;
      if (a.op === 'const') return pool.binary('add', b, a);
      if (b.op === 'const' && a.op === 'add' && a.args[1]!.op === 'const')
        return pool.binary('add', a.args[0]!, pool.const(a.args[1]!.value + b.value, width));
      if (a.op === 'sub' && a.args[1] === b) return a.args[0]!;
      break;
    case 'sub':
      if (a === b) return pool.const(0n, width);
      if (b.op === 'const') return pool.binary('add', a, pool.const(-b.value, width));
      if (a.op === 'add' && a.args[0] === b) return a.args[1]!;
      if (a.op === 'add' && a.args[1] === b) return a.args[0]!;
      break;
    case 'mul':
      if (isConst(a, 0n) || isConst(b, 0n)) return pool.const(0n, width);
      if (isConst(a, 1n)) return b;
      if (isConst(b, 1n)) return a;
      if (a.op === 'const') return pool.node('mul', width, [b, a]);
      if (extendedAlike(a, b)) return narrowProduct(pool, a, b);
      break;
    case 'udiv':
    case 'sdiv':
      if (isConst(b, 1n)) return a;
      break;
    case 'and':
      if (a === b) return a;
      if (isConst(a, 0n) || isConst(b, 0n)) return pool.const(0n, width);
      if (isConst(a, mask(width))) return b;
      if (isConst(b, mask(width))) return a;
      if (a.op === 'const') return pool.node('and', width, [b, a]);
      break;
    case 'or':
      if (a === b || isConst(b, 0n)) return a;
      if (isConst(a, 0n)) return b;
      if (a.op === 'const') return pool.node('or', width, [b, a]);
      break;
    case 'xor':
      if (a === b) return pool.const(0n, width);
      if (isConst(b, 0n)) return a;
      if (isConst(a, 0n)) return b;
      break;
    case 'shl':
    case 'lshr':
    case 'ashr':
      if (isConst(b, 0n)) return a;
      break;
  }
  // Constants move into a choice between constants: tables of flags stay tables.
  if (b.op === 'const' && isConstantChoice(a))
    return pool.ite(a.args[0]!, pool.binary(op, a.args[1]!, b), pool.binary(op, a.args[2]!, b));
  return null;
}

/** Both from so few bits that their product needs fewer than it has. */
const extendedAlike = (a: Expr, b: Expr): boolean =>
  (a.op === 'sext' || a.op === 'zext') && a.op === b.op && a.args[0]!.width + b.args[0]!.width < a.width;

/** In as many bits as it needs: solvers multiply bit by bit. */
function narrowProduct(pool: Pool, a: Expr, b: Expr): Expr {
  const [x, y] = [a.args[0]!, b.args[0]!];
  const width = x.width + y.width;
  const extended = a.op === 'sext' ? pool.sext : pool.zext;
  return extended(pool.binary('mul', extended(x, width), extended(y, width)), a.width);
}

export function equalsConstant(pool: Pool, a: Expr, b: Expr): Expr {
  const { value, width } = b;
  if (a.op === 'ite')
    if (a.args[1]!.op === 'const' || a.args[2]!.op === 'const')
      return pool.intoChoice(`eq${b.id}`, a, (part) => pool.eq(part, b));
  if (a.op === 'zext' || a.op === 'sext') {
    const inner = a.args[0]!;
    const back = BigInt.asUintN(inner.width, value);
    const forth = BigInt.asUintN(width, a.op === 'sext' ? asSigned(back, inner.width) : back);
    return forth === value ? pool.eq(inner, pool.const(back, inner.width)) : pool.false;
  }
  if (a.op === 'add' && a.args[1]!.op === 'const')
    return pool.eq(a.args[0]!, pool.const(value - a.args[1]!.value, width));
  return pool.node('eq', 0, [a, b]);
}

/** Comparisons that the range of the width decides: nothing is below the least value. */
export function compareAtTheEdge(pool: Pool, op: CompareOp, a: Expr, b: Expr): Expr | null {
  const width = a.width;
  const signed = op === 'slt' || op === 'sle';
  const least = signed ? 1n << BigInt(width - 1) : 0n;
  const most = signed ? least - 1n : mask(width);
  const strict = op === 'slt' || op === 'ult';
  const is = (e: Expr, value: bigint) => e.op === 'const' && e.value === value;
  if (strict) {
    if (is(b, least) || is(a, most)) return pool.false;
    if (is(b, least + 1n) && least + 1n <= mask(width)) return pool.eq(a, pool.const(least, width));
  } else {
    if (is(a, least) || is(b, most)) return pool.true;
    if (is(b, least)) return pool.eq(a, b);
    if (is(a, most)) return pool.eq(b, a);
  }
  return null;
}

/** A sum with a constant as its two parts. */
export function apart(a: Expr): [Expr, bigint] {
  return a.op === 'add' && a.args[1]!.op === 'const' ? [a.args[0]!, a.args[1]!.value] : [a, 0n];
}

/** Two others that are equal where these are, with less around them: both extended alike, or products of such with the same constant that are too small to wrap around. */
export function withLess(a: Expr, b: Expr): readonly [Expr, Expr] | null {
  const [x, y] = [a.args[0], b.args[0]];
  if (a.op !== b.op || x === undefined || y === undefined) return null;
  const areExtended = (a.op === 'sext' || a.op === 'zext') && x.width === y.width;
  if (areExtended) return [x, y];
  const by = a.args[1];
  if (a.op !== 'mul' || by !== b.args[1] || by?.op !== 'const' || by.value === 0n || x.op !== y.op)
    return null;
  if (x.op !== 'sext' && x.op !== 'zext') return null;
  const width = Math.max(x.args[0]!.width, y.args[0]!.width);
  return width + by.value.toString(2).length < a.width ? [x, y] : null;
}

/** The least of such: sums with the same constant are compared without it, too. */
export function leastToCompare(a: Expr, b: Expr): readonly [Expr, Expr] {
  const [left, byLeft] = apart(a);
  const [right, byRight] = apart(b);
  const [x, y] = byLeft === byRight ? [left, right] : [a, b];
  const less = withLess(x, y);
  return less === null ? [x, y] : leastToCompare(less[0], less[1]);
}

/** What is known of sums: their parts are shared, and as trees without end. */
const narrowableSums = new WeakMap<Expr, boolean>();

export function isNarrowable(e: Expr): boolean {
  if (e.op !== 'add' && e.op !== 'sub') return e.op === 'const' || e.op === 'zext' || e.op === 'sext';
  let known = narrowableSums.get(e);
  if (known === undefined) narrowableSums.set(e, (known = e.args.every(isNarrowable)));
  return known;
}

export function isConstantChoice(e: Expr): boolean {
  return e.op === 'ite' && isConstantTree(e.args[1]!, 3) && isConstantTree(e.args[2]!, 3);
}
function isConstantTree(e: Expr, depth: number): boolean {
  if (e.op === 'const') return true;
  return (
    depth > 0 &&
    e.op === 'ite' &&
    isConstantTree(e.args[1]!, depth - 1) &&
    isConstantTree(e.args[2]!, depth - 1)
  );
}
