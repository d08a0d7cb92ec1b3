// Horn clauses over bit-vectors: values as they are.

import type { Sexpr } from '../../smt/answer.ts';
import type { Bool, Term } from '../../smt/term.ts';
import * as t from '../../smt/term.ts';
import type { BinaryOp, CompareOp } from '../program/compute.ts';
import type { Expr, Pool } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Cell, Program } from '../program/program.ts';
import type { Numbers } from './horn.ts';
import { readFormula } from './horn-read.ts';
import { FRESH } from './symbolic.ts';
import { Terms } from './terms.ts';

export function bitVectors({ pool }: Program): Numbers {
  const terms = new Terms();
  return {
    sort: (cell) => t.bvSort(cell.width),
    variable: (cell) => terms.of(pool.symbol(cell.id, cell.width)),
    term: (expr, fresh) => {
      for (const symbol of expr.symbols)
        if (symbolNumber(symbol) >= FRESH) {
          const term = terms.of(symbol);
          fresh.set(term.name, term);
        }
      return terms.of(expr) as Term | Bool;
    },
    read: (formula, parameters) => {
      const scope = new Map([...parameters].map(([name, cell]) => [name, symbolOf(pool, cell)]));
      return readFormula(
        pool,
        formula,
        scope,
        (text) => literal(pool, text),
        (op, args) => operator(pool, op, args),
      );
    },
  };
}

const symbolOf = (pool: Pool, cell: Cell): Expr => pool.symbol(cell.id, cell.width);

function literal(pool: Pool, text: string): Expr | null {
  if (text.startsWith('#x')) return pool.const(BigInt(`0x${text.slice(2)}`), (text.length - 2) * 4);
  if (text.startsWith('#b')) return pool.const(BigInt(`0b${text.slice(2)}`), text.length - 2);
  return null;
}

const BINARY: Readonly<Record<string, BinaryOp>> = {
  bvadd: 'add',
  bvsub: 'sub',
  bvmul: 'mul',
  bvand: 'and',
  bvor: 'or',
  bvxor: 'xor',
};
const COMPARE: Readonly<Record<string, readonly [CompareOp, boolean]>> = {
  bvult: ['ult', false],
  bvule: ['ule', false],
  bvugt: ['ult', true],
  bvuge: ['ule', true],
  bvslt: ['slt', false],
  bvsle: ['sle', false],
  bvsgt: ['slt', true],
  bvsge: ['sle', true],
};

/** Division and shifts with their own corner cases are left out: the solution is then not used. */
function operator(pool: Pool, op: Sexpr, args: readonly Expr[]): Expr | null {
  const [a, b] = args as [Expr, Expr];
  if (typeof op !== 'string') {
    const [, name, x, y] = op as readonly string[];
    if (args.length === 0 && /^bv\d+$/.test(name ?? '')) return pool.const(BigInt(name!.slice(2)), Number(x));
    if (name === 'extract')
      return pool.trunc(pool.binary('lshr', a, pool.const(Number(y), a.width)), Number(x) - Number(y) + 1);
    if (name === 'zero_extend') return pool.zext(a, a.width + Number(x));
    if (name === 'sign_extend') return pool.sext(a, a.width + Number(x));
    return null;
  }
  if (op === '=') return pool.eq(a, b);
  if (op === 'bvneg') return pool.binary('sub', pool.const(0n, a.width), a);
  if (op === 'bvnot') return pool.binary('xor', a, pool.const(-1n, a.width));
  if (op === 'concat')
    return args.reduce((high, low) => {
      const width = high.width + low.width;
      const moved = pool.binary('shl', pool.zext(high, width), pool.const(low.width, width));
      return pool.binary('or', moved, pool.zext(low, width));
    });
  const compare = COMPARE[op];
  if (compare !== undefined)
    return compare[1] ? pool.compare(compare[0], b, a) : pool.compare(compare[0], a, b);
  const binary = BINARY[op];
  return binary === undefined ? null : args.reduce((x, y) => pool.binary(binary, x, y));
}
