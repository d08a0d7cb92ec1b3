// Candidates for pumping loops from a running search: a new state and one on the path to it that differ only in queue contents (or
// in processes left behind). Cheap tests only; pumping.ts judges.

import { IntList } from '../base/growable.ts';
import type { Choice } from './choices.ts';
import type { Model } from './compile.ts';
import { hashOf, hashWithoutCounters, totalLength } from './control.ts';
import { createsWithoutEnd } from './creation.ts';
import { FRAME, HEADER } from './layout.ts';
import { FLAG } from './machine.ts';
import type { Progress } from './round.ts';
import type { StateSpace } from './search.ts';
import { choicesAlong, pathTo } from './trail.ts';

/** The choices of a loop, and how to get there: asked for only if the loop is worth it. True when nothing more is wanted. */
export type Offer = (loop: readonly Choice[], prefix: () => readonly Choice[]) => boolean;

/** Is growth of the channel (by number − 1, in the loaded state) still asked for? Loops that grow nothing new are not worth looking at. */
export type Wanted = (channel: number) => boolean;

/** Compares each new state of a search with those on the path to it. */
export class AncestorCheck {
  /** By state: a hash of everything but the queues, one of the globals alone, the number of processes, of messages. */
  private readonly control = new IntList();
  private readonly globals = new IntList();
  private readonly processes = new IntList();
  private readonly total = new IntList();
  private pending: number[] = [];
  private readonly model: Model;
  private readonly mayGrow: boolean;
  private readonly progress: Progress | null;
  /** By state: the hash that overlooks counters, where there are any. */
  private readonly loose = new IntList();
  private readonly looseHash: (() => number) | null;
  /** By state: 1 when a loop without progress cannot pass here (or cannot take the step to here). */
  private readonly progresses = new IntList();

  private readonly isWanted: Wanted;

  constructor(model: Model, allowNewProcesses: boolean, progress: Progress | null, isWanted: Wanted) {
    this.isWanted = isWanted;
    this.model = model;
    this.mayGrow = allowNewProcesses && createsWithoutEnd(model.program);
    this.progress = progress;
    this.looseHash = hashWithoutCounters(model);
  }

  /** Called while the machine holds the new state. */
  note(_space: StateSpace, state: number): boolean {
    const { machine } = this.model;
    const words = machine.words();
    const globals = hashOf(words, 1, machine.globalWords());
    this.globals.set(state, globals);
    this.control.set(state, hashOf(words, 0, machine.controlWords()));
    if (this.looseHash !== null) this.loose.set(state, this.looseHash());
    this.processes.set(state, words[0]! & 65535);
    this.total.set(state, totalLength(this.model));
    this.progresses.set(state, this.progress?.kind === 'labels' && this.atProgress() ? 1 : 0);
    this.pending.push(state);
    return false;
  }

  private atProgress(): boolean {
    const { machine } = this.model;
    return machine.cells[HEADER.exclusive]! < 0 && (machine.flags() & FLAG.progress) !== 0;
  }

  /** True when the search may stop. */
  candidates(space: StateSpace, offer: Offer): boolean {
    const states = this.pending;
    this.pending = [];
    if (this.progress?.kind === 'steps')
      for (const state of states) this.progresses.set(state, space.arrivals.data[state] ?? 0);
    for (const state of states) if (this.compare(space, state, offer)) return true;
    return false;
  }

  private compare(space: StateSpace, state: number, offer: Offer): boolean {
    const control = this.control.data;
    const total = this.total.data;
    const least = this.progress === null ? 1 : 0;
    const progresses = this.progresses.data;
    let lengths: number[] | null = null;
    let tries = 0;
    let checks = 0;
    let steps = 0;
    for (let below = state; progresses[below] === 0 && steps < MAX_ANCESTORS; steps++) {
      const at = space.parentOf(below);
      if (at < 0) break;
      below = at;
      const same = control[at] === control[state];
      const counted = !same && this.looseHash !== null && this.loose.data[at] === this.loose.data[state];
      if (!same && !counted && !this.sameButForProcesses(at, state)) continue;
      if (total[at]! + least > total[state]!) continue;
      if (!same && ++checks > MAX_CHECKS) continue;
      lengths ??= queueLengths(space, state);
      const now = lengths;
      const then = queueLengths(space, at);
      if (then.some((length, j) => length > now[j]!)) continue;
      if (this.progress === null && !now.some((length, j) => length > (then[j] ?? 0) && this.isWanted(j)))
        continue;
      if (!same && !counted && !this.rolesRemain(space, at, state)) continue;
      if (++tries > 4) break;
      const whole = pathTo(space, state);
      const cut = whole.indexOf(at);
      const loop = choicesAlong(space, whole.slice(cut));
      if (offer(loop, () => choicesAlong(space, whole.slice(0, cut + 1)))) return true;
    }
    return false;
  }

  /** Every process that could move has its like in the later state: a quick test, the judge is pumping.ts. */
  private rolesRemain(space: StateSpace, at: number, state: number): boolean {
    const later = framesOf(space, state);
    return framesOf(space, at).every((frame) => {
      const like = later.indexOf(frame);
      if (like >= 0) later.splice(like, 1);
      return like >= 0;
    });
  }

  private sameButForProcesses(at: number, state: number): boolean {
    return (
      this.mayGrow &&
      this.globals.data[at] === this.globals.data[state] &&
      this.processes.data[at]! < this.processes.data[state]!
    );
  }
}

const MAX_ANCESTORS = 3000;
const MAX_CHECKS = 8;

/** The processes that have not reached their end, each as text. */
function framesOf(space: StateSpace, state: number): string[] {
  const { machine, layout, program } = space.model;
  space.store.loadInto(machine, state);
  const { cells, frames } = machine;
  return Array.from({ length: cells[HEADER.processes]! }, (_, pid) => frames[pid]!).flatMap((start) => {
    const proctype = program.proctypes[cells[start + FRAME.type]!]!;
    if (proctype.locations[cells[start + FRAME.location]!]!.isFinal) return [];
    return [cells.slice(start, start + layout.frameSize[proctype.id]!).join()];
  });
}

/** By channel number − 1. */
function queueLengths(space: StateSpace, state: number): number[] {
  const { machine } = space.model;
  space.store.loadInto(machine, state);
  const memory = machine.queues();
  return Array.from({ length: machine.cells[HEADER.channels]! }, (_, j) => memory[memory[j]!]!);
}
