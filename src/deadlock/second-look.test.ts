// The second look at freedom from deadlock: it accepts what refinement proves, by the composition and by the classes alone, and nothing else.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../base/budget.ts';
import { auditNoDeadlock } from '../kripke/audit/deadlock.ts';
import { build, naiveProduct, recipes } from '../kripke/random.fuzz.ts';
import { compose } from '../kripke/system.ts';
import { refineDeadlock } from './compositional.ts';

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 50);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 20272);
const always = (): boolean => true;

test('random compositions: classes are accepted exactly as far as they prove', () => {
  const counts = { free: 0, byFewerClasses: 0, stuck: 0, coarseRefused: 0 };
  fc.assert(
    fc.property(recipes(3, 4, 4), (all) => {
      const { components } = compose(build(all));
      const isFree = naiveProduct(all).states.every(({ next }) => next.length > 0);
      expect(auditNoDeadlock(components, null, always).result).toBe(isFree ? 'free' : 'deadlock');
      const coarse = components.map(({ stateNames }) => stateNames.map(() => 0));
      const single = components.map(({ stateNames }) => stateNames.map((_, state) => state));
      for (const classes of [coarse, single])
        if (!isFree) expect(auditNoDeadlock(components, classes, always).result).toBe('deadlock');
      if (!isFree) return void counts.stuck++;
      counts.free++;
      expect(auditNoDeadlock(components, single, always).result).toBe('free');
      if (auditNoDeadlock(components, coarse, always).result === 'deadlock') counts.coarseRefused++;
      const found = refineDeadlock(compose(components), UNLIMITED);
      if (found.kind !== 'free') throw new Error('refinement finds a deadlock that is none');
      expect(auditNoDeadlock(components, found.classes, always).result).toBe('free');
      if (found.classes.some((classOf, i) => new Set(classOf).size < components[i]!.stateNames.length))
        counts.byFewerClasses++;
    }),
    { numRuns: RUNS, seed: SEED },
  );
  expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(RUNS / 40);
});

test('classes of something else are refused', () => {
  const { components } = compose(
    build([
      {
        alphabet: ['a'],
        states: 2,
        initial: [0],
        edges: [
          [0, 'a', 1],
          [1, 'a', 0],
        ],
        holds: [[], []],
      },
    ]),
  );
  expect(auditNoDeadlock(components, [[0, 0]], always).result).toBe('free');
  expect(auditNoDeadlock(components, [[0]], always).result).toBe('bad classes');
  expect(auditNoDeadlock(components, [], always).result).toBe('bad classes');
  expect(auditNoDeadlock(components, null, () => false).result).toBe('limit');
});
