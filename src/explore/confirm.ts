// Looks for real runs that flood queues (or never make progress), with channels of unlimited capacity.
//
// Three ways, in turn: a breadth-first search that compares each new state with its ancestors (finds the shortest runs, and proves
// boundedness when it runs out of new states), random walks that prefer given edges (the loops of a linear program's
// counterexample), random walks that prefer nothing. A candidate counts only when pumping.ts accepts it.

import type { Budget, Observer } from '../base/budget.ts';
import type { Model } from './compile.ts';
import { hashOf, totalLength } from './control.ts';
import { createsWithoutEnd } from './creation.ts';
import { FAULT } from './faults.ts';
import { IntList } from './growable.ts';
import { FRAME, HEADER } from './layout.ts';
import { queueMaxima } from './maxima.ts';
import type { Loop, Progress, PumpedLoop } from './pumping.ts';
import { pump } from './pumping.ts';
import type { LimitReached, SearchOutcome, StateSpace } from './search.ts';
import { search } from './search.ts';
import { choicesAlong, pathTo } from './trail.ts';
import { walkForLoops } from './walks.ts';

export interface ConfirmOptions {
  /** Names of queues whose growth is asked for; all buffered ones when left out. */
  readonly queues?: readonly string[];
  /** By proctype: the edges to prefer in random walks. */
  readonly preferred?: readonly ReadonlySet<number>[];
  /** Look for a loop without progress instead of growth. */
  readonly progress?: Progress;
  /** Accept loops that leave processes behind (SPIN would stop at 255). */
  readonly allowNewProcesses?: boolean;
  readonly seed?: number;
}

export interface FoundLoop extends PumpedLoop {
  /** By queue name: messages gained per round. */
  readonly growthByName: ReadonlyMap<string, number>;
}

export interface ConfirmOutcome {
  /** Each with at least one queue that was asked for and not yet seen to grow. */
  readonly loops: readonly FoundLoop[];
  /** Every state under unlimited capacity was seen: the maxima are exact and nothing was missed. */
  readonly exhausted: boolean;
  /** By queue name: the greatest length, exact when exhausted. */
  readonly maxima: ReadonlyMap<string, number>;
  readonly limit: LimitReached | 'process-limit' | null;
  readonly states: number;
  readonly transitions: number;
  /** Paths that ended in a runtime error of the model (assertions do not end a path). */
  readonly faults: number;
  readonly search: SearchOutcome;
}

/** States the first breadth-first pass may store before random walks get their turn. */
const FIRST_PASS = 20_000;
const MAX_CANDIDATES = 1000;

/** The model must be compiled with unlimited capacity. */
export function confirm(
  model: Model,
  options: ConfirmOptions,
  budget: Budget,
  observer: Observer,
): ConfirmOutcome {
  const collector = new Collector(model, options);
  const first = collector.searchFrom(
    { ...budget, maxStates: Math.min(FIRST_PASS, budget.maxStates) },
    observer,
  );
  const settled = first.limit !== 'state-limit' || budget.maxStates <= FIRST_PASS;
  if (collector.done() || settled) return collector.outcome(first);
  walkForLoops(model, options, budget, (loop) => collector.offer(loop));
  if (collector.done()) return collector.outcome(first);
  return collector.outcome(collector.searchFrom(budget, observer));
}

/** Tries candidates and keeps those that add something. */
class Collector {
  private readonly loops: FoundLoop[] = [];
  private readonly missing: Set<string>;
  private readonly failures = new Map<string, number>();
  private candidates = 0;
  private readonly model: Model;
  private readonly options: ConfirmOptions;

  constructor(model: Model, options: ConfirmOptions) {
    this.model = model;
    this.options = options;
    const all = model.layout.queueNames.filter((queue) => queue.capacity > 0).map((queue) => queue.name);
    this.missing = new Set(options.queues ?? all);
  }

  done(): boolean {
    if (this.options.progress !== undefined) return this.loops.length > 0;
    return this.missing.size === 0;
  }

  /** True when nothing more is wanted. */
  offer(candidate: Loop): boolean {
    if (this.candidates >= MAX_CANDIDATES) return this.done();
    const key = candidate.loop.join();
    const failed = this.failures.get(key) ?? 0;
    if (failed >= 3) return this.done();
    this.candidates++;
    const found = pump(this.model, candidate, {
      allowNewProcesses: this.options.allowNewProcesses ?? false,
      progress: this.options.progress ?? null,
    });
    if (found === null) this.failures.set(key, failed + 1);
    else this.keep(found);
    return this.done();
  }

