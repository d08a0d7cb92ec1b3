// Tests that speak of all elements of arrays: one symbol stands for any number, so that the test says something for each. Where such a test is to be shown it stays as it is:
// the symbol is a number that nobody knows. Where it is known to hold it is used for some numbers, so that no question has a quantifier: for that unknown number and for the
// elements that the rest of the question reads (Bradley, Manna and Sipma, "What's decidable about arrays?", VMCAI 2006). What is used is always true; what is left out may be
// missing, and then nothing is shown.

import type { Expr, Pool } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { apart } from '../program/simplify.ts';
import { replaceSymbols } from '../program/substitute.ts';
import { FRESH } from './symbolic.ts';

/** The symbol that stands for any number: no cell has it. */
const ANY_NUMBER = FRESH - 1;
/** Numbers that one test is used for. */
const MOST_NUMBERS = 16;

/** No object has more elements than 32 bits can tell. */
const anySymbol = (pool: Pool): Expr => pool.symbol(ANY_NUMBER, 32);
export const anyNumber = (pool: Pool): Expr => pool.sext(anySymbol(pool), 64);
export const isAnyNumber = (symbol: Expr): boolean =>
  symbol.op === 'symbol' && symbolNumber(symbol) === ANY_NUMBER;
export const isNumberOfAny = (number: number): boolean => number === ANY_NUMBER;
const isQuantified = ({ symbols }: Expr): boolean => symbols.some(isAnyNumber);

/** Where a test reads an array: at `start` and multiples of `stride` behind it. */
interface Reading {
  readonly array: Expr;
  readonly stride: bigint;
  readonly start: bigint;
}

/** The tests, those about all elements for what the others, and the goals, are about. */
export function instances(pool: Pool, tests: readonly Expr[], goals: readonly Expr[]): readonly Expr[] {
  if (!tests.some(isQuantified)) return tests;
  const plain = tests.filter((test) => !isQuantified(test));
  const reads = readsIn([...plain, ...goals]);
  const found = new Set(plain);
  for (const test of tests) {
    if (!isQuantified(test)) continue;
    const numbers = new Set([anySymbol(pool)]);
    for (const reading of readingsIn(test))
      for (const { array, address } of reads) {
        if (numbers.size >= MOST_NUMBERS) break;
        if (array.symbols.includes(reading.array)) numbers.add(numberAt(pool, reading, address));
      }
    for (const number of numbers)
      found.add(replaceSymbols(pool, test, (symbol) => (isAnyNumber(symbol) ? number : undefined)));
  }
  return [...found];
}

/** All reads of arrays, each once. */
function readsIn(tests: readonly Expr[]): readonly { readonly array: Expr; readonly address: Expr }[] {
  const found: { array: Expr; address: Expr }[] = [];
  const seen = new Set<Expr>();
  const stack = [...tests].reverse();
  for (let expr = stack.pop(); expr !== undefined; expr = stack.pop()) {
    if (!expr.hasArray || seen.has(expr)) continue;
    seen.add(expr);
    if (expr.op === 'select') found.push({ array: expr.args[0]!, address: expr.args[1]! });
    stack.push(...expr.args);
  }
  return found;
}

function readingsIn(test: Expr): readonly Reading[] {
  return readsIn([test]).flatMap(({ array, address }) => {
    const [rest, start] = apart(address);
    const isAny = ({ op, args }: Expr) => op === 'sext' && isAnyNumber(args[0]!);
    if (isAny(rest)) return [{ array, stride: 1n, start }];
    const [index, stride] = rest.args;
    if (rest.op !== 'mul' || stride!.op !== 'const') return [];
    const [factor, by] = apart(index!);
    return isAny(factor) ? [{ array, stride: stride!.value, start: start + by * stride!.value }] : [];
  });
}

/** For which number the test reads what lies at the address. */
function numberAt(pool: Pool, { stride, start }: Reading, address: Expr): Expr {
  const [rest, from] = apart(address);
  const isMultiple = rest.op === 'mul' && rest.args[1]!.op === 'const' && rest.args[1]!.value === stride;
  const behind = BigInt.asIntN(64, from - start);
  const index =
    isMultiple && behind % stride === 0n
      ? pool.binary('add', rest.args[0]!, pool.const(behind / stride, 64))
      : divided(pool, pool.binary('sub', address, pool.const(start, 64)), stride);
  return pool.trunc(index, 32);
}

function divided(pool: Pool, offset: Expr, stride: bigint): Expr {
  const bits = stride.toString(2).length - 1;
  if (stride !== 1n << BigInt(bits)) return pool.binary('udiv', offset, pool.const(stride, 64));
  return pool.binary('lshr', offset, pool.const(bits, 64));
}
