// Values of C programs as hash-consed bit-vector expressions: equal expressions are the same object, so sets, caches and
// weakest preconditions compare by identity. Constructors simplify (simplify.ts); every rule is tested against evaluation.
// Width 0 stands for truth values, a width below 0 for an array of numbers of so many bits, by addresses of 64 bits (arrays.ts). Signedness lies in the
// operators, as in machine code.

import { selected, stored } from './array-rules.ts';
import type { BinaryOp, CompareOp } from './compute.ts';
import { asSigned, computeBinary, computeCompare } from './compute.ts';
import type { FloatCompare, FloatOp } from './floats.ts';
import { computeFloat, isFloatCompare, isFloatOp } from './floats.ts';
import {
  apart,
  compareAtTheEdge,
  equalsConstant,
  isConstantChoice,
  isNarrowable,
  simplifyBinary,
  withLess,
} from './simplify.ts';

export type Op =
  | 'const'
  | 'symbol'
  | BinaryOp
  | CompareOp
  | 'zext'
  | 'sext'
  | 'trunc'
  | 'ite'
  | 'not'
  | 'conj'
  | 'disj'
  | 'load'
  | ArrayOp
  | FloatOp;

/** An array that is the same number everywhere; what an array holds at an address; an array with another number at an address. */
export type ArrayOp = 'everywhere' | 'select' | 'store';

export interface Expr {
  readonly id: number;
  readonly op: Op;
  readonly width: number;
  readonly args: readonly Expr[];
  /** The value of a constant (unsigned); of a symbol its number; of a load its site. */
  readonly value: bigint;
  /** The symbols and loads inside, by id; shared and never changed. */
  readonly symbols: readonly Expr[];
  readonly hasLoad: boolean;
  /** Operations on floating-point numbers are inside: another theory for the solver. */
  readonly hasFloat: boolean;
  /** Arrays are inside: another theory, too. */
  readonly hasArray: boolean;
}

const NONE: readonly Expr[] = [];

const unwatched = (): void => {};

/** Ids are unique across pools: one solver's cache may serve several programs. */
let nextId = 0;

export class Pool {
  private readonly table = new Map<string, Expr>();
  /** What was made of choices and of tests before: they share parts, and without this the work would double with every level. */
  private readonly negations = new Map<Expr, Expr>();
  private readonly distributed = new Map<string, Expr>();
  private count = 0;
  /** Called for every expression that is made or looked up: whoever works against a clock looks at it here, and may throw. */
  watch: () => void = unwatched;
  readonly true: Expr;
  readonly false: Expr;

  constructor() {
    this.true = this.node('const', 0, NONE, 1n);
    this.false = this.node('const', 0, NONE, 0n);
  }

  get size(): number {
    return this.count;
  }

  /** The work, under the eyes of `watch`. */
  async watched<T>(watch: () => void, work: () => Promise<T>): Promise<T> {
    const before = this.watch;
    this.watch = watch;
    try {
      return await work();
    } finally {
      this.watch = before;
    }
  }

  /** The same for work in one piece. */
  underWatch<T>(watch: () => void, work: () => T): T {
    const before = this.watch;
    this.watch = watch;
    try {
      return work();
    } finally {
      this.watch = before;
    }
  }

  /** The expression as it stands, without any rule applied. */
  node(op: Op, width: number, args: readonly Expr[], value = 0n): Expr {
    this.watch();
    let key = `${op}${width}`;
    for (const arg of args) key += `,${arg.id}`;
    if (value !== 0n) key += `#${value}`;
    const known = this.table.get(key);
    if (known !== undefined) return known;
    const made = {
      id: nextId++,
      op,
      width,
      args,
      value,
      symbols: NONE,
      hasLoad: op === 'load',
      hasFloat: isFloatOp(op),
      hasArray: width < 0,
    };
    made.symbols = op === 'symbol' ? [made] : unite(args);
    for (const arg of args) {
      if (arg.hasLoad) made.hasLoad = true;
      if (arg.hasFloat) made.hasFloat = true;
      if (arg.hasArray) made.hasArray = true;
    }
    this.count++;
    this.table.set(key, made);
    return made;
  }

