// Is this a real pumping loop? The judge of every unboundedness (and growing livelock) refutation.
//
// A run γ →σ γ' repeats for ever when (1) the variables are equal in γ and γ' and every process that moves in σ has its like in γ' (the same
// process when no process was added); (2) each queue's word condition holds (words.ts); (3) no step of σ depends on the
// queues that change in any other way (sensitive.ts). Then σ can be taken again from γ', and so on: the state before each round differs only in
// queue contents that still satisfy (2). Loops that leave processes behind are accepted only on request (theory counts processes as
// unlimited where SPIN stops at 255), and only when nothing in the model can see process numbers.
// To be safe against mistakes here the loop is also replayed twice more on the concrete semantics.

import type { Model } from './compile.ts';
import { diesAt } from './describe.ts';
import { FRAME, HEADER } from './layout.ts';
import type { Operation } from './machine.ts';
import { FLAG } from './machine.ts';
import type { Dependence } from './sensitive.ts';
import { blockedLocation, nothing, stepDependence, usesProcessNumbers } from './sensitive.ts';
import { applyChoice } from './trail.ts';
import { repeatsForEver } from './words.ts';

export interface Loop {
  /** Four numbers per step. */
  readonly prefix: readonly number[];
  readonly loop: readonly number[];
}

/**
 * What counts as progress: SPIN's labels (a state in which some process stands at one), or chosen steps. `isProgress` is asked while
 * the machine holds the state before the step, so that the process can be named (for a process that an atomic sequence
 * itself has started: its first frame).
 */
export type Progress =
  | { readonly kind: 'labels' }
  | { readonly kind: 'steps'; readonly isProgress: (proctype: number, edge: number, pid: number) => boolean };

/** Does a step (with all statements of an atomic sequence) count? Asked while the machine holds the state before it. */
export function isProgressStep(model: Model, progress: Progress, choices: readonly number[]): boolean {
  if (progress.kind !== 'steps') return false;
  const { machine } = model;
  for (let i = 0; i < choices.length; i += 2) {
    const pid = choices[i]!;
    if (pid < 0) continue;
    const type = machine.cells[machine.frames[pid]! + FRAME.type]!;
    if (progress.isProgress(type, choices[i + 1]!, pid)) return true;
  }
  return false;
}

export interface PumpedLoop extends Loop {
  /** By channel number: how many messages it gains per round. */
  readonly growth: ReadonlyMap<number, number>;
  /** Processes that each round leaves behind. */
  readonly newProcesses: number;
}

interface Snapshot {
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

/** Null when the loop cannot be shown to repeat for ever. Leaves the machine in some state. */
export function pump(model: Model, candidate: Loop, options: PumpOptions): PumpedLoop | null {
  const { machine } = model;
  machine.setTrace(null);
  if (machine.initial() !== 0) return null;
  for (let i = 0; i < candidate.prefix.length; i += 4)
    if (!applyChoice(model, candidate.prefix.slice(i, i + 4))) return null;
  const before = snapshot(model);
  const round = new Round(model, options);
  if (!round.take(candidate.loop)) return null;
  const after = snapshot(model);
  const added = after.processes - before.processes;
  if (!sameControl(model, before, after, round.moved, options, added)) return null;
  const growth = wordsRepeat(before, after, round.operations);
  if (growth === null || dependsOnChanges(model, before, after, round, added)) return null;
  if (options.progress === null && growth.size === 0) return null;
  if (model.options.capacity !== 'unlimited' && queuesChanged(before, after)) return null;
  if (round.someEnded && localQueuesChanged(model, before, after)) return null;
  if (!replays(model, candidate.loop, before, after, round.moved)) return null;
  return { ...candidate, growth, newProcesses: added };
}

const queuesChanged = (before: Snapshot, after: Snapshot): boolean =>
  before.queues.some((contents, j) => contents.join(';') !== after.queues[j]?.join(';'));

/** Queues that die and come back with their process have no history to compare. */
function localQueuesChanged(model: Model, before: Snapshot, after: Snapshot): boolean {
  const from = model.layout.globalChannels.length;
  return before.queues.some((contents, j) => j >= from && contents.join(';') !== after.queues[j]?.join(';'));
}

/** Two more rounds; where processes were left behind, each role is played by the process that has the same frame now. */
function replays(
  model: Model,
  loop: readonly number[],
  before: Snapshot,
  after: Snapshot,
  moved: ReadonlySet<number>,
): boolean {
  const added = after.processes - before.processes;
  const role = added === 0 ? (pid: number) => pid : successorRoles(before, after, moved);
  const rename = (pid: number): number => (pid < before.processes ? role(pid) : pid + added);
  let current = loop;
  for (let round = 0; round < (added === 0 ? 2 : 1); round++) {
    if (added > 0) current = current.map((value, i) => (i % 2 === 0 && value >= 0 ? rename(value) : value));
    for (let i = 0; i < current.length; i += 4)
      if (!applyChoice(model, current.slice(i, i + 4))) return false;
  }
  return true;
}

/** For each process that moved: one with an equal frame after the round, each used once. */
function successorRoles(
  before: Snapshot,
  after: Snapshot,
  moved: ReadonlySet<number>,
): (pid: number) => number {
  const used = new Set<number>();
  const roles = new Map<number, number>();
  for (const pid of moved) {
    const next = after.frames.findIndex((frame, i) => frame === before.frames[pid] && !used.has(i));
    used.add(next);
    roles.set(pid, next);
  }
  return (pid) => roles.get(pid) ?? pid;
}

/** One round of the loop, with everything it did and depends on. */
class Round {
  readonly operations: Operation[] = [];
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

