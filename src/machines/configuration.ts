// Configurations of communicating machines and their steps: the concrete semantics that every refutation is replayed on.

import type { MachineSystem, Move } from './system.ts';
import { movesAt } from './system.ts';

export interface Configuration {
  readonly states: readonly number[];
  /** Per channel, the oldest message first. */
  readonly queues: readonly (readonly number[])[];
}

/** Which machine makes which of its moves. */
export interface Step {
  readonly machine: number;
  readonly move: number;
}

export class Semantics {
  readonly system: MachineSystem;
  readonly leaving: readonly (readonly (readonly number[])[])[];

  constructor(system: MachineSystem) {
    this.system = system;
    this.leaving = movesAt(system);
  }

  initial(): Configuration {
    return {
      states: this.system.machines.map(({ initial }) => initial),
      queues: this.system.channels.map(() => []),
    };
  }

  move({ machine, move }: Step): Move | undefined {
    return this.system.machines[machine]?.moves[move];
  }

  /** `most`: no queue grows beyond it. */
  steps(configuration: Configuration, most = Number.POSITIVE_INFINITY): Step[] {
    const found: Step[] = [];
    for (const [machine, state] of configuration.states.entries())
      for (const move of this.leaving[machine]![state]!)
        if (this.isPossible(configuration, { machine, move }, most)) found.push({ machine, move });
    return found;
  }

  isPossible({ states, queues }: Configuration, step: Step, most = Number.POSITIVE_INFINITY): boolean {
    const move = this.move(step);
    if (move === undefined || states[step.machine] !== move.from) return false;
    if (move.kind === 'own') return true;
    const queue = queues[move.channel]!;
    return move.kind === 'send' ? queue.length < most : queue[0] === move.message;
  }

  take({ states, queues }: Configuration, step: Step): Configuration {
    const move = this.move(step)!;
    const next = states.with(step.machine, move.to);
    if (move.kind === 'own') return { states: next, queues };
    const queue = queues[move.channel]!;
    const after = move.kind === 'send' ? [...queue, move.message] : queue.slice(1);
    return { states: next, queues: queues.with(move.channel, after) };
  }

  /** The machine has moves here, and all of them are receives. */
  waits(machine: number, state: number): boolean {
    const here = this.leaving[machine]![state]!;
    const { moves } = this.system.machines[machine]!;
    return here.length > 0 && here.every((move) => moves[move]!.kind === 'receive');
  }

  isFinal(machine: number, state: number): boolean {
    return this.leaving[machine]![state]!.length === 0;
  }
}

export const keyOf = ({ states, queues }: Configuration): string =>
  `${states.join()}|${queues.map((queue) => queue.join('.')).join('|')}`;
