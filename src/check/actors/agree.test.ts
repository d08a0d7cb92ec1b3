// Two ways to an answer that share only the exploration: what the linear programs prove, the search must not refute, and no mailbox that it sees is longer.

import { expect, test } from 'vitest';
import { searchSystem } from '../../actors/search.ts';
import type { Scheduler } from '../../actors/system.ts';
import { type Budget, SILENT, UNLIMITED } from '../../base/budget.ts';
import { Board } from '../../engine/fact.ts';
import { exploreMachine } from '../../xstate/host/rounds.ts';
import { EXAMPLES } from '../../xstate/machines.fuzz.ts';
import { actorBounds, actorRanking } from './linear.ts';
import { actorsAlone } from './local.ts';
import type { ActorModel } from './model.ts';

const SMALL: Budget = { ...UNLIMITED, maxStates: 1_000 };
const TOO_LARGE = ['sameTimers', 'spawner', 'keyboard'];

const cases = EXAMPLES.filter(({ name }) => !TOO_LARGE.includes(name)).flatMap((example) =>
  (['in-process', 'distributed'] as const).map((scheduler) => [example.name, scheduler, example] as const),
);

test.each(cases)('%s (%s)', { timeout: 3_600_000 }, async (name, scheduler: Scheduler, example) => {
  const explored = exploreMachine({ name, logic: example.machine as never }, example.declared ?? {});
  if (!explored.ok) throw new Error(`not explored: ${explored.limit}`);
  const model: ActorModel = { system: explored.system, scheduler, sources: new Map(), formulas: {} };
  const board = new Board();
  for (const [engine, open] of [
    [actorsAlone, ['error-free', 'deadlock-free', 'handled']],
    [actorBounds, ['bounded']],
    [actorRanking, ['livelock-free']],
  ] as const)
    await engine.run({ model, open, options: {}, board }, SMALL, SILENT, (fact) => board.add(fact));
  const found = searchSystem(explored.system, scheduler, SMALL, SILENT);
  for (const property of ['error-free', 'deadlock-free', 'handled', 'bounded', 'livelock-free'] as const) {
    const answer = board.definite(property);
    if (answer?.verdict !== 'proved') continue;
    expect(found.findings.get(property)?.text, property).toBeUndefined();
    for (const queue of answer.queues ?? []) {
      const actor = explored.system.actors.findIndex((one) => `mailbox of ${one.name}` === queue.name);
      if (actor >= 0 && queue.bound !== null)
        expect(found.longest[actor], queue.name).toBeLessThanOrEqual(queue.bound);
    }
  }
});
