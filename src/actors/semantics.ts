// Executes a system of actors: the meaning of `ActorSystem`, for searches, simulation, replays and comparison with the languages' own
// interpreters. Two schedulers (see system.ts); both are driven from outside, one *stimulus* at a time.
//
// in-process: a stimulus is an offer or a timer; what it sets off runs to the end as nested calls do, here as an explicit stack of frames, so
// that a computation that never ends is found by coming back to a configuration, not by waiting.
// distributed: a stimulus is an offer, a timer, or the first message of some mailbox; it is one step of one actor.

import { growthOf } from './pumping.ts';
import {
  type Fact,
  type Item,
  lengthOf,
  OFF,
  STOP,
  type Stimulus,
  type SystemState,
  startItem,
  startOfItem,
  stateKey,
  trafficOf,
} from './state.ts';
import type { ActorSystem, Reaction, Scheduler, SystemEffect } from './system.ts';

export interface Advance {
  readonly state: SystemState;
  readonly facts: readonly Fact[];
  /**
   * `spins`: the computation comes back to where it was, for ever (facts from `loopStart` on). `grows`: so it does, with longer mailboxes.
   * `runs-on`: it did not end within the limit.
   * `overlap`: an actor was started under the name of one that is still at work: not modelled.
   */
  readonly end: 'quiet' | 'spins' | 'grows' | 'runs-on' | 'overlap';
  readonly loopStart: number | null;
  /** `grows`: what each mailbox gains in a round. */
  readonly growth: readonly number[] | null;
  /** By actor: the longest that its mailbox was on the way, starts and stops aside. */
  readonly peaks: readonly number[];
}

/** Picks one of `count` alternatives. */
export type Choose = (count: number) => number;

const FIRST: Choose = () => 0;

const MOST_MICROSTEPS = 20_000;

interface Frame {
  readonly actor: number;
  readonly effects: readonly SystemEffect[];
  next: number;
  /** The actor ends with this step; its last word to its parent comes after its end. */
  readonly ends: 'ended' | 'stopped' | null;
}

export function initialState(system: ActorSystem, scheduler: Scheduler, choose: Choose = FIRST): Advance {
  const empty: SystemState = {
    slots: system.actors.map((actor) => (actor.family ? [] : OFF)),
    mail: system.actors.map(() => []),
  };
  const engine = new Engine(system, scheduler, empty, choose);
  system.actors.forEach((actor, id) => {
    // Several starts of a root are alternatives: inputs to try.
    if (actor.root) engine.begin(id, startItem(actor.starts.length === 1 ? 0 : choose(actor.starts.length)));
  });
  return engine.finish();
}

export function advance(
  system: ActorSystem,
  scheduler: Scheduler,
  state: SystemState,
  stimulus: Stimulus,
  choose: Choose = FIRST,
): Advance {
  const engine = new Engine(system, scheduler, state, choose);
  engine.stimulate(stimulus);
  return engine.finish();
}

class Engine {
  private readonly system: ActorSystem;
  private readonly scheduler: Scheduler;
  private readonly choose: Choose;
  private readonly slots: (number | number[])[];
  private readonly mail: Item[][];
  private readonly stack: Frame[] = [];
  private readonly facts: Fact[] = [];
  private end: Advance['end'] = 'quiet';
  private loopStart: number | null = null;
  private growth: readonly number[] | null = null;
  private readonly peaks: number[];

  constructor(system: ActorSystem, scheduler: Scheduler, state: SystemState, choose: Choose) {
    this.system = system;
    this.scheduler = scheduler;
    this.choose = choose;
    this.slots = state.slots.map((slot) => (typeof slot === 'number' ? slot : [...slot]));
    this.mail = state.mail.map((items) => [...items]);
    this.peaks = this.mail.map(lengthOf);
  }

  stimulate(stimulus: Stimulus): void {
    const { actor } = stimulus;
    if (stimulus.kind === 'message') {
      this.takeFirst(actor);
      return;
    }
    const slot = this.slots[actor]!;
    const from = typeof slot === 'number' ? slot : slot[stimulus.member]!;
    const state = this.system.actors[actor]!.states[from]!;
    if (stimulus.kind === 'offer') {
      const { message, reactions } = state.offers[stimulus.index]!;
      this.facts.push({ kind: 'offer', actor, index: stimulus.index, from });
      this.react(actor, from, reactions, message);
      return;
    }
    const timer = state.timers[stimulus.index]!;
    this.facts.push({ kind: 'timer', actor, index: stimulus.index, from });
    this.replace(actor, from, timer.next);
    this.send(actor, timer.to, timer.target, timer.message);
  }

