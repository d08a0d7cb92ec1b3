// Our decision procedures against brute force and against the SMT solver, on random small systems.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decider } from './decider.ts';
import { DifferenceSystem } from './difference.ts';
import type { Formula, Sum } from './linear.ts';
import { and, atMostZero, constantSum, not, or, plusTimes, variableSum } from './linear.ts';
import { Search } from './search.ts';

const VARIABLES = 4;
const LIMIT = 12;
const FUZZED = process.env['SPILLWAY_FUZZ'] !== undefined;
const runs = Number(process.env['SPILLWAY_FUZZ'] ?? 100);
const seed = Number(process.env['SPILLWAY_SEED'] ?? 0);

interface Constraint {
  readonly x: number;
  readonly y: number;
  readonly c: number;
}

const constraint: fc.Arbitrary<Constraint> = fc.record({
  x: fc.integer({ min: 0, max: VARIABLES - 1 }),
  y: fc.integer({ min: 0, max: VARIABLES - 1 }),
  c: fc.integer({ min: -3, max: 3 }),
});

/** All points with variable 0 at zero and the others within [0, LIMIT]: enough for constants this small. */
function* points(): Generator<number[]> {
  for (let a = 0; a <= LIMIT; a++)
    for (let b = 0; b <= LIMIT; b++) for (let c = 0; c <= LIMIT; c++) yield [0, a, b, c];
}

const NATURAL: readonly Constraint[] = [1, 2, 3].map((y) => ({ x: 0, y, c: 0 }));
const holdsAt = (point: readonly number[], { x, y, c }: Constraint): boolean => point[x]! - point[y]! <= c;
const bruteForce = (system: readonly Constraint[]): boolean => {
  for (const point of points()) if (system.every((one) => holdsAt(point, one))) return true;
  return false;
};

function solve(system: readonly Constraint[]): number[] | null {
  const solver = new DifferenceSystem();
  solver.grow(VARIABLES);
  return system.every(({ x, y, c }) => solver.add(x, y, c)) ? solver.solution() : null;
}

describe('difference constraints', () => {
  test('(S1) satisfiability agrees with brute force, and solutions are solutions', () => {
    fc.assert(
      fc.property(fc.array(constraint, { maxLength: 9 }), (random) => {
        const system = [...NATURAL, ...random];
        const solution = solve(system);
        expect(solution !== null).toBe(bruteForce(system));
        if (solution !== null) expect(system.every((one) => holdsAt(solution, one))).toBe(true);
      }),
      { seed: seed + 1, numRuns: runs },
    );
  });

  test('(S2) entailment by refuting the negation agrees with brute force', () => {
    fc.assert(
      fc.property(fc.array(constraint, { maxLength: 6 }), constraint, (random, claim) => {
        const system = [...NATURAL, ...random];
        const refuted = solve([...system, { x: claim.y, y: claim.x, c: -claim.c - 1 }]) === null;
        let entailed = true;
        for (const point of points())
          if (system.every((one) => holdsAt(point, one)) && !holdsAt(point, claim)) entailed = false;
        expect(refuted).toBe(entailed);
      }),
      { seed: seed + 2, numRuns: runs },
    );
  });

  test('bounds are the tightest ones', () => {
    fc.assert(
      fc.property(fc.array(constraint, { maxLength: 7 }), (random) => {
        const solver = new DifferenceSystem();
        solver.grow(VARIABLES);
        if (![...NATURAL, ...random].every(({ x, y, c }) => solver.add(x, y, c))) return;
        const bound = solver.bound(1, 2);
        let greatest = Number.NEGATIVE_INFINITY;
        for (const point of points())
          if (random.every((one) => holdsAt(point, one)))
            greatest = Math.max(greatest, point[1]! - point[2]!);
        if (bound === Number.POSITIVE_INFINITY) expect(greatest).toBeGreaterThan(2);
        else expect(greatest).toBe(bound);
      }),
      { seed: seed + 3, numRuns: FUZZED ? runs : 250 },
    );
  });

  test('taking constraints back restores the earlier system', () => {
    fc.assert(
      fc.property(
        fc.array(constraint, { maxLength: 6 }),
        fc.array(constraint, { maxLength: 6 }),
        (first, second) => {
          const solver = new DifferenceSystem();
          solver.grow(VARIABLES);
          if (![...NATURAL, ...first].every(({ x, y, c }) => solver.add(x, y, c))) return;
          solver.push();
          second.every(({ x, y, c }) => solver.add(x, y, c));
          solver.pop();
          const solution = solver.solution();
          expect([...NATURAL, ...first].every((one) => holdsAt(solution, one))).toBe(true);
          for (const { x, y, c } of second.slice(0, 1))
            expect(solver.add(x, y, c)).toBe(bruteForce([...NATURAL, ...first, { x, y, c }]));
        },
      ),
      { seed: seed + 4, numRuns: runs },
    );
  });
});

