// One run, step by step: random with a seed, by someone's choice, or as a recorded run says.

import { Random } from '../base/random.ts';
import type { Run, Standing } from '../verdict/run.ts';
import type { Model } from './compile.ts';
import { RunWriter } from './describe.ts';
import type { FaultCode } from './faults.ts';
import { faultText, isPassable } from './faults.ts';
import { FLAG } from './machine.ts';
import { proctypeOf, stepText } from './names.ts';
import { SIMULATION } from './titles.ts';
import type { PossibleStep } from './trail.ts';
import { possibleSteps } from './trail.ts';

/** Why a simulation ended. */
export type SimulationEnd =
  | { readonly kind: 'steps' }
  /** No process is left, or all stand at valid ends. */
  | { readonly kind: 'finished' }
  | { readonly kind: 'invalid-end-state' }
  | { readonly kind: 'fault'; readonly fault: FaultCode }
  /** The user wanted no more. */
  | { readonly kind: 'stopped' };

/** A run under construction; every step is taken on the concrete semantics. */
export class Simulation {
  private readonly model: Model;
  private readonly writer: RunWriter;
  private fault: FaultCode | null = null;
  private possible: PossibleStep[] | null = null;

  constructor(model: Model) {
    this.model = model;
    this.writer = new RunWriter(model);
    const fault = model.machine.initial();
    if (fault !== 0) this.fault = fault as FaultCode;
    this.writer.begin();
  }

  choices(): readonly PossibleStep[] {
    if (this.fault !== null) return [];
    this.possible ??= possibleSteps(this.model);
    return this.possible;
  }

  take(step: PossibleStep): void {
    this.possible = null;
    if (step.words === null) {
      this.writer.failingStep(step.choice);
      this.fault = step.fault as FaultCode;
      return;
    }
    if (!this.writer.step(step.choice)) throw new Error('impossible: a possible step that cannot be taken');
    if (isPassable(step.fault)) this.fault = step.fault as FaultCode;
  }

  /** Null while it can go on. */
  end(): SimulationEnd | null {
    if (this.fault !== null) return { kind: 'fault', fault: this.fault };
    if (this.choices().length > 0) return null;
    const valid = (this.model.machine.flags() & FLAG.validEnd) !== 0;
    return { kind: valid ? 'finished' : 'invalid-end-state' };
  }

  run(end: SimulationEnd): Run {
    return this.writer.finish({ title: endText(end), explain: end.kind === 'invalid-end-state' });
  }

  standing(): readonly Standing[] {
    return this.writer.standing();
  }

  /** A possible step in the user's words. */
  label(step: PossibleStep): string {
    const [pid, edge, partner, partnerEdge] = step.choice;
    const half = (who: number, which: number): string => {
      const proctype = proctypeOf(this.model, who);
      const found = proctype.edges[which]!;
      return `${this.writer.actorOf(who)}: ${stepText(this.model.program, found)}`;
    };
    return partner >= 0 ? `${half(pid, edge)} → ${half(partner, partnerEdge)}` : half(pid, edge);
  }
}

function endText(end: SimulationEnd): string {
  switch (end.kind) {
    case 'steps':
      return `${SIMULATION}the number of steps is reached`;
    case 'finished':
      return `${SIMULATION}nothing more can happen, and all processes are at a valid end`;
    case 'invalid-end-state':
      return `${SIMULATION}deadlock (invalid end state)`;
    case 'fault':
      return `${SIMULATION}${faultText(end.fault)}`;
    default:
      return `${SIMULATION}stopped`;
  }
}

export function simulate(model: Model, seed: number, steps: number): { run: Run; end: SimulationEnd } {
  const random = new Random(seed);
  const simulation = new Simulation(model);
  let end = simulation.end();
  for (let i = 0; i < steps && end === null; i++) {
    const choices = simulation.choices();
    simulation.take(choices[random.below(choices.length)]!);
    end = simulation.end();
  }
  const result = end ?? { kind: 'steps' as const };
  return { run: simulation.run(result), end: result };
}
