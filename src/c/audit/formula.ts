// Formulas of the audit: bit-vector terms that fold constants and do nothing else. They are made and folded apart from the pool that the
// analysis uses (`expr.ts`), so that a wrong simplification there does not slip through here. Width 0 stands for truth values, a width below 0
// for an array of numbers of so many bits, by addresses.

import * as t from '../../smt/term.ts';
import { FLOAT_ARGUMENTS, isFloatOp } from '../program/floats.ts';
import { exactly } from '../program/ieee.ts';
import { floatTermOf } from './float-terms.ts';

export interface Formula {
  readonly id: number;
  readonly op: string;
  readonly width: number;
  readonly args: readonly Formula[];
  /** The value of a constant (unsigned), the number of a variable. */
  readonly value: bigint;
}

/** Variables below are values of cells before a stretch, variables from here on are new unknown values. */
export const FIRST_UNKNOWN = 1n << 40n;

export class Formulas {
  private readonly table = new Map<string, Formula>();
  private readonly terms = new Map<Formula, t.Term>();
  /** What arrays hold at addresses, by both. */
  private readonly reads = new Map<string, Formula>();
  private readonly watch: () => void;
  readonly true: Formula;
  readonly false: Formula;

  /** `watch`: called for every formula that is made or looked up; may throw when the time is over. */
  constructor(watch: () => void = () => {}) {
    this.watch = watch;
    this.true = this.constant(1n, 0);
    this.false = this.constant(0n, 0);
  }

  private node(op: string, width: number, args: readonly Formula[], value = 0n): Formula {
    this.watch();
    const key = `${op} ${width} ${value} ${args.map(({ id }) => id).join()}`;
    let known = this.table.get(key);
    if (known === undefined) this.table.set(key, (known = { id: this.table.size, op, width, args, value }));
    return known;
  }

  constant(value: bigint, width: number): Formula {
    return this.node('const', width, [], width === 0 ? value : BigInt.asUintN(width, value));
  }

  variable(number: bigint, width: number): Formula {
    return this.node('variable', width, [], number);
  }

  apply(op: string, width: number, args: readonly Formula[]): Formula {
    const [a, b, c] = args as [Formula, Formula, Formula];
    if (op === 'ite') {
      if (a.op === 'const') return a.value !== 0n ? b : c;
      return b === c ? b : this.node(op, width, args);
    }
    if (op === 'conj' || op === 'disj') {
      const neutral = op === 'conj' ? this.true : this.false;
      const absorbing = op === 'conj' ? this.false : this.true;
      if (a === absorbing || b === absorbing) return absorbing;
      return a === neutral ? b : b === neutral || a === b ? a : this.node(op, width, args);
    }
    if (op === 'not' && a.op === 'not') return a.args[0]!;
    if (op === 'select') return this.read(a, b, width);
    if (args.every((arg) => arg.op === 'const')) {
      const value = computed(op, width, args);
      if (value !== null) return this.constant(value, width);
    }
    return this.node(op, width, args);
  }

  /** A read behind a write is a choice by the two addresses; what is left are reads of arrays that nobody has written to (`between`). */
  private read(array: Formula, address: Formula, width: number): Formula {
    const keyOf = ({ id }: Formula) => `${id} ${address.id}`;
    const behind: Formula[] = [];
    let from = array;
    while (from.op === 'store' && !this.reads.has(keyOf(from))) {
      behind.push(from);
      from = from.args[0]!;
    }
    let result = this.reads.get(keyOf(from)) ?? this.readUnwritten(from, address, width);
    this.reads.set(keyOf(from), result);
    for (const written of behind.reverse()) {
      const [, at, value] = written.args as [Formula, Formula, Formula];
      result = this.apply('ite', width, [this.equal(at, address), value, result]);
      this.reads.set(keyOf(written), result);
    }
    return result;
  }

  private readUnwritten(array: Formula, address: Formula, width: number): Formula {
    if (array.op === 'everywhere') return array.args[0]!;
    if (array.op !== 'ite') return this.node('select', width, [array, address]);
    const [test, yes, no] = array.args as [Formula, Formula, Formula];
    return this.apply('ite', width, [test, this.read(yes, address, width), this.read(no, address, width)]);
  }

  /** Two reads of one array are equal where their addresses are: true of all that occur in these formulas. */
  between(formulas: readonly Formula[]): readonly Formula[] {
    if (this.reads.size === 0) return [];
    const nodes = new Set(formulas);
    for (const { args } of nodes) for (const arg of args) nodes.add(arg);
    const selects = [...nodes].filter(({ op }) => op === 'select');
    return selects.flatMap((one, i) =>
      selects.slice(0, i).flatMap((other) => {
        if (one.args[0] !== other.args[0]) return [];
        const areApart = this.not(this.equal(one.args[1]!, other.args[1]!));
        return [this.apply('disj', 0, [areApart, this.equal(one, other)])];
      }),
    );
  }

  not = (a: Formula): Formula => this.apply('not', 0, [a]);
  equal = (a: Formula, b: Formula): Formula => (a === b ? this.true : this.apply('eq', 0, [a, b]));

