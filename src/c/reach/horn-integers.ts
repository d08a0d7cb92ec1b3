// Horn clauses over the integers: a variable is the number its type means by its bits; sums and products do not wrap around. What has no
// counterpart is any value. Both make the solution a guess, which the audit checks over bit-vectors.

import type { Sexpr } from '../../smt/answer.ts';
import type { Bool, Int, Term } from '../../smt/term.ts';
import * as t from '../../smt/term.ts';
import { asSigned } from '../program/compute.ts';
import type { Expr, Pool } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Cell, Program } from '../program/program.ts';
import { isSigned } from '../program/types.ts';
import type { Numbers } from './horn.ts';
import { readFormula } from './horn-read.ts';
import { FRESH } from './symbolic.ts';

/** `wrapping`: equations are read as equations of machine words, which they still are where a sum wraps around. */
export function integers(program: Program, wrapping = false): Numbers {
  return {
    sort: () => t.INT,
    variable: nameOf,
    term: (expr, fresh) => new Translation(program, fresh).whole(expr),
    read: (formula, parameters) => readBack(program.pool, formula, parameters, wrapping),
    ...(wrapping ? { equation: (a, b) => equalWords(program.pool, a, b) } : {}),
  };
}

const nameOf = (cell: Cell): Int => t.intVar(`c${cell.id}`);

class Translation {
  private readonly program: Program;
  private readonly fresh: Map<string, Term>;
  private readonly memo = new Map<string, Term>();

  constructor(program: Program, fresh: Map<string, Term>) {
    this.program = program;
    this.fresh = fresh;
  }

  whole(expr: Expr): Term {
    return expr.width === 0 ? this.test(expr) : this.number(expr, true);
  }

  private test(expr: Expr): Bool {
    return this.remember(expr, 't', () => {
      const [a, b] = expr.args as [Expr, Expr];
      switch (expr.op) {
        case 'const':
          return t.bool(expr.value !== 0n);
        case 'not':
          return t.not(this.test(a));
        case 'conj':
          return t.and(this.test(a), this.test(b));
        case 'disj':
          return t.or(this.test(a), this.test(b));
        case 'eq': {
          const signed = readsSigned(this.program, a) || readsSigned(this.program, b);
          return t.eq(this.number(a, signed), this.number(b, signed));
        }
        case 'ult':
        case 'slt':
          return t.lt(this.number(a, expr.op === 'slt'), this.number(b, expr.op === 'slt'));
        case 'ule':
        case 'sle':
          return t.le(this.number(a, expr.op === 'sle'), this.number(b, expr.op === 'sle'));
        default:
          return this.any(t.boolVar(`b${this.fresh.size}`)) as Bool;
      }
    }) as Bool;
  }

  private number(expr: Expr, signed: boolean): Int {
    return this.remember(expr, signed ? 's' : 'u', () => this.made(expr, signed)) as Int;
  }

  private made(expr: Expr, signed: boolean): Int {
    const [a, b] = expr.args as [Expr, Expr];
    switch (expr.op) {
      case 'const':
        return t.int(signed ? asSigned(expr.value, expr.width) : expr.value);
      case 'symbol': {
        const number = symbolNumber(expr);
        return number < FRESH
          ? nameOf(this.program.cells[number]!)
          : (this.any(t.intVar(`f${number - FRESH}`)) as Int);
      }
      case 'zext':
        return this.number(a, false);
      case 'sext':
        return this.number(a, true);
      case 'trunc':
        return this.number(a, signed);
      case 'ite':
        return t.ite(this.test(a), this.number(b, signed), this.number(expr.args[2]!, signed)) as Int;
      case 'add':
        // A constant beyond half of the range takes away.
        return t.add(this.number(a, signed), this.number(b, b.op === 'const' || signed));
      case 'sub':
        return t.sub(this.number(a, signed), this.number(b, signed));
      case 'mul':
        if (a.op === 'const' || b.op === 'const') return t.mul(this.number(a, signed), this.number(b, true));
        break;
      case 'udiv':
      case 'sdiv':
        if (b.op === 'const' && b.value > 0n) return t.div(this.number(a, signed), this.number(b, true));
        break;
      case 'urem':
      case 'srem':
        if (b.op === 'const' && b.value > 0n) return t.mod(this.number(a, signed), this.number(b, true));
        break;
      case 'and':
        if (b.op === 'const' && (b.value & (b.value + 1n)) === 0n)
          return t.mod(this.number(a, signed), t.int(b.value + 1n));
        break;
      case 'shl':
        if (b.op === 'const') return t.mul(this.number(a, signed), t.int(1n << b.value));
        break;
      case 'lshr':
      case 'ashr':
        if (b.op === 'const') return t.div(this.number(a, signed), t.int(1n << b.value));
        break;
    }
    return this.any(t.intVar(`x${this.fresh.size}`)) as Int;
  }

