// Machines of every feature, for the comparison of our semantics with XState's own: each with what is declared beside it.

import {
  type ActorRefFrom,
  and,
  assign,
  cancel,
  createMachine,
  emit,
  enqueueActions,
  forwardTo,
  fromCallback,
  fromEventObservable,
  fromObservable,
  fromPromise,
  fromTransition,
  not,
  or,
  raise,
  sendParent,
  sendTo,
  spawnChild,
  stateIn,
  stopChild,
} from 'xstate';
import type { Declared } from './host/declared.ts';

export interface Example {
  readonly name: string;
  readonly machine: object;
  readonly declared?: Declared;
}

const toggle = createMachine({
  id: 'toggle',
  initial: 'off',
  states: { off: { on: { TOGGLE: 'on' } }, on: { on: { TOGGLE: 'off' } } },
});

const light = createMachine({
  id: 'light',
  initial: 'green',
  states: {
    green: { after: { 3000: 'yellow' } },
    yellow: { after: { 500: 'red' } },
    red: {
      initial: 'walk',
      states: {
        walk: { after: { 1000: 'wait' } },
        wait: { after: { 1000: 'stop' } },
        stop: { type: 'final' },
      },
      onDone: 'green',
    },
  },
  on: { POWER_OUT: '.red' },
});

const counter = createMachine({
  id: 'counter',
  context: { count: 0 },
  on: {
    INC: {
      guard: ({ context }) => context.count < 7,
      actions: assign({ count: ({ context }) => context.count + 1 }),
    },
    DEC: {
      guard: ({ context }) => context.count > 0,
      actions: assign({ count: ({ context }) => context.count - 1 }),
    },
    SET: { actions: assign({ count: ({ event }) => event.value }) },
  },
});

const keyboard = createMachine({
  id: 'keyboard',
  type: 'parallel',
  states: {
    bold: { initial: 'off', states: { off: { on: { BOLD: 'on' } }, on: { on: { BOLD: 'off' } } } },
    italic: {
      initial: 'off',
      states: { off: { on: { ITALIC: 'on' } }, on: { tags: ['slanted'], on: { ITALIC: 'off' } } },
    },
    list: {
      initial: 'none',
      states: {
        none: { on: { LIST: 'bullets' } },
        bullets: { on: { LIST: 'numbers', NONE: 'none' } },
        numbers: { always: { guard: stateIn({ bold: 'on' }), target: 'none' }, on: { NONE: 'none' } },
      },
    },
  },
  on: { RESET: ['.bold.off', '.italic.off'].map((target) => ({ target }))[0]! },
});

const historyMachine = createMachine({
  id: 'history',
  initial: 'work',
  states: {
    work: {
      initial: 'a',
      states: {
        a: { on: { NEXT: 'b' } },
        b: { initial: 'b1', states: { b1: { on: { DEEPER: 'b2' } }, b2: {} }, on: { NEXT: 'a' } },
        shallow: { type: 'history' },
        deep: { type: 'history', history: 'deep' },
      },
      on: { PAUSE: 'paused' },
    },
    paused: { on: { RESUME: 'work.shallow', RESUME_DEEP: 'work.deep', RESTART: 'work' } },
  },
});

const wizard = createMachine({
  id: 'wizard',
  initial: 'name',
  context: { back: 0 },
  output: ({ context }) => context.back,
  states: {
    name: { on: { NEXT: 'address' } },
    address: {
      entry: raise({ type: 'CHECK' }),
      on: {
        CHECK: { target: 'pay', guard: ({ context }) => context.back > 2 },
        NEXT: 'pay',
        BACK: { target: 'name', actions: assign({ back: ({ context }) => Math.min(context.back + 1, 3) }) },
      },
    },
    pay: { on: { PAY: 'done', BACK: 'address' } },
    done: { type: 'final' },
  },
});

