// Expressions as bit-vector terms for the solver, each made once.

import * as t from '../../smt/term.ts';
import { floatTermOf } from '../audit/float-terms.ts';
import type { Expr } from '../program/expr.ts';
import { isFloatOp } from '../program/floats.ts';
import { ArrayReads } from './array-reads.ts';
import { dividesHard, factsOf, isHardDivision } from './divisions.ts';

const BINARY = {
  add: 'bvadd',
  sub: 'bvsub',
  mul: 'bvmul',
  udiv: 'bvudiv',
  sdiv: 'bvsdiv',
  urem: 'bvurem',
  srem: 'bvsrem',
  and: 'bvand',
  or: 'bvor',
  xor: 'bvxor',
  shl: 'bvshl',
  lshr: 'bvlshr',
  ashr: 'bvashr',
} as const;
const COMPARE = { ult: 'bvult', ule: 'bvule', slt: 'bvslt', sle: 'bvsle' } as const;

/** What has to be a term before: of a read, what the array was made of. */
function partsOf(node: Expr): readonly Expr[] {
  if (node.op !== 'select') return node.args;
  const parts = [node.args[1]!];
  const seen = new Set<Expr>();
  const stack = [node.args[0]!];
  for (let array = stack.pop(); array !== undefined; array = stack.pop()) {
    if (seen.has(array)) continue;
    seen.add(array);
    for (const arg of array.args) (arg.width < 0 ? stack : parts).push(arg);
  }
  return parts;
}

export class Terms {
  private readonly terms = new Map<Expr, t.Term>();
  private readonly reads = new ArrayReads((expr) => this.of(expr));
  private readonly facts = new Map<Expr, readonly t.Bool[]>();
  /** Quotients and remainders are any values that fit some facts (divisions.ts). */
  private readonly isRough: boolean;

  constructor(isRough = false) {
    this.isRough = isRough;
  }

  /** What is to be asked along with these: for what they read of arrays, and of their quotients and remainders. */
  alongside(tests: readonly Expr[]): readonly t.Bool[] {
    const between = tests.some(({ hasArray }) => hasArray) ? this.reads.between(tests) : [];
    return [...between, ...this.factsAbout(tests)];
  }

  /** What is known of the quotients and remainders in these. */
  private factsAbout(roots: readonly Expr[]): t.Bool[] {
    const found: t.Bool[] = [];
    const seen = new Set<Expr>();
    const stack = this.isRough ? [...roots] : [];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (seen.has(node) || !dividesHard(node)) continue;
      seen.add(node);
      found.push(...(this.facts.get(node) ?? []));
      stack.push(...node.args);
    }
    return found;
  }

  of(root: Expr): t.Term {
    const known = this.terms.get(root);
    if (known !== undefined) return known;
    // Iterative: paths make deep expressions.
    const stack: Expr[] = [root];
    while (stack.length > 0) {
      const node = stack[stack.length - 1]!;
      const missing = partsOf(node).filter((arg) => !this.terms.has(arg));
      if (missing.length > 0) {
        stack.push(...missing);
        continue;
      }
      stack.pop();
      if (!this.terms.has(node))
        this.terms.set(
          node,
          this.make(node, node.op === 'select' ? [] : node.args.map((arg) => this.terms.get(arg)!)),
        );
    }
    return this.terms.get(root)!;
  }

  private make(node: Expr, args: readonly t.Term[]): t.Term {
    const [a, b, c] = args as [t.Bv, t.Bv, t.Bv];
    if (this.isRough && isHardDivision(node)) {
      const result = t.bvVar(`division${node.id}`, node.width);
      this.facts.set(node, factsOf(node.op, a, b, result));
      return result;
    }
    if (isFloatOp(node.op))
      return floatTermOf(node.op, node.width, args as t.Bv[]) ?? t.bvVar(`any${node.id}`, node.width);
    switch (node.op) {
      case 'const':
        return node.width === 0 ? t.bool(node.value !== 0n) : t.bv(node.value, node.width);
      case 'symbol':
        return t.bvVar(`s${node.value}`, node.width);
      case 'select':
        return this.reads.read(node.args[0]!, node.args[1]!);
      case 'everywhere':
      case 'store':
        throw new Error('impossible: an array reached the solver');
      case 'load':
        throw new Error('impossible: a load reached the solver');
      case 'zext':
      case 'sext':
      case 'trunc':
        return t.bvResize(a, node.width, node.op === 'sext');
      case 'ite':
        return t.ite(args[0] as t.Bool, b, c);
      case 'not':
        return t.not(args[0] as t.Bool);
      case 'conj':
        return t.and(args[0] as t.Bool, args[1] as t.Bool);
      case 'disj':
        return t.or(args[0] as t.Bool, args[1] as t.Bool);
      case 'eq':
        return t.eq(a, b);
      case 'ult':
      case 'ule':
      case 'slt':
      case 'sle':
        return t.bvCompare(COMPARE[node.op], a, b);
      default:
        return t.bvOp(BINARY[node.op], a, b);
    }
  }
}
