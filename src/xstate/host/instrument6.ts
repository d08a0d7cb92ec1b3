// A machine of XState 6 whose functions are watched: see instrument.ts for the idea. Here a transition may be a function that gives its target, changes
// the context and enqueues effects all at once. What such a function does is exact as long as it looked at known data only. If it looked at unknown data
// and its text shows no choice, then the target and the effects are what they are, and the data in them is unknown. If it shows one, nothing is proved.

import { ANY, blurred, hasChoice, view, watch } from './any.ts';
import { type Overseer, UNKNOWN_DELAY } from './instrument.ts';
import type { XEvent, XMachine6 } from './types.ts';

type Fn = (...args: unknown[]) => unknown;
type Plain = Record<string, unknown>;

const isFunction = (value: unknown): value is Fn => typeof value === 'function';
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const mapped = (object: Plain, map: (value: unknown, key: string) => unknown): Plain =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));

/** With it XState 6 finds out whether a function would do anything at all: it must get through. */
const isSignal = (error: unknown): boolean => error instanceof Error && error.message === 'Transition effect';

/** The user's function behind a wrapper: its text shows where it may lead. */
export const ORIGINAL = Symbol('the user’s function');

export function instrument6(machine: XMachine6, overseer: Overseer): XMachine6 {
  const wrap = new Wrapper6(overseer, String(machine.config['id'] ?? 'machine'));
  const Machine = machine.constructor as unknown as new (config: unknown, sources: unknown) => XMachine6;
  const delays = mapped(machine.sources.delays, (delay) => wrap.delay(delay));
  return new Machine(wrap.node(machine.config), { ...machine.sources, delays });
}

class Wrapper6 {
  private readonly overseer: Overseer;
  private readonly machine: string;

  constructor(overseer: Overseer, machine: string) {
    this.overseer = overseer;
    this.machine = machine;
  }

  node(config: Plain): Plain {
    const result: Plain = { ...config };
    for (const key of ['entry', 'exit']) if (isFunction(config[key])) result[key] = this.whole(config[key]);
    for (const key of ['always', 'onDone', 'onError', 'onTimeout', 'choice', 'initial'])
      if (config[key] !== undefined) result[key] = this.transitions(config[key]);
    for (const key of ['on', 'after'])
      if (isPlain(config[key])) result[key] = mapped(config[key], (value) => this.transitions(value));
    for (const key of ['output', 'context'])
      if (isFunction(config[key])) result[key] = this.mapper(config[key]);
    if (isFunction(config['timeout'])) result['timeout'] = this.delay(config['timeout']);
    if (isPlain(config['delays'])) result['delays'] = mapped(config['delays'], (delay) => this.delay(delay));
    if (config['invoke'] !== undefined)
      result['invoke'] = (Array.isArray(config['invoke']) ? config['invoke'] : [config['invoke']]).map(
        (one) => this.invoke(one as Plain),
      );
    if (isPlain(config['states']))
      result['states'] = mapped(config['states'], (state) => this.node(state as Plain));
    return result;
  }

  private invoke(config: Plain): Plain {
    const result: Plain = { ...config };
    if (isFunction(config['input'])) result['input'] = this.mapper(config['input']);
    for (const key of ['onDone', 'onError', 'onSnapshot', 'onTimeout'])
      if (config[key] !== undefined) result[key] = this.transitions(config[key]);
    return result;
  }

