// One round of a loop on the concrete semantics, written down: the states at its ends, what it did to queues, and what it depends on.

import type { Edge, Proctype } from '../process/program.ts';
import type { Choice } from './choices.ts';
import type { Model } from './compile.ts';
import { diesAt } from './describe.ts';
import type { RoundSteps } from './drift.ts';
import { FRAME, HEADER } from './layout.ts';
import type { Operation } from './machine.ts';
import { FLAG } from './machine.ts';
import type { Dependence } from './sensitive.ts';
import { blockedLocation, nothing, stepDependence } from './sensitive.ts';
import { applyChoice } from './trail.ts';

/**
 * What counts as progress: SPIN's labels (a state in which some process stands at one), or chosen steps. `isProgress` is asked while
 * the machine holds the state before the step, so that the process can be named (for a process that an atomic sequence
 * itself has started: its first frame).
 */
export type Progress =
  | { readonly kind: 'labels' }
  | { readonly kind: 'steps'; readonly isProgress: (proctype: number, edge: number, pid: number) => boolean };

/** Does a step (with all statements of an atomic sequence) count? Asked while the machine holds the state before it. */
export function isProgressStep(model: Model, progress: Progress, choices: readonly Choice[]): boolean {
  if (progress.kind !== 'steps') return false;
  const { machine } = model;
  const counts = (pid: number, edge: number): boolean =>
    pid >= 0 && progress.isProgress(machine.cells[machine.frames[pid]! + FRAME.type]!, edge, pid);
  return choices.some(([pid, edge, partner, other]) => counts(pid, edge) || counts(partner, other));
}

export interface Snapshot {
  readonly processes: number;
  readonly exclusive: number;
  readonly globals: Int32Array;
  readonly frames: readonly string[];
  /** By channel number − 1. */
  readonly queues: readonly (readonly string[])[];
}

export interface PumpOptions {
  readonly allowNewProcesses: boolean;
  /** Given: the loop must be free of progress; growth is then allowed but not required. */
  readonly progress: Progress | null;
}

/** One round of the loop, with everything it did and depends on. */
export class Round implements RoundSteps {
  readonly operations: Operation[] = [];
  /** By operation: the step that did it. */
  readonly doneBy: Edge[] = [];
  readonly taken: { proctype: Proctype; edge: Edge }[] = [];
  readonly blocked: { proctype: Proctype; location: number }[] = [];
  readonly dependence: Dependence = nothing();
  /** Processes of the first state that took part. */
  readonly moved = new Set<number>();
  oldProcessEnded = false;
  someEnded = false;
  private readonly model: Model;
  private readonly options: PumpOptions;
  private readonly processesBefore: number;

  constructor(model: Model, options: PumpOptions) {
    this.model = model;
    this.options = options;
    this.processesBefore = model.machine.cells[HEADER.processes]!;
  }

  take(loop: readonly Choice[]): boolean {
    return loop.every((choice) => this.step(choice));
  }

  private step(choice: Choice): boolean {
    const { machine, program } = this.model;
    const [pid, edgeId, partner, partnerEdge] = choice;
    const exclusive = machine.cells[HEADER.exclusive]!;
    if (exclusive >= 0 && exclusive !== pid) this.lostControl(exclusive);
    for (const [who, which] of partner >= 0
      ? [
          [pid, edgeId],
          [partner, partnerEdge],
        ]
      : [[pid, edgeId]]) {
      if (who! >= machine.cells[HEADER.processes]!) return false;
      const frame = machine.frames[who!]!;
      const type = machine.cells[frame + FRAME.type]!;
      const edge = program.proctypes[type]!.edges[which!]!;
      this.taken.push({ proctype: program.proctypes[type]!, edge });
      stepDependence(this.model, program.proctypes[type]!, edge, frame, this.dependence);
      const ends = diesAt(this.model, edge, program.proctypes[type]!, partner >= 0);
      if (ends) this.someEnded = true;
      if (who! < this.processesBefore) {
        this.moved.add(who!);
        if (ends && !this.model.anyOrderOfDeath) this.oldProcessEnded = true;
      }
      const { progress } = this.options;
      if (progress?.kind === 'steps' && progress.isProgress(type, which!, who!)) return false;
    }
    const sender = this.taken[this.taken.length - (partner >= 0 ? 2 : 1)]!.edge;
    const taken = applyChoice(this.model, choice, (operations) => {
      this.operations.push(...operations);
      this.doneBy.push(...operations.map(() => sender));
    });
    return taken && !this.atProgress();
  }

  /** An atomic sequence gave up control because it was blocked: that must stay so. */
  private lostControl(pid: number): void {
    const { machine, program } = this.model;
    const frame = machine.frames[pid]!;
    const proctype = program.proctypes[machine.cells[frame + FRAME.type]!]!;
    const location = machine.cells[frame + FRAME.location]!;
    this.blocked.push({ proctype, location });
    blockedLocation(this.model, proctype, location, frame, this.dependence);
  }

  private atProgress(): boolean {
    const { machine } = this.model;
    return (
      this.options.progress?.kind === 'labels' &&
      machine.cells[HEADER.exclusive]! < 0 &&
      (machine.flags() & FLAG.progress) !== 0
    );
  }
}

export function snapshot(model: Model): Snapshot {
  const { machine, layout } = model;
  const { cells, frames } = machine;
  const processes = cells[HEADER.processes]!;
  const memory = machine.queues();
  return {
    processes,
    exclusive: cells[HEADER.exclusive]!,
    globals: cells.slice(HEADER.size, layout.firstFrame),
    frames: Array.from({ length: processes }, (_, pid) => {
      const start = frames[pid]!;
      return cells.slice(start, start + layout.frameSize[cells[start + FRAME.type]!]!).join();
    }),
    queues: Array.from({ length: cells[HEADER.channels]! }, (_, j) => {
      const queue = memory[j]!;
      const fields = layout.shapes[machine.shapeOfChannel[j]!]!.fields.length;
      return Array.from({ length: memory[queue]! }, (_, i) =>
        memory.slice(queue + 1 + i * fields, queue + 1 + (i + 1) * fields).join(),
      );
    }),
  };
}
