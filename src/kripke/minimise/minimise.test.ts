// Minimised and unminimised answers agree.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../base/budget.ts';
import { build, naiveProduct, recipes } from '../random.fuzz.ts';
import { isPath } from '../replay.ts';
import { compose, isDeadlock } from '../system.ts';
import { minimisedDeadlock } from './deadlock.ts';

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 400);

test('deadlock: random compositions against the naive product', () => {
  const counts = { free: 0, deadlock: 0 };
  fc.assert(
    fc.property(recipes(5, 4, 8, 4), (all) => {
      const stuck = naiveProduct(all).states.some(({ next }) => next.length === 0);
      const system = compose(build(all));
      const answer = minimisedDeadlock(system, UNLIMITED);
      expect(answer.kind).toBe(stuck ? 'deadlock' : 'free');
      if (answer.kind === 'limit') return;
      counts[answer.kind]++;
      if (answer.kind !== 'deadlock') return;
      expect(isPath(system, answer.path)).toBe(true);
      expect(isDeadlock(system, answer.path.states.at(-1)!)).toBe(true);
    }),
    { numRuns: RUNS, seed: 20321 },
  );
  expect(Math.min(counts.free, counts.deadlock)).toBeGreaterThan(RUNS / 20);
});