  private any(variable: Term): Term {
    this.fresh.set(variable.name, variable);
    return variable;
  }

  private remember(expr: Expr, kind: string, make: () => Term): Term {
    const key = `${kind}${expr.id}`;
    const known = this.memo.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.memo.set(key, made);
    return made;
  }
}

/** Do the bits mean a signed number, as far as the types of variables tell? */
function readsSigned(program: Program, expr: Expr): boolean {
  // Each part once: they are shared, and as trees without end.
  const found = new Set([expr]);
  for (const part of found) {
    const cell = part.op === 'symbol' ? program.cells[symbolNumber(part)] : undefined;
    if (part.op === 'sext' || (cell !== undefined && isSigned(cell.type))) return true;
    if (part.op !== 'zext') for (const arg of part.args) found.add(arg);
  }
  return false;
}

/** Room for reading a formula; what is read is then written again in no more bits than it needs. */
const ROOM = 32;

function readBack(
  pool: Pool,
  formula: Sexpr,
  parameters: ReadonlyMap<string, Cell>,
  wrapping: boolean,
): Expr | null {
  const widest = Math.max(32, ...[...parameters.values()].map(({ width }) => width));
  const width = widest + ROOM;
  const scope = new Map(
    [...parameters].map(([name, cell]) => {
      const symbol = pool.symbol(cell.id, cell.width);
      return [name, pool.resize(symbol, width, isSigned(cell.type))] as const;
    }),
  );
  const leaf = (text: string) => (/^\d+$/.test(text) ? pool.const(BigInt(text), width) : null);
  const compare = (op: 'eq' | 'slt' | 'sle', a: Expr, b: Expr) =>
    inFewBits(pool, op, a, b) ?? pool.compare(op, a, b);
  return readFormula(pool, formula, scope, leaf, (op, args) => {
    const [a, b] = args as [Expr, Expr];
    switch (op) {
      case '=':
        return wrapping ? equalWords(pool, a, b) : compare('eq', a, b);
      case '<':
        return compare('slt', a, b);
      case '<=':
        return compare('sle', a, b);
      case '>':
        return compare('slt', b, a);
      case '>=':
        return compare('sle', b, a);
      case '+':
        return args.reduce((x, y) => pool.binary('add', x, y));
      case '-':
        return args.length === 1
          ? pool.binary('sub', pool.const(0n, width), a)
          : args.reduce((x, y) => pool.binary('sub', x, y));
      case 'mod':
        return remainder(pool, a, b);
      case '*':
        return args.reduce((x, y) => pool.binary('mul', x, y));
      default:
        return null;
    }
  });
}

/** As SMT-LIB has it, never negative, by a positive constant. */
function remainder(pool: Pool, a: Expr, b: Expr): Expr | null {
  const divisor = b.op === 'const' ? asSigned(b.value, b.width) : 0n;
  if (divisor <= 0n) return null;
  if ((divisor & (divisor - 1n)) === 0n) return pool.binary('and', a, pool.const(divisor - 1n, b.width));
  return pool.binary('srem', pool.binary('add', pool.binary('srem', a, b), b), b);
}

