import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { compare, rational } from '../base/rational.ts';
import { ExactSimplex, solveExactly } from './exact-simplex.ts';
import type { Problem } from './problem.ts';
import { ProblemBuilder } from './problem.ts';
import type { Solver } from './solver.ts';
import { loadSolver } from './solver.ts';
import { toLpFormat } from './testing/lp-format.ts';
import { isImprovingRay, isOptimal, provesInfeasible } from './verify.ts';

let solver: Solver;
beforeAll(async () => {
  solver = await loadSolver();
});

const coefficient = fc.integer({ min: -9, max: 9 });
const bound = fc.option(fc.integer({ min: -6, max: 12 }), { nil: null });
const pair = fc.tuple(bound, bound).map(([a, b]) => {
  if (a === null || b === null) return { lower: a, upper: b };
  return { lower: Math.min(a, b), upper: Math.max(a, b) };
});
const problems: fc.Arbitrary<Problem> = fc
  .integer({ min: 1, max: 7 })
  .chain((width) =>
    fc.record({
      columns: fc.array(pair, { minLength: width, maxLength: width }),
      rows: fc.array(
        fc.record({ entries: fc.array(coefficient, { minLength: width, maxLength: width }), bounds: pair }),
        { maxLength: 7 },
      ),
      costs: fc.array(coefficient, { minLength: width, maxLength: width }),
      sense: fc.constantFrom('minimise' as const, 'maximise' as const),
    }),
  )
  .map(({ columns, rows, costs, sense }) => {
    const builder = new ProblemBuilder();
    for (const { lower, upper } of columns) builder.column(lower, upper);
    const terms = (entries: readonly number[]) =>
      entries.map((entry, column) => ({ column, coefficient: entry }));
    for (const row of rows) builder.row(terms(row.entries), row.bounds.lower, row.bounds.upper);
    return builder.build(sense, terms(costs));
  });

describe('the solver and the exact simplex give the same answer', () => {
  for (const way of [undefined, 'basis'] as const) {
    test(way === undefined ? 'read off the floats' : 'from the basis', () => {
      fc.assert(
        fc.property(problems, (problem) => {
          const exact = solveExactly(problem);
          const found = solver.solve(problem, way === undefined ? {} : { way });
          expect(found.kind).toBe(exact.kind);
          if (exact.kind === 'optimal' && found.kind === 'optimal') {
            expect(
              compare(
                rational(found.objective.num, found.objective.den),
                rational(exact.objective.num, exact.objective.den),
              ),
            ).toBe(0);
            expect(isOptimal(problem, found.primal, found.dual)).toBe(true);
          }
          if (found.kind === 'infeasible') expect(provesInfeasible(problem, found.dual)).toBe(true);
          if (found.kind === 'unbounded') expect(isImprovingRay(problem, found.ray)).toBe(true);
        }),
        { seed: 11, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 150) },
      );
    });
  }

  test('the exact simplex, where floats do not suffice', () => {
    const LARGE = 3_000_017;
    const scale = (value: number | null): number | null => (value === null ? null : value * LARGE);
    fc.assert(
      fc.property(problems, (problem) => {
        const rows = problem.rows.map(({ terms, lower, upper }) => ({
          terms: terms.map(({ column, coefficient }) => ({ column, coefficient: coefficient * LARGE })),
          lower: scale(lower),
          upper: scale(upper),
        }));
        const [plain, scaled] = [solveExactly(problem), solveExactly({ ...problem, rows })];
        expect(scaled.kind).toBe(plain.kind);
        if (plain.kind === 'optimal' && scaled.kind === 'optimal')
          expect(compare(scaled.objective, plain.objective)).toBe(0);
      }),
      { seed: 12, numRuns: 150 },
    );
  });

  test('the exact simplex goes on from the last objective', () => {
    const costs = fc.array(fc.array(coefficient, { minLength: 7, maxLength: 7 }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(problems, costs, (problem, objectives) => {
        const warm = new ExactSimplex(problem);
        for (const entries of objectives) {
          const terms = problem.columns.map((_, column) => ({ column, coefficient: entries[column]! }));
          const objective = { sense: 'maximise' as const, terms };
          const [mine, fresh] = [warm.solve(objective), solveExactly({ ...problem, objective })];
          expect(mine.kind).toBe(fresh.kind);
          if (mine.kind === 'optimal' && fresh.kind === 'optimal')
            expect(mine.objective.num * fresh.objective.den).toBe(fresh.objective.num * mine.objective.den);
        }
      }),
      { seed: 12, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 60) },
    );
  });

  test('the exact simplex was hardly ever needed', () => {
    expect(solver.stats.byBasis).toBeGreaterThan(100);
    expect(solver.stats.byExactSimplex).toBeLessThan(solver.stats.lps / 50);
  });
});

