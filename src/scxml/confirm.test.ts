// Random runs of explored systems happen on the interpreter, step by step, with both schedulers.

import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { exploreSystem } from '../actors/explore.ts';
import type { Move } from '../actors/graph.ts';
import { advance, initialState } from '../actors/semantics.ts';
import { stimuli } from '../actors/state.ts';
import type { ActorSystem, Scheduler } from '../actors/system.ts';
import { ChartBehaviour } from './behaviour.ts';
import { confirmMoves } from './confirm.ts';
import { dataModels } from './models.ts';
import { type Engine, loadEngine } from './sandbox.ts';
import { type ChartSystem, loadSystem } from './system.ts';
import { randomChart } from './testing/random-chart.ts';
import { testsIn } from './testing.ts';

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 8);

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

function randomMoves(system: ActorSystem, scheduler: Scheduler, picks: readonly number[]): Move[] {
  const moves: Move[] = [{ stimulus: null, choices: [] }];
  let { state, end } = initialState(system, scheduler);
  for (const pick of picks) {
    if (end !== 'quiet') break;
    const offered = stimuli(system, scheduler, state);
    if (offered.length === 0) break;
    const stimulus = offered[pick % offered.length]!;
    moves.push({ stimulus, choices: [] });
    ({ state, end } = advance(system, scheduler, state, stimulus));
  }
  return moves;
}

function differences(system: ChartSystem, picks: readonly number[]): (string | null)[] {
  const models = dataModels(engine);
  const explored = exploreSystem(new ChartBehaviour(system, models.modelOf), 'scxml', 'all', {
    states: 3000,
    actors: 50,
  });
  if (!explored.ok) return [];
  const found = (['in-process', 'distributed'] as const).map((scheduler) => {
    const moves = randomMoves(explored.system, scheduler, picks);
    return confirmMoves(new ChartBehaviour(system, models.modelOf, true), explored.system, scheduler, moves);
  });
  models.dispose();
  return found;
}

describe("the W3C's tests, with an environment", () => {
  const paths = testsIn('w3c-ecma').map(({ name, path }) => [name, path] as const);
  test.each(paths.filter((_, index) => index % 4 === 0))('%s', (_, path) => {
    const { system } = loadSystem(path, {
      read: (file) => (existsSync(file) ? readFileSync(file, 'utf8') : null),
    });
    const picks = Array.from({ length: 12 }, (__, at) => (at * 7919 + path.length) % 97);
    for (const different of differences(system!, picks)) expect(different).toBeNull();
  });
});

test('charts at random', () => {
  fc.assert(
    fc.property(randomChart, fc.array(fc.nat({ max: 999 }), { maxLength: 20 }), (text, picks) => {
      const { system } = loadSystem('random.scxml', { read: () => text });
      for (const different of differences(system!, picks)) expect(different).toBeNull();
    }),
    { numRuns: RUNS },
  );
});