const transient = createMachine({
  id: 'transient',
  initial: 'start',
  context: { score: 0 },
  states: {
    start: { on: { PLAY: { target: 'judge', actions: assign({ score: ({ event }) => event.score }) } } },
    judge: {
      always: [
        { target: 'won', guard: ({ context }) => context.score > 5 },
        { target: 'draw', guard: and([({ context }) => context.score === 5, not(() => false)]) },
        { target: 'lost' },
      ],
    },
    won: { on: { AGAIN: 'start' } },
    draw: { on: { AGAIN: 'start' } },
    lost: { on: { AGAIN: { target: 'start', guard: or([() => false, () => true]) } } },
  },
});

const wildcard = createMachine({
  id: 'wildcard',
  initial: 'a',
  states: {
    a: { on: { 'mouse.*': 'b', '*': 'c', KEY: 'a' } },
    b: { on: { 'mouse.click': 'c', 'mouse.*': 'a', FORBIDDEN: undefined } },
    c: { on: { BACK: 'a' } },
  },
  on: { FORBIDDEN: '.c' },
});

const reentering = createMachine({
  id: 'reentering',
  initial: 'a',
  context: { entries: 0 },
  states: {
    a: {
      entry: assign({ entries: ({ context }) => (context.entries + 1) % 5 }),
      exit: assign({ entries: ({ context }) => (context.entries + 2) % 5 }),
      after: { 100: 'b' },
      on: { SELF: 'a', AGAIN: { target: 'a', reenter: true }, INNER: { actions: assign({ entries: 0 }) } },
    },
    b: {
      on: { SELF: { target: 'a' } },
      after: { 50: 'a', 20: { target: 'b', reenter: true, guard: () => false } },
    },
  },
});

