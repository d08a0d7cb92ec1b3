// For the comparison with XState: machines whose point is who is started, who stops whom, and what is left of them.

import {
  type ActorRefFrom,
  assign,
  createMachine,
  emit,
  enqueueActions,
  forwardTo,
  fromPromise,
  sendParent,
  sendTo,
  spawnChild,
  stopChild,
} from 'xstate';

export const spawner = (() => {
  const worker = createMachine(
    {
      id: 'worker',
      initial: 'busy',
      context: ({ input }: { input: { speed: number } }) => ({ speed: input.speed }),
      output: ({ context }) => context.speed,
      states: {
        busy: {
          after: { work: 'finished' },
          on: { HURRY: { target: 'finished', guard: ({ context }) => context.speed > 1 } },
        },
        finished: { type: 'final' },
      },
    },
    { delays: { work: ({ context }: { context: { speed: number } }) => 100 / context.speed } } as never,
  );
  return createMachine({
    id: 'spawner',
    context: { done: 0, slow: false, fast: false },
    on: {
      ADD: {
        guard: ({ context }) => !context.slow,
        actions: [spawnChild(worker, { id: 'w1', input: { speed: 1 } }), assign({ slow: true })],
      },
      FAST: {
        guard: ({ context }) => !context.fast,
        actions: [
          spawnChild(worker, {
            id: 'w2',
            input: ({ event }: { event: { speed: number } }) => ({ speed: event.speed }),
          } as never),
          assign({ fast: true }),
        ],
      },
      STOP: { actions: [stopChild('w1'), assign({ slow: false })] },
      HURRY: {
        actions: enqueueActions(({ enqueue, context }) => {
          if (context.done % 2 === 0) enqueue.assign({ done: ({ context: c }) => (c.done + 1) % 4 });
          if (context.fast) enqueue.sendTo('w2', { type: 'HURRY' });
          enqueue.raise({ type: 'TELL' });
        }),
      },
      TELL: { guard: () => true, actions: assign({ done: 1 }) },
      'xstate.done.actor.w1': {
        actions: assign({ slow: false, done: ({ context }) => (context.done + 1) % 4 }),
      },
      'xstate.done.actor.*': { actions: assign({ fast: false, done: 0 }) },
    },
  });
})();

export const errors = (() => {
  const faulty = createMachine({
    id: 'faulty',
    initial: 'fine',
    states: {
      fine: {
        on: {
          BREAK: {
            actions: assign(() => {
              throw new Error('broken');
            }),
          },
          ASK: { actions: sendParent({ type: 'ANSWER' }) },
        },
      },
    },
  });
  return createMachine({
    id: 'careful',
    initial: 'up',
    states: {
      up: {
        invoke: { id: 'faulty', src: faulty, onError: 'down' },
        on: {
          PROVOKE: { actions: sendTo('faulty', { type: 'BREAK' }) },
          QUERY: { actions: sendTo('faulty', { type: 'ASK' }) },
          ANSWER: { actions: emit({ type: 'heard' }) },
        },
      },
      down: { on: { REPAIR: 'up' } },
    },
  });
})();

export const escalating = (() => {
  const bad = createMachine({
    id: 'bad',
    on: {
      GO: {
        guard: () => {
          throw new Error('in a guard');
        },
        actions: () => {},
      },
    },
  });
  return createMachine({
    id: 'escalating',
    invoke: { id: 'bad', src: bad },
    on: { GO_ON: { actions: forwardTo('bad') }, POKE: { actions: sendTo('bad', { type: 'GO' }) } },
  });
})();

export const systems = (() => {
  const logger = createMachine({
    id: 'logger',
    context: { lines: 0 },
    on: { LOG: { actions: assign({ lines: ({ context }) => Math.min(context.lines + 1, 4) }) } },
  });
  const client = createMachine({
    id: 'client',
    on: { WORK: { actions: sendTo(({ system }) => system.get('logger')!, { type: 'LOG' }) } },
  });
  return createMachine({
    id: 'system',
    invoke: [
      { src: logger, id: 'l', systemId: 'logger' },
      { src: client, id: 'c' },
    ],
    on: { WORK: { actions: sendTo('c', { type: 'WORK' }) } },
  });
})();

export const spawnInAssign = (() => {
  const cell = createMachine({
    id: 'cell',
    initial: 'dead',
    states: {
      dead: { on: { FLIP: 'alive' } },
      alive: { on: { FLIP: 'dead' }, entry: sendParent({ type: 'BORN' }) },
    },
  });
  return createMachine({
    id: 'grid',
    context: ({ spawn }) => ({
      cells: [spawn(cell, { id: 'c0' }), spawn(cell)] as ActorRefFrom<typeof cell>[],
      born: 0,
    }),
    on: {
      FLIP_FIRST: { actions: sendTo(({ context }) => context.cells[0]!, { type: 'FLIP' }) },
      FLIP_LAST: { actions: sendTo(({ context }) => context.cells.at(-1)!, { type: 'FLIP' }) },
      MORE: {
        guard: ({ context }) => context.cells.length < 4,
        actions: assign({ cells: ({ context, spawn }) => [...context.cells, spawn(cell)] }),
      },
      LESS: {
        guard: ({ context }) => context.cells.length > 1,
        actions: [
          stopChild(({ context }) => context.cells.at(-1)!),
          assign({ cells: ({ context }) => context.cells.slice(0, -1) }),
        ],
      },
      BORN: { actions: assign({ born: ({ context }) => (context.born + 1) % 3 }) },
    },
  });
})();

