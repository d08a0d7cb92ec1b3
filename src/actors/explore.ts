// From single actors to a system: every actor's states under every event that can reach it, until nothing new turns up.
//
// What can reach an actor is taken without regard to time: an event that anybody may send to it is tried in all its states. So the graphs
// are an over-approximation of what really happens, and complete: a work list over pairs of state and event that ends when all are done.

import type { ActorName, Behaviour, Effect, EventValue, Outcome, Start, StateKey } from './behaviour.ts';
import type { Actor, ActorState, ActorSystem, Reaction, SystemEffect } from './system.ts';
import { afterStep, firing, type PendingTimer, type TimerRule, timersKey } from './timers.ts';

export interface ExploreLimits {
  /** States of all actors together. */
  readonly states: number;
  readonly actors: number;
  readonly goOn?: () => boolean;
}

export const EXPLORE_LIMITS: ExploreLimits = { states: 60_000, actors: 2_000 };

export type Exploration =
  | { readonly ok: true; readonly system: ActorSystem }
  | { readonly ok: false; readonly limit: 'states' | 'actors' | 'time'; readonly actor: string };

interface StateBuild {
  readonly key: StateKey;
  readonly timers: readonly PendingTimer[];
  readonly receives: Map<number, readonly Reaction[]>;
  offers: ActorState['offers'];
  fires: ActorState['timers'];
  onStop: readonly SystemEffect[];
}

interface ActorBuild {
  readonly id: number;
  readonly name: ActorName;
  readonly first: Start;
  readonly root: boolean;
  readonly startIds: Map<string, number>;
  readonly starts: { text: string; reactions: readonly Reaction[] }[];
  readonly stateIds: Map<string, number>;
  readonly states: StateBuild[];
  readonly arrivals: Set<number>;
}

class TooLarge extends Error {
  readonly limit: 'states' | 'actors' | 'time';
  readonly actor: string;

  constructor(limit: TooLarge['limit'], actor: string) {
    super(limit);
    this.limit = limit;
    this.actor = actor;
  }
}

export function exploreSystem(
  behaviour: Behaviour,
  language: string,
  timers: TimerRule,
  limits: ExploreLimits = EXPLORE_LIMITS,
): Exploration {
  const explorer = new Explorer(behaviour, timers, limits);
  try {
    explorer.run();
  } catch (error) {
    if (error instanceof TooLarge) return { ok: false, limit: error.limit, actor: error.actor };
    throw error;
  }
  return { ok: true, system: explorer.finish(language) };
}

class Explorer {
  private readonly behaviour: Behaviour;
  private readonly rule: TimerRule;
  private readonly limits: ExploreLimits;
  private readonly actors: ActorBuild[] = [];
  private readonly byName = new Map<ActorName, ActorBuild>();
  private readonly events: EventValue[] = [];
  private readonly eventIds = new Map<string, number>();
  private readonly work: (() => void)[] = [];
  private stateCount = 0;
  private steps = 0;

  constructor(behaviour: Behaviour, rule: TimerRule, limits: ExploreLimits) {
    this.behaviour = behaviour;
    this.rule = rule;
    this.limits = limits;
  }

  run(): void {
    for (const start of this.behaviour.roots()) this.startActor(start, true);
    for (let next = this.work.pop(); next !== undefined; next = this.work.pop()) {
      // A step may run a user's functions a hundred times: few of them are long.
      if (++this.steps % 8 === 0 && this.limits.goOn?.() === false) throw new TooLarge('time', '');
      next();
    }
  }

  private actorNamed(name: ActorName): ActorBuild | null {
    return this.byName.get(name) ?? null;
  }

