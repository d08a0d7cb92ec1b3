// The net's duty, tested: every concrete run is a run of the net (replay.fuzz.ts), on random models. More of them with
// SPILLWAY_FUZZ=N, others with SPILLWAY_SEED=N.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomModels } from '../testing/random-models.ts';
import type { NetOptions } from './build.ts';
import { replayInNet } from './replay.fuzz.ts';

const CASES = Number(process.env.SPILLWAY_FUZZ ?? 60);
const SEED = Number(process.env.SPILLWAY_SEED ?? 0);
const STEPS = 60;

const runs = fc.array(fc.nat({ max: 1000 }), { minLength: STEPS, maxLength: STEPS });

const check = (seed: number, options: NetOptions, capacity: 'unlimited' | 'declared', wide = false): void =>
  fc.assert(
    fc.property(randomModels({ wide }), runs, (text, picks) => {
      expect(replayInNet(text, options, capacity, picks)).toBeNull();
    }),
    { seed: seed + SEED, numRuns: CASES },
  );

const TIMEOUT = 120_000 + CASES * 1000;

test('every run with unlimited channels is a run of the net', () => check(11, {}, 'unlimited'), TIMEOUT);
test(
  'also with channels in variables and messages, unless, run anywhere',
  () => {
    check(15, {}, 'unlimited', true);
  },
  TIMEOUT,
);
test('with every variable unfolded', () => check(12, { unfold: 'all' }, 'unlimited', true), TIMEOUT);
test('with nothing unfolded', () => check(13, { unfold: 'none' }, 'unlimited', true), TIMEOUT);
test(
  'every run at the declared capacities is a run of the net for any capacities',
  () => {
    check(14, { capacities: 'any' }, 'declared', true);
  },
  TIMEOUT,
);