  /** Puts formulas in the place of variables. */
  substitute(root: Formula, replacement: (variable: Formula) => Formula): Formula {
    const done = new Map<Formula, Formula>();
    const walk = (node: Formula): Formula => {
      if (node.op === 'const') return node;
      if (node.op === 'variable') return replacement(node);
      let result = done.get(node);
      if (result === undefined) {
        result = this.apply(node.op, node.width, node.args.map(walk));
        done.set(node, result);
      }
      return result;
    };
    return walk(root);
  }

  term(formula: Formula): t.Term {
    let known = this.terms.get(formula);
    if (known === undefined) {
      // What an array holds somewhere is a number of its own.
      const args = formula.op === 'select' ? [] : formula.args;
      known = termOf(
        formula,
        args.map((arg) => this.term(arg)),
      );
      this.terms.set(formula, known);
    }
    return known;
  }
}

type Constant = Pick<Formula, 'width' | 'value'>;

/** Null where the operation has no result in C; conditions before it rule that out. To be cut to the width. */
export function computed(op: string, width: number, args: readonly Constant[]): bigint | null {
  const [x, y] = args as [Constant, Constant];
  const [a, b] = [x.value, y?.value ?? 0n];
  const signed = (f: Constant): bigint => BigInt.asIntN(f.width, f.value);
  const truth = (test: boolean): bigint => (test ? 1n : 0n);
  // Not the way that the analysis computes them.
  if (isFloatOp(op))
    return exactly(
      op,
      width,
      x.width,
      args.map(({ value }) => value),
    );
  switch (op) {
    case 'not':
      return truth(a === 0n);
    case 'eq':
      return truth(a === b);
    case 'ult':
      return truth(a < b);
    case 'ule':
      return truth(a <= b);
    case 'slt':
      return truth(signed(x) < signed(y));
    case 'sle':
      return truth(signed(x) <= signed(y));
    case 'zext':
    case 'trunc':
      return a;
    case 'sext':
      return signed(x);
    case 'add':
      return a + b;
    case 'sub':
      return a - b;
    case 'mul':
      return a * b;
    case 'and':
      return a & b;
    case 'or':
      return a | b;
    case 'xor':
      return a ^ b;
    case 'udiv':
      return b === 0n ? null : a / b;
    case 'urem':
      return b === 0n ? null : a % b;
    case 'sdiv':
      return b === 0n ? null : signed(x) / signed(y);
    case 'srem':
      return b === 0n ? null : signed(x) % signed(y);
    case 'shl':
      return b < BigInt(width) ? a << b : null;
    case 'lshr':
      return b < BigInt(width) ? a >> b : null;
    case 'ashr':
      return b < BigInt(width) ? signed(x) >> b : null;
    default:
      return null;
  }
}

const ARITHMETIC: Readonly<Record<string, t.BvBinary>> = {
  ...{ add: 'bvadd', sub: 'bvsub', mul: 'bvmul', udiv: 'bvudiv', sdiv: 'bvsdiv', urem: 'bvurem' },
  ...{ srem: 'bvsrem', and: 'bvand', or: 'bvor', xor: 'bvxor', shl: 'bvshl', lshr: 'bvlshr', ashr: 'bvashr' },
};
const COMPARISON = { ult: 'bvult', ule: 'bvule', slt: 'bvslt', sle: 'bvsle' } as const;

/** What the audit understands, by the number of arguments. */
export const ARGUMENTS: Readonly<Record<string, number>> = {
  ...{ not: 1, zext: 1, sext: 1, trunc: 1, eq: 2, conj: 2, disj: 2, ite: 3, select: 2 },
  ...FLOAT_ARGUMENTS,
  ...Object.fromEntries([...Object.keys(ARITHMETIC), ...Object.keys(COMPARISON)].map((op) => [op, 2])),
};

function termOf({ id, op, width, value }: Formula, args: readonly t.Term[]): t.Term {
  const [a, b, c] = args as [t.Bv, t.Bv, t.Bv];
  const [p, q] = args as unknown as [t.Bool, t.Bool];
  if (isFloatOp(op)) return floatTermOf(op, width, args as readonly t.Bv[]) ?? t.bvVar(`any${id}`, width);
  switch (op) {
    case 'const':
      return width === 0 ? t.bool(value !== 0n) : t.bv(value, width);
    case 'variable':
      return t.bvVar(value < FIRST_UNKNOWN ? `c${value}` : `u${value - FIRST_UNKNOWN}_${width}`, width);
    case 'select':
      return t.bvVar(`e${id}`, width);
    case 'not':
      return t.not(p);
    case 'conj':
      return t.and(p, q);
    case 'disj':
      return t.or(p, q);
    case 'ite':
      return t.ite(p, b, c);
    case 'eq':
      return t.eq(a, b);
    case 'zext':
    case 'sext':
    case 'trunc':
      return t.bvResize(a, width, op === 'sext');
    case 'ult':
    case 'ule':
    case 'slt':
    case 'sle':
      return t.bvCompare(COMPARISON[op], a, b);
    default:
      return t.bvOp(ARITHMETIC[op]!, a, b);
  }
}
