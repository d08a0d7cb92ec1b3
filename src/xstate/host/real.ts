// The real thing: a system run by the user's own `createActor`, driven one stimulus at a time.
//
// Machines run as they are. Promises, callbacks and observables are started as shells: XState's own transition functions decide what
// their events mean, but the events come from whoever drives the system, and so does time: the clock fires a timer when it is told to.

import { kindOf } from './logics.ts';
import { shelledMachine6, shellOf6 } from './shell6.ts';
import {
  isLogic,
  isMachine,
  isMachine6,
  type XEvent,
  type XLogic,
  type XLogic6,
  type XMachine,
  type XMachine6,
  type XScope,
  type XSnapshot,
} from './types.ts';
import { typeOf } from './words.ts';

export interface RealActor {
  readonly id: string;
  readonly sessionId: string;
  readonly logic: XLogic;
  readonly _processingStatus: 0 | 1 | 2;
  getSnapshot(): XSnapshot;
  send(event: XEvent): void;
  start(): void;
  subscribe(observer: { error: () => void }): unknown;
  readonly system: {
    _relay(source: unknown, target: unknown, event: XEvent): void;
    inspect(observer: (event: { type: string; [key: string]: unknown }) => void): unknown;
    readonly scheduler: {
      schedule: (source: RealActor, target: RealActor, event: XEvent, delay: number, id?: string) => void;
    };
  };
}

export type CreateActor = (
  logic: unknown,
  options: { input?: unknown; clock: Clock; logger?: () => void },
) => RealActor;

export interface Clock {
  setTimeout(fn: () => void, delay: number): unknown;
  clearTimeout(id: unknown): void;
}

export interface PendingReal {
  readonly source: RealActor;
  readonly target: RealActor;
  readonly event: XEvent;
  readonly delay: number;
  readonly fire: () => void;
}

export class RealSystem {
  readonly root: RealActor;
  /** Timers that are set and have not fired, in the order in which they were set. */
  readonly timers = new Map<unknown, PendingReal>();
  private readonly rootName: string;
  private readonly names = new Map<RealActor, string>();
  private readonly numbers = new Map<RealActor, Map<RealActor, string>>();

  constructor(
    machine: XMachine,
    rootName: string,
    input: unknown,
    createActor: CreateActor,
    outer: Clock | null = null,
  ) {
    this.rootName = rootName;
    let info: Omit<PendingReal, 'fire'> | null = null;
    let next = 0;
    const clock: Clock = {
      setTimeout: (fn, delay) => {
        const id = ++next;
        const fire = (): void => {
          this.timers.delete(id);
          fn();
        };
        this.timers.set(id, { ...info!, fire });
        if (outer === null) return id;
        const handle = outer.setTimeout(fire, delay);
        handles.set(id, handle);
        return id;
      },
      clearTimeout: (id) => {
        this.timers.delete(id);
        if (outer !== null) outer.clearTimeout(handles.get(id));
      },
    };
    const handles = new Map<unknown, unknown>();
    this.root = createActor(shelled(machine), { input, clock, logger: () => {} });
    // An error that nobody listens to would be thrown a little later, out of reach.
    this.root.subscribe({ error: () => {} });
    this.watchTimers(isMachine6(machine), (pending) => {
      info = pending;
    });
    this.root.start();
    this.discover();
  }

  /** XState says which timer it is only when it asks its own scheduler. */
  private watchTimers(isSix: boolean, hear: (pending: Omit<PendingReal, 'fire'>) => void): void {
    const { system } = this.root;
    if (!isSix) {
      const { scheduler } = system;
      const schedule = scheduler.schedule.bind(scheduler);
      scheduler.schedule = (source, target, event, delay, id) => {
        hear({ source, target, event, delay });
        schedule(source, target, event, delay, id);
      };
      return;
    }
    const six = system as unknown as { schedule: (source: RealActor, id: string, delay: number) => void };
    const schedule = six.schedule.bind(system);
    six.schedule = (source, id, delay) => {
      const timer = source.getSnapshot().timers?.[id] as { event: XEvent } | undefined;
      const of = timer === undefined ? id : typeOf(timer.event);
      hear({ source, target: source, event: { type: 'xstate.timer', id, of }, delay });
      schedule(source, id, delay);
    };
  }

  /** Every actor that is known to its parent, by our name for it. */
  actors(): Map<string, RealActor> {
    this.discover();
    const found = new Map<string, RealActor>();
    const visit = (actor: RealActor, name: string): void => {
      found.set(name, actor);
      for (const [id, child] of Object.entries(actor.getSnapshot().children ?? {})) {
        if (child === undefined) continue;
        visit(child as RealActor, `${name}/${this.idOf(actor, child as RealActor, id)}`);
      }
    };
    visit(this.root, this.rootName);
    return found;
  }

  nameOf(actor: RealActor): string {
    return this.names.get(actor) ?? [...this.actors()].find(([, one]) => one === actor)?.[0] ?? 'unknown';
  }

  private discover(): void {
    const visit = (actor: RealActor, name: string): void => {
      this.names.set(actor, name);
      const known = this.numbers.get(actor) ?? new Map<RealActor, string>();
      this.numbers.set(actor, known);
      const children = Object.entries(actor.getSnapshot().children ?? {}) as [
        string,
        RealActor | undefined,
      ][];
      const taken = new Set(children.flatMap(([, child]) => (child && known.get(child)) ?? []));
      for (const [id, child] of children) {
        if (child === undefined) continue;
        if (!known.has(child)) known.set(child, nameFor(child, id, taken));
        taken.add(known.get(child)!);
        visit(child, `${name}/${known.get(child)!}`);
      }
    };
    visit(this.root, this.rootName);
  }

