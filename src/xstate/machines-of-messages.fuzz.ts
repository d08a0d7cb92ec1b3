// For the comparison with XState: machines whose point is what is sent, by whom and when: other actors, callbacks, observables, promises.

import {
  assign,
  cancel,
  createMachine,
  forwardTo,
  fromCallback,
  fromEventObservable,
  fromObservable,
  fromPromise,
  fromTransition,
  raise,
  sendParent,
  sendTo,
} from 'xstate';

export const pingPong = (() => {
  const pong = createMachine({
    id: 'pong',
    initial: 'idle',
    states: {
      idle: { on: { PING: { target: 'thinking' } } },
      thinking: { after: { 10: { target: 'idle', actions: sendParent({ type: 'PONG' }) } } },
    },
  });
  return createMachine({
    id: 'ping',
    initial: 'ready',
    invoke: { id: 'pong', src: pong },
    states: {
      ready: { on: { SERVE: { target: 'waiting', actions: sendTo('pong', { type: 'PING' }) } } },
      waiting: {
        on: { PONG: 'ready', SERVE: { actions: sendTo('pong', { type: 'PING' }) } },
        after: { 15: 'ready' },
      },
    },
  });
})();

export const fetching = createMachine({
  id: 'fetching',
  initial: 'idle',
  context: { data: null as unknown, retries: 0 },
  states: {
    idle: { on: { FETCH: 'loading' } },
    loading: {
      invoke: {
        id: 'fetch',
        src: fromPromise(async () => 1),
        input: ({ context }) => context.retries,
        onDone: { target: 'success', actions: assign({ data: ({ event }) => event.output }) },
        onError: [
          {
            target: 'loading',
            reenter: true,
            guard: ({ context }) => context.retries < 2,
            actions: assign({ retries: ({ context }) => context.retries + 1 }),
          },
          { target: 'failure' },
        ],
      },
      on: { CANCEL: 'idle' },
      after: { 2000: 'failure' },
    },
    success: { on: { FETCH: 'loading' } },
    failure: { on: { RETRY: { target: 'loading', actions: assign({ retries: 0 }) } } },
  },
});

export const delayedSends = (() => {
  const alarm = createMachine({
    id: 'alarm',
    initial: 'silent',
    states: { silent: { on: { RING: 'ringing' } }, ringing: { on: { HUSH: 'silent', RING: {} } } },
  });
  return createMachine({
    id: 'clock',
    invoke: { id: 'alarm', src: alarm },
    initial: 'unset',
    states: {
      unset: {
        on: {
          SET: { target: 'set', actions: sendTo('alarm', { type: 'RING' }, { delay: 500, id: 'ring' }) },
        },
      },
      set: {
        on: {
          UNSET: { target: 'unset', actions: [cancel('ring'), sendTo('alarm', { type: 'HUSH' })] },
          SNOOZE: {
            actions: [cancel('ring'), sendTo('alarm', { type: 'RING' }, { delay: 100, id: 'ring' })],
          },
          LATER: { actions: raise({ type: 'UNSET' }, { delay: 700 }) },
        },
      },
    },
  });
})();

export const transitionLogic = (() => {
  const reducer = fromTransition(
    (state: { n: number }, event: { type: string }) =>
      event.type === 'INC' ? { n: (state.n + 1) % 4 } : state,
    { n: 0 },
  );
  return createMachine({
    id: 'reducing',
    context: { seen: 0 },
    invoke: {
      id: 'r',
      src: reducer,
      onSnapshot: {
        actions: assign({ seen: ({ event }) => (event.snapshot as { context: { n: number } }).context.n }),
      },
    },
    on: {
      INC: { actions: sendTo('r', { type: 'INC' }) },
      OTHER: { actions: sendTo('r', { type: 'OTHER' }) },
    },
  });
})();

export const callbacks = createMachine(
  {
    id: 'ticking',
    initial: 'running',
    context: { ticks: 0 },
    states: {
      running: {
        invoke: { id: 'ticker', src: 'ticker' },
        on: {
          TICK: { actions: assign({ ticks: ({ context }) => (context.ticks + 1) % 3 }) },
          PAUSE: 'paused',
          TELL: { actions: sendTo('ticker', { type: 'FASTER' }) },
        },
      },
      paused: { on: { RESUME: 'running' } },
    },
  },
  { actors: { ticker: fromCallback(() => {}) } },
);

export const observing = createMachine(
  {
    id: 'observing',
    initial: 'on',
    context: { last: 0 },
    states: {
      on: {
        invoke: [
          {
            id: 'numbers',
            src: 'numbers',
            onSnapshot: { actions: assign({ last: ({ event }) => event.snapshot.context as number }) },
            onDone: 'off',
            onError: 'failed',
          },
          { id: 'clicks', src: 'clicks', onDone: 'off', onError: 'failed' },
        ],
        on: { CLICK: { actions: assign({ last: 9 }) } },
      },
      off: { on: { ON: 'on' } },
      failed: { on: { ON: 'on' } },
    },
  },
  {
    actors: {
      numbers: fromObservable(() => ({ subscribe: () => ({ unsubscribe: () => {} }) }) as never),
      clicks: fromEventObservable(() => ({ subscribe: () => ({ unsubscribe: () => {} }) }) as never),
    },
  },
);

export const customSends = (() => {
  const echo = createMachine({ id: 'echo', on: { SAY: { actions: sendParent({ type: 'HEARD' }) } } });
  return createMachine({
    id: 'direct',
    initial: 'quiet',
    invoke: { id: 'echo', src: echo },
    context: { heard: 0 },
    states: {
      quiet: {
        on: {
          CALL: {
            target: 'calling',
            actions: [sendTo('echo', { type: 'SAY' }), ({ self }) => self.send({ type: 'SELF' })],
          },
        },
      },
      calling: {
        on: {
          SELF: { actions: assign({ heard: 7 }) },
          HEARD: { actions: assign({ heard: ({ context }) => (context.heard + 1) % 9 }) },
          OVER: 'quiet',
        },
      },
    },
  });
})();

export const forwarding = (() => {
  const sink = createMachine({
    id: 'sink',
    initial: 's0',
    states: { s0: { on: { M: 's1' } }, s1: { on: { M: 's0', N: 's1' } } },
  });
  return createMachine({
    id: 'relay',
    invoke: { id: 'sink', src: sink },
    on: { M: { actions: forwardTo('sink') }, N: { actions: forwardTo('sink') } },
  });
})();
