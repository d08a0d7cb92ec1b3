// The solver behind the analyses of this room: expressions become bit-vector terms once, answers are cached by the set of
// expressions asked about. `unknown` answers are passed on; callers decide what is sound.

import { type Budget, TimeOver } from '../../base/budget.ts';
import type { Value } from '../../smt/answer.ts';
import type { Answer } from '../../smt/solver.ts';
import { Solver } from '../../smt/solver.ts';
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

/** Milliseconds for one step's question, and for a whole path's. */
const LIMIT = 5000;
const PATH_LIMIT = 20_000;
/** For what is asked about many goals at once, and then about each. */
const LIMIT_FOR_ALL = 1500;
const LIMIT_FOR_ONE = 500;
/** For a question with facts about divisions in the place of these. */
const ROUGH_LIMIT = 2000;

/** Whoever asks a solver says here how to end it: its question is then open. */
export interface Asking {
  end?: () => void;
}

export class Oracle {
  private readonly terms = new Terms();
  private readonly roughTerms = new Terms(true);
  private readonly answers = new Map<string, Answer>();
  private readonly solvers = new Map<string, Solver>();
  private readonly remaining: () => number;
  asked = 0;
  cached = 0;

  /** No question may last longer than the budget. */
  constructor({ remaining }: Pick<Budget, 'remaining'>) {
    this.remaining = remaining;
  }

  dispose(): void {
    for (const solver of this.solvers.values()) solver.dispose();
  }

  /** Questions without floating-point numbers are asked in their own logic, for which z3 is much better. */
  private solverFor(tests: readonly Expr[], cores: boolean): Solver {
    const logic = tests.some(({ hasFloat }) => hasFloat) ? 'QF_FPBV' : 'QF_BV';
    const key = `${logic} ${cores}`;
    let solver = this.solvers.get(key);
    if (solver === undefined) {
      const timeout = cores ? PATH_LIMIT : LIMIT;
      solver = new Solver({ timeout, cores, logic, remaining: this.remaining });
      this.solvers.set(key, solver);
    }
    return solver;
  }

  /** Can all of these hold together? */
  async satisfiable(tests: readonly Expr[], limit = LIMIT): Promise<Answer> {
    const unique = [...new Set(tests)];
    if (unique.some((test) => test.op === 'const' && test.value === 0n)) return 'unsat';
    const open = unique.filter((test) => test.op !== 'const');
    if (open.length === 0) return 'sat';
    const key = open
      .map((test) => test.id)
      .sort((a, b) => a - b)
      .join(' ');
    const known = this.answers.get(key);
    if (known !== undefined) {
      this.cached++;
      return known;
    }
    const answer =
      open.some(dividesHard) &&
      (await this.ask(open, this.roughTerms, Math.min(limit, ROUGH_LIMIT))) === 'unsat'
        ? 'unsat'
        : await this.ask(open, this.terms, limit);
    this.answers.set(key, answer);
    return answer;
  }

  /** `unsat`, or nobody knows: divisions are taken as facts about them say. */
  async satisfiableByFacts(tests: readonly Expr[]): Promise<'unsat' | 'unknown'> {
    return (await this.ask(tests, this.roughTerms, ROUGH_LIMIT)) === 'unsat' ? 'unsat' : 'unknown';
  }

  private async ask(tests: readonly Expr[], terms: Terms, limit: number): Promise<Answer> {
    this.asked++;
    if (this.remaining() <= 0) throw new TimeOver();
    const solver = this.solverFor(tests, false);
    solver.push();
    for (const test of tests) solver.assert(terms.of(test) as t.Bool);
    for (const fact of terms.alongside(tests)) solver.assert(fact);
    const answer = await solver.check([], Math.min(limit, this.remaining()));
    solver.pop();
    return answer;
  }

