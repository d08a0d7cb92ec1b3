// A machine whose functions are watched: the same configuration, with every function of the user in a wrapper.
//
// XState does all the rest itself: selection of transitions, order of actions, history, parallel states. The wrappers hand out views
// (any.ts), ask for a decision where a guard looked at something unknown, and put stubs in the place of child actors, which are
// explored on their own.

import { ANY, blurred, hasChoice, view, watch } from './any.ts';
import { isLogic, type XLogic, type XMachine } from './types.ts';

export interface Overseer {
  /** A guard that looked at something unknown: what is it now? */
  decide(what: string): boolean;
  /** Something may happen that is not seen. */
  unseen(message: string): void;
  /** The children of the actor whose step is run, as far as they are told apart. */
  children(): readonly object[];
}

type Fn = (...args: unknown[]) => unknown;
type Plain = Record<string, unknown>;
interface Arguments {
  readonly context?: unknown;
  readonly event?: unknown;
  readonly [key: string]: unknown;
}

const isFunction = (value: unknown): value is Fn & Plain => typeof value === 'function';
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const stubs = new WeakMap<object, XLogic>();
const realLogics = new WeakMap<object, XLogic>();

/** Past it a macrostep is taken to be endless, if it comes back to where it was. */
const MOST_MICROSTEPS = 4000;

/** In the place of a child's logic: it starts and does nothing. */
function stubFor(logic: unknown): unknown {
  if (!isLogic(logic)) return logic;
  if (realLogics.has(logic)) return logic;
  const known = stubs.get(logic);
  if (known !== undefined) return known;
  const stub: XLogic = {
    transition: (snapshot) => snapshot,
    getInitialSnapshot: () => ({ status: 'active', output: undefined, error: undefined, context: undefined }),
  };
  stubs.set(logic, stub);
  realLogics.set(stub, logic);
  return stub;
}

/** The logic that a stub stands for. */
export const realLogic = (logic: XLogic): XLogic => realLogics.get(logic) ?? logic;

export function instrument(machine: XMachine, overseer: Overseer): XMachine {
  const wrap = new Wrapper(overseer, machine.id);
  const Machine = machine.constructor as new (config: unknown, implementations: unknown) => XMachine;
  const { actors, actions, guards, delays } = machine.implementations;
  const options = { ...(machine.config['options'] as object | undefined), maxIterations: MOST_MICROSTEPS };
  return new Machine(
    { ...wrap.node(machine.config), options },
    {
      actors: mapValues(actors, stubFor),
      actions: mapValues(actions, (action, name) => wrap.action(action, name)),
      guards: filledIn(
        mapValues(guards, (guard, name) => wrap.guard(guard, name)),
        (name) => () => overseer.decide(name),
      ),
      delays: mapValues(delays, (delay) => wrap.delay(delay)),
    },
  );
}

/** Guards that nobody implements may be true or false. */
function filledIn(given: Plain, make: (name: string) => unknown): Plain {
  return new Proxy(given, {
    get: (object, name) =>
      name in object || typeof name !== 'string' ? Reflect.get(object, name) : make(name),
  });
}

class Wrapper {
  private readonly overseer: Overseer;
  private readonly machine: string;

  constructor(overseer: Overseer, machine: string) {
    this.overseer = overseer;
    this.machine = machine;
  }

  node(config: Plain): Plain {
    const transitions = (value: unknown): unknown => this.transitions(value);
    const result: Plain = { ...config };
    for (const key of ['entry', 'exit']) if (key in config) result[key] = this.actions(config[key]);
    for (const key of ['always', 'onDone']) if (key in config) result[key] = transitions(config[key]);
    for (const key of ['on', 'after'])
      if (isPlain(config[key])) result[key] = mapValues(config[key], transitions);
    if (isPlain(config['initial'])) result['initial'] = this.transition(config['initial']);
    if ('output' in config) result['output'] = this.mapper(config['output']);
    if (isFunction(config['context'])) result['context'] = this.mapper(config['context']);
    if (isPlain(config['route']))
      result['route'] = { ...config['route'], guard: this.guard(config['route']['guard'], 'route') };
    if (config['invoke'] !== undefined)
      result['invoke'] = Array.isArray(config['invoke'])
        ? config['invoke'].map((one) => this.invoke(one as Plain))
        : this.invoke(config['invoke'] as Plain);
    if (isPlain(config['states']))
      result['states'] = mapValues(config['states'], (state) => this.node(state as Plain));
    return result;
  }

