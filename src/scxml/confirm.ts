// A run of an explored system, taken again on the interpreter: with the real data, nothing left out or widened, and with queues, timers and events of its
// own. What the exploration says (who reacts to what, with which effects, and where it stands then) must be what happens.

import type { Effect as ActorEffect, Outcome as ActorOutcome } from '../actors/behaviour.ts';
import type { Move } from '../actors/graph.ts';
import { advance, initialState } from '../actors/semantics.ts';
import { type Fact, STOP, type SystemState } from '../actors/state.ts';
import type { ActorSystem, Scheduler } from '../actors/system.ts';
import type { ChartBehaviour } from './behaviour.ts';

type Item =
  | { readonly kind: 'event'; readonly key: string; readonly text: string }
  | { readonly kind: 'stop' }
  | { readonly kind: 'start'; readonly key: string };

interface Live {
  state: string | null;
  readonly mailbox: Item[];
  /** Effects of the step under way that have not taken place yet. */
  pending: ActorEffect[];
  timers: (ActorEffect & { kind: 'send' })[];
}

class Different extends Error {}

/** Null: it happens as it is told. Otherwise what is different. `behaviour` must be one that leaves out no data. */
export function confirmMoves(
  behaviour: ChartBehaviour,
  system: ActorSystem,
  scheduler: Scheduler,
  moves: readonly Move[],
): string | null {
  const confirmation = new Confirmation(behaviour, system);
  let state: SystemState | null = null;
  try {
    for (const { stimulus, choices } of moves) {
      const choose = chooser(choices);
      const result: ReturnType<typeof advance> =
        state === null || stimulus === null
          ? initialState(system, scheduler, choose)
          : advance(system, scheduler, state, stimulus, choose);
      for (const fact of result.facts) confirmation.check(fact);
      state = result.state;
    }
    return null;
  } catch (error) {
    if (error instanceof Different) return error.message;
    throw error;
  }
}

function chooser(choices: readonly number[]): () => number {
  let next = 0;
  return () => choices[next++] ?? 0;
}

class Confirmation {
  private readonly behaviour: ChartBehaviour;
  private readonly system: ActorSystem;
  private readonly live = new Map<string, Live>();
  private readonly roots: ReturnType<ChartBehaviour['roots']>;
  /** What was taken and is to be reacted to. */
  private taken: Item | null = null;

  constructor(behaviour: ChartBehaviour, system: ActorSystem) {
    this.behaviour = behaviour;
    this.system = system;
    this.roots = behaviour.roots();
    for (const root of this.roots) this.of(root.actor).mailbox.push({ kind: 'start', key: root.key });
  }

  check(fact: Fact): void {
    switch (fact.kind) {
      case 'take':
        this.take(fact.actor, fact.item);
        return;
      case 'offer':
        this.offer(fact);
        return;
      case 'timer':
        this.fire(fact);
        return;
      case 'react':
        this.react(fact);
        return;
      case 'send':
        this.send(fact.from, this.nameOf(fact.to), fact.item);
        return;
      case 'lost':
        if (fact.from !== null) this.nextEffect(this.nameOf(fact.from));
        return;
      case 'stopped':
      case 'ended':
        this.end(this.nameOf(fact.actor));
        return;
      default:
        return;
    }
  }

  private of(name: string): Live {
    let live = this.live.get(name);
    if (live === undefined)
      this.live.set(name, (live = { state: null, mailbox: [], pending: [], timers: [] }));
    return live;
  }

  private nameOf = (actor: number): string => this.system.actors[actor]!.name;

  private take(actor: number, item: number): void {
    const name = this.nameOf(actor);
    const first = this.of(name).mailbox.shift();
    if (first === undefined) throw new Different(`nothing waits for ${name}`);
    const expected = item >= 0 ? 'event' : item === STOP ? 'stop' : 'start';
    if (first.kind !== expected)
      throw new Different(`${name} takes a ${first.kind} where a ${expected} is claimed`);
    if (first.kind === 'event' && first.text !== this.system.messages[item]!.text)
      throw new Different(`${name} takes ${first.text} where ${this.system.messages[item]!.text} is claimed`);
    this.taken = first;
    const live = this.of(name);
    if (first.kind === 'stop' && live.state !== null)
      live.pending = [...this.behaviour.stopped(name, live.state)];
  }

