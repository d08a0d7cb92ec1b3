// Every simplification keeps the value: random expressions are built by the simplifying constructors and compared with plain evaluation.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BinaryOp, CompareOp } from './compute.ts';
import { computeBinary, computeCompare } from './compute.ts';
import type { Expr } from './expr.ts';
import { Pool, symbolNumber } from './expr.ts';
import { replaceSymbols } from './substitute.ts';

type Plain =
  | { kind: 'const'; value: bigint; width: number }
  | { kind: 'symbol'; number: number; width: number }
  | { kind: 'binary'; op: BinaryOp; a: Plain; b: Plain; width: number }
  | { kind: 'compare'; op: CompareOp; a: Plain; b: Plain; width: 0 }
  | { kind: 'resize'; a: Plain; width: number; signed: boolean }
  | { kind: 'ite'; test: Plain; a: Plain; b: Plain; width: number }
  | { kind: 'logic'; op: 'and' | 'or'; a: Plain; b: Plain; width: 0 }
  | { kind: 'not'; a: Plain; width: 0 };

const WIDTHS = [8, 16, 32];
const OPS: BinaryOp[] = ['add', 'sub', 'mul', 'and', 'or', 'xor', 'shl', 'lshr', 'ashr', 'udiv', 'srem'];
const COMPARES: CompareOp[] = ['eq', 'ult', 'ule', 'slt', 'sle'];
const edge = (width: number) =>
  fc.constantFrom(
    0n,
    1n,
    2n,
    (1n << BigInt(width)) - 1n,
    1n << BigInt(width - 1),
    (1n << BigInt(width - 1)) - 1n,
    5n,
  );

function number(width: number, depth: number): fc.Arbitrary<Plain> {
  const leaf = fc.oneof(
    edge(width).map((value): Plain => ({ kind: 'const', value, width })),
    fc
      .integer({ min: 0, max: 2 })
      .map((n): Plain => ({ kind: 'symbol', number: WIDTHS.indexOf(width) * 3 + n, width })),
  );
  if (depth === 0) return leaf;
  return fc.oneof(
    leaf,
    fc
      .tuple(fc.constantFrom(...OPS), number(width, depth - 1), number(width, depth - 1))
      .map(([op, a, b]): Plain => ({ kind: 'binary', op, a, b, width })),
    fc
      .constantFrom(...WIDTHS)
      .chain((from) =>
        fc
          .tuple(number(from, depth - 1), fc.boolean())
          .map(([a, signed]): Plain => ({ kind: 'resize', a, width, signed })),
      ),
    fc
      .tuple(truth(depth - 1), number(width, depth - 1), number(width, depth - 1))
      .map(([t, a, b]): Plain => ({ kind: 'ite', test: t, a, b, width })),
  );
}

function truth(depth: number): fc.Arbitrary<Plain> {
  const compare = fc
    .constantFrom(...WIDTHS)
    .chain((width) =>
      fc.tuple(
        fc.constantFrom(...COMPARES),
        number(width, Math.max(0, depth - 1)),
        number(width, Math.max(0, depth - 1)),
      ),
    )
    .map(([op, a, b]): Plain => ({ kind: 'compare', op, a, b, width: 0 }));
  if (depth === 0) return compare;
  return fc.oneof(
    compare,
    truth(depth - 1).map((a): Plain => ({ kind: 'not', a, width: 0 })),
    fc
      .tuple(fc.constantFrom('and' as const, 'or' as const), truth(depth - 1), truth(depth - 1))
      .map(([op, a, b]): Plain => ({ kind: 'logic', op, a, b, width: 0 })),
  );
}