  private invoke(config: Plain): Plain {
    const result: Plain = { ...config, src: stubFor(config['src']) };
    if ('input' in config) result['input'] = this.mapper(config['input']);
    for (const key of ['onDone', 'onError', 'onSnapshot'])
      if (config[key] !== undefined) result[key] = this.transitions(config[key]);
    return result;
  }

  private transitions(value: unknown): unknown {
    return Array.isArray(value) ? value.map((one) => this.transition(one)) : this.transition(value);
  }

  private transition(value: unknown): unknown {
    if (!isPlain(value)) return value;
    const result: Plain = { ...value };
    if ('guard' in value) result['guard'] = this.guard(value['guard'], 'guard');
    if ('actions' in value) result['actions'] = this.actions(value['actions']);
    return result;
  }

  private actions(value: unknown): unknown {
    return Array.isArray(value)
      ? value.map((one) => this.action(one, 'action'))
      : this.action(value, 'action');
  }

  guard(guard: unknown, name: string): unknown {
    if (isPlain(guard) && 'params' in guard) return { ...guard, params: this.mapper(guard['params']) };
    if (!isFunction(guard)) return guard;
    if ('check' in guard) {
      const copy = copyOf(guard);
      if (Array.isArray(guard['guards']))
        copy['guards'] = (guard['guards'] as unknown[]).map((one) => this.guard(one, name));
      return copy;
    }
    const label = name === 'guard' && guard.name !== '' ? guard.name : name;
    return named(guard, (args: unknown, params: unknown) => {
      const { result, marked } = watch(() => guard(viewed(args), view(params)));
      return marked ? this.overseer.decide(label) : result;
    });
  }

  delay(delay: unknown): unknown {
    if (!isFunction(delay)) return delay;
    return (args: unknown, params: unknown) => {
      const watched = watch(() => delay(viewed(args), view(params)));
      return watched.marked ? UNKNOWN_DELAY : watched.result;
    };
  }

  /** A function of context and event to data: input, output, context, params. */
  private mapper(fn: unknown): unknown {
    if (!isFunction(fn)) return fn;
    return (args: unknown, params: unknown) =>
      blurred(
        watch(() => fn(viewed(args), view(params))),
        fn,
      );
  }

  action(action: unknown, name: string): unknown {
    if (isPlain(action) && 'params' in action) return { ...action, params: this.mapper(action['params']) };
    if (!isFunction(action)) return action;
    if (!('resolve' in action)) return this.custom(action, name);
    const copy = copyOf(action);
    switch (action['type']) {
      case 'xstate.assign':
        copy['assignment'] = this.assignment(action['assignment']);
        break;
      case 'xstate.sendTo':
        copy['to'] = this.target(action['to']);
        copy['event'] = this.event(action['event']);
        copy['delay'] = this.delay(action['delay']);
        break;
      case 'xstate.raise':
        copy['event'] = this.event(action['event']);
        copy['delay'] = this.delay(action['delay']);
        break;
      case 'xstate.emit':
        copy['event'] = this.event(action['event']);
        break;
      case 'xstate.cancel':
        copy['sendId'] = this.exact(action['sendId'], 'which timer is cancelled');
        break;
      case 'xstate.stopChild':
        copy['actorRef'] = this.child(action['actorRef']);
        break;
      case 'xstate.spawnChild':
        copy['src'] = stubFor(action['src']);
        copy['id'] = this.exact(action['id'], 'the id of a spawned actor');
        copy['input'] = this.mapper(action['input']);
        break;
      case 'xstate.log':
        copy['value'] = undefined;
        break;
      case 'xstate.enqueueActions':
        copy['collect'] = this.collect(action['collect'] as Fn);
        break;
      default:
        this.overseer.unseen(`the action ${String(action['type'])} is not known`);
    }
    return copy;
  }

  /** Custom code: whatever it sends is recorded by the references it uses. */
  private custom(action: Fn, name: string): unknown {
    return named(
      action,
      (args: unknown, params: unknown) => {
        watch(() => action(viewed(args), view(params)));
      },
      name,
    );
  }

  private assignment(assignment: unknown): unknown {
    if (isFunction(assignment)) {
      return (args: Arguments, params: unknown) => {
        const watched = watch(() => assignment(viewed(args), view(params)));
        if (!watched.marked) return watched.result;
        const { result } = watched;
        const known = !watched.keys && !hasChoice(assignment) && isPlain(result);
        const keys = known ? [] : Object.keys((args.context as object | undefined) ?? {});
        const all = [...keys, ...(isPlain(result) ? Object.keys(result) : [])];
        return Object.fromEntries(all.map((key) => [key, ANY]));
      };
    }
    if (!isPlain(assignment)) return assignment;
    return mapValues(assignment, (value) => this.mapper(value));
  }