  /**
   * Which of the goals the tests imply together: each model of the tests in which one is false strikes off all that are false in it. Null where the
   * solver gives up, or `mayAsk` says so. The goals get names, so that they are sent once and only truth values come back.
   */
  async kept(
    tests: readonly Expr[],
    goals: readonly Expr[],
    mayAsk: () => boolean,
  ): Promise<readonly boolean[] | null> {
    const solver = this.solverFor([...tests, ...goals], false);
    const names = goals.map((_, i) => t.boolVar(`goal${i}`));
    const kept = goals.map(() => true);
    const all = [...tests, ...goals];
    // With facts only: what they do not show is not kept.
    const terms = all.some(dividesHard) ? this.roughTerms : this.terms;
    solver.push();
    try {
      for (const test of tests) solver.assert(terms.of(test) as t.Bool);
      goals.forEach((goal, i) => void solver.assert(t.eq(names[i]!, terms.of(goal) as t.Bool)));
      for (const fact of terms.alongside(all)) solver.assert(fact);
      while (kept.includes(true)) {
        if (!mayAsk()) return null;
        this.asked++;
        if (this.remaining() <= 0) throw new TimeOver();
        solver.push();
        solver.assert(t.not(t.and(...names.filter((_, i) => kept[i]))));
        const answer = await solver.check([], Math.min(LIMIT_FOR_ALL, this.remaining()));
        const values = answer === 'sat' ? await solver.values(names) : [];
        solver.pop();
        if (answer === 'unsat') return kept;
        const wrong = values.flatMap((value, i) => (value === false && kept[i] ? [i] : []));
        for (const i of wrong) kept[i] = false;
        if (wrong.length === 0) return (await this.eachKept(solver, names, kept, mayAsk)) ? kept : null;
      }
      return kept;
    } finally {
      solver.pop();
    }
  }

  /** Where all goals together are too hard they are asked about one by one, and those that are too hard by themselves are given up. */
  private async eachKept(
    solver: Solver,
    names: readonly t.Bool[],
    kept: boolean[],
    mayAsk: () => boolean,
  ): Promise<boolean> {
    for (const [i, name] of names.entries()) {
      if (!kept[i]) continue;
      if (!mayAsk()) return false;
      this.asked++;
      if (this.remaining() <= 0) throw new TimeOver();
      solver.push();
      solver.assert(t.not(name));
      const answer = await solver.check([], Math.min(LIMIT_FOR_ONE, this.remaining()));
      solver.pop();
      kept[i] = answer === 'unsat';
    }
    return true;
  }

  /** A model of the tests as values of the given symbols, or the indices of tests that contradict each other. */
  async solve(
    tests: readonly Expr[],
    symbols: readonly Expr[],
    limit = PATH_LIMIT,
  ): Promise<
    | { readonly answer: 'sat'; readonly values: readonly bigint[] }
    | { readonly answer: 'unsat'; readonly core: readonly number[] }
    | { readonly answer: 'unknown' }
  > {
    this.asked++;
    if (this.remaining() <= 0) throw new TimeOver();
    const solver = this.solverFor(tests, true);
    solver.push();
    tests.forEach((test, i) => void solver.assert(this.terms.of(test) as t.Bool, `g${i}`));
    for (const fact of this.terms.alongside(tests)) solver.assert(fact);
    // Of an array there is no one value; what is read of it has one.
    const wanted = symbols.filter(({ width }) => width >= 0).map((symbol) => this.terms.of(symbol));
    // Declaring the symbols before the question keeps the model valid.
    for (const term of wanted) solver.declare(term.name, term.sort);
    const answer = await solver.check([], Math.min(limit, this.remaining()));
    try {
      if (answer === 'sat') {
        const values = await solver.values(wanted);
        const found = (value: Value | undefined): bigint => (typeof value === 'bigint' ? value : 0n);
        let next = 0;
        return { answer, values: symbols.map(({ width }) => (width < 0 ? 0n : found(values[next++]))) };
      }
      if (answer === 'unsat') {
        const core = (await solver.core()).map((label) => Number(label.slice(1))).sort((a, b) => a - b);
        return { answer, core: core.length > 0 ? core : tests.map((_, i) => i) };
      }
      return { answer: 'unknown' };
    } finally {
      solver.pop();
    }
  }
}

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

/** Expressions as bit-vector terms, each made once. */
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