  /** Runs what is on the stack to its end. */
  finish(): Advance {
    if (this.scheduler === 'in-process') this.unwind();
    else while (this.stack.length > 0) this.micro();
    const state = { slots: this.slots, mail: this.mail };
    const { facts, end, loopStart, growth, peaks } = this;
    return { state, facts, end, loopStart, growth, peaks };
  }

  private unwind(): void {
    const seen = new Map<string, { facts: number; mail: readonly (readonly Item[])[] }[]>();
    for (let n = 0; this.stack.length > 0; n++) {
      if (this.end === 'overlap') return;
      if (n > 64 && this.comesBack(seen)) return;
      if (n > MOST_MICROSTEPS) {
        this.end = 'runs-on';
        return;
      }
      this.micro();
    }
  }

  /** Has the computation been here before, with the same mailboxes or with shorter ones? */
  private comesBack(seen: Map<string, { facts: number; mail: readonly (readonly Item[])[] }[]>): boolean {
    const frames = this.stack.map(
      ({ actor, effects, next }) => `${actor}:${this.effectsNumber(effects)}:${next}`,
    );
    const key = `${stateKey({ slots: this.slots, mail: [] })} ${frames.join(' ')}`;
    const earlier = seen.get(key) ?? [];
    const now = this.mail.map((items) => items.join(' ')).join(',');
    for (const { facts, mail } of earlier.slice(-8)) {
      if (mail.map((items) => items.join(' ')).join(',') === now) {
        this.end = 'spins';
        this.loopStart = facts;
        return true;
      }
      const growth = growthOf(trafficOf(mail, this.facts.slice(facts)));
      if (growth === null || this.facts.slice(facts).some((fact) => fact.kind === 'stopped')) continue;
      this.end = 'grows';
      this.loopStart = facts;
      this.growth = growth;
      return true;
    }
    if (earlier.length < 64)
      seen.set(key, [...earlier, { facts: this.facts.length, mail: this.mail.map((items) => [...items]) }]);
    return false;
  }

  private readonly numbers = new Map<readonly SystemEffect[], number>();

  private effectsNumber(effects: readonly SystemEffect[]): number {
    const known = this.numbers.get(effects) ?? this.numbers.size;
    this.numbers.set(effects, known);
    return known;
  }

  private micro(): void {
    const frame = this.stack.at(-1)!;
    const { actor, effects, ends } = frame;
    const last = frame.next === effects.length - 1;
    if (ends !== null && last && this.isLastWord(frame)) this.finishActor(frame);
    if (frame.next < effects.length) {
      this.perform(actor, effects[frame.next++]!);
      return;
    }
    if (ends !== null) this.finishActor(frame);
    this.stack.pop();
    if (this.scheduler === 'in-process' && this.mail[actor]!.length > 0) this.takeFirst(actor);
  }

  private isLastWord({ actor, effects }: Frame): boolean {
    const word = effects.at(-1)!;
    return word.kind === 'send' && word.to !== null && word.to === this.system.actors[actor]!.parent;
  }

  private readonly finished = new Set<Frame>();

  private finishActor(frame: Frame): void {
    if (this.finished.has(frame)) return;
    this.finished.add(frame);
    const { actor } = frame;
    if (!this.system.actors[actor]!.family) {
      this.slots[actor] = OFF;
      if (this.scheduler === 'in-process') this.mail[actor] = [];
    } else {
      // A member that ends has a state that takes nothing: it leaves the family.
      const slot = this.slots[actor] as number[];
      const at = slot.findIndex((id) => this.system.actors[actor]!.states[id]!.status !== 'active');
      if (at >= 0) slot.splice(at, 1);
    }
    this.facts.push({ kind: frame.ends!, actor });
  }

  private perform(actor: number, effect: SystemEffect): void {
    switch (effect.kind) {
      case 'send':
        this.send(actor, effect.to, effect.target, effect.message);
        return;
      case 'emit':
        this.facts.push({ kind: 'emit', actor, message: effect.message });
        return;
      case 'start':
        this.post(actor, effect.actor, startItem(effect.start));
        return;
      case 'stop':
        if (this.scheduler === 'distributed' || this.isRunning(effect.actor))
          this.post(actor, effect.actor, STOP);
        return;
    }
  }

