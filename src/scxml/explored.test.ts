// The W3C's tests through the exploration that every analysis rests on: all runs that the scheduler allows, whatever the order of timers, reach `pass`
// or nothing, never `fail`.

import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { exploreSystem } from '../actors/explore.ts';
import { searchSystem } from '../actors/search.ts';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { ChartBehaviour } from './behaviour.ts';
import { dataModels } from './models.ts';
import { type Engine, loadEngine } from './sandbox.ts';
import { loadSystem } from './system.ts';
import { manifest, testsIn } from './testing.ts';

/** Left to the test with a clock (conformance.test.ts), with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  test207:
    'the timers of two sessions must fire in the order of their times, which nothing guarantees between sessions',
  test422: 'a counter of events: each session is explored on its own, under any number of events',
};

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

const entries = manifest();
const tests = testsIn('w3c-ecma').filter(({ name }) => {
  const info = entries.get(/test(\d+)/.exec(name)![1]!)!;
  return info.mandatory && !info.manual && !(name.split('/')[1]! in LEFT_OUT);
});

describe('no schedule takes a W3C test to fail', () => {
  test('all but two of the mandatory automatic ones are proved', () => {
    for (const [name, reason] of Object.entries(LEFT_OUT)) console.log(`left out: ${name}: ${reason}`);
    expect(tests.length).toBeGreaterThanOrEqual(156);
  });

  test.each(tests.map((one) => [one.name, one] as const))('%s', (_, one) => {
    const { system } = loadSystem(one.path, {
      read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : null),
    });
    const closed = {
      ...system!,
      instances: system!.instances.map((instance) => ({ ...instance, environment: [] })),
    };
    const models = dataModels(engine);
    const behaviour = new ChartBehaviour(closed, models.modelOf);
    const explored = exploreSystem(behaviour, 'scxml', 'all');
    expect(explored.ok).toBe(true);
    if (!explored.ok) return;
    const found = searchSystem(explored.system, 'in-process', UNLIMITED, SILENT);
    expect(found.limit).toBeNull();
    const root = explored.system.actors.findIndex((actor) => actor.root);
    const logic = explored.system.actors[root]!.logic;
    expect(found.coverage.states.has(`${logic} pass`)).toBe(true);
    expect(found.coverage.states.has(`${logic} fail`)).toBe(false);
    expect(explored.system.caveats.filter(({ kind }) => kind === 'unseen')).toEqual([]);
    models.dispose();
  });
});