// ---- formulas ----

const leaf = (factors: fc.Arbitrary<number>): fc.Arbitrary<Formula> =>
  fc
    .record({
      x: fc.integer({ min: 1, max: 3 }),
      y: fc.integer({ min: 1, max: 3 }),
      a: factors,
      b: factors,
      c: fc.integer({ min: -3, max: 3 }),
    })
    .map(({ x, y, a, b, c }) => {
      let sum: Sum = constantSum(c);
      sum = plusTimes(sum, variableSum(x), a);
      sum = plusTimes(sum, variableSum(y), b);
      return atMostZero(sum);
    });

function formulas(factors: fc.Arbitrary<number>): fc.Arbitrary<Formula> {
  return fc.letrec<{ formula: Formula }>((tie) => ({
    formula: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf(factors),
      fc.array(tie('formula'), { minLength: 1, maxLength: 3 }).map(and),
      fc.array(tie('formula'), { minLength: 1, maxLength: 3 }).map(or),
      tie('formula').map(not),
    ),
  })).formula;
}

function evaluate(formula: Formula, point: readonly number[]): boolean {
  switch (formula.kind) {
    case 'true':
      return true;
    case 'false':
    case 'proposition':
      return false;
    case 'atMost': {
      const { variables, coefficients, constant } = formula.sum;
      return variables.reduce((sum, v, i) => sum + coefficients[i]! * point[v]!, constant) <= 0;
    }
    case 'and':
      return formula.parts.every((part) => evaluate(part, point));
    case 'or':
      return formula.parts.some((part) => evaluate(part, point));
  }
}

const natural = [1, 2, 3].map((v) => not(atMostZero(plusTimes(constantSum(1), variableSum(v), 1))));
const differences = formulas(fc.constantFrom(1, 1, -1, -1, 0));

describe('formulas', () => {
  test('the search agrees with brute force on differences', () => {
    fc.assert(
      fc.property(differences, (formula) => {
        const search = new Search({ bellmanFord: 0, decisions: 0, simplex: 0 });
        search.grow(VARIABLES);
        for (const fact of natural) search.assert(fact);
        const answer = search.solve(formula);
        let expected = false;
        for (const point of points()) if (evaluate(formula, point)) expected = true;
        // x + y <= c is no difference: then only refutations count.
        if (answer.satisfiable && answer.assumed) return;
        expect(answer.satisfiable).toBe(expected);
        if (answer.satisfiable) expect(evaluate(formula, answer.values)).toBe(true);
      }),
      { seed: seed + 5, numRuns: runs },
    );
  });

  test('the decider agrees with brute force, differences or not, and asks the SMT solver only for the latter', async () => {
    const decider = new Decider();
    try {
      await fc.assert(
        fc.asyncProperty(formulas(fc.integer({ min: -2, max: 2 })), async (formula) => {
          const decision = await decider.problem(natural, VARIABLES).solve(formula);
          if (decision.kind === 'open') return;
          let expected = false;
          for (const point of points()) if (evaluate(formula, point)) expected = true;
          if (decision.kind === 'satisfiable') expect(evaluate(formula, decision.values)).toBe(true);
          else expect(expected).toBe(false);
        }),
        { seed: seed + 6, numRuns: FUZZED ? runs : 200 },
      );
      const before = decider.counts.smt;
      expect(before).toBeGreaterThan(0);
      await decider
        .problem(natural, VARIABLES)
        .solve(atMostZero(plusTimes(variableSum(1), variableSum(2), -1)));
      expect(decider.counts.smt).toBe(before);
    } finally {
      decider.dispose();
    }
  });

  test('the search agrees with the SMT solver on differences', async () => {
    const decider = new Decider();
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(differences, { minLength: 5, maxLength: 5 }), async (batch) => {
          for (const formula of batch) {
            const search = new Search({ bellmanFord: 0, decisions: 0, simplex: 0 });
            search.grow(VARIABLES);
            for (const fact of natural) search.assert(fact);
            const mine = search.solve(formula);
            const theirs = await decider.ask([...natural, formula], VARIABLES);
            if (theirs.kind === 'open' || (mine.satisfiable && mine.assumed)) continue;
            expect(mine.satisfiable).toBe(theirs.kind === 'satisfiable');
          }
        }),
        { seed: seed + 7, numRuns: FUZZED ? runs : 200 },
      );
    } finally {
      decider.dispose();
    }
  });
});