const pingPong = (() => {
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

const fetching = createMachine({
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

const spawner = (() => {
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

const delayedSends = (() => {
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

const errors = (() => {
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

const escalating = (() => {
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

const systems = (() => {
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

const spawnInAssign = (() => {
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

const transitionLogic = (() => {
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

const callbacks = createMachine(
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

const observing = createMachine(
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

const parallelDone = createMachine({
  id: 'upload',
  initial: 'both',
  states: {
    both: {
      type: 'parallel',
      states: {
        audio: { initial: 'going', states: { going: { on: { AUDIO: 'done' } }, done: { type: 'final' } } },
        video: {
          initial: 'going',
          states: { going: { on: { VIDEO: 'done' }, after: { 300: 'done' } }, done: { type: 'final' } },
        },
      },
      onDone: 'complete',
    },
    complete: { on: { AGAIN: 'both' } },
  },
});

const customSends = (() => {
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

const sameTimers = createMachine({
  id: 'timers',
  initial: 'idle',
  context: { n: 0 },
  states: {
    idle: {
      on: {
        ARM: {
          actions: [
            raise({ type: 'A' }, { delay: 30, id: 'a' }),
            raise({ type: 'B' }, { delay: 20, id: 'b' }),
          ],
          target: 'armed',
        },
      },
    },
    armed: {
      on: {
        A: { target: 'idle', actions: assign({ n: 1 }) },
        B: { actions: assign({ n: 2 }) },
        DISARM: { target: 'idle', actions: [cancel('a'), cancel('b')] },
        REARM: { actions: raise({ type: 'A' }, { delay: 5, id: 'a' }) },
      },
      after: { 25: { actions: assign({ n: 3 }) } },
    },
  },
});

const orders = (() => {
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

const nestedActors = (() => {
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

const finalWithChildren = (() => {
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

const dynamicParameters = createMachine(
  {
    id: 'parameters',
    initial: 'closed',
    context: { tries: 0, code: 7 },
    states: {
      closed: {
        on: {
          ENTER: [
            {
              target: 'open',
              guard: {
                type: 'matches',
                params: ({ event }: { event: { code: number } }) => ({ code: event.code }),
              } as never,
            },
            { actions: { type: 'count', params: { by: 1 } } as never },
          ],
        },
        always: { target: 'locked', guard: 'tooMany' },
      },
      open: { on: { SHUT: 'closed' }, exit: 'reset' },
      locked: { after: { lockTime: { target: 'closed', actions: 'reset' } } },
    },
  },
  {
    guards: {
      matches: ({ context }: { context: { code: number } }, params: { code: number }) =>
        params.code === context.code,
      tooMany: ({ context }: { context: { tries: number } }) => context.tries >= 3,
    } as never,
    actions: {
      count: assign(({ context }: { context: { tries: number } }, params: { by: number }) => ({
        tries: context.tries + params.by,
      })) as never,
      reset: assign({ tries: 0 }) as never,
    },
    delays: { lockTime: 1000 },
  },
);

const selfSends = createMachine({
  id: 'selfish',
  initial: 'a',
  states: {
    a: {
      on: {
        GO: { actions: [sendTo(({ self }) => self, { type: 'FIRST' }), raise({ type: 'ZERO' })] },
        ZERO: 'b',
        FIRST: 'c',
      },
    },
    b: { on: { FIRST: 'd', GO: 'a' } },
    c: { on: { GO: 'a' } },
    d: { on: { GO: 'a', FIRST: {} } },
  },
});

const forwarding = (() => {
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

const invokedTwice = (() => {
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

const stoppedByParent = (() => {
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

const numbers = (values: readonly number[]) => values.map((value) => ({ value }));

export const EXAMPLES: readonly Example[] = [
  { name: 'toggle', machine: toggle },
  { name: 'light', machine: light },
  { name: 'counter', machine: counter, declared: { events: { INC: [], DEC: [], SET: numbers([0, 3]) } } },
  { name: 'keyboard', machine: keyboard },
  { name: 'history', machine: historyMachine },
  { name: 'wizard', machine: wizard },
  {
    name: 'transient',
    machine: transient,
    declared: { events: { PLAY: [{ score: 9 }, { score: 5 }, { score: 1 }], AGAIN: [] } },
  },
  {
    name: 'wildcard',
    machine: wildcard,
    declared: { events: { 'mouse.click': [], 'mouse.move': [], KEY: [], BACK: [], FORBIDDEN: [] } },
  },
  { name: 'reentering', machine: reentering },
  { name: 'pingPong', machine: pingPong },
  {
    name: 'fetching',
    machine: fetching,
    declared: { outputs: { fetch: [1, 2] }, errors: { fetch: ['no'] } },
  },
  {
    name: 'spawner',
    machine: spawner,
    declared: { events: { ADD: [], FAST: [{ speed: 2 }, { speed: 1 }], STOP: [], HURRY: [] } },
  },
  { name: 'delayedSends', machine: delayedSends },
  { name: 'errors', machine: errors },
  { name: 'escalating', machine: escalating },
  { name: 'systems', machine: systems },
  { name: 'spawnInAssign', machine: spawnInAssign },
  { name: 'transitionLogic', machine: transitionLogic },
  { name: 'callbacks', machine: callbacks, declared: { callbacks: { ticker: ['TICK'] } } },
  {
    name: 'observing',
    machine: observing,
    declared: {
      outputs: { numbers: [1, 2] },
      errors: { numbers: ['bad'], clicks: [] },
      callbacks: { clicks: ['CLICK'] },
    },
  },
  { name: 'parallelDone', machine: parallelDone },
  { name: 'customSends', machine: customSends },
  { name: 'sameTimers', machine: sameTimers },
  { name: 'orders', machine: orders },
  { name: 'nestedActors', machine: nestedActors },
  { name: 'finalWithChildren', machine: finalWithChildren },
  {
    name: 'dynamicParameters',
    machine: dynamicParameters,
    declared: { events: { ENTER: [{ code: 7 }, { code: 1 }], SHUT: [] } },
  },
  { name: 'selfSends', machine: selfSends },
  { name: 'forwarding', machine: forwarding },
  { name: 'invokedTwice', machine: invokedTwice, declared: { outputs: { a: [1] }, errors: { a: ['no'] } } },
  { name: 'stoppedByParent', machine: stoppedByParent },
];