  private event(event: unknown): unknown {
    if (!isFunction(event)) return event;
    return (args: unknown, params: unknown) => {
      const watched = watch(() => event(viewed(args), view(params)));
      if (!watched.marked) return watched.result;
      const result = watched.result as { type?: unknown } | undefined;
      if (typeof result?.type !== 'string' || watched.keys || hasChoice(event))
        this.overseer.unseen(`which event is sent depends on data that is not known (${this.machine})`);
      if (typeof result?.type !== 'string') return { type: 'unknown' };
      const others = Object.keys(result).filter((key) => key !== 'type');
      return { type: result.type, ...Object.fromEntries(others.map((key) => [key, ANY])) };
    };
  }

  private target(to: unknown): unknown {
    return this.exact(to, 'which actor an event is sent to');
  }

  /** Which child is stopped: where that is not known, any of them or none. */
  private child(fn: unknown): unknown {
    if (!isFunction(fn)) return fn;
    return (args: unknown, params: unknown) => {
      const watched = watch(() => fn(viewed(args), view(params)));
      if (!watched.marked && watched.result !== ANY) return watched.result;
      return this.overseer
        .children()
        .find((_, index) => this.overseer.decide(`child ${index + 1} is the one stopped`));
    };
  }

  /** A function whose result must be known. */
  private exact(fn: unknown, what: string): unknown {
    if (!isFunction(fn)) return fn;
    return (args: unknown, params: unknown) => {
      const watched = watch(() => fn(viewed(args), view(params)));
      if (!watched.marked && watched.result !== ANY) return watched.result;
      this.overseer.unseen(`${what} depends on data that is not known (${this.machine})`);
      return watched.result === ANY ? undefined : watched.result;
    };
  }

  /** What `enqueue` gets is wrapped like actions in the configuration. */
  private collect(collect: Fn): Fn {
    return (args: unknown, params: unknown) => {
      const given = args as Arguments & { enqueue: Fn & Record<string, Fn> };
      const enqueue = Object.assign(
        (action: unknown) => given.enqueue(this.action(action, 'action')),
        mapValues(
          given.enqueue as Plain,
          (fn, key) =>
            (...parts: unknown[]) =>
              (fn as Fn)(...this.enqueued(key, parts)),
        ),
      );
      const watched = watch(() => collect({ ...viewed(args), enqueue }, view(params)));
      if (watched.marked)
        this.overseer.unseen(
          `which actions enqueueActions collects depends on data that is not known (${this.machine})`,
        );
    };
  }

  private enqueued(kind: string, parts: readonly unknown[]): unknown[] {
    const [first, second, options] = parts;
    const timed = (value: unknown): unknown =>
      isPlain(value)
        ? { ...value, ...('delay' in value ? { delay: this.delay(value['delay']) } : {}) }
        : value;
    switch (kind) {
      case 'assign':
        return [this.assignment(first)];
      case 'sendTo':
        return [this.target(first), this.event(second), timed(options)];
      case 'sendParent':
      case 'raise':
        return [this.event(first), timed(second)];
      case 'emit':
        return [this.event(first)];
      case 'spawnChild':
        return [
          stubFor(first),
          isPlain(second) ? { ...second, input: this.mapper(second['input']) } : second,
        ];
      case 'stopChild':
        return [this.child(first)];
      case 'cancel':
        return [this.exact(first, 'which timer is cancelled')];
      default:
        return [...parts];
    }
  }
}

/** A delay that is not known: ordered with no other. */
export const UNKNOWN_DELAY = -1;

function viewed(args: unknown): Arguments {
  const given = args as Arguments;
  const spawn = given['spawn'];
  return {
    ...given,
    ...('context' in given ? { context: view(given.context) } : {}),
    ...('event' in given ? { event: view(given.event) } : {}),
    ...('input' in given ? { input: view(given['input']) } : {}),
    ...(isFunction(spawn)
      ? { spawn: (source: unknown, options: unknown) => spawn(stubFor(source), options) }
      : {}),
  };
}

function copyOf(fn: Fn & Plain): Plain & Fn {
  const copy = (() => {
    throw new Error('a built-in action is not called');
  }) as unknown as Fn & Plain;
  return Object.assign(copy, fn);
}

function named(original: Fn, wrapper: Fn, name: string = original.name): Fn {
  Object.defineProperty(wrapper, 'name', { value: original.name === '' ? name : original.name });
  return wrapper;
}

function mapValues(object: Plain, map: (value: unknown, key: string) => unknown): Plain {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}
