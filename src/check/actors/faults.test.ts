// Faults like those that users report, each as a machine in corpus/xstate, and what is found.

import { expect, test } from 'vitest';
import type { Scheduler } from '../../actors/system.ts';
import { type Budget, SILENT, UNLIMITED } from '../../base/budget.ts';
import type { Board } from '../../engine/fact.ts';
import { inlineHost, settle } from '../../engine/scheduler.ts';
import type { Answer } from '../../verdict/answer.ts';
import type { Declared } from '../../xstate/host/declared.ts';
import { type Explored, exploreMachine } from '../../xstate/host/rounds.ts';
import type { ActorModel } from './model.ts';
import { ACTOR_PORTFOLIO } from './portfolio.ts';

const SMALL: Budget = { ...UNLIMITED, maxStates: 300 };

const known = new Map<string, Explored>();

async function ask(file: string, scheduler: Scheduler, property: string): Promise<Answer> {
  const module = (await import(`../../../corpus/xstate/${file}.ts`)) as {
    default: object;
    spillway?: Declared;
  };
  const declared = module.spillway ?? {};
  const logic = module.default as never;
  const explored = known.get(file) ?? exploreMachine({ name: (logic as { id: string }).id, logic }, declared);
  known.set(file, explored);
  if (!explored.ok) throw new Error(`not explored: ${explored.limit}`);
  const model: ActorModel = {
    system: explored.system,
    scheduler,
    sources: new Map(),
    formulas: declared.ltl ?? {},
  };
  const question = {
    properties: [property],
    options: {},
    isSettled: (id: string, board: Board) => board.definite(id) !== null,
  };
  const board = await settle(
    question,
    ACTOR_PORTFOLIO as never,
    inlineHost(ACTOR_PORTFOLIO, model, {}),
    SMALL,
    SILENT,
  );
  return board.definite(property) ?? board.answers(property).at(-1)!;
}

const title = (answer: Answer): string => (answer.evidence?.kind === 'run' ? answer.evidence.run.title : '');

test.each([
  ['always-loop', 'in-process', 'livelock-free', /endless macrostep/],
  ['always-loop', 'distributed', 'livelock-free', /endless macrostep/],
  ['forwarding', 'in-process', 'livelock-free', /busy for ever/],
  ['forwarding', 'distributed', 'livelock-free', /for ever/],
  ['outlives', 'in-process', 'handled', /page has no transition for RESULT/],
  ['stopped', 'in-process', 'handled', /TOGGLE is lost/],
  ['flood', 'distributed', 'bounded', /mailbox of sensor\/display grows/],
  ['deadlock', 'distributed', 'deadlock-free', /nothing can happen any more/],
  ['promise-order', 'in-process', 'ltl:neverStale', /violates/],
  ['spawning', 'in-process', 'bounded', /one more/],
] as const)('%s (%s): %s is refuted', async (file, scheduler, property, text) => {
  const answer = await ask(file, scheduler, property);
  expect(answer.verdict, answer.reason).toBe('refuted');
  expect(title(answer)).toMatch(text);
});

test.each([
  ['flood', 'in-process', 'bounded'],
  ['flood-repaired', 'distributed', 'bounded'],
  ['forwarding', 'in-process', 'bounded'],
  ['counter', 'in-process', 'bounded'],
  ['counter', 'in-process', 'livelock-free'],
  ['counter', 'distributed', 'deadlock-free'],
  ['counter', 'in-process', 'ltl:turnsOff'],
  ['workers', 'in-process', 'bounded'],
  ['workers', 'in-process', 'livelock-free'],
  ['workers', 'in-process', 'deadlock-free'],
  ['workers', 'in-process', 'handled'],
  ['workers', 'distributed', 'error-free'],
] as const)('%s (%s): %s is proved', async (file, scheduler, property) => {
  const answer = await ask(file, scheduler, property);
  expect(answer.verdict, answer.reason).toBe('proved');
});
