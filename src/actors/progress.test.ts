// Progress as its author marks it: a loop is a livelock if and only if nothing marked happens in it.

import { expect, test } from 'vitest';
import { createMachine, fromPromise, sendParent, sendTo } from 'xstate';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import type { Declared } from '../xstate/host/declared.ts';
import { exploreMachine } from '../xstate/host/rounds.ts';
import { searchSystem } from './search.ts';
import type { Scheduler } from './system.ts';

function livelock(machine: object, scheduler: Scheduler, declared: Declared = {}): string | undefined {
  const explored = exploreMachine({ name: 'm', logic: machine as never }, declared);
  if (!explored.ok) throw new Error(explored.limit);
  const found = searchSystem(explored.system, scheduler, { ...UNLIMITED, maxStates: 1_000 }, SILENT);
  return found.findings.get('livelock-free')?.text;
}

const load = fromPromise(async () => 1);
const retrying = (marks: object): object =>
  createMachine({
    id: 'm',
    initial: 'loading',
    states: {
      loading: { invoke: { src: load, onDone: 'ready', onError: 'waiting' } },
      waiting: { after: { 1000: 'loading' } },
      ready: { ...marks, on: { RELOAD: 'loading' } },
    },
  });

test.each(['in-process', 'distributed'] as const)('a retry without end (%s)', (scheduler) => {
  expect(livelock(retrying({}), scheduler)).toBeUndefined();
  for (const marks of [{ tags: ['progress'] }, { meta: { progress: true } }])
    expect(livelock(retrying(marks), scheduler)).toBe('the system goes on for ever without progress');
  expect(livelock(retrying({}), scheduler, { progress: ['RELOAD'] })).toBe(
    'the system goes on for ever without progress',
  );
});

const server = createMachine({ id: 'server', on: { ASK: { actions: sendParent({ type: 'ANSWER' }) } } });
const talking = (marks: object): object =>
  createMachine({
    id: 'm',
    invoke: { id: 'server', src: server },
    initial: 'a',
    states: {
      a: { entry: sendTo('server', { type: 'ASK' }), on: { ANSWER: 'b' } },
      b: { ...marks, entry: sendTo('server', { type: 'ASK' }), on: { ANSWER: 'a' } },
    },
  });

test('two that talk for ever make progress if they say so', () => {
  expect(livelock(talking({}), 'distributed')).toMatch(/for ever/);
  expect(livelock(talking({ tags: ['progress'] }), 'distributed')).toBeUndefined();
  expect(livelock(talking({}), 'distributed', { progress: ['ANSWER'] })).toBeUndefined();
  // On one thread nothing else ever happens again.
  expect(livelock(talking({ tags: ['progress'] }), 'in-process')).toMatch(/busy for ever/);
});