  private transitions(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.transitions(one));
    if (isFunction(value)) return this.whole(value);
    if (!isPlain(value)) return value;
    const result: Plain = { ...value };
    if (isFunction(value['guard'])) result['guard'] = this.guard(value['guard']);
    if (isFunction(value['to'])) result['to'] = this.whole(value['to']);
    for (const key of ['context', 'input']) if (isFunction(value[key])) result[key] = this.mapper(value[key]);
    return result;
  }

  private guard(guard: Fn): Fn {
    return (args, params) => {
      const { result, marked } = watch(() => guard(viewed(args), view(params)));
      return marked ? this.overseer.decide(guard.name === '' ? 'guard' : guard.name) : result;
    };
  }

  delay(delay: unknown): unknown {
    if (!isFunction(delay)) return delay;
    return (args: unknown) => {
      const watched = watch(() => delay(viewed(args)));
      return watched.marked ? UNKNOWN_DELAY : watched.result;
    };
  }

  private mapper(fn: Fn): Fn {
    return (args) =>
      blurred(
        watch(() => fn(viewed(args))),
        fn,
      );
  }

  /** A function that decides and acts. XState looks at how many parameters it has. */
  private whole(fn: Fn): Fn {
    const run = (args: unknown, enq: unknown): unknown => {
      let signal: unknown = null;
      let looked = false;
      const watched = watch((isMarked) => {
        const enqueue = this.enqueue(enq, () => isMarked());
        try {
          return fn(viewed(args), enqueue);
        } catch (error) {
          looked = isMarked();
          if (!isSignal(error)) throw error;
          signal = error;
          return undefined;
        }
      });
      if ((watched.marked || looked) && (hasChoice(fn) || watched.keys))
        this.overseer.unseen(`what a transition of ${this.machine} does depends on data that is not known`);
      if (signal !== null) throw signal;
      return watched.marked ? this.blurredResult(watched.result) : watched.result;
    };
    const wrapper: Fn = fn.length >= 2 ? (args, enq) => run(args, enq) : (args) => run(args, undefined);
    return Object.assign(wrapper, { [ORIGINAL]: fn });
  }

  private blurredResult(result: unknown): unknown {
    if (!isPlain(result)) return result;
    return {
      ...result,
      ...(isPlain(result['context']) ? { context: mapped(result['context'], () => ANY) } : {}),
      ...(result['input'] === undefined ? {} : { input: ANY }),
    };
  }

  /** The user's functions enqueue what they computed: from unknown data comes unknown data. */
  private enqueue(enq: unknown, isMarked: () => boolean): unknown {
    if (!isFunction(enq)) return enq;
    const real = enq as Fn & Record<string, Fn>;
    const event = (value: unknown): unknown =>
      isMarked() && isPlain(value)
        ? { ...mapped(value, () => ANY), type: (value as unknown as XEvent).type }
        : value;
    const exact = (what: string): void => {
      if (isMarked()) this.overseer.unseen(`${what} may depend on data that is not known (${this.machine})`);
    };
    const options = (value: unknown): unknown =>
      isMarked() && isPlain(value) && 'delay' in value ? { ...value, delay: UNKNOWN_DELAY } : value;
    return Object.assign((...args: unknown[]) => real(...args), real, {
      sendTo: (actor: unknown, sent: unknown, how: unknown) => {
        if (actor === ANY) exact('which actor an event is sent to');
        return real['sendTo']!(actor === ANY ? undefined : actor, event(sent), options(how));
      },
      raise: (sent: unknown, how: unknown) => real['raise']!(event(sent), options(how)),
      emit: (sent: unknown) => real['emit']!(event(sent)),
      cancel: (id: unknown) => {
        exact('which timer is cancelled');
        return real['cancel']!(id);
      },
      stop: (actor: unknown) => {
        exact('which actor is stopped');
        return real['stop']!(actor === ANY ? undefined : actor);
      },
      spawn: (source: unknown, how: unknown) => {
        const given = isPlain(how) && isMarked() && 'input' in how ? { ...how, input: ANY } : how;
        return real['spawn']!(source, given);
      },
      log: () => real['log']?.(),
    });
  }
}

function viewed(args: unknown): Plain {
  const given = args as Plain;
  const result: Plain = { ...given };
  for (const key of ['context', 'event', 'input', 'output']) if (key in given) result[key] = view(given[key]);
  return result;
}
