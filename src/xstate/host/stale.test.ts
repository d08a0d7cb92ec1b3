// An actor that is started again under the id of an earlier one: who still has a reference to the earlier one is told.

import { expect, test } from 'vitest';
import { assign, createMachine, sendTo, spawnChild, stopChild } from 'xstate';
import { exploreMachine } from './rounds.ts';

const unseen = (machine: object): string[] => {
  const explored = exploreMachine({ name: 'm', logic: machine as never });
  if (!explored.ok) throw new Error(explored.limit);
  return explored.system.caveats.filter(({ kind }) => kind === 'unseen').map(({ message }) => message);
};

const child = createMachine({ id: 'child', initial: 'a', states: { a: { on: { PING: {} } } } });

test('the context keeps the reference: nothing is proved', () => {
  const stale = createMachine({
    id: 'm',
    context: ({ spawn }) => ({ first: spawn(child, { id: 'c' }) as object }),
    initial: 'on',
    states: {
      on: { on: { AGAIN: { actions: [stopChild('c'), spawnChild(child, { id: 'c' })] } } },
    },
  });
  expect(unseen(stale)).toEqual([
    'm/c is started again while the context keeps a reference to its predecessor: the two are not told apart',
  ]);
});

test('the reference is renewed with the actor: all is well', () => {
  const machine = createMachine({
    id: 'm',
    context: ({ spawn }) => ({ child: spawn(child, { id: 'c' }) as object }),
    on: {
      AGAIN: {
        actions: [stopChild('c'), assign({ child: ({ spawn }) => spawn(child, { id: 'c' }) as object })],
      },
      USE: {
        actions: sendTo(
          ({ context }) => context.child as never,
          () => ({ type: 'PING' }) as never,
        ),
      },
    },
  });
  expect(unseen(machine)).toEqual([]);
});

test('the reference is sent to somebody else', () => {
  const keeper = createMachine({ id: 'keeper', on: { KEEP: {} } });
  const machine = createMachine({
    id: 'm',
    context: {},
    invoke: { id: 'keeper', src: keeper },
    initial: 'off',
    states: {
      off: { on: { GO: 'on' } },
      on: {
        invoke: { id: 'c', src: child },
        entry: sendTo('keeper', ({ self }) => ({
          type: 'KEEP',
          who: (self as unknown as { id: string }).id,
        })),
        on: { STOP: 'off' },
      },
    },
  });
  expect(unseen(machine)).toEqual([]);
  const telling = createMachine({
    id: 'telling',
    entry: ({ self }) =>
      (self as unknown as { _parent: { send(event: object): void } })._parent.send({
        type: 'BORN',
        who: self,
      }),
  });
  const hearing = createMachine({
    id: 'm',
    initial: 'off',
    states: { off: { on: { GO: 'on' } }, on: { invoke: { id: 'c', src: telling }, on: { STOP: 'off' } } },
    on: { BORN: {} },
  });
  expect(unseen(hearing)).toEqual([
    'm/c is started again, and others may still have a reference to its predecessor: the two are not told apart',
  ]);
});
