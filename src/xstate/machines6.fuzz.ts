// Machines of XState 6 (its alpha) for the comparison with its own runs: every way to write a transition, children, timers, history, parallel states.

import { createAsyncLogic, createCallbackLogic, createMachine, createObservableLogic } from 'xstate6';
import type { Example } from './machines.fuzz.ts';

/** The types of the alpha change from one to the next: configurations are plain data here. */
const machine = (config: object): object => createMachine(config as never) as object;

interface Args {
  readonly context: Record<string, never>;
  readonly event: Record<string, never>;
  readonly children: Record<string, object>;
  readonly parent: object;
  readonly self: object;
}
interface Enqueue {
  raise(event: object, options?: object): void;
  sendTo(actor: object | undefined, event: object, options?: object): void;
  spawn(logic: object, options?: object): object;
  stop(actor: object | undefined): void;
  cancel(id: string): void;
  emit(event: object): void;
  (fn: () => void): void;
}

const toggle = machine({
  id: 'toggle',
  initial: 'off',
  states: { off: { on: { TOGGLE: 'on' } }, on: { on: { TOGGLE: { target: 'off' } } } },
});

const counter = machine({
  id: 'counter',
  context: { count: 0 },
  on: {
    INC: ({ context }: Args) =>
      context['count']! < 5 ? { context: { count: context['count']! + 1 } } : undefined,
    DEC: {
      guard: ({ context }: Args) => context['count']! > 0,
      context: ({ context }: Args) => ({ count: context['count']! - 1 }),
    },
    SET: { context: ({ event }: Args) => ({ count: event['value'] }) },
  },
});

const light = machine({
  id: 'light',
  initial: 'green',
  states: {
    green: { after: { 3000: 'yellow' } },
    yellow: { after: { 500: { target: 'red' } } },
    red: {
      initial: 'walk',
      states: { walk: { after: { 1000: 'stop' } }, stop: { type: 'final' } },
      onDone: 'green',
      timeout: 5000,
      onTimeout: 'green',
    },
  },
  on: { POWER_OUT: '.red' },
});

const raising = machine({
  id: 'raising',
  context: { steps: 0 },
  initial: 'a',
  states: {
    a: {
      entry: (_: Args, enq: Enqueue) => enq.raise({ type: 'LATER' }, { id: 'later', delay: 70 }),
      exit: (_: Args, enq: Enqueue) => enq.cancel('later'),
      on: {
        GO: ({ context }: Args, enq: Enqueue) => {
          enq.raise({ type: 'INNER' });
          enq.emit({ type: 'went' });
          return { target: 'b', context: { steps: Math.min(context['steps']! + 1, 3) } };
        },
        LATER: 'b',
        AGAIN: (_: Args, enq: Enqueue) => enq.raise({ type: 'LATER' }, { id: 'later', delay: 40 }),
      },
    },
    b: { on: { INNER: 'c', BACK: 'a' } },
    c: { always: { guard: ({ context }: Args) => context['steps']! > 2, target: 'd' }, on: { BACK: 'a' } },
    d: { on: { BACK: () => ({ target: 'a', context: { steps: 0 } }) } },
  },
});

const child = machine({
  id: 'child',
  context: ({ input }: { input?: { name: string } }) => ({ name: input?.name ?? '' }),
  initial: 'waiting',
  states: {
    waiting: {
      on: {
        PING: ({ parent }: Args, enq: Enqueue) => {
          enq.sendTo(parent, { type: 'PONG' });
          return { target: 'pinged' };
        },
        END: 'ended',
        FAIL: () => {
          throw new Error('no more');
        },
      },
    },
    pinged: { after: { 100: 'waiting' }, on: { END: 'ended' } },
    ended: { type: 'final' },
  },
});

const invoking = machine({
  id: 'invoking',
  context: { pongs: 0 },
  initial: 'idle',
  states: {
    idle: { on: { START: 'busy' } },
    busy: {
      invoke: {
        id: 'child',
        src: child,
        input: { name: 'c' },
        onDone: 'idle',
        onError: 'failed',
      },
      on: {
        ASK: ({ children }: Args, enq: Enqueue) => enq.sendTo(children['child'], { type: 'PING' }),
        FINISH: ({ children }: Args, enq: Enqueue) => enq.sendTo(children['child'], { type: 'END' }),
        BREAK: ({ children }: Args, enq: Enqueue) => enq.sendTo(children['child'], { type: 'FAIL' }),
        PONG: ({ context }: Args) => ({ context: { pongs: (context['pongs']! + 1) % 3 } }),
        LEAVE: 'idle',
      },
    },
    failed: { on: { START: 'busy' } },
  },
});

