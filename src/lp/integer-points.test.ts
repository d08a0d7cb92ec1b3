import fc from 'fast-check';
import { expect, test } from 'vitest';
import { integerPointExactly } from './integer-points.ts';
import { ProblemBuilder } from './problem.ts';

const entries = fc.array(fc.integer({ min: -3, max: 4 }), { minLength: 3, maxLength: 3 });

test('the best integer point is that of all points tried', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ entries, upper: fc.integer({ min: 0, max: 9 }) }), { maxLength: 4 }),
      entries,
      (rows, costs) => {
        const builder = new ProblemBuilder();
        for (let column = 0; column < 3; column++) builder.column(0, 4);
        const terms = (values: readonly number[]) =>
          values.map((coefficient, column) => ({ column, coefficient }));
        for (const { entries: row, upper } of rows) builder.row(terms(row), null, upper);
        const found = integerPointExactly(builder.build('maximise', terms(costs)), () => true);
        let best = Number.NEGATIVE_INFINITY;
        for (let code = 0; code < 125; code++) {
          const point = [code % 5, Math.floor(code / 5) % 5, Math.floor(code / 25)];
          const dot = (row: readonly number[]) => row.reduce((sum, one, at) => sum + one * point[at]!, 0);
          if (rows.every(({ entries: row, upper }) => dot(row) <= upper)) best = Math.max(best, dot(costs));
        }
        // Zero is always feasible; a search that is cut off says nothing.
        if (found !== null) expect(Number(found.objective)).toBe(best);
      },
    ),
  );
});