  private send(from: number, to: number | null, target: string, message: number): void {
    if (to === null || (this.scheduler === 'in-process' && !this.isRunning(to))) {
      this.facts.push({ kind: 'lost', from, to, target, message });
      return;
    }
    this.post(from, to, message);
  }

  private isRunning(actor: number): boolean {
    const slot = this.slots[actor]!;
    return typeof slot === 'number' ? slot !== OFF : slot.length > 0;
  }

  private post(from: number, to: number, item: Item): void {
    this.facts.push({ kind: 'send', from, to, item });
    if (this.scheduler === 'distributed') {
      this.mail[to]!.push(item);
      this.peaks[to] = Math.max(this.peaks[to]!, lengthOf(this.mail[to]!));
      return;
    }
    const busy = this.stack.some((frame) => frame.actor === to && !this.finished.has(frame));
    if (item === STOP && busy) this.mail[to] = [];
    if (item < STOP) {
      if (busy || (this.isRunning(to) && !this.system.actors[to]!.family)) this.end = 'overlap';
      else this.begin(to, item);
      return;
    }
    this.mail[to]!.push(item);
    this.peaks[to] = Math.max(this.peaks[to]!, lengthOf(this.mail[to]!));
    if (!busy) this.takeFirst(to);
  }

  private takeFirst(actor: number): void {
    this.begin(actor, this.mail[actor]!.shift()!);
  }

  /** The actor takes the item, whatever it is. */
  begin(actor: number, item: Item): void {
    const slot = this.slots[actor]!;
    const members = typeof slot === 'number' ? (slot === OFF ? [] : [slot]) : slot;
    const from =
      members.length === 0 ? OFF : members[members.length === 1 ? 0 : this.choose(members.length)]!;
    this.facts.push({ kind: 'take', actor, item, from });
    if (item < STOP) {
      if (this.system.actors[actor]!.family || from === OFF) {
        this.facts.push({ kind: 'started', actor });
        this.react(actor, OFF, this.system.actors[actor]!.starts[startOfItem(item)]!.reactions, null);
      } else this.end = 'overlap';
    } else if (from === OFF) {
      if (item !== STOP)
        this.facts.push({
          kind: 'lost',
          from: null,
          to: actor,
          target: this.system.actors[actor]!.name,
          message: item,
        });
    } else if (item === STOP) this.stop(actor, from);
    else {
      const found = this.system.actors[actor]!.states[from]!.receives.find(({ message }) => message === item);
      if (found === undefined) throw new Error('impossible: a message arrives that was not explored');
      this.react(actor, from, found.reactions, item);
    }
  }

  private stop(actor: number, from: number): void {
    const { family, states } = this.system.actors[actor]!;
    if (family) this.remove(actor, from);
    const children = this.system.actors.flatMap((other, id): SystemEffect[] =>
      other.parent === actor && (this.scheduler === 'distributed' || this.isRunning(id))
        ? [{ kind: 'stop', actor: id }]
        : [],
    );
    const effects = [...(states[from]!.onStop ?? []), ...children];
    this.stack.push({ actor, effects, next: 0, ends: 'stopped' });
  }

  private react(actor: number, from: number, reactions: readonly Reaction[], message: number | null): void {
    const choice = reactions.length === 1 ? 0 : this.choose(reactions.length);
    const reaction = reactions[choice]!;
    this.facts.push({ kind: 'react', actor, reaction, choice, message });
    if (!reaction.handled && message !== null) this.facts.push({ kind: 'ignored', actor, message });
    this.replace(actor, from, reaction.next);
    const { status } = this.system.actors[actor]!.states[reaction.next]!;
    this.stack.push({
      actor,
      effects: reaction.effects,
      next: 0,
      ends: status === 'active' ? null : 'ended',
    });
  }

  private replace(actor: number, from: number, to: number): void {
    const slot = this.slots[actor]!;
    if (typeof slot === 'number') {
      this.slots[actor] = to;
      return;
    }
    if (from !== OFF) this.remove(actor, from);
    slot.push(to);
    slot.sort((a, b) => a - b);
  }

  private remove(actor: number, from: number): void {
    const slot = this.slots[actor] as number[];
    const at = slot.indexOf(from);
    if (at >= 0) slot.splice(at, 1);
  }
}