export const orders = (() => {
  const kitchen = createMachine({
    id: 'kitchen',
    initial: 'idle',
    states: {
      idle: { on: { COOK: 'cooking' } },
      cooking: {
        after: {
          50: { target: 'idle', actions: [sendParent({ type: 'READY' }), sendParent({ type: 'BILL' })] },
        },
      },
    },
  });
  return createMachine({
    id: 'restaurant',
    initial: 'open',
    context: { served: 0 },
    states: {
      open: {
        invoke: { id: 'kitchen', src: kitchen },
        initial: 'free',
        states: {
          free: { on: { ORDER: { target: 'waiting', actions: sendTo('kitchen', { type: 'COOK' }) } } },
          waiting: {
            on: {
              READY: {
                target: 'eating',
                actions: assign({ served: ({ context }) => (context.served + 1) % 3 }),
              },
            },
          },
          eating: { on: { BILL: 'free', LEAVE: 'free' } },
        },
        on: { CLOSE: 'closed' },
      },
      closed: { on: { OPEN: 'open' } },
    },
  });
})();

export const nestedActors = (() => {
  const leaf = createMachine({
    id: 'leaf',
    initial: 'a',
    states: { a: { on: { GO: 'b' } }, b: { entry: sendParent({ type: 'UP' }), after: { 40: 'a' } } },
  });
  const middle = createMachine({
    id: 'middle',
    invoke: [
      { id: 'left', src: leaf },
      { id: 'right', src: leaf },
    ],
    on: {
      GO: { actions: [sendTo('left', { type: 'GO' }), sendTo('right', { type: 'GO' })] },
      UP: { actions: sendParent({ type: 'TOP' }) },
    },
  });
  return createMachine({
    id: 'tree',
    initial: 'x',
    context: { tops: 0 },
    states: {
      x: {
        invoke: { id: 'middle', src: middle },
        on: {
          KICK: { actions: sendTo('middle', { type: 'GO' }) },
          TOP: [
            { target: 'y', guard: ({ context }) => context.tops > 2 },
            { actions: assign({ tops: ({ context }) => context.tops + 1 }) },
          ],
        },
      },
      y: { entry: assign({ tops: 0 }), on: { BACK: 'x' } },
    },
  });
})();

export const finalWithChildren = (() => {
  const helper = createMachine({ id: 'helper', on: { HELP: { actions: sendParent({ type: 'THANKS' }) } } });
  const inner = createMachine({
    id: 'inner',
    initial: 'on',
    invoke: { id: 'helper', src: helper },
    output: () => 'bye',
    states: {
      on: {
        on: { END: { target: 'end', actions: sendTo('helper', { type: 'HELP' }) }, THANKS: {} },
        after: { 80: 'end' },
      },
      end: { type: 'final' },
    },
  });
  return createMachine({
    id: 'outer',
    initial: 'run',
    context: { said: '' },
    states: {
      run: {
        invoke: {
          id: 'inner',
          src: inner,
          onDone: { target: 'rest', actions: assign({ said: ({ event }) => event.output }) },
        },
        on: { END: { actions: forwardTo('inner') } },
      },
      rest: { on: { RUN: { target: 'run', actions: assign({ said: '' }) } } },
    },
  });
})();

export const invokedTwice = (() => {
  const job = fromPromise(async () => 'x');
  return createMachine({
    id: 'race',
    initial: 'idle',
    context: { winner: '' },
    states: {
      idle: { on: { RUN: 'racing' } },
      racing: {
        invoke: [
          { id: 'a', src: job, onDone: { target: 'won', actions: assign({ winner: 'a' }) }, onError: {} },
          { id: 'b', src: job, onDone: { target: 'won', actions: assign({ winner: 'b' }) }, onError: {} },
        ],
      },
      won: { on: { RUN: 'racing' } },
    },
  });
})();

export const stoppedByParent = (() => {
  const talker = createMachine({
    id: 'talker',
    initial: 'on',
    states: {
      on: {
        entry: sendParent({ type: 'HELLO' }),
        on: { ASK: { actions: [sendParent({ type: 'REPLY' }), sendParent({ type: 'MORE' })] } },
      },
    },
  });
  return createMachine({
    id: 'impatient',
    initial: 'listening',
    states: {
      listening: {
        invoke: { id: 'talker', src: talker },
        on: { ASK: { actions: sendTo('talker', { type: 'ASK' }) }, REPLY: 'bored', HELLO: {} },
      },
      bored: { on: { LISTEN: 'listening', MORE: 'angry' } },
      angry: { on: { LISTEN: 'listening' } },
    },
  });
})();