  private keep(found: PumpedLoop): void {
    const { machine, layout } = this.model;
    const growthByName = new Map<string, number>();
    for (const [channel, gained] of found.growth) {
      const { name } = layout.queueNames[machine.nameOfChannel[channel - 1]!]!;
      growthByName.set(name, (growthByName.get(name) ?? 0) + gained);
    }
    const isNew = [...growthByName.keys()].some((name) => this.missing.has(name));
    if (!isNew && this.options.progress === undefined) return;
    for (const name of growthByName.keys()) this.missing.delete(name);
    this.loops.push({ ...found, growthByName });
  }

  searchFrom(budget: Budget, observer: Observer): SearchOutcome {
    const ancestors = new AncestorCheck(this.model, this.options);
    return search(
      this.model,
      {
        graph: this.options.progress !== undefined,
        all: true,
        onState: (space, state) => ancestors.note(space, state),
        onExpanded: (space) =>
          this.candidates < MAX_CANDIDATES && ancestors.candidates(space, (loop) => this.offer(loop)),
        assertions: true,
      },
      budget,
      observer,
    );
  }

  outcome(found: SearchOutcome): ConfirmOutcome {
    const faults = found.violations.filter((violation) => violation.kind === 'runtime-error');
    const outOfBounds = faults.some(
      ({ fault }) =>
        fault === FAULT.tooManyProcesses ||
        fault === FAULT.tooManyChannels ||
        fault === FAULT.dstepEndless ||
        fault === FAULT.memory,
    );
    return {
      loops: this.loops,
      exhausted: found.limit === null && !found.stopped && !outOfBounds,
      maxima: queueMaxima(this.model),
      limit: found.limit ?? (outOfBounds ? 'process-limit' : null),
      states: found.states,
      transitions: found.transitions,
      faults: faults.length,
      search: found,
    };
  }
}

/** Compares each new state of a search with those on the path to it. */
class AncestorCheck {
  /** By state: a hash of everything but the queues, one of the globals alone, the number of processes, of messages. */
  private readonly control = new IntList();
  private readonly globals = new IntList();
  private readonly processes = new IntList();
  private readonly total = new IntList();
  private pending: number[] = [];
  private readonly model: Model;
  private readonly mayGrow: boolean;
  private readonly needsGrowth: boolean;

  constructor(model: Model, options: ConfirmOptions) {
    this.model = model;
    this.mayGrow = (options.allowNewProcesses ?? false) && createsWithoutEnd(model.program);
    this.needsGrowth = options.progress === undefined;
  }

  /** Called while the machine holds the new state. */
  note(_space: StateSpace, state: number): boolean {
    const { machine } = this.model;
    const words = machine.words();
    const globals = hashOf(words, 1, machine.globalWords());
    this.globals.set(state, globals);
    this.control.set(state, hashOf(words, 0, machine.controlWords()));
    this.processes.set(state, words[0]! & 65535);
    this.total.set(state, totalLength(this.model));
    this.pending.push(state);
    return false;
  }

  /** True when the search may stop. */
  candidates(space: StateSpace, offer: (loop: Loop) => boolean): boolean {
    const states = this.pending;
    this.pending = [];
    for (const state of states) if (this.compare(space, state, offer)) return true;
    return false;
  }

  private compare(space: StateSpace, state: number, offer: (loop: Loop) => boolean): boolean {
    const parents = space.parents.data;
    const control = this.control.data;
    const total = this.total.data;
    const least = this.needsGrowth ? 1 : 0;
    let lengths: number[] | null = null;
    let tries = 0;
    let steps = 0;
    for (let at = parents[state]!; at >= 0 && steps < MAX_ANCESTORS; at = parents[at]!, steps++) {
      if (control[at] !== control[state] && !this.sameButForProcesses(at, state)) continue;
      if (total[at]! + least > total[state]!) continue;
      lengths ??= queueLengths(space, state);
      const now = lengths;
      if (queueLengths(space, at).some((length, j) => length > now[j]!)) continue;
      if (control[at] !== control[state] && !this.rolesRemain(space, at, state)) continue;
      if (++tries > 4) break;
      const whole = pathTo(space, state);
      const cut = whole.indexOf(at);
      const prefix = choicesAlong(space, whole.slice(0, cut + 1));
      const loop = choicesAlong(space, whole.slice(cut));
      if (offer({ prefix, loop })) return true;
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

/** The processes that have not reached their end, each as text. */
function framesOf(space: StateSpace, state: number): string[] {
  const { machine, layout, program } = space.model;
  machine.unpack(space.store.chunkOf(state), space.store.startOf(state));
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
  machine.unpack(space.store.chunkOf(state), space.store.startOf(state));
  const memory = machine.queues();
  return Array.from({ length: machine.cells[HEADER.channels]! }, (_, j) => memory[memory[j]!]!);
}