/** In as many bits as the narrowest variable has. */
function equalWords(pool: Pool, a: Expr, b: Expr): Expr {
  const width = Math.min(a.width, ...[...a.symbols, ...b.symbols].map((symbol) => symbol.width));
  return pool.eq(pool.trunc(a, width), pool.trunc(b, width));
}

/** Variables with their factors, and a constant. */
interface Linear {
  readonly factors: Map<Expr, bigint>;
  constant: bigint;
}

function addTo(into: Linear, expr: Expr, factor: bigint): boolean {
  const [a, b] = expr.args as [Expr, Expr];
  switch (expr.op) {
    case 'const':
      into.constant += factor * asSigned(expr.value, expr.width);
      return true;
    case 'sext':
    case 'zext':
    case 'symbol':
      into.factors.set(expr, (into.factors.get(expr) ?? 0n) + factor);
      return true;
    case 'add':
      return addTo(into, a, factor) && addTo(into, b, factor);
    case 'sub':
      return addTo(into, a, factor) && addTo(into, b, -factor);
    case 'mul':
      return b.op === 'const' && addTo(into, a, factor * asSigned(b.value, b.width));
    default:
      return false;
  }
}

/** A comparison of sums, written so that no factor is negative: solvers for bit-vectors find `j <= i + i` easier than `j - 2 i <= 0`. */
function inFewBits(pool: Pool, op: 'eq' | 'slt' | 'sle', a: Expr, b: Expr): Expr | null {
  const sum: Linear = { factors: new Map(), constant: 0n };
  if (!addTo(sum, a, 1n) || !addTo(sum, b, -1n)) return null;
  // Over integers a < b is a <= b - 1.
  if (op === 'slt') sum.constant += 1n;
  const terms = [...sum.factors].filter(([, factor]) => factor !== 0n);
  const size = terms.reduce(
    (total, [term, factor]) => total + magnitude(factor) * (1n << BigInt(bitsOf(term))),
    0n,
  );
  const width = (size + magnitude(sum.constant)).toString(2).length + 1;
  const side = (sign: 1n | -1n): Expr => {
    let result = pool.const(sum.constant * sign > 0n ? sum.constant * sign : 0n, width);
    for (const [term, factor] of terms)
      if (factor * sign > 0n) result = pool.binary('add', times(pool, term, factor * sign, width), result);
    return result;
  };
  const [left, right] = [side(1n), side(-1n)];
  const relation = op === 'eq' ? 'eq' : 'sle';
  return alone(pool, relation, left, right) ?? pool.compare(relation, left, right);
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
const bitsOf = (term: Expr): number => (term.op === 'symbol' ? term.width : term.args[0]!.width);

/** A multiple by shifts and sums. */
function times(pool: Pool, term: Expr, factor: bigint, width: number): Expr {
  const inner = term.op === 'symbol' ? term : term.args[0]!;
  const wide = pool.resize(inner, width, term.op === 'sext');
  let result = pool.const(0n, width);
  for (let bit = 0n; factor >> bit > 0n; bit++)
    if ((factor >> bit) & 1n)
      result = pool.binary('add', pool.binary('shl', wide, pool.const(bit, width)), result);
  return result;
}

/** One variable against a constant, in the variable's own width. */
function alone(pool: Pool, op: 'eq' | 'sle', a: Expr, b: Expr): Expr | null {
  const [variable, constant] = a.op === 'const' ? [b, a] : [a, b];
  const inner = variable.args[0];
  if (constant.op !== 'const' || inner?.op !== 'symbol') return null;
  if (variable.op !== 'sext' && variable.op !== 'zext') return null;
  const value = asSigned(constant.value, constant.width);
  const signed = variable.op === 'sext';
  const half = 1n << BigInt(inner.width - 1);
  const [least, most] = signed ? [-half, half - 1n] : [0n, 2n * half - 1n];
  if (value < least || value > most)
    return pool.bool(op === 'sle' && (a.op === 'const' ? value < least : value > most));
  const small = pool.const(value, inner.width);
  const own = op === 'eq' ? 'eq' : signed ? 'sle' : 'ule';
  return a.op === 'const' ? pool.compare(own, small, inner) : pool.compare(own, inner, small);
}