  bool = (value: boolean): Expr => (value ? this.true : this.false);

  const(value: bigint | number, width: number): Expr {
    return this.node('const', width, NONE, BigInt.asUintN(width, BigInt(value)));
  }

  symbol(number: number, width: number): Expr {
    return this.node('symbol', width, NONE, BigInt(number) + 1n);
  }

  /** The bytes at an address, little-endian; the site tells which cells it can mean. */
  load(address: Expr, width: number, site: number): Expr {
    return this.node('load', width, [address], BigInt(site) + 1n);
  }

  binary(op: BinaryOp, a: Expr, b: Expr): Expr {
    const width = a.width;
    if (a.op === 'const' && b.op === 'const') {
      const value = computeBinary(op, a.value, b.value, width);
      if (value !== null) return this.const(value, width);
    }
    return simplifyBinary(this, op, a, b) ?? this.node(op, width, [a, b]);
  }

  zext = (a: Expr, width: number): Expr => this.extend('zext', a, width);
  sext = (a: Expr, width: number): Expr => this.extend('sext', a, width);

  private extend(op: 'zext' | 'sext', a: Expr, width: number): Expr {
    if (width === a.width) return a;
    if (a.op === 'const') return this.const(op === 'sext' ? asSigned(a.value, a.width) : a.value, width);
    // A zero-extended value has no sign: extending it again in either way adds zeros.
    if (a.op === 'zext') return this.extend('zext', a.args[0]!, width);
    if (a.op === 'sext' && op === 'sext') return this.extend('sext', a.args[0]!, width);
    if (a.op === 'ite') return this.intoChoice(`${op}${width}`, a, (part) => this.extend(op, part, width));
    return this.node(op, width, [a]);
  }

  trunc(a: Expr, width: number): Expr {
    if (width === a.width) return a;
    if (a.op === 'const') return this.const(a.value, width);
    if (a.op === 'zext' || a.op === 'sext') {
      const inner = a.args[0]!;
      if (inner.width === width) return inner;
      if (inner.width > width) return this.trunc(inner, width);
      return this.extend(a.op, inner, width);
    }
    if (a.op === 'trunc') return this.trunc(a.args[0]!, width);
    if (a.op === 'ite') return this.intoChoice(`trunc${width}`, a, (part) => this.trunc(part, width));
    if ((a.op === 'add' || a.op === 'sub' || a.op === 'mul') && a.args.every(isNarrowable))
      return this.narrowed(a.op, a, width);
    return this.node('trunc', width, [a]);
  }

  /** Cut where its parts are cut, each once. */
  private narrowed(op: BinaryOp, a: Expr, width: number): Expr {
    const whole = `narrowed${width} ${a.id}`;
    let made = this.distributed.get(whole);
    if (made === undefined) {
      made = this.binary(op, this.trunc(a.args[0]!, width), this.trunc(a.args[1]!, width));
      this.distributed.set(whole, made);
    }
    return made;
  }

  /** An operation with one open argument, moved into both branches of a choice. */
  intoChoice(key: string, choice: Expr, apply: (part: Expr) => Expr): Expr {
    const whole = `${key} ${choice.id}`;
    const known = this.distributed.get(whole);
    if (known !== undefined) return known;
    const [test, yes, no] = choice.args as [Expr, Expr, Expr];
    const made = this.ite(test, apply(yes), apply(no));
    this.distributed.set(whole, made);
    return made;
  }

  /** Cuts or extends to a width, as a conversion from a type of that signedness does. */
  resize(a: Expr, width: number, signed: boolean): Expr {
    if (width <= a.width) return this.trunc(a, width);
    return signed ? this.sext(a, width) : this.zext(a, width);
  }

