import { expect, test } from 'vitest';
import { SILENT, UNLIMITED, withStates } from '../base/budget.ts';
import { randomSemanticsModel, seededPick } from '../testing/random-semantics.ts';
import { describe as describeRun } from './describe.ts';
import { modelOf } from './model-of.fuzz.ts';
import { replay } from './replay.ts';
import { searchSafety } from './safety.ts';
import { luby, swarmSafety } from './swarm.ts';
import { TITLES } from './titles.ts';

const GOALS = { endStates: true, assertions: true, reduce: true };

test('rooms follow the universal sequence', () => {
  expect(Array.from({ length: 15 }, (_, index) => luby(index + 1))).toEqual([
    1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8,
  ]);
});

test('a swarm finds nothing that is not there, and what it finds can be taken', () => {
  let found = 0;
  for (let seed = 1; seed <= Number(process.env['SPILLWAY_FUZZ'] ?? 2); seed++) {
    const model = modelOf(randomSemanticsModel(seededPick(seed)));
    const whole = searchSafety(model, GOALS, withStates(UNLIMITED, 20_000), SILENT);
    if (whole.search.limit !== null) continue;
    const swarm = swarmSafety(model, GOALS, seed, withStates(UNLIMITED, 20_000), SILENT);
    expect(swarm?.stuck == null, `seed ${seed}`).toBe(whole.stuck === null);
    expect(swarm?.failure == null, `seed ${seed}`).toBe(whole.failure === null);
    if (swarm?.stuck == null) continue;
    found++;
    const described = describeRun(model, swarm.stuck.choices, { title: TITLES.stuck });
    expect(described.ok).toBe(true);
    expect(replay(model, described.run)).toMatchObject({ failedAt: null });
    expect(replay(model, described.run).refused).toBeUndefined();
  }
  expect(found).toBeGreaterThan(0);
});

test('an error behind a space too large to search', () => {
  // Four stages, each of which may end in sixteen million states.
  const model = modelOf(`byte a, b, c, stage;
active proctype p() {
  do :: stage < 4 -> if :: stage++ :: goto gossip fi :: stage == 4 -> assert(false) od;
gossip: do :: a++ :: b++ :: c++ od }`);
  const goals = { ...GOALS, endStates: false };
  const swarm = swarmSafety(model, goals, 1, UNLIMITED, SILENT);
  expect(swarm?.failure).not.toBeNull();
});
