// Open questions about message contents, decided by an SMT solver over bit-vectors of 32 bits. Loaded only when something is open.

import type { Budget } from '../base/budget.ts';
import type { BinaryOperator } from '../process/expression.ts';
import type { Storage } from '../process/storage.ts';
import * as t from '../smt/term.ts';
import type { Question } from './contents.ts';
import type { Facts } from './rows.ts';

/** Milliseconds for one question; past it the sender stays. */
const MOST_MILLISECONDS = 3_000;

/**
 * Derives something from the facts, with every question that comes up on the way decided: what was open is put to the solver, and the
 * derivation made again.
 */
export async function settled<T>(facts: Facts, derive: () => T, budget?: Budget): Promise<T> {
  for (;;) {
    const result = derive();
    const { contents } = facts;
    if (contents.open.size === 0) return result;
    const { Solver } = await import('../smt/solver.ts');
    const solver = new Solver({ logic: 'QF_BV', timeout: MOST_MILLISECONDS });
    try {
      for (const [key, question] of [...contents.open]) {
        const limit = Math.min(MOST_MILLISECONDS, budget?.remaining() ?? Number.POSITIVE_INFINITY);
        solver.push();
        for (const formula of formulasOf(question)) solver.assert(formula);
        // Without a solver on this machine nothing is decided: the sender stays.
        const answer = limit <= 0 ? 'unknown' : await solver.check([], limit).catch(() => 'unknown' as const);
        solver.pop();
        contents.settle(key, answer !== 'unsat');
      }
    } finally {
      solver.dispose();
    }
  }
}

/** What the question asks to be satisfiable. */
export function formulasOf({ terms, inputs, constraints }: Question): t.Bool[] {
  const unknowns = inputs.map((_, input) => t.bvVar(`v${input}`, WIDTH));
  const ranges = inputs.map(({ least, most }, input) =>
    t.and(
      t.bvCompare('bvsge', unknowns[input]!, number(least)),
      t.bvCompare('bvsle', unknowns[input]!, number(most)),
    ),
  );
  const values: t.Bv[] = [];
  for (const term of terms) {
    switch (term.op) {
      case 'constant':
        values.push(number(term.value));
        break;
      case 'input':
        values.push(unknowns[term.input]!);
        break;
      case 'unary':
        values.push(unary(term.operator, values[term.a]!));
        break;
      case 'binary':
        values.push(binary(term.operator, values[term.a]!, values[term.b]!));
        break;
      case 'choice':
        values.push(t.ite(isTrue(values[term.test]!), values[term.a]!, values[term.b]!));
        break;
      case 'truncate':
        values.push(truncated(term.storage, values[term.a]!));
    }
  }
  return [...ranges, ...constraints.map((constraint) => isTrue(values[constraint]!))];
}

const WIDTH = 32;
const number = (value: number): t.Bv => t.bv(value, WIDTH);
const ZERO = number(0);
const ONE = number(1);
const isTrue = (value: t.Bv): t.Bool => t.not(t.eq(value, ZERO));
const truth = (condition: t.Bool): t.Bv => t.ite(condition, ONE, ZERO);

function unary(operator: '-' | '!' | '~', a: t.Bv): t.Bv {
  if (operator === '!') return truth(t.eq(a, ZERO));
  return operator === '-' ? t.bvNeg(a) : t.bvNot(a);
}

const ARITHMETIC = {
  '+': 'bvadd',
  '-': 'bvsub',
  '*': 'bvmul',
  '/': 'bvsdiv',
  '%': 'bvsrem',
  '&': 'bvand',
  '|': 'bvor',
  '^': 'bvxor',
} as const;
const COMPARISON = { '<': 'bvslt', '<=': 'bvsle', '>': 'bvsgt', '>=': 'bvsge' } as const;

function binary(operator: BinaryOperator, a: t.Bv, b: t.Bv): t.Bv {
  switch (operator) {
    // As on the machines SPIN runs on, five bits of the count are used.
    case '<<':
      return t.bvOp('bvshl', a, t.bvOp('bvand', b, number(31)));
    case '>>':
      return t.bvOp('bvashr', a, t.bvOp('bvand', b, number(31)));
    case '&&':
      return truth(t.and(isTrue(a), isTrue(b)));
    case '||':
      return truth(t.or(isTrue(a), isTrue(b)));
    case '==':
      return truth(t.eq(a, b));
    case '!=':
      return truth(t.not(t.eq(a, b)));
    case '<':
    case '<=':
    case '>':
    case '>=':
      return truth(t.bvCompare(COMPARISON[operator], a, b));
    default:
      return t.bvOp(ARITHMETIC[operator], a, b);
  }
}

/** What a store leaves, as `truncate` of the process room computes it. */
function truncated({ bits, signed }: Storage, a: t.Bv): t.Bv {
  if (bits >= 32) return a;
  return t.bvResize(t.extract(bits - 1, 0, a), WIDTH, signed);
}
