// The net's duty, tested: every concrete run is a run of the net (replay.fuzz.ts), on random models. More of them with
// SPILLWAY_FUZZ=N, others with SPILLWAY_SEED=N.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RandomModelOptions, randomModels } from '../testing/random-models.ts';
import type { NetOptions } from './build.ts';
import { replayInNet } from './replay.fuzz.ts';

const CASES = Number(process.env.SPILLWAY_FUZZ ?? 8);
const SEED = Number(process.env.SPILLWAY_SEED ?? 0);
const STEPS = 60;

const runs = fc.array(fc.nat({ max: 1000 }), { minLength: STEPS, maxLength: STEPS });

/** Wild models may use channels that the abstraction does not know: then it says so, and there is nothing to compare. */
const isBlind = (answer: string | null): boolean => answer?.startsWith('not seen through') ?? false;

function check(
  seed: number,
  options: NetOptions,
  capacity: 'unlimited' | 'declared',
  features: RandomModelOptions,
): void {
  fc.assert(
    fc.property(randomModels(features), runs, (text, picks) => {
      const answer = replayInNet(text, options, capacity, picks);
      if (!features.wild || !isBlind(answer)) expect(answer).toBeNull();
    }),
    { seed: seed + SEED, numRuns: CASES },
  );
}

const TIMEOUT = 3_600_000 + CASES * 1000;
const WIDE = { wide: true };
const WILD = { wild: true };

test('every run with unlimited channels is a run of the net', () => check(11, {}, 'unlimited', {}), TIMEOUT);
test(
  'also with channels in variables and messages, unless, run anywhere',
  () => {
    check(15, {}, 'unlimited', WIDE);
  },
  TIMEOUT,
);
test('and with every corner of the language', () => check(16, {}, 'unlimited', WILD), TIMEOUT);
test('with every variable unfolded', () => check(12, { unfold: 'all' }, 'unlimited', WILD), TIMEOUT);
test('with nothing unfolded', () => check(13, { unfold: 'none' }, 'unlimited', WILD), TIMEOUT);
test(
  'every run at the declared capacities is a run of the net for any capacities',
  () => {
    check(14, { capacities: 'any' }, 'declared', WILD);
  },
  TIMEOUT,
);
