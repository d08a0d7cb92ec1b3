// Runs that rest on data that is not known are replayed with plain data that makes them happen, where some is found.

import { expect, test } from 'vitest';
import { assign, createActor, createMachine, fromPromise, stopChild } from 'xstate';
import { searchSystem } from '../../actors/search.ts';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import type { Declared } from './declared.ts';
import type { CreateActor } from './real.ts';
import { replayMoves } from './replay.ts';
import { exploreMachine } from './rounds.ts';

/** The fault that the search finds, and whether the real system takes the run to it. */
function outcome(
  machine: object,
  fault: 'error-free' | 'bounded' | 'handled',
  declared: Declared = {},
): string | null {
  const logic = machine as never;
  const explored = exploreMachine({ name: 'm', logic }, declared);
  if (!explored.ok) throw new Error(`not explored: ${explored.limit}`);
  const { system, behaviour } = explored;
  const found = searchSystem(
    system,
    'in-process',
    { ...UNLIMITED, maxStates: 500 },
    SILENT,
    new Set([fault]),
  );
  const { moves } = found.findings.get(fault)!;
  const real = createActor as unknown as CreateActor;
  return replayMoves({ system, behaviour: behaviour!, machine: logic, createActor: real, moves });
}

const load = fromPromise(async ({ input }: { input: { name: string } }) => input.name);

test('the input of the system, read in depth', () => {
  const machine = createMachine({
    id: 'm',
    types: {} as { input: { person: { name: string } } },
    context: ({ input }) => ({ name: input.person.name.trim() }),
    invoke: { src: load, input: ({ context }) => context },
  });
  expect(outcome(machine, 'error-free')).toBeNull();
});

test('the payload of an event, past a guard with a limit of its own', () => {
  const machine = createMachine({
    id: 'm',
    initial: 'a',
    states: {
      a: {
        on: { PAY: { guard: ({ event }) => event['sum'] > 41 && event['kind'] === 'cash', target: 'b' } },
      },
      b: { invoke: { src: load, input: () => ({ name: '' }) } },
    },
  });
  expect(outcome(machine, 'error-free')).toBeNull();
});

test('no data makes it happen: it is not said to happen', () => {
  const machine = createMachine({
    id: 'm',
    initial: 'a',
    states: {
      a: { on: { PAY: { guard: ({ event }) => event['sum'] > 41 && event['sum'] < 40, target: 'b' } } },
      b: { invoke: { src: load, input: () => ({ name: '' }) } },
    },
  });
  expect(outcome(machine, 'error-free')).toMatch(/m is in a/);
});

test('a list of actors that grows by what the user types', () => {
  const friend = createMachine({ id: 'friend', initial: 'reading', states: { reading: {} } });
  const machine = createMachine({
    id: 'm',
    context: { friends: [] as object[] },
    on: {
      ADD: {
        guard: ({ event }) => event['name'].trim().length > 0,
        actions: assign({ friends: ({ context, spawn }) => [...context.friends, spawn(friend)] }),
      },
      REMOVE: { actions: stopChild(({ context, event }) => context.friends[event['index']] as never) },
    },
  });
  expect(outcome(machine, 'bounded')).toBeNull();
});

test('every input that is declared is a way to begin', () => {
  const machine = createMachine({
    id: 'm',
    types: {} as { input: { fast: boolean }; context: { fast: boolean } },
    context: ({ input }) => ({ fast: input.fast }),
    initial: 'a',
    states: {
      a: { always: { guard: ({ context }) => context.fast, target: 'b' } },
      b: { invoke: { src: load, input: () => ({ name: '' }) } },
    },
  });
  expect(outcome(machine, 'error-free', { input: [{ fast: false }, { fast: true }] })).toBeNull();
});

test('an event that only a pattern takes comes from outside, too', () => {
  const machine = createMachine({
    id: 'm',
    initial: 'a',
    states: { a: { on: { GO: 'a', '*': 'b' } }, b: { invoke: { src: load, input: () => ({ name: '' }) } } },
  });
  expect(outcome(machine, 'error-free')).toBeNull();
});