  /** The actor and the number of this way to start it. */
  private startActor(start: Start, root = false): { actor: number; start: number } {
    let actor = this.byName.get(start.actor);
    if (actor === undefined) {
      if (this.actors.length >= this.limits.actors) throw new TooLarge('actors', start.actor);
      actor = {
        id: this.actors.length,
        name: start.actor,
        first: start,
        root,
        startIds: new Map(),
        starts: [],
        stateIds: new Map(),
        states: [],
        arrivals: new Set(),
      };
      this.actors.push(actor);
      this.byName.set(start.actor, actor);
    }
    const known = actor.startIds.get(start.key);
    if (known !== undefined) return { actor: actor.id, start: known };
    const number = actor.starts.length;
    actor.startIds.set(start.key, number);
    const entry = { text: start.key, reactions: [] as readonly Reaction[] };
    actor.starts.push(entry);
    const owner = actor;
    this.work.push(() => {
      entry.reactions = this.behaviour.start(start).map((outcome) => this.reaction(owner, outcome, []));
    });
    return { actor: actor.id, start: number };
  }

  private reaction(actor: ActorBuild, outcome: Outcome, timers: readonly PendingTimer[]): Reaction {
    const status = this.behaviour.describe(actor.name, outcome.state).status;
    const pending = status === 'active' ? afterStep(timers, outcome.effects, this.rule) : [];
    const effects = outcome.effects.flatMap((effect) => this.effect(effect));
    const logic = this.behaviour.logicOf(actor.first);
    const transitions =
      logic === null
        ? []
        : outcome.transitions.map((id) => logic.transitions.findIndex((one) => one.id === id));
    return {
      next: this.stateOf(actor, outcome.state, pending),
      effects,
      handled: outcome.handled,
      transitions: transitions.filter((index) => index >= 0),
      assumed: outcome.assumed ?? [],
    };
  }

  private effect(effect: Effect): SystemEffect[] {
    switch (effect.kind) {
      case 'send': {
        if (effect.delay !== null) return [];
        const message = this.eventId(effect.event);
        return [this.sendTo(effect.to, effect.target, message, effect.certain)];
      }
      case 'cancel':
        return [];
      case 'start':
        return [{ kind: 'start', ...this.startActor(effect.start) }];
      case 'stop': {
        const actor = this.actorNamed(effect.actor);
        return actor === null ? [] : [{ kind: 'stop', actor: actor.id }];
      }
      case 'emit':
        return [{ kind: 'emit', message: this.eventId(effect.event) }];
    }
  }

  private sendTo(
    to: ActorName | null,
    target: string,
    message: number,
    certain: boolean,
  ): SystemEffect & { kind: 'send' } {
    const actor = to === null ? null : this.actorNamed(to);
    if (actor !== null) this.arrives(actor, message);
    else if (to !== null) this.waiting.set(to, [...(this.waiting.get(to) ?? []), message]);
    // A name that is born later gets its number when the system is finished.
    const effect = { kind: 'send' as const, to: actor?.id ?? null, target, message, certain };
    if (actor === null && to !== null) this.late.push({ effect, to });
    return effect;
  }

  /** Events for names that nobody bears yet. */
  private readonly waiting = new Map<ActorName, number[]>();
  private readonly late: { effect: { to: number | null }; to: ActorName }[] = [];

  private eventId(event: EventValue): number {
    const known = this.eventIds.get(event.key);
    if (known !== undefined) return known;
    this.events.push(event);
    this.eventIds.set(event.key, this.events.length - 1);
    return this.events.length - 1;
  }

  private arrives(actor: ActorBuild, message: number): void {
    if (actor.arrivals.has(message)) return;
    actor.arrivals.add(message);
    actor.states.forEach((_, state) => {
      this.work.push(() => this.tryReceive(actor, state, message));
    });
  }

  private stateOf(actor: ActorBuild, key: StateKey, timers: readonly PendingTimer[]): number {
    const full = `${key}\n${timersKey(timers)}`;
    const known = actor.stateIds.get(full);
    if (known !== undefined) return known;
    if (++this.stateCount > this.limits.states) throw new TooLarge('states', actor.name);
    const id = actor.states.length;
    actor.stateIds.set(full, id);
    actor.states.push({ key, timers, receives: new Map(), offers: [], fires: [], onStop: [] });
    this.work.push(() => this.expand(actor, id));
    return id;
  }

