// A system run by hand or at random: the events on offer, the timers that may fire, the messages that wait.

import { Random } from '../base/random.ts';
import { walkAtRandom } from '../base/random-walk.ts';
import type { Run } from '../verdict/run.ts';
import { isFromOutside } from './behaviour.ts';
import type { Move } from './graph.ts';
import { runOf } from './run.ts';
import { type Advance, advance, initialState } from './semantics.ts';
import { OFF, type Stimulus, type SystemState, stimuli } from './state.ts';
import type { ActorSystem, Scheduler } from './system.ts';

export interface ActorSimulationEnd {
  readonly kind: 'finished' | 'deadlock' | 'endless' | 'stopped';
}

export class ActorSimulation {
  private readonly system: ActorSystem;
  private readonly scheduler: Scheduler;
  private readonly moves: Move[] = [];
  private readonly pick: (count: number) => number;
  private state: SystemState;
  private last: Advance;

  /** `pick` decides what is open besides: which of several reactions. */
  constructor(system: ActorSystem, scheduler: Scheduler, pick: (count: number) => number = () => 0) {
    this.system = system;
    this.scheduler = scheduler;
    this.pick = pick;
    this.last = this.move(null, (choose) => initialState(system, scheduler, choose));
    this.state = this.last.state;
  }

  private move(stimulus: Stimulus | null, run: (choose: (count: number) => number) => Advance): Advance {
    const choices: number[] = [];
    const result = run((count) => {
      const choice = this.pick(count);
      choices.push(choice);
      return choice;
    });
    this.moves.push({ stimulus, choices });
    return result;
  }

  choices(): readonly Stimulus[] {
    return this.last.end === 'quiet' ? stimuli(this.system, this.scheduler, this.state) : [];
  }

  label(stimulus: Stimulus): string {
    const { actors, messages } = this.system;
    const actor = actors[stimulus.actor]!;
    if (stimulus.kind === 'message') {
      const item = this.state.mail[stimulus.actor]![0]!;
      return `${actor.name} takes ${item >= 0 ? messages[item]!.text : item === -1 ? 'stop' : 'start'}`;
    }
    const slot = this.state.slots[stimulus.actor]!;
    const state = actor.states[typeof slot === 'number' ? slot : slot[stimulus.member]!]!;
    if (stimulus.kind === 'timer') {
      const timer = state.timers[stimulus.index]!;
      return `${actor.name}: the timer for ${messages[timer.message]!.text} fires (${timer.delay} ms)`;
    }
    const offer = state.offers[stimulus.index]!;
    const { text } = messages[offer.message]!;
    return isFromOutside(offer.kind) ? `send ${text} to ${actor.name}` : `${actor.name} ${text}`;
  }

  take(stimulus: Stimulus): void {
    this.last = this.move(stimulus, (choose) =>
      advance(this.system, this.scheduler, this.state, stimulus, choose),
    );
    this.state = this.last.state;
  }

  end(): ActorSimulationEnd | null {
    if (this.last.end !== 'quiet') return { kind: 'endless' };
    if (this.choices().length > 0) return null;
    const waits = this.state.slots.some((slot, id) =>
      (typeof slot === 'number' ? (slot === OFF ? [] : [slot]) : slot).some(
        (state) => !this.system.actors[id]!.states[state]!.rests,
      ),
    );
    return { kind: waits ? 'deadlock' : 'finished' };
  }

  run({ kind }: { readonly kind: string }): Run {
    const titles: Record<string, string> = {
      finished: 'the run ends: nothing more can happen',
      deadlock: 'nothing can happen any more, though actors wait',
      endless: 'the actors keep each other busy for ever',
    };
    return runOf(this.system, this.scheduler, this.moves, {
      title: titles[kind] ?? 'a run',
      loopStart: null,
    })!;
  }
}

export function simulateActors(
  system: ActorSystem,
  scheduler: Scheduler,
  seed: number,
  steps: number,
): { readonly run: Run; readonly end: ActorSimulationEnd } {
  const random = new Random(seed);
  const simulation = new ActorSimulation(system, scheduler, (below) => random.below(below));
  const stopped: ActorSimulationEnd = { kind: 'stopped' };
  return walkAtRandom<Stimulus, ActorSimulationEnd, Run>(simulation, random, steps, stopped);
}