const spawning = machine({
  id: 'spawning',
  context: { count: 0 },
  on: {
    ADD: ({ context }: Args, enq: Enqueue) => {
      if (context['count']! >= 2) return undefined;
      enq.spawn(child, { input: { name: 'x' } });
      return { context: { count: context['count']! + 1 } };
    },
    PING_ALL: ({ children }: Args, enq: Enqueue) => {
      for (const one of Object.values(children)) enq.sendTo(one, { type: 'PING' });
    },
    STOP_ALL: ({ children }: Args, enq: Enqueue) => {
      for (const one of Object.values(children)) enq.stop(one);
      return { context: { count: 0 } };
    },
    PONG: (_: Args, enq: Enqueue) => enq.emit({ type: 'heard' }),
  },
});

const fetching = machine({
  id: 'fetching',
  context: { data: null, tries: 0 },
  initial: 'idle',
  states: {
    idle: { on: { FETCH: 'loading' } },
    loading: {
      invoke: {
        id: 'load',
        src: createAsyncLogic({ run: async () => 1 }),
        timeout: 900,
        onTimeout: 'idle',
        onDone: ({ event }: Args) => ({ target: 'idle', context: { data: event['output'] } }),
        onError: ({ context }: Args) =>
          context['tries']! < 2
            ? { target: 'retry', context: { tries: context['tries']! + 1 } }
            : { target: 'idle', context: { tries: 0 } },
      },
      on: { CANCEL: 'idle' },
    },
    retry: { after: { 200: 'loading' } },
  },
});

const parallel = machine({
  id: 'parallel',
  type: 'parallel',
  states: {
    left: { initial: 'off', states: { off: { on: { L: 'on' } }, on: { on: { L: 'off', BOTH: 'off' } } } },
    right: {
      initial: 'off',
      states: { off: { on: { R: 'on', BOTH: 'on' } }, on: { on: { R: 'hist' } }, hist: { on: { R: 'off' } } },
    },
  },
});

const history = machine({
  id: 'history',
  initial: 'work',
  states: {
    work: {
      initial: 'a',
      states: {
        a: { on: { NEXT: 'b' } },
        b: { initial: 'b1', states: { b1: { on: { DEEPER: 'b2' } }, b2: {} }, on: { NEXT: 'a' } },
        shallow: { type: 'history', target: 'a' },
        deep: { type: 'history', history: 'deep', target: 'a' },
      },
      on: { PAUSE: 'paused' },
    },
    paused: { on: { RESUME: 'work.shallow', RESUME_DEEP: 'work.deep', RESTART: 'work' } },
  },
});

const listening = machine({
  id: 'listening',
  context: { last: 0, clicks: 0 },
  invoke: [
    { id: 'keys', src: createCallbackLogic(() => undefined) },
    {
      id: 'ticks',
      src: createObservableLogic(() => ({ subscribe: () => ({ unsubscribe: () => {} }) }) as never),
      onSnapshot: {
        context: ({ event }: Args) => ({ last: (event['snapshot'] as unknown as Args).context }),
      },
    },
  ],
  on: { KEY: ({ context }: Args) => ({ context: { clicks: (context['clicks']! + 1) % 4 } }) },
});

const delayed = machine({
  id: 'delayed',
  context: { seen: 0 },
  invoke: { id: 'child', src: child },
  on: {
    LATER: ({ children }: Args, enq: Enqueue) =>
      enq.sendTo(children['child'], { type: 'PING' }, { id: 'ping', delay: 50 }),
    NEVER: (_: Args, enq: Enqueue) => enq.cancel('ping'),
    SELF: ({ self }: Args, enq: Enqueue) => enq.sendTo(self, { type: 'SEEN' }),
    SEEN: ({ context }: Args) => ({ context: { seen: (context['seen']! + 1) % 3 } }),
    PONG: {},
  },
});

const finishing = machine({
  id: 'finishing',
  initial: 'a',
  context: { n: 0 },
  output: ({ context }: Args) => context['n'],
  invoke: { id: 'child', src: child },
  states: {
    a: {
      on: {
        NEXT: 'b',
        FAIL: () => {
          throw new Error('no');
        },
      },
    },
    b: { on: { NEXT: 'end', BACK: 'a' } },
    end: { type: 'final' },
  },
});

export const EXAMPLES6: readonly Example[] = [
  { name: 'toggle', machine: toggle },
  {
    name: 'counter',
    machine: counter,
    declared: { events: { INC: [], DEC: [], SET: [{ value: 0 }, { value: 4 }] } },
  },
  { name: 'light', machine: light },
  { name: 'raising', machine: raising },
  { name: 'invoking', machine: invoking },
  { name: 'spawning', machine: spawning },
  {
    name: 'fetching',
    machine: fetching,
    declared: { outputs: { load: [1, 2] }, errors: { load: ['broken'] } },
  },
  { name: 'parallel', machine: parallel },
  { name: 'history', machine: history },
  {
    name: 'listening',
    machine: listening,
    declared: { outputs: { ticks: [1, 2] }, errors: { ticks: [] }, callbacks: { keys: ['KEY'] } },
  },
  { name: 'delayed', machine: delayed },
  { name: 'finishing', machine: finishing },
];
