// Our semantics and XState's own side by side: one random step of both at a time, compared after every one.

import { expect } from 'vitest';
import { advance, initialState } from '../actors/semantics.ts';
import { OFF, type Stimulus, type SystemState, stimuli } from '../actors/state.ts';
import type { ActorSystem } from '../actors/system.ts';
import { Random } from '../base/random.ts';
import { brief } from './host/canonical.ts';
import { type Clock, type CreateActor, type PendingReal, type RealActor, RealSystem } from './host/real.ts';
import { type Explored, exploreMachine } from './host/rounds.ts';
import { nodesOf } from './host/types.ts';
import { typeOf } from './host/words.ts';
import type { Example } from './machines.fuzz.ts';

/** What a version of XState supplies. */
export interface Version {
  readonly createActor: CreateActor;
  readonly SimulatedClock: new () => Clock & {
    now(): number;
    set(time: number): void;
    increment(ms: number): void;
  };
}

export function random(seed: number): (below: number) => number {
  const generator = new Random(seed);
  return (below) => generator.below(below);
}

export class Comparison {
  readonly system: ActorSystem;
  private readonly explored: Explored & { ok: true };
  private readonly example: Example;
  private real!: RealSystem;
  private readonly version: Version;
  private clock!: InstanceType<Version['SimulatedClock']>;
  state!: SystemState;

  constructor(example: Example, version: Version) {
    this.version = version;
    const explored = exploreMachine(
      { name: example.name, logic: example.machine as never },
      example.declared ?? {},
    );
    if (!explored.ok) throw new Error(`not explored: ${explored.limit}`);
    this.explored = explored;
    this.system = explored.system;
    this.example = example;
    this.restart();
  }

  restart(): void {
    this.clock = new this.version.SimulatedClock();
    this.real = new RealSystem(
      this.example.machine as never,
      this.example.name,
      undefined,
      this.version.createActor,
      this.clock,
    );
    const begun = initialState(this.system, 'in-process');
    expect(begun.end).toBe('quiet');
    this.state = begun.state;
    this.compare('the start');
  }

  /** One step of both; false where nothing can happen. */
  step(pick: (below: number) => number): boolean {
    const all = stimuli(this.system, 'in-process', this.state);
    const offers = all.filter((one) => one.kind === 'offer');
    const timers = all.filter((one) => one.kind === 'timer');
    if (timers.length > 0 && (offers.length === 0 || pick(3) === 0) && this.fire()) return true;
    if (offers.length === 0) return false;
    const stimulus = offers[pick(offers.length)]! as Stimulus & { kind: 'offer' };
    const actor = this.system.actors[stimulus.actor]!;
    const offer = actor.states[this.state.slots[stimulus.actor] as number]!.offers[stimulus.index]!;
    const event = this.explored.behaviour!.eventOf(this.system.messages[offer.message]!.key)!;
    const real = this.real.actors().get(actor.name)!;
    // Now and then time passes before, but not enough for a timer.
    const next = this.nextDeadline();
    if (next !== null && pick(2) === 0)
      this.clock.increment(Math.max(0, Math.min(pick(40), next - this.clock.now() - 1)));
    if (offer.kind === 'external') real.send(event);
    else this.real.settle(real, event);
    this.advance(stimulus, `${actor.name}: ${this.system.messages[offer.message]!.text}`);
    return true;
  }

  private nextDeadline(): number | null {
    const pending = (this.clock as unknown as { timeouts: Map<number, { start: number; timeout: number }> })
      .timeouts;
    const ends = [...pending.values()].map(({ start, timeout }) => start + timeout);
    return ends.length === 0 ? null : Math.min(...ends);
  }

  /** Time goes on until the next timer is due in the real system: ours must have it, too. */
  private fire(): boolean {
    const next = this.nextDeadline();
    // A timer that stands for any number of its kind may be there in ours alone.
    if (next === null) return false;
    const before = [...this.real.timers.values()];
    this.clock.set(next);
    const left = new Set(this.real.timers.values());
    const gone = before.filter((timer) => !left.has(timer));
    for (const timer of gone) {
      const name = this.real.nameOf(timer.source);
      const match = this.ourTimer(name, timer);
      if (match !== undefined) this.advance(match, `${name}: ${timer.event.type}`, false);
      // Of several that were due one may have cancelled the other.
      else if (gone.length === 1) throw new Error(`${name}: ${timer.event.type} fires unexpectedly`);
    }
    this.compare(`timers at ${next}`);
    return true;
  }

  private ourTimer(name: string, timer: PendingReal): Stimulus | undefined {
    return stimuli(this.system, 'in-process', this.state).find((one) => {
      if (one.kind !== 'timer') return false;
      const actor = this.system.actors[one.actor]!;
      const found = actor.states[this.state.slots[one.actor] as number]!.timers[one.index]!;
      const { type } = this.system.messages[found.message]!;
      return actor.name === name && type === typeOf(timer.event) && found.delay === timer.delay;
    });
  }

  private advance(stimulus: Stimulus, what: string, compare = true): void {
    const next = advance(this.system, 'in-process', this.state, stimulus);
    expect(next.end, what).toBe('quiet');
    this.state = next.state;
    if (compare) this.compare(what);
  }

  /** Every actor is in the same state in both. */
  private compare(what: string): void {
    const real = this.real.actors();
    const nameOf = (reference: object): string => this.real.nameOf(reference as RealActor);
    for (const [id, actor] of this.system.actors.entries()) {
      const slot = this.state.slots[id] as number;
      const one = real.get(actor.name);
      const running = one !== undefined && one._processingStatus === 1;
      expect(slot !== OFF, `${what}: is ${actor.name} running?`).toBe(running);
      if (!running || actor.logic === null) continue;
      const snapshot = one.getSnapshot();
      const ours = actor.states[slot]!;
      const nodes = nodesOf(snapshot)
        .map((node) => node.path.join('.'))
        .filter((name) => name !== '');
      expect([...ours.active].sort(), `${what}: ${actor.name}`).toEqual(nodes.sort());
      const context = snapshot.context as object;
      const text = Object.keys(context).length === 0 ? '' : brief(context, nameOf, 80);
      expect(ours.text.endsWith(text), `${what}: ${actor.name} is ${ours.text}, really ${text}`).toBe(true);
    }
  }
}