/** Null where C leaves the value undefined. */
function evaluate(node: Plain, symbols: readonly bigint[]): bigint | null {
  const sub = (a: Plain) => evaluate(a, symbols);
  switch (node.kind) {
    case 'const':
      return node.value;
    case 'symbol':
      return BigInt.asUintN(node.width, symbols[node.number]!);
    case 'binary': {
      const [a, b] = [sub(node.a), sub(node.b)];
      return a === null || b === null ? null : computeBinary(node.op, a, b, node.width);
    }
    case 'compare': {
      const [a, b] = [sub(node.a), sub(node.b)];
      return a === null || b === null ? null : computeCompare(node.op, a, b, node.a.width) ? 1n : 0n;
    }
    case 'resize': {
      const a = sub(node.a);
      return a === null ? null : BigInt.asUintN(node.width, node.signed ? BigInt.asIntN(node.a.width, a) : a);
    }
    case 'ite': {
      const parts = [sub(node.test), sub(node.a), sub(node.b)];
      return parts.includes(null) ? null : parts[0] !== 0n ? parts[1]! : parts[2]!;
    }
    case 'logic': {
      const [a, b] = [sub(node.a), sub(node.b)];
      if (a === null || b === null) return null;
      return (node.op === 'and' ? a !== 0n && b !== 0n : a !== 0n || b !== 0n) ? 1n : 0n;
    }
    case 'not': {
      const a = sub(node.a);
      return a === null ? null : a === 0n ? 1n : 0n;
    }
  }
}

function build(pool: Pool, node: Plain): Expr {
  switch (node.kind) {
    case 'const':
      return pool.const(node.value, node.width);
    case 'symbol':
      return pool.symbol(node.number, node.width);
    case 'binary':
      return pool.binary(node.op, build(pool, node.a), build(pool, node.b));
    case 'compare':
      return pool.compare(node.op, build(pool, node.a), build(pool, node.b));
    case 'resize':
      return pool.resize(build(pool, node.a), node.width, node.signed);
    case 'ite':
      return pool.ite(build(pool, node.test), build(pool, node.a), build(pool, node.b));
    case 'logic':
      return node.op === 'and'
        ? pool.and(build(pool, node.a), build(pool, node.b))
        : pool.or(build(pool, node.a), build(pool, node.b));
    case 'not':
      return pool.not(build(pool, node.a));
  }
}

test('simplification keeps values', () => {
  const symbols = fc.tuple(
    ...WIDTHS.flatMap((width) =>
      [0, 1, 2].map(() => fc.oneof(edge(width), fc.bigInt({ min: 0n, max: 1n << BigInt(width) }))),
    ),
  );
  fc.assert(
    fc.property(fc.oneof(truth(4), number(8, 4), number(32, 4)), symbols, (node, values) => {
      const pool = new Pool();
      const built = build(pool, node);
      expect(built.width).toBe(node.width);
      const expected = evaluate(node, values);
      if (expected === null) return;
      const result = replaceSymbols(pool, built, (symbol) =>
        pool.const(values[symbolNumber(symbol)]!, symbol.width),
      );
      expect([result.op, result.value]).toEqual(['const', expected]);
    }),
    { numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 400), seed: 5 },
  );
});

test.each(['sext', 'zext'] as const)('a product of numbers of 8 bits is one of 16: %s', (extended) => {
  const pool = new Pool();
  const [x, y] = [pool.symbol(0, 8), pool.symbol(1, 8)];
  const product = pool.binary('mul', pool[extended](x, 32), pool[extended](y, 32));
  expect([product.op, product.args[0]!.op, product.args[0]!.width]).toEqual([extended, 'mul', 16]);
  const read = (n: number) => BigInt(extended === 'sext' ? (n << 24) >> 24 : n);
  for (let a = 0; a < 256; a++)
    for (const b of [0, 1, 2, 127, 128, 129, 255]) {
      const values = new Map([x, y].map((symbol, i) => [symbol, pool.const([a, b][i]!, 8)]));
      const { value } = replaceSymbols(pool, product, (symbol) => values.get(symbol));
      expect([a, b, value]).toEqual([a, b, BigInt.asUintN(32, read(a) * read(b))]);
    }
});

test('a sum of shared sums is cut part by part, each once', () => {
  const pool = new Pool();
  let [x, y] = [pool.sext(pool.symbol(0, 8), 32), pool.sext(pool.symbol(1, 8), 32)];
  for (let i = 0; i < 10; i++) {
    x = pool.binary('add', x, y);
    y = pool.binary('add', y, x);
  }
  let looked = 0;
  const cut = pool.underWatch(
    () => void looked++,
    () => pool.trunc(y, 8),
  );
  expect(cut.op).toBe('add');
  expect(looked).toBeLessThan(200);
});
