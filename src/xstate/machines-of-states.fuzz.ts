// For the comparison with XState: machines whose point is their own states, data and timers.

import { and, assign, cancel, createMachine, not, or, raise, sendTo, stateIn } from 'xstate';

export const toggle = createMachine({
  id: 'toggle',
  initial: 'off',
  states: { off: { on: { TOGGLE: 'on' } }, on: { on: { TOGGLE: 'off' } } },
});

export const light = createMachine({
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

export const counter = createMachine({
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

export const keyboard = createMachine({
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

export const historyMachine = createMachine({
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

export const wizard = createMachine({
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

export const transient = createMachine({
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

export const wildcard = createMachine({
  id: 'wildcard',
  initial: 'a',
  states: {
    a: { on: { 'mouse.*': 'b', '*': 'c', KEY: 'a' } },
    b: { on: { 'mouse.click': 'c', 'mouse.*': 'a', FORBIDDEN: undefined } },
    c: { on: { BACK: 'a' } },
  },
  on: { FORBIDDEN: '.c' },
});

export const reentering = createMachine({
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

export const parallelDone = createMachine({
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

export const sameTimers = createMachine({
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

export const dynamicParameters = createMachine(
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

export const selfSends = createMachine({
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