  private expand(actor: ActorBuild, id: number): void {
    const waiting = this.waiting.get(actor.name);
    if (waiting !== undefined) {
      this.waiting.delete(actor.name);
      for (const message of waiting) this.arrives(actor, message);
    }
    const state = actor.states[id]!;
    if (this.behaviour.describe(actor.name, state.key).status !== 'active') return;
    for (const message of actor.arrivals) this.work.push(() => this.tryReceive(actor, id, message));
    state.fires = firing(state.timers).map(({ timer, rest }) => {
      const message = this.eventId(timer.event);
      const { to, target } = this.sendTo(timer.to, timer.target, message, true);
      const entry = { to, target, message, delay: timer.delay, next: this.stateOf(actor, state.key, rest) };
      if (to === null && timer.to !== null) this.late.push({ effect: entry, to: timer.to });
      return entry;
    });
    if (!actor.root)
      state.onStop = (this.behaviour.stopped?.(actor.name, state.key) ?? []).flatMap((effect) =>
        this.effect(effect),
      );
    state.offers = this.behaviour.offers(actor.name, state.key).map(({ kind, event }) => ({
      kind,
      message: this.eventId(event),
      reactions: this.reactionsTo(actor, state, event),
    }));
  }

  private tryReceive(actor: ActorBuild, id: number, message: number): void {
    const state = actor.states[id]!;
    if (state.receives.has(message)) return;
    if (this.behaviour.describe(actor.name, state.key).status !== 'active') return;
    state.receives.set(message, []);
    state.receives.set(message, this.reactionsTo(actor, state, this.events[message]!));
  }

  private reactionsTo(actor: ActorBuild, state: StateBuild, event: EventValue): readonly Reaction[] {
    return this.behaviour
      .react(actor.name, state.key, event)
      .map((outcome) => this.reaction(actor, outcome, state.timers));
  }

  finish(language: string): ActorSystem {
    for (const { effect, to } of this.late) effect.to = this.byName.get(to)?.id ?? null;
    const logics: ActorSystem['logics'][number][] = [];
    const logicIndex = new Map<string, number>();
    const actors = this.actors.map((actor): Actor => {
      const logic = this.behaviour.logicOf(actor.first);
      let index: number | null = null;
      if (logic !== null) {
        index = logicIndex.get(logic.name) ?? logics.push(logic) - 1;
        logicIndex.set(logic.name, index);
      }
      const parent = actor.first.parent === null ? null : (this.byName.get(actor.first.parent)?.id ?? null);
      return {
        name: actor.name,
        parent,
        logic: index,
        logicName: actor.first.logic,
        root: actor.root,
        // Children of a family's members are as many.
        family: actor.name.includes('*'),
        starts: actor.starts,
        states: actor.states.map((state) => this.finishState(actor, state)),
      };
    });
    return {
      name: this.behaviour.name,
      language,
      messages: this.events.map(({ type, key, text, data }) => ({
        type,
        key,
        text,
        ...(data === undefined ? {} : { data }),
      })),
      actors,
      logics,
      caveats: this.behaviour.caveats(),
    };
  }

  private finishState(actor: ActorBuild, state: StateBuild): ActorState {
    const { text, active, tags, status, error, rests, progress, at } = this.behaviour.describe(
      actor.name,
      state.key,
    );
    return {
      text,
      active,
      tags,
      status,
      ...(error === undefined ? {} : { error }),
      rests,
      progress,
      at,
      receives: [...state.receives].map(([message, reactions]) => ({ message, reactions })),
      offers: state.offers,
      ...(state.onStop.length === 0 ? {} : { onStop: state.onStop }),
      timers: state.fires,
    };
  }
}