  ite(test: Expr, yes: Expr, no: Expr): Expr {
    if (test === this.true || yes === no) return yes;
    if (test === this.false) return no;
    if (test.op === 'not') return this.ite(test.args[0]!, no, yes);
    if (yes.width === 0) return this.or(this.and(test, yes), this.and(this.not(test), no));
    if (yes.op === 'ite' && yes.args[0] === test) return this.ite(test, yes.args[1]!, no);
    if (no.op === 'ite' && no.args[0] === test) return this.ite(test, yes, no.args[2]!);
    return this.node('ite', yes.width, [test, yes, no]);
  }

  // ---- truth values ----

  not(a: Expr): Expr {
    if (a.op === 'const') return this.bool(a.value === 0n);
    if (a.op === 'not') return a.args[0]!;
    const known = this.negations.get(a);
    if (known !== undefined) return known;
    const made = this.negated(a);
    this.negations.set(a, made);
    return made;
  }

  private negated(a: Expr): Expr {
    // Comparisons have their own negations, so a literal is one node.
    if (a.op === 'ult') return this.compare('ule', a.args[1]!, a.args[0]!);
    if (a.op === 'slt') return this.compare('sle', a.args[1]!, a.args[0]!);
    if (a.op === 'ule') return this.compare('ult', a.args[1]!, a.args[0]!);
    if (a.op === 'sle') return this.compare('slt', a.args[1]!, a.args[0]!);
    if (a.op === 'conj') return this.or(this.not(a.args[0]!), this.not(a.args[1]!));
    if (a.op === 'disj') return this.and(this.not(a.args[0]!), this.not(a.args[1]!));
    return this.node('not', 0, [a]);
  }

  and(a: Expr, b: Expr): Expr {
    if (a === this.true || a === b) return b;
    if (b === this.true) return a;
    if (a === this.false || b === this.false || a === this.not(b)) return this.false;
    return this.node('conj', 0, a.id < b.id ? [a, b] : [b, a]);
  }

  or(a: Expr, b: Expr): Expr {
    if (a === this.false || a === b) return b;
    if (b === this.false) return a;
    if (a === this.true || b === this.true || (a.op !== 'disj' && b.op !== 'disj' && a === this.not(b)))
      return this.true;
    return this.node('disj', 0, a.id < b.id ? [a, b] : [b, a]);
  }

  eq(a: Expr, b: Expr): Expr {
    return this.compare('eq', a, b);
  }

  compare(op: CompareOp, a: Expr, b: Expr): Expr {
    if (a.op === 'const' && b.op === 'const') return this.bool(computeCompare(op, a.value, b.value, a.width));
    if (a === b) return this.bool(op === 'eq' || op === 'ule' || op === 'sle');
    if (op === 'eq') {
      if (a.op === 'const') return this.compare('eq', b, a);
      if (b.op === 'const') return equalsConstant(this, a, b);
      const [left, leftAdded] = apart(a);
      const [right, rightAdded] = apart(b);
      if (leftAdded !== 0n && rightAdded !== 0n)
        return leftAdded === rightAdded
          ? this.eq(left, right)
          : this.eq(this.binary('add', left, this.const(leftAdded - rightAdded, a.width)), right);
      const less = withLess(a, b);
      if (less !== null) return this.eq(less[0], less[1]);
      return this.node('eq', 0, a.id < b.id ? [a, b] : [b, a]);
    }
    const range = compareAtTheEdge(this, op, a, b);
    if (range !== null) return range;
    if (b.op === 'const' && isConstantChoice(a))
      return this.ite(a.args[0]!, this.compare(op, a.args[1]!, b), this.compare(op, a.args[2]!, b));
    if (a.op === 'const' && isConstantChoice(b))
      return this.ite(b.args[0]!, this.compare(op, a, b.args[1]!), this.compare(op, a, b.args[2]!));
    // Both sides extended the same way: compare the narrow values.
    if ((a.op === 'zext' || a.op === 'sext') && a.op === b.op && a.args[0]!.width === b.args[0]!.width)
      if (a.op === 'zext')
        return this.compare(op === 'slt' || op === 'ult' ? 'ult' : 'ule', a.args[0]!, b.args[0]!);
      else return this.compare(op, a.args[0]!, b.args[0]!);
    return this.node(op, 0, [a, b]);
  }

