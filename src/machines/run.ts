// Runs of communicating machines as reports show them, simulation and replay.

import { Random } from '../base/random.ts';
import { walkAtRandom } from '../base/random-walk.ts';
import type { Run, Step as RunStep } from '../verdict/run.ts';
import { type Configuration, Semantics, type Step } from './configuration.ts';
import { FAULT_TITLES, type Fault, faultIn } from './faults.ts';
import { growthPerRound } from './pump.ts';
import { type MachineSystem, moveText } from './system.ts';

export interface RunShape {
  readonly title: string;
  readonly loopStart?: number;
  readonly growth?: Run['growth'];
}

/** Null when the steps are no run of the machines. */
export function machineRun(
  semantics: Semantics,
  steps: readonly Step[],
  { title, loopStart, growth }: RunShape,
): Run | null {
  const { system } = semantics;
  let configuration = semantics.initial();
  const shown: RunStep[] = [];
  for (const step of steps) {
    if (!semantics.isPossible(configuration, step)) return null;
    const { kind, channel, message, at, to } = semantics.move(step)!;
    configuration = semantics.take(configuration, step);
    const machine = system.machines[step.machine]!;
    const queue = system.channels[channel];
    shown.push({
      actors: [step.machine],
      text: moveText(system, semantics.move(step)!),
      at,
      events: kind === 'own' ? [] : [{ kind, queue: queue!.name, message: queue!.messages[message]! }],
      changes: [{ name: machine.name, value: machine.states[to]!.name }],
      choice: [step.machine, step.move],
    });
  }
  return {
    title,
    actors: system.machines.map(({ name }) => name),
    queues: system.channels.map(({ name }) => ({ name, capacity: null })),
    initial: system.machines.map(({ name, states, initial }) => ({ name, value: states[initial]!.name })),
    steps: shown,
    loopStart: loopStart ?? null,
    ...(growth === undefined ? {} : { growth }),
  };
}

const stepsOf = (run: Run): Step[] =>
  run.steps.map(({ choice: [machine = -1, move = -1] }) => ({ machine, move }));

/** Takes the run again, and looks again for what it is said to show. */
export function replayMachines(
  system: MachineSystem,
  recorded: Run,
): { readonly run: Run; readonly failedAt: number | null; readonly refused?: string } {
  const semantics = new Semantics(system);
  const steps = stepsOf(recorded);
  const along: Configuration[] = [semantics.initial()];
  const { title, loopStart, growth } = recorded;
  for (const [index, step] of steps.entries()) {
    const here = along.at(-1)!;
    if (!semantics.isPossible(here, step))
      return {
        run: machineRun(semantics, steps.slice(0, index), { title: 'a part of the run' })!,
        failedAt: index,
      };
    along.push(semantics.take(here, step));
  }
  const shape = {
    title,
    ...(loopStart === null ? {} : { loopStart }),
    ...(growth === undefined ? {} : { growth }),
  };
  const run = machineRun(semantics, steps, shape)!;
  const last = along.at(-1)!;
  if (
    loopStart !== null &&
    growthPerRound(semantics, along[loopStart]!, last, steps.slice(loopStart)) === null
  )
    return { run, failedAt: null, refused: 'the loop cannot be repeated for ever' };
  const claimed = (Object.keys(FAULT_TITLES) as Fault[]).find((fault) =>
    title.startsWith(FAULT_TITLES[fault]),
  );
  if (claimed !== undefined && faultIn(semantics, last, claimed) === null)
    return { run, failedAt: null, refused: 'the last configuration does not show it' };
  return { run, failedAt: null };
}

export class MachineSimulation {
  private readonly semantics: Semantics;
  private configuration: Configuration;
  private readonly taken: Step[] = [];

  constructor(system: MachineSystem) {
    this.semantics = new Semantics(system);
    this.configuration = this.semantics.initial();
  }

  choices(): readonly Step[] {
    return this.semantics.steps(this.configuration);
  }

  label(step: Step): string {
    const { system } = this.semantics;
    return `${system.machines[step.machine]!.name}: ${moveText(system, this.semantics.move(step)!)}`;
  }

  take(step: Step): void {
    this.configuration = this.semantics.take(this.configuration, step);
    this.taken.push(step);
  }

  end(): { readonly kind: string } | null {
    if (this.choices().length > 0) return null;
    const fault = (['deadlock-free', 'orphan-message'] as const).find(
      (one) => faultIn(this.semantics, this.configuration, one) !== null,
    );
    return { kind: fault ?? 'done' };
  }

  run({ kind }: { readonly kind: string }): Run {
    const title =
      kind in FAULT_TITLES
        ? FAULT_TITLES[kind as Fault]
        : kind === 'done'
          ? 'all machines are done'
          : 'a run of the machines';
    return machineRun(this.semantics, this.taken, { title })!;
  }
}

export function simulateMachines(
  system: MachineSystem,
  seed: number,
  steps: number,
): { readonly run: Run; readonly end: { readonly kind: string } } {
  return walkAtRandom(new MachineSimulation(system), new Random(seed), steps, { kind: 'steps' });
}

/** Is what `replayMachines` judges all that refutes the property? */
export const showsFault = (property: string, { title, loopStart, growth = [] }: Run): boolean =>
  property === 'bounded'
    ? loopStart !== null && growth.length > 0
    : property in FAULT_TITLES && title.startsWith(FAULT_TITLES[property as Fault]);