test('a vertex with large denominators is found from the basis, exactly', () => {
  // Coefficients of six digits in eight dimensions: the common denominator has dozens of digits.
  const builder = new ProblemBuilder();
  const size = 8;
  for (let index = 0; index < size; index++) builder.column(0, null);
  let seed = 12345;
  const random = () => (seed = (seed * 48271) % 2147483647) % 999983;
  for (let row = 0; row < size; row++) {
    builder.row(
      Array.from({ length: size }, (_, column) => ({
        column,
        coefficient: random() + (row === column ? 5_000_000 : 0),
      })),
      null,
      1_000_003 + row,
    );
  }
  const problem = builder.build(
    'maximise',
    Array.from({ length: size }, (_, column) => ({ column, coefficient: 1 })),
  );
  const before = solver.stats.byBasis;
  const found = solver.solve(problem);
  expect(found.kind).toBe('optimal');
  expect(solver.stats.byBasis).toBe(before + 1);
  if (found.kind === 'optimal') expect(found.primal.denominator).toBeGreaterThan(10n ** 20n);
});

test('objectives change on a warm basis', () => {
  const builder = new ProblemBuilder();
  const x = builder.column();
  const y = builder.column();
  builder.row(
    [
      { column: x, coefficient: 1 },
      { column: y, coefficient: 2 },
    ],
    null,
    7,
  );
  const session = solver.open(builder.build('maximise', [{ column: x, coefficient: 1 }]));
  const first = session.solve();
  session.setObjective('maximise', [{ column: y, coefficient: 1 }]);
  const second = session.solve();
  session.close();
  expect(first).toMatchObject({ kind: 'optimal', objective: { num: 7n, den: 1n } });
  expect(second).toMatchObject({ kind: 'optimal', objective: { num: 7n, den: 2n } });
});

test('an integer program’s point is checked, and its value is an integer’s', () => {
  const builder = new ProblemBuilder();
  const x = builder.column();
  const y = builder.column();
  builder.row(
    [
      { column: x, coefficient: 2 },
      { column: y, coefficient: 2 },
    ],
    null,
    7,
  );
  const point = solver.integerPoint(
    builder.build('maximise', [
      { column: x, coefficient: 1 },
      { column: y, coefficient: 1 },
    ]),
  );
  expect(point?.objective).toBe(3n);
});

test('a time limit is no verdict', () => {
  const builder = new ProblemBuilder();
  builder.column();
  const budget = { timeLeft: () => false, remaining: () => 0, maxStates: 1, maxMemory: 1 };
  expect(solver.solve(builder.build('maximise', [{ column: 0, coefficient: 1 }]), { budget })).toEqual({
    kind: 'unknown',
    reason: 'time',
  });
});

test('the LP format names every bound', () => {
  const builder = new ProblemBuilder();
  const x = builder.column(0, 4);
  const y = builder.column(null, null);
  builder.row(
    [
      { column: x, coefficient: 1 },
      { column: y, coefficient: -2 },
    ],
    1,
    1,
  );
  builder.row([{ column: y, coefficient: 1 }], 0, 9);
  expect(toLpFormat(builder.build('maximise', [{ column: x, coefficient: 3 }]))).toBe(
    'max: +3 x0;\nr0: +1 x0 -2 x1 = 1;\nr1l: +1 x1 >= 0;\nr1u: +1 x1 <= 9;\nx0 <= 4;\nx1 >= -1e30;\n',
  );
});
