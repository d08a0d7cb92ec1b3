// Tests of contracts, in the prefix notation of certificates: `(slt c12 5:32)`, where c12 is the cell with that number.

import type { BinaryOp, CompareOp } from './compute.ts';
import type { Expr, Pool } from './expr.ts';
import type { Cell } from './program.ts';

const BINARY: ReadonlySet<string> = new Set<BinaryOp>([
  'add',
  'sub',
  'mul',
  'and',
  'or',
  'xor',
  'shl',
  'lshr',
]);
const COMPARE: ReadonlySet<string> = new Set<CompareOp>(['eq', 'ult', 'ule', 'slt', 'sle']);
const MOST_BITS = 1024;

/** Null where it is not understood, or speaks of other cells than these. */
export function readTest(pool: Pool, text: string, cells: readonly Cell[]): Expr | null {
  const tokens = text.match(/[()]|[^\s()]+/g) ?? [];
  let next = 0;
  const read = (): Expr | null => {
    const token = tokens[next++];
    if (token === undefined || token === ')') return null;
    if (token !== '(') return atom(pool, token, cells);
    const [op, width] = (tokens[next++] ?? '').split(':');
    const args: Expr[] = [];
    while (next < tokens.length && tokens[next] !== ')') {
      const arg = read();
      if (arg === null) return null;
      args.push(arg);
    }
    next++;
    return applied(pool, op!, Number(width ?? 0), args);
  };
  const result = read();
  return next === tokens.length && result?.width === 0 ? result : null;
}

function atom(pool: Pool, token: string, cells: readonly Cell[]): Expr | null {
  const [, cell] = /^c(\d+)$/.exec(token) ?? [];
  if (cell !== undefined) {
    const found = cells.find(({ id }) => id === Number(cell));
    return found === undefined ? null : pool.symbol(found.id, found.width);
  }
  const [, value, width] = /^(\d+):(\d+)$/.exec(token) ?? [];
  if (value === undefined || Number(width) > MOST_BITS) return null;
  return width === '0' ? pool.bool(value !== '0') : pool.const(BigInt(value), Number(width));
}

function applied(pool: Pool, op: string, width: number, args: readonly Expr[]): Expr | null {
  const [a, b, c] = args as [Expr, Expr, Expr];
  const areTests = args.every((arg) => arg.width === 0);
  if (op === 'not') return args.length === 1 && areTests ? pool.not(a) : null;
  if (op === 'conj' || op === 'disj') {
    if (args.length !== 2 || !areTests) return null;
    return op === 'conj' ? pool.and(a, b) : pool.or(a, b);
  }
  if (op === 'ite')
    return args.length === 3 && a.width === 0 && b.width === c.width && b.width > 0
      ? pool.ite(a, b, c)
      : null;
  if (args.some((arg) => arg.width === 0)) return null;
  if (op === 'zext' || op === 'sext' || op === 'trunc') {
    const fits = op === 'trunc' ? width > 0 && width <= a?.width : width >= a?.width;
    if (args.length !== 1 || !fits || width > MOST_BITS) return null;
    return op === 'trunc' ? pool.trunc(a, width) : op === 'zext' ? pool.zext(a, width) : pool.sext(a, width);
  }
  if (args.length !== 2 || a.width !== b.width) return null;
  if (COMPARE.has(op)) return pool.compare(op as CompareOp, a, b);
  if (op === 'srem') return b.op === 'const' && b.value !== 0n ? pool.binary(op, a, b) : null;
  return BINARY.has(op) ? pool.binary(op as BinaryOp, a, b) : null;
}