  take(loop: readonly number[]): boolean {
    for (let i = 0; i < loop.length; i += 4) if (!this.step(loop.slice(i, i + 4))) return false;
    return true;
  }

  private step(choice: readonly number[]): boolean {
    const { machine, program } = this.model;
    const [pid, edgeId, partner, partnerEdge] = choice as [number, number, number, number];
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
    const traced: Operation[] = [];
    machine.setTrace(traced);
    const taken = applyChoice(this.model, choice, () => this.operations.push(...traced));
    machine.setTrace(null);
    return taken && !this.atProgress();
  }

  /** An atomic sequence gave up control because it was blocked: that must stay so. */
  private lostControl(pid: number): void {
    const { machine, program } = this.model;
    const frame = machine.frames[pid]!;
    const proctype = program.proctypes[machine.cells[frame + FRAME.type]!]!;
    blockedLocation(this.model, proctype, machine.cells[frame + FRAME.location]!, frame, this.dependence);
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

function snapshot(model: Model): Snapshot {
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

function sameControl(
  model: Model,
  before: Snapshot,
  after: Snapshot,
  moved: ReadonlySet<number>,
  options: PumpOptions,
  added: number,
): boolean {
  if (added < 0 || before.exclusive !== after.exclusive) return false;
  if (before.globals.some((value, i) => after.globals[i] !== value)) return false;
  if (added === 0) return before.frames.every((frame, pid) => frame === after.frames[pid]);
  if (
    !options.allowNewProcesses ||
    before.exclusive >= 0 ||
    usesProcessNumbers(model.program, model.features)
  )
    return false;
  if (model.layout.localChannels.some((slots) => slots.length > 0)) return false;
  // Every process that moved has its like afterwards: enough equal frames of each kind.
  const available = new Map<string, number>();
  for (const frame of after.frames) available.set(frame, (available.get(frame) ?? 0) + 1);
  for (const pid of moved) {
    const left = available.get(before.frames[pid]!) ?? 0;
    if (left === 0) return false;
    available.set(before.frames[pid]!, left - 1);
  }
  return true;
}

/** The growth by channel number when every queue's word condition holds, else null. */
function wordsRepeat(
  before: Snapshot,
  after: Snapshot,
  operations: readonly Operation[],
): Map<number, number> | null {
  const growth = new Map<number, number>();
  for (let j = 0; j < before.queues.length; j++) {
    const appended: string[] = [];
    const removed: string[] = [];
    let outOfOrder = false;
    for (const operation of operations) {
      if (operation.kind === 'print' || operation.kind === 'rendezvous' || operation.channel !== j + 1)
        continue;
      if (operation.kind === 'send') appended.push(operation.message.join());
      if (operation.kind === 'receive') removed.push(operation.message.join());
      if (operation.kind === 'send' && operation.sorted) outOfOrder = true;
      if (operation.kind === 'receive' && operation.position > 0) outOfOrder = true;
    }
    const same = before.queues[j]!.join(';') === after.queues[j]!.join(';');
    // Equal contents: whatever was done to this queue can be done again.
    if (!same && outOfOrder && removed.length > 0) return null;
    if (!same && !repeatsForEver(before.queues[j]!, appended, removed)) return null;
    if (appended.length > removed.length) growth.set(j + 1, appended.length - removed.length);
  }
  return growth;
}

function dependsOnChanges(
  model: Model,
  before: Snapshot,
  after: Snapshot,
  round: Round,
  added: number,
): boolean {
  const { dependence } = round;
  if (added > 0 && (dependence.partners || round.oldProcessEnded || dependence.any)) return true;
  const changed = new Set<number>();
  before.queues.forEach((contents, j) => {
    if (contents.join(';') !== after.queues[j]!.join(';')) changed.add(model.machine.nameOfChannel[j]!);
  });
  if (changed.size === 0) return false;
  return dependence.any || [...dependence.queues].some((name) => changed.has(name));
}