  // ---- arrays ----

  everywhere = (value: Expr): Expr => this.node('everywhere', -value.width, [value]);

  select(array: Expr, address: Expr): Expr {
    return selected(this, array, address);
  }

  store(array: Expr, address: Expr, value: Expr): Expr {
    return stored(this, array, address, value);
  }

  // ---- floating-point numbers, as their bits ----

  /** `width`: of the result. No rule of algebra holds for all of them (NaN is not even itself), so only constants are folded. */
  float(op: Exclude<FloatOp, FloatCompare>, width: number, args: readonly Expr[]): Expr {
    if (op === 'ftof' && args[0]!.width === width) return args[0]!;
    return this.floatNode(op, width, args);
  }

  floatCompare(op: FloatCompare, a: Expr, b: Expr): Expr {
    return this.floatNode(op, 0, [a, b]);
  }

  private floatNode(op: FloatOp, width: number, args: readonly Expr[]): Expr {
    if (args.every((arg) => arg.op === 'const')) {
      const value = computeFloat(
        op,
        width,
        args[0]!.width,
        args.map((arg) => arg.value),
      );
      if (value !== null) return width === 0 ? this.bool(value !== 0n) : this.const(value, width);
    }
    return this.node(op, width, args);
  }

  /** A C truth value as a test, and a test as the number 0 or 1. */
  test = (a: Expr): Expr => (a.width === 0 ? a : this.not(this.eq(a, this.const(0n, a.width))));
  number = (test: Expr, width: number): Expr => this.ite(test, this.const(1n, width), this.const(0n, width));

  /** Rebuilds (and so simplifies) an operator over new arguments. */
  rebuild(expr: Expr, args: readonly Expr[]): Expr {
    if (isFloatOp(expr.op))
      return isFloatCompare(expr.op)
        ? this.floatCompare(expr.op, args[0]!, args[1]!)
        : this.float(expr.op, expr.width, args);
    switch (expr.op) {
      case 'const':
      case 'symbol':
        return expr;
      case 'load':
        return this.load(args[0]!, expr.width, Number(expr.value) - 1);
      case 'zext':
      case 'sext':
        return this.extend(expr.op, args[0]!, expr.width);
      case 'trunc':
        return this.trunc(args[0]!, expr.width);
      case 'ite':
        return this.ite(args[0]!, args[1]!, args[2]!);
      case 'not':
        return this.not(args[0]!);
      case 'conj':
        return this.and(args[0]!, args[1]!);
      case 'disj':
        return this.or(args[0]!, args[1]!);
      case 'eq':
      case 'ult':
      case 'ule':
      case 'slt':
      case 'sle':
        return this.compare(expr.op, args[0]!, args[1]!);
      case 'everywhere':
        return this.everywhere(args[0]!);
      case 'select':
        return this.select(args[0]!, args[1]!);
      case 'store':
        return this.store(args[0]!, args[1]!, args[2]!);
      default:
        return this.binary(expr.op, args[0]!, args[1]!);
    }
  }
}

export const symbolNumber = (symbol: Expr): number => Number(symbol.value) - 1;

function unite(args: readonly Expr[]): readonly Expr[] {
  let result: readonly Expr[] = NONE;
  for (const { symbols } of args) {
    if (symbols.length === 0 || symbols === result) continue;
    if (result.length === 0) result = symbols;
    else {
      const extra = symbols.filter((symbol) => !result.includes(symbol));
      if (extra.length > 0) result = [...result, ...extra];
    }
  }
  return result;
}