  private offer(fact: Fact & { kind: 'offer' }): void {
    const name = this.nameOf(fact.actor);
    const { message } = this.system.actors[fact.actor]!.states[fact.from]!.offers[fact.index]!;
    const { text } = this.system.messages[message]!;
    const offered = this.behaviour
      .offers(name, this.of(name).state ?? '')
      .find(({ event }) => event.text === text);
    if (offered === undefined) throw new Different(`nobody outside sends ${text} to ${name} here`);
    this.taken = { kind: 'event', key: offered.event.key, text };
  }

  private fire(fact: Fact & { kind: 'timer' }): void {
    const name = this.nameOf(fact.actor);
    const live = this.of(name);
    const { message, delay } = this.system.actors[fact.actor]!.states[fact.from]!.timers[fact.index]!;
    const { text } = this.system.messages[message]!;
    const index = live.timers.findIndex((timer) => timer.event.text === text && timer.delay === delay);
    if (index < 0) throw new Different(`${name} has no timer for ${text}`);
    const [timer] = live.timers.splice(index, 1);
    if (live.timers.slice(0, index).some((earlier) => (earlier.delay ?? 0) <= delay))
      throw new Different(`another timer of ${name} fires before ${text}`);
    live.pending.push({ ...timer!, delay: null });
  }

  private react({ actor, reaction }: Fact & { kind: 'react' }): void {
    const name = this.nameOf(actor);
    const live = this.of(name);
    const outcome = this.outcome(name, live);
    const { active, status } = this.behaviour.describe(name, outcome.state);
    const claimed = this.system.actors[actor]!.states[reaction.next]!;
    if (active.join() !== claimed.active.join() || status !== claimed.status)
      throw new Different(`${name} is in ${active.join(' ')} where ${claimed.active.join(' ')} is claimed`);
    if (outcome.handled !== reaction.handled)
      throw new Different(
        `${name} ${outcome.handled ? 'handles' : 'does not handle'} ${this.taken?.kind === 'event' ? this.taken.text : 'it'}`,
      );
    live.state = outcome.state;
    live.pending = outcome.effects.filter(
      (effect) =>
        effect.kind !== 'cancel' &&
        !(effect.kind === 'send' && effect.delay !== null) &&
        effect.kind !== 'emit',
    );
    for (const effect of outcome.effects) {
      if (effect.kind === 'cancel') live.timers = live.timers.filter(({ id }) => id !== effect.id);
      if (effect.kind === 'send' && effect.delay !== null) live.timers.push(effect);
    }
  }

  private outcome(name: string, live: Live): ActorOutcome {
    const { taken } = this;
    if (taken === null || taken.kind === 'stop') throw new Different(`${name} reacts to nothing`);
    if (taken.kind === 'start') return this.behaviour.startByKey(name, taken.key)[0]!;
    if (live.state === null) throw new Different(`${name} is not running`);
    return this.behaviour.react(name, live.state, { type: '', key: taken.key, text: taken.text })[0]!;
  }

  private send(from: number, to: string, item: number): void {
    const effect = this.nextEffect(this.nameOf(from), item === STOP ? to : null);
    if (effect.kind === 'send') {
      if (effect.to !== to)
        throw new Different(`${effect.event.text} goes to ${effect.to} where ${to} is claimed`);
      this.of(to).mailbox.push({ kind: 'event', key: effect.event.key, text: effect.event.text });
    } else if (effect.kind === 'start') this.of(to).mailbox.push({ kind: 'start', key: effect.start.key });
    else this.of(to).mailbox.push({ kind: 'stop' });
  }

  /** A session that is stopped stops what it has invoked, without an effect of its own. */
  private nextEffect(from: string, stopped: string | null = null): ActorEffect {
    const { pending } = this.of(from);
    // Stops of what runs no more are told by nobody.
    while (pending[0]?.kind === 'stop' && pending[0].actor !== stopped) pending.shift();
    const effect = pending.shift();
    if (effect !== undefined) return effect;
    if (stopped !== null) return { kind: 'stop', actor: stopped };
    throw new Different(`${from} sends nothing where a message is claimed`);
  }

  private end(name: string): void {
    const live = this.of(name);
    live.timers = [];
    if (live.pending.length <= 1) live.state = null;
  }
}