  private idOf(parent: RealActor, child: RealActor, id: string): string {
    return this.numbers.get(parent)?.get(child) ?? id;
  }

  /** What a shell may do of itself: a promise settles, a callback sends back. */
  settle(actor: RealActor, event: XEvent): void {
    const { system } = actor;
    if (event.type === 'xstate.spillway.sendBack') {
      const parent = (actor as unknown as { _parent?: RealActor })._parent;
      system._relay(actor, parent, event['event'] as XEvent);
    } else system._relay(actor, actor, isSix(actor.logic) ? settled6(event) : event);
  }
}

const isSix = (logic: XLogic): boolean => 'initialTransition' in logic;

const settled6 = (event: XEvent): XEvent => ({
  ...event,
  type: event.type.replace(/^xstate\.promise\./, 'xstate.async.'),
});

/** Names without an id of the user's own are given as the exploration gives them. */
function nameFor(child: RealActor, id: string, taken: ReadonlySet<string>): string {
  if (child.id === child.sessionId) return freeNumber(taken);
  const prefix = isSix(child.logic) ? /^(.+):\d+$/.exec(id)?.[1] : undefined;
  if (prefix === undefined) return id;
  const numbers = [...taken].flatMap((name) =>
    name.startsWith(`${prefix}:`) ? [Number(name.slice(prefix.length + 1))] : [],
  );
  return `${prefix}:${Math.max(-1, ...numbers) + 1}`;
}

/** XState 5: the smallest number that is free. */
function freeNumber(taken: ReadonlySet<string>): string {
  let n = 0;
  while (taken.has(`x:${n}`)) n++;
  return `x:${n}`;
}

const shells = new WeakMap<object, unknown>();

/** The same logic; children that are no machines become shells. */
function shelled(logic: unknown): unknown {
  if (!isLogic(logic)) return logic;
  const known = shells.get(logic);
  if (known !== undefined) return known;
  const made = isMachine6(logic)
    ? shelledMachine6(logic as unknown as XMachine6, shelled)
    : isMachine(logic)
      ? shelledMachine(logic)
      : shellOf(logic);
  shells.set(logic, made);
  return made;
}

function shellOf(logic: XLogic): XLogic {
  const kind = kindOf(logic);
  if (kind === 'transition') return logic;
  if (isSix(logic)) return shellOf6(logic as unknown as XLogic6) as unknown as XLogic;
  return {
    ...logic,
    transition: (snapshot, event, scope) => {
      if (kind !== 'callback') return logic.transition(snapshot, event, scope);
      return event.type === 'xstate.stop' ? { ...snapshot, status: 'stopped' } : snapshot;
    },
    start: (snapshot: XSnapshot, _scope: XScope) => {
      (snapshot as { _subscription?: unknown })._subscription = { unsubscribe: () => {} };
    },
  };
}

type Plain = Record<string, unknown>;
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function shelledMachine(machine: XMachine): XMachine {
  const Machine = machine.constructor as new (config: unknown, implementations: unknown) => XMachine;
  const actors = Object.fromEntries(
    Object.entries(machine.implementations.actors).map(([name, logic]) => [name, shelled(logic)]),
  );
  const options = { ...(machine.config['options'] as object | undefined), maxIterations: 4000 };
  return new Machine(
    { ...(replaced(machine.config) as Plain), options },
    { ...machine.implementations, actors },
  );
}

/** Wherever a logic or a function that spawns one stands in the configuration. */
function replaced(value: unknown): unknown {
  if (isLogic(value)) return shelled(value);
  if (Array.isArray(value)) return value.map(replaced);
  if (typeof value === 'function') return replacedFunction(value as Fn);
  if (!isPlain(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === 'meta' ? part : replaced(part)]),
  );
}

type Fn = ((...args: unknown[]) => unknown) & Plain;

function replacedFunction(fn: Fn): unknown {
  const type = fn['type'];
  if (type === 'xstate.spawnChild') return Object.assign(noCall(), fn, { src: shelled(fn['src']) });
  if (type === 'xstate.assign')
    return Object.assign(noCall(), fn, { assignment: spawning(fn['assignment']) });
  if (type === 'xstate.enqueueActions') {
    const collect = fn['collect'] as Fn;
    return Object.assign(noCall(), fn, {
      collect: (args: Plain, params: unknown) => {
        const original = args['enqueue'] as Fn & Record<string, Fn>;
        const enqueue = Object.assign((action: unknown) => original(replaced(action)), original, {
          assign: (one: unknown) => original['assign']!(spawning(one)),
          spawnChild: (src: unknown, options: unknown) => original['spawnChild']!(shelled(src), options),
        });
        return collect({ ...args, enqueue }, params);
      },
    });
  }
  if ('resolve' in fn || 'check' in fn) return fn;
  return Object.assign((args: unknown, params: unknown) => fn(withSpawn(args), params), fn);
}

const noCall = (): (() => never) => () => {
  throw new Error('a built-in action is not called');
};

function spawning(assignment: unknown): unknown {
  if (typeof assignment === 'function')
    return (args: unknown, params: unknown) => (assignment as Fn)(withSpawn(args), params);
  if (!isPlain(assignment)) return assignment;
  return Object.fromEntries(Object.entries(assignment).map(([key, part]) => [key, spawning(part)]));
}

function withSpawn(args: unknown): unknown {
  if (!isPlain(args) || typeof args['spawn'] !== 'function') return args;
  const spawn = args['spawn'] as Fn;
  return { ...args, spawn: (src: unknown, options: unknown) => spawn(shelled(src), options) };
}
