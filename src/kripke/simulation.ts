// Running a composition: one step after the other, chosen by somebody or at random (the same seed gives the same run).

import { Random } from '../base/random.ts';
import { walkAtRandom } from '../base/random-walk.ts';
import type { Run } from '../verdict/run.ts';
import { runOf, stateText } from './run.ts';
import type { System } from './system.ts';
import { eachEnabledEvent, eachInitial, eachOutcome } from './system.ts';

export interface StructureStep {
  readonly event: number;
  readonly target: Int32Array;
}

export type StructureEnd = { readonly kind: 'deadlock' } | { readonly kind: 'stopped' };

/** A list of choices stays readable and small; an event with more outcomes than this shows the first ones. */
const MAX_CHOICES = 1000;

export class StructureSimulation {
  private readonly system: System;
  private readonly states: Int32Array[] = [];
  private readonly events: number[] = [];
  private current: readonly StructureStep[] | null = null;

  /** Begins in the first initial configuration. */
  constructor(system: System) {
    this.system = system;
    eachInitial(system, (configuration) => {
      this.states.push(Int32Array.from(configuration));
      return false;
    });
  }

  choices(): readonly StructureStep[] {
    if (this.current !== null) return this.current;
    const steps: StructureStep[] = [];
    const here = this.states.at(-1)!;
    eachEnabledEvent(this.system, here, (event) => {
      eachOutcome(this.system, here, event, (target) => {
        if (steps.length < MAX_CHOICES) steps.push({ event, target: Int32Array.from(target) });
      });
      return steps.length < MAX_CHOICES;
    });
    this.current = steps;
    return steps;
  }

  /** `take[0][1]: Phil(0) = One, Fork(1) = Left` */
  label({ event, target }: StructureStep): string {
    const moves = this.system.participants[event]!.map(
      (component) =>
        `${this.system.components[component]!.name} = ${stateText(this.system, component, target[component]!)}`,
    );
    return `${this.system.events[event]}: ${moves.join(', ')}`;
  }

  take({ event, target }: StructureStep): void {
    this.events.push(event);
    this.states.push(target);
    this.current = null;
  }

  end(): StructureEnd | null {
    return this.choices().length === 0 ? { kind: 'deadlock' } : null;
  }

  run(end: StructureEnd): Run {
    const title =
      end.kind === 'deadlock' ? 'a deadlock: no event is possible at the end' : 'a run of the model';
    return runOf(this.system, { states: this.states, events: this.events, loopStart: null }, title);
  }
}

export function simulateStructures(
  system: System,
  seed: number,
  steps: number,
): { readonly run: Run; readonly end: StructureEnd } {
  return walkAtRandom(new StructureSimulation(system), new Random(seed), steps, { kind: 'stopped' });
}
