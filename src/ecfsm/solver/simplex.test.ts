// The simplex against trying every small point: what is called infeasible has no whole solution, and what is called a solution is one.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Sum } from './linear.ts';
import { solveSums } from './simplex.ts';

const VARIABLES = 3;

const sums: fc.Arbitrary<Sum> = fc
  .record({
    factors: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: VARIABLES, maxLength: VARIABLES }),
    constant: fc.integer({ min: -8, max: 8 }),
  })
  .map(({ factors, constant }) => {
    const variables = factors.flatMap((factor, i) => (factor === 0 ? [] : [i + 1]));
    return { variables, coefficients: variables.map((variable) => factors[variable - 1]!), constant };
  })
  .filter(({ variables }) => variables.length > 0);

const holds = ({ variables, coefficients, constant }: Sum, values: readonly number[]): boolean =>
  variables.reduce((total, variable, i) => total + coefficients[i]! * values[variable]!, constant) <= 0;

test('infeasible is infeasible, a solution is a solution', () => {
  const kinds = new Map<string, number>();
  fc.assert(
    fc.property(fc.array(sums, { minLength: 1, maxLength: 8 }), (constraints) => {
      const found = solveSums(constraints, VARIABLES + 1);
      kinds.set(found.kind, (kinds.get(found.kind) ?? 0) + 1);
      if (found.kind === 'solution') {
        for (const sum of constraints) expect(holds(sum, found.values)).toBe(true);
        return;
      }
      if (found.kind === 'perhaps') return;
      for (let x = -4; x <= 4; x++)
        for (let y = -4; y <= 4; y++)
          for (let z = -4; z <= 4; z++)
            expect(constraints.every((sum) => holds(sum, [0, x, y, z]))).toBe(false);
    }),
    { seed: 4, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 80) },
  );
  expect(kinds.get('infeasible')).toBeGreaterThan(6);
  expect(kinds.get('solution')).toBeGreaterThan(6);
});

test('numbers that get too large end the attempt', () => {
  const large = 2 ** 30 - 1;
  const steep = (a: number, b: number): Sum[] => [
    { variables: [1, 2], coefficients: [a, b], constant: -1 },
    { variables: [1, 2], coefficients: [-a, -b], constant: 1 },
  ];
  const found = solveSums([...steep(large, -large + 2), ...steep(large - 4, 3 - large)], 3);
  expect(['perhaps', 'infeasible']).toContain(found.kind);
});
